import { describe, expect, it } from "vitest";
import { copyPages, PAGE_BYTES, putPages } from "../../../src/interp/memory/snapshot-pages.ts";

const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 37) & 0xff);

describe.each([1, 2, 3, 4, 5, 7, PAGE_BYTES - 1, PAGE_BYTES + 3])("a copy of %i bytes", (length) => {
  it("is shared with an earlier one that holds the same", () => {
    const before = copyPages(bytes(length));
    const after = copyPages(bytes(length), before);
    expect(after.every((page, at) => page === before[at])).toBe(true);
  });

  it("is another where one of its last bytes differs", () => {
    const before = copyPages(bytes(length));
    for (let at = Math.max(0, length - 5); at < length; at++) {
      const changed = bytes(length);
      changed[at]! ^= 0x80;
      const put = new Uint8Array(length);
      putPages(copyPages(changed, before), put, 0);
      expect(put).toEqual(changed);
    }
  });
});

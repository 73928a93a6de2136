import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pack, unpack } from "../../../../src/system/container.ts";

const part = (length: number, from = 1): Uint8Array => Uint8Array.from({ length }, (_, at) => (at + from) & 255);
const plain = (parts: readonly Uint8Array[] | undefined) => parts?.map((each) => [...each]);

describe("a file of several parts", () => {
  it("gives back what went in", () => {
    for (const lengths of [[], [0], [1], [8, 8], [3, 0, 1000], [1001, 7]]) {
      const parts = lengths.map((length) => part(length));
      expect(plain(unpack(pack(parts)))).toEqual(plain(parts));
    }
  });

  it("starts each part at a multiple of 8 bytes", () => {
    const file = pack([part(3), part(9), part(1)]);
    expect(file.length % 8).toBe(0);
    expect(unpack(file)?.map(({ byteOffset }) => byteOffset % 8)).toEqual([0, 0, 0]);
  });

  it("takes no file with a wrong bit, whichever it is", () => {
    const file = pack([part(20), part(30, 99)]);
    for (let bit = 0; bit < file.length * 8; bit++) {
      const wrong = file.slice();
      wrong[bit >> 3] = (wrong[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(unpack(wrong), `bit ${bit}`).toBeUndefined();
    }
  });

  it("takes no part of a file, and nothing else", () => {
    const file = pack([part(20), part(30, 99)]);
    for (let length = 0; length < file.length; length++) expect(unpack(file.subarray(0, length))).toBeUndefined();
    fc.assert(fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => unpack(bytes) === undefined));
  });
});

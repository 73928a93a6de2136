import { describe, expect, it } from "vitest";
import { chunkAddress, readMatrixDescriptor } from "../../../src/interp/contract/matrix/matrix-descriptor.ts";

describe("the descriptor of a matrix in shared memory", () => {
  it.each([
    ["sm_107a", 0x4_0000, 0x4_0010],
    ["sm_100a", 0, 0],
  ])("has addresses of 15 bits on sm_107, of 14 before: %s", (target, start, leading) => {
    const read = readMatrixDescriptor((1n << 46n) | (1n << 14n) | (0x4001n << 16n), target);
    if (typeof read === "string") throw new Error(read);
    expect(read).toMatchObject({ start, leading: leading === 0 ? 0x10 : leading });
    expect(chunkAddress(read, "K", 0, 0)).toBe(start);
    // From the last address on the first ones follow.
    expect(chunkAddress({ ...read, start: read.last - 15 }, "K", 1, 0)).toBe(0);
  });
});

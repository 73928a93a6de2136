import { describe, expect, it } from "vitest";
import { chunkAddress, readMatrixDescriptor } from "../../../src/interp/contract/matrix/matrix-descriptor.ts";
import { chunkAddresses } from "../../../src/interp/contract/matrix/shared-matrix.ts";
import { type Swizzle, swizzled, swizzles } from "../../../src/interp/contract/matrix/swizzle.ts";
import { shuffleOf } from "../../../src/interp/tensor-map/swizzle.ts";

/** The chunks of 16 bytes of a line of 128, in the order in which they lie there. */
const line = (at: number, swizzle: Swizzle, first?: number): string => {
  const places = Array.from({ length: 8 }, (_, chunk) => (swizzled(at * 128 + chunk * 16, swizzle, first) >>> 4) & 7);
  return Array.from({ length: 8 }, (_, place) => places.indexOf(place)).join("");
};

describe("a swizzle", () => {
  // The figures of 5.5.7: four lines of 32B and 64B, eight of 128B.
  it.each([
    ["none", ["01234567", "01234567"]],
    ["32B", ["01234567", "10325476", "01234567"]],
    ["64B", ["01234567", "10325476", "23016745", "32107654", "01234567"]],
    [
      "128B",
      ["01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210", "01234567"],
    ],
    ["128B with 32B atoms", ["01234567", "23016745", "45670123", "67452301", "01234567"]],
    ["128B with 64B atoms", ["01234567", "45670123", "01234567"]],
  ] as const)("of %s has these lines", (name, lines) => {
    expect(lines.map((_, at) => line(at, swizzles[name]))).toEqual(lines);
  });

  it("begins at the line of the base offset", () => {
    expect(line(3, swizzles["128B"], 3)).toBe("01234567");
    expect(line(2, swizzles["128B"], 3)).toBe("76543210");
  });
});

describe("tensor maps, wgmma and tcgen05", () => {
  /** K-major descriptors whose rows are lines of 128 bytes, as wide as the swizzle. */
  it.each([
    ["32B", 32, 6n],
    ["64B", 64, 4n],
    ["128B", 128, 2n],
  ] as const)("have the same pattern of %s", (name, width, mode) => {
    const map = shuffleOf(name, "16B");
    const tcgen05 = readMatrixDescriptor((1n << 46n) | (BigInt((8 * width) >> 4) << 32n) | (mode << 61n), "sm_100a");
    if (typeof tcgen05 === "string") throw new Error(tcgen05);
    const wgmma = { start: 0, leading: 0, stride: 8 * width, base: 0, swizzle: width };
    const chunks = width / 16;
    const places = chunkAddresses(wgmma, true, 0, 64, chunks);
    for (let row = 0; row < 64; row++)
      for (let chunk = 0; chunk < chunks; chunk++) {
        const expected = map(row * width + chunk * 16);
        expect(places[row * chunks + chunk]).toBe(expected);
        expect(chunkAddress(tcgen05, "K", row, chunk)).toBe(expected);
      }
  });
});

import { describe, expect, it } from "vitest";
import { draws } from "../../../../tests/share.ts";
import { fromInteger, fromNumber, fused, isNaNIn, rounded, toNumber } from "../../hunt/float.ts";
import { Random } from "../../hunt/random.ts";
import { bfloat, double, half, single } from "../../hunt/type.ts";

const random = new Random(1);
const any = (bits: number): bigint => random.bits(bits);
const view = new DataView(new ArrayBuffer(4));
const bitsOfSingle = (value: number): bigint => {
  view.setFloat32(0, value);
  return BigInt(view.getUint32(0));
};

describe("floats of the evaluator", () => {
  it("come back from numbers as they were", () => {
    for (const type of [half, bfloat])
      for (let bits = 0n; bits < 65536n; bits += BigInt(draws(61, 7)))
        if (!isNaNIn(type, bits)) expect(fromNumber(type, toNumber(type, bits)), `${type.text} ${bits}`).toBe(bits);
  });

  it("round as JavaScript rounds to 32 bits", () => {
    for (let at = 0; at < 2000; at++) {
      const value = toNumber(double, any(64));
      if (Number.isNaN(value)) continue;
      expect(fromNumber(single, value), String(value)).toBe(bitsOfSingle(value));
    }
  });

  it("round a half to even, over the greatest to infinity, and to subnormal numbers once", () => {
    expect(fromNumber(half, 2049)).toBe(fromNumber(half, 2048));
    expect(fromNumber(half, 2051)).toBe(fromNumber(half, 2052));
    expect(fromNumber(half, 65519.99)).toBe(0x7bffn);
    expect(fromNumber(half, 65520)).toBe(0x7c00n);
    expect(fromNumber(half, 2 ** -25)).toBe(0n);
    expect(fromNumber(half, 2 ** -25 * 1.5)).toBe(1n);
    expect(fromNumber(bfloat, -(2 ** -133))).toBe(0x8001n);
    expect(fromInteger(single, (1n << 25n) + 3n)).toBe(bitsOfSingle(2 ** 25 + 4));
    expect(rounded(half, { negative: true, significand: 0n, exponent: 3 })).toBe(0x8000n);
  });

  it("round a product and a sum once", () => {
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24, of which two roundings would lose the end.
    const a = bitsOfSingle(1 + 2 ** -12);
    expect(fused(single, a, a, bitsOfSingle(-1 - 2 ** -11))).toBe(bitsOfSingle(2 ** -24));
    const one = fromNumber(double, 1 + 2 ** -30);
    expect(fused(double, one, one, fromNumber(double, -1 - 2 ** -29))).toBe(fromNumber(double, 2 ** -60));
    expect(fused(single, bitsOfSingle(-0), bitsOfSingle(1), bitsOfSingle(-0))).toBe(bitsOfSingle(-0));
    expect(fused(single, bitsOfSingle(2 ** 127), bitsOfSingle(2), bitsOfSingle(-Infinity))).toBe(
      bitsOfSingle(-Infinity),
    );
    expect(isNaNIn(half, fused(half, 0x7c00n, 0n, 0x3c00n))).toBe(true);
  });
});

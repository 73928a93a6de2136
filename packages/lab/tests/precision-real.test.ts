import { describe, expect, it } from "vitest";
import { unpack } from "../../../src/numeric/exact/exact.ts";
import { e4m3, tf32, ue8m0 } from "../../../src/numeric/format/format.ts";
import { bf16, type Format, f16, f32, f64 } from "../../../src/numeric/index.ts";
import { compare, exponentOf, functions, minus, ONE, ofBits, ofInteger, over, plus, type Real, root, times, toNumber, wholeOf } from "../precision/real.ts"; // biome-ignore format: a list of names

let state = 1n;
const draw = (bits: number): bigint => {
  state = BigInt.asUintN(256, state * 0x5851_f42d_4c95_7f2d_1405_7b7e_f767_814fn + 1n);
  return (state >> 40n) & ((1n << BigInt(bits)) - 1n);
};
const drawn = (bits = 60, range = 200): Real => ({
  kind: "finite",
  sig: draw(bits) * (draw(1) === 1n ? 1n : -1n) + 1n,
  exp: Number(draw(16)) % range,
});
const value = (x: Real): bigint => {
  if (x.kind !== "finite") throw new Error(x.kind);
  return x.sig << BigInt(x.exp + 1000);
};
/** Bits of a that b has, too. */
const agreeing = (a: Real, b: Real): number => exponentOf(a) - exponentOf(minus(a, b));

describe("sums and products", () => {
  it("are exact while they fit", () => {
    for (let at = 0; at < 200; at++) {
      const [a, b] = [drawn(50, 100), drawn(50, 100)];
      expect(value(plus(a, b))).toBe(value(a) + value(b));
      expect(value(minus(a, b))).toBe(value(a) - value(b));
      expect(value(times(a, b)) << 1000n).toBe(value(a) * value(b));
    }
  });

  it("have 190 bits where they do not", () => {
    let product: Real = ONE;
    let exact = 1n;
    for (let at = 0; at < 40; at++) {
      const factor = draw(60) + 1n;
      product = times(product, ofInteger(factor));
      exact *= factor;
    }
    const size = product as Real & { kind: "finite" };
    expect(size.sig < 1n << 320n).toBe(true);
    const shift = BigInt(exact.toString(2).length - 185);
    expect(((value(size) >> 1000n) >> shift) - (exact >> shift)).toBeLessThan(2n);
  });

  it("leave what is too small beside them", () => {
    const [large, small] = [
      { ...ONE, exp: 100_000 },
      { ...ONE, exp: -100_000 },
    ];
    expect(plus(large, small)).toEqual(large);
    expect(plus(small, large)).toEqual(large);
    expect(minus(minus(plus(large, small), large), small)).toMatchObject({ kind: "finite", sig: -1n });
  });
});

describe("quotients and roots", () => {
  it("have 190 bits", () => {
    for (let at = 0; at < 100; at++) {
      const [a, b] = [drawn(), drawn()];
      expect(agreeing(times(over(a, b), b), a)).toBeGreaterThan(185);
      const square = times(a, a);
      expect(agreeing(times(root(square), root(square)), square)).toBeGreaterThan(185);
    }
  });

  it("know infinities", () => {
    const inf: Real = { kind: "inf", neg: false };
    const zero = ofInteger(0n);
    expect(over(ONE, zero)).toEqual(inf);
    expect(over(zero, zero).kind).toBe("nan");
    expect(over(ONE, inf)).toEqual(zero);
    expect(minus(inf, inf).kind).toBe("nan");
    expect(times(inf, zero).kind).toBe("nan");
    expect(root(ofInteger(-1n)).kind).toBe("nan");
    expect(toNumber({ kind: "inf", neg: true })).toBe(Number.NEGATIVE_INFINITY);
    expect(compare(inf, ONE)).toBeGreaterThan(0);
  });
});

describe("functions", () => {
  it("agree with each other to 90 bits", () => {
    for (let at = 0; at < 10; at++) {
      const x: Real = { kind: "finite", sig: draw(53) + 1n, exp: -50 };
      const { ex2, lg2, sin, cos, rsqrt, tanh } = functions;
      expect(agreeing(ex2(lg2(x)), x)).toBeGreaterThan(80);
      expect(agreeing(plus(times(sin(x), sin(x)), times(cos(x), cos(x))), ONE)).toBeGreaterThan(90);
      expect(agreeing(times(times(rsqrt(x), rsqrt(x)), x), ONE)).toBeGreaterThan(185);
      expect(toNumber(tanh(x))).toBeCloseTo(Math.tanh(toNumber(x)), 14);
    }
  });

  it("have exponents without bounds", () => {
    const power = functions.ex2(ofInteger(1_000_000n));
    expect(exponentOf(power)).toBe(1_000_000);
    expect(toNumber(power)).toBe(Number.POSITIVE_INFINITY);
    expect(toNumber(functions.lg2(power))).toBe(1_000_000);
    expect(toNumber(functions.ex2(ofInteger(-1_000_000n)))).toBe(0);
  });
});

describe("bits", () => {
  it.each<[Format, number]>([
    [f16, 16],
    [bf16, 16],
    [f32, 32],
    [tf32, 32],
    [f64, 64],
    [e4m3, 8],
    [ue8m0, 8],
  ])("of %o mean what they mean elsewhere", (format, width) => {
    for (let at = 0; at < 300; at++) {
      const bits = draw(width);
      const [x, wanted] = [ofBits(format, Number(bits & 0xffff_ffffn), Number(bits >> 32n)), unpack(format, bits)];
      expect(x.kind).toBe(wanted.kind);
      if (x.kind !== "finite" || wanted.kind !== "finite") continue;
      expect(compare(x, { kind: "finite", sig: wanted.neg ? -wanted.sig : wanted.sig, exp: wanted.exp })).toBe(0);
    }
  });

  it.each([
    [2.5, 2n, 3n, 2n, 2n, 3n],
    [3.5, 4n, 4n, 3n, 3n, 4n],
    [-2.5, -2n, -3n, -2n, -3n, -2n],
    [-0.25, 0n, 0n, 0n, -1n, 0n],
    [7, 7n, 7n, 7n, 7n, 7n],
  ])("%d is rounded to a whole number", (x, rn, rna, rz, rm, rp) => {
    const quarters: Real = { kind: "finite", sig: BigInt(4 * x), exp: -2 };
    const roundings = ["rn", "rna", "rz", "rm", "rp"] as const;
    expect(roundings.map((rnd) => wholeOf(quarters, rnd))).toEqual([rn, rna, rz, rm, rp]);
  });
});

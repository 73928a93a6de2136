import { describe, expect, it } from "vitest";
import { f32, f64 } from "../../../src/numeric/index.ts";
import type { Lowered } from "../../../src/numeric/lower/lowered.ts";
import type { Property } from "../../../src/numeric/operation/expression.ts";
import {
  fcopysign,
  fcos,
  fdivApprox,
  fex2,
  flg2,
  fmax3,
  fmin3,
  fmul,
  fproperty,
  frcpGross,
  frsqrt,
  frsqrtGross,
  fsin,
  fsub,
  ftanh,
  pair,
} from "./float-entry.ts";

const run = (op: Lowered, ...bits: (number | bigint)[]) =>
  (op.js as unknown as (...bits: (number | bigint)[]) => number | bigint)(...bits);

/** -inf, -1, -subnormal, -0, +0, +subnormal, +inf, NaN: the columns of the manual's tables. */
const inputs = [0xff80_0000, 0xbf80_0000, 0x8000_0001, 0x8000_0000, 0, 1, 0x7f80_0000, 0xffc0_0001];
const nan = 0x7fff_ffff;
const [minus, plus] = [0xff80_0000, 0x7f80_0000];
const one = 0x3f80_0000;

describe("the functions of f32 at the manual's corners", () => {
  const at = (op: Lowered) => inputs.map((bits) => run(op, bits));

  it("sin and cos", () => {
    expect(at(fsin(f32))).toEqual([nan, 0xbf57_6aa4, 0x8000_0001, 0x8000_0000, 0, 1, nan, nan]);
    expect(at(fsin(f32, { ftz: true }))).toEqual([nan, 0xbf57_6aa4, 0x8000_0000, 0x8000_0000, 0, 0, nan, nan]);
    expect(at(fcos(f32))).toEqual([nan, 0x3f0a_5140, one, one, one, one, nan, nan]);
  });
  it("sin and cos of great angles", () => {
    expect(run(fsin(f32), 0x7f7f_ffff)).toBe(0xbf05_99b3); // sin((2^24 - 1) * 2^104) = -0.5218765...
    expect(run(fcos(f32), 0x7f7f_ffff)).toBe(0x3f5a_5f96); // 0.8530210...
    expect(run(fsin(f32), 0x4048_f5c3)).toBe(0x3ad0_bd0b); // sin 3.1400001049... = 0.0015925..., close to a multiple of pi
  });
  it("lg2", () => {
    expect(at(flg2(f32))).toEqual([nan, nan, nan, minus, minus, 0xc315_0000, plus, nan]);
    expect(at(flg2(f32, { ftz: true }))).toEqual([nan, nan, minus, minus, minus, minus, plus, nan]);
    expect(run(flg2(f32), one)).toBe(0);
    expect(run(flg2(f32), 0x3f80_0001)).toBe(0x3438_aa3a); // a little below 2^-23 / ln 2
  });
  it("ex2", () => {
    expect(at(fex2(f32))).toEqual([0, 0x3f00_0000, one, one, one, one, plus, nan]);
    // 2^-150 is a tie of 0 and the smallest number; the least argument above it is not.
    expect(run(fex2(f32), 0xc316_0000)).toBe(0);
    expect(run(fex2(f32), 0xc315_ffff)).toBe(1);
    expect(run(fex2(f32, { ftz: true }), 0xc2fc_0000)).toBe(0x0080_0000); // 2^-126
    expect(run(fex2(f32, { ftz: true }), 0xc2fc_0001)).toBe(0);
    expect(run(fex2(f32), 0x42ff_ffff)).toBe(0x7f7f_ffa7);
  });
  it("tanh", () => {
    const wanted = [0xbf80_0000, 0xbf42_f7d6, 0x8000_0001, 0x8000_0000, 0, 1, one, nan];
    expect(at(ftanh(f32))).toEqual(wanted);
  });
  it("rsqrt", () => {
    expect(at(frsqrt(f32))).toEqual([nan, nan, nan, minus, plus, 0x64b5_04f3, 0, nan]);
    expect(at(frsqrt(f32, { ftz: true }))).toEqual([nan, nan, minus, minus, plus, plus, 0, nan]);
    expect(run(frsqrt(f32), 0x4080_0000)).toBe(0x3f00_0000);
  });
});

describe("the functions of f32 on doubles equal the exact ones", () => {
  const makers = { fsin, fcos, flg2, fex2, ftanh, frsqrt };
  let state = 77;
  const word = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  it.each(Object.entries(makers))("%s", (_, maker) => {
    for (const ftz of [false, true]) {
      const fast = maker(f32, { ftz });
      const reference = maker(f32, { ftz, reference: true });
      const wrong: string[] = [];
      for (let n = 0; n < 2000; n++) {
        const bits = n % 3 ? ((word() & 0x807f_ffff) | ((110 + (word() % 30)) << 23)) >>> 0 : word();
        if (run(fast, bits) !== run(reference, bits)) wrong.push(bits.toString(16));
      }
      expect(wrong).toEqual([]);
    }
  });
});

describe("rsqrt.approx.f64 and the gross f64 forms", () => {
  it("read and write the upper word only", () => {
    const given = [0xfff0_0000_0000_0000n, 0x800f_ffff_ffff_ffffn, 0x8000_0000_0000_0000n, 0n, 0xf_ffff_ffff_ffffn];
    const [low, high] = [0xfff0_0000_0000_0000n, 0x7ff0_0000_0000_0000n];
    expect(given.map((a) => run(frcpGross(), a))).toEqual([0x8000_0000_0000_0000n, low, low, high, high]);
    expect(given.map((a) => run(frsqrtGross(), a))).toEqual([f64.nan, low, low, high, high]);
    // The lower word is not read: with 1 in it this is no NaN but infinity.
    expect(run(frcpGross(), 0x7ff0_0000_0000_0001n)).toBe(0n);
    expect(run(frcpGross(), 0x7ff0_0001_0000_0000n)).toBe(f64.nan);
    // 1 / 2^1022 is the smallest normal number, and the next reciprocal is flushed.
    expect(run(frcpGross(), 0x7fd0_0000_0000_0000n)).toBe(0x0010_0000_0000_0000n);
    expect(run(frcpGross(), 0x7fd0_0001_0000_0000n)).toBe(0n);
  });
  it.each([frcpGross, frsqrtGross])("%o equals the exact function", (maker) => {
    const fast = maker();
    const reference = maker({ reference: true });
    let state = 0x9e37_79b9_7f4a_7c15n;
    for (let n = 0; n < 2000; n++) {
      state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
      expect(run(fast, state)).toBe(run(reference, state));
    }
  });
  it("rsqrt.approx.f64 equals the exact function", () => {
    const [fast, reference] = [frsqrt(f64), frsqrt(f64, { reference: true })];
    let state = 0x1234_5678_9abc_def1n;
    const wrong: string[] = [];
    const next = (): bigint => {
      state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
      // Few are negative, and some are subnormal.
      return (state >> (state % 5n === 0n ? 12n : 1n)) | (state % 31n === 0n ? 1n << 63n : 0n);
    };
    // All digits but the last few of 2^-100 and of its neighbours' roots are 0 or 1.
    const near = [
      0x39b0_0000_0000_0001n,
      0x39af_ffff_ffff_ffffn,
      0x3ff0_0000_0000_0001n,
      0x3fef_ffff_ffff_ffffn,
      0x7fefn << 48n,
      1n,
    ];
    for (const a of [...near, ...Array.from({ length: 3000 }, next)])
      if (run(fast, a) !== run(reference, a)) wrong.push(a.toString(16));
    expect(wrong).toEqual([]);
  });
  it("rounds 1 / sqrt a", () => {
    expect(run(frsqrt(f64), 0x4008_0000_0000_0000n)).toBe(0x3fe2_79a7_4590_331cn); // 0.57735026918962576...
    expect(run(frsqrt(f64), 1n)).toBe(0x6180_0000_0000_0000n); // 2^537
    expect(run(frsqrt(f64), 0xbff0_0000_0000_0000n)).toBe(f64.nan);
  });
});

describe("div.approx", () => {
  const div = fdivApprox();
  it("flushes the reciprocal of what is above 2^126", () => {
    expect(run(div, one, 0x7e80_0000)).toBe(0x0080_0000); // 2^-126
    expect(run(div, 0x7f7f_ffff, 0x7e80_0001)).toBe(0);
    expect(run(div, 0xff7f_ffff, 0x7e80_0001)).toBe(0x8000_0000);
    expect(run(div, plus, 0xff00_0000)).toBe(nan);
    expect(run(div, nan, 0xff00_0000)).toBe(nan);
    expect(run(div, one, minus)).toBe(0x8000_0000);
    expect(run(div, plus, plus)).toBe(nan);
  });
});

describe("testp, copysign, min and max of three, pairs of f32", () => {
  it("testp", () => {
    const codes = [0, 0x8000_0001, 0x007f_ffff, 0x0080_0000, 0xff7f_ffff, 0x7f80_0000, 0xff80_0001];
    const holds = (property: Property) => codes.map((a) => run(fproperty(f32, property), a));
    expect(holds("finite")).toEqual([1, 1, 1, 1, 1, 0, 0]);
    expect(holds("infinite")).toEqual([0, 0, 0, 0, 0, 1, 0]);
    expect(holds("number")).toEqual([1, 1, 1, 1, 1, 1, 0]);
    expect(holds("notanumber")).toEqual([0, 0, 0, 0, 0, 0, 1]);
    expect(holds("normal")).toEqual([1, 0, 0, 1, 1, 0, 0]);
    expect(holds("subnormal")).toEqual([0, 1, 1, 0, 0, 0, 0]);
    // Of f64 the lower word counts too.
    expect(run(fproperty(f64, "subnormal"), 1n)).toBe(1);
    expect(run(fproperty(f64, "normal"), 0x8000_0000_0000_0000n)).toBe(1);
    expect(run(fproperty(f64, "notanumber"), 0x7ff0_0000_0000_0001n)).toBe(1);
    expect(run(fproperty(f64, "infinite"), 0xfff0_0000_0000_0000n)).toBe(1);
  });
  it("copysign takes the sign of a and keeps a NaN's payload", () => {
    expect(run(fcopysign(f32), 0xffc0_0000, 0x7f80_0001)).toBe(0xff80_0001);
    expect(run(fcopysign(f64), 0n, 0xfff8_0000_0000_0001n)).toBe(0x7ff8_0000_0000_0001n);
  });
  it("min and max of three", () => {
    expect(run(fmin3(f32), 0, 0x8000_0000, one)).toBe(0x8000_0000);
    expect(run(fmax3(f32), nan, nan, 0xbf80_0000)).toBe(0xbf80_0000);
    expect(run(fmax3(f32), nan, nan, nan)).toBe(nan);
    expect(run(fmax3(f32, { nan: true }), one, one, 0xffc0_0000)).toBe(nan);
    expect(run(fmax3(f32, { abs: true }), one, 0xc000_0000, 0)).toBe(0x4000_0000);
    expect(run(fmin3(f32, { ftz: true }), 0x8000_0001, one, one)).toBe(0x8000_0000);
  });
  it("a half never sees its neighbour", () => {
    expect(run(pair(fsub(f32)), 0x4040_0000_3f80_0000n, 0x3f80_0000_4040_0000n)).toBe(0x4000_0000_c000_0000n);
    expect(run(pair(fmul(f32)), 0x7f80_0000_ffff_ffffn, 0n)).toBe(0x7fff_ffff_7fff_ffffn);
  });
});

import { describe, expect, it } from "vitest";
import { bf16, type Format, f16, f32 } from "../../../src/numeric/index.ts";
import type { Lowered } from "../../../src/numeric/lower/lowered.ts";
import { convert, fex2, ftanh } from "./float-entry.ts";

/**
 * The manual's error bounds on every input of the 16-bit forms. The host's Math.tanh and 2 ** x judge here with an
 * error of their own that is far below the bounds.
 */
const view = new DataView(new ArrayBuffer(8));
const toF64 = (f: Format) => {
  const widen = convert(f.name as "f16", "f64").js as (bits: number) => bigint;
  return (bits: number): number => {
    view.setBigUint64(0, widen(bits));
    return view.getFloat64(0);
  };
};

/** How many inputs have a right answer among the normal numbers (or any, if not relative), and the largest error of their results. */
function worst(f: Format, op: Lowered, right: (x: number) => number, relative: boolean) {
  const value = toF64(f);
  const run = op.js as (bits: number) => number;
  let count = 0;
  let error = 0;
  for (let bits = 0; bits < 0x10000; bits++) {
    const x = value(bits);
    if (Number.isNaN(x)) {
      if (run(bits) !== 0x7fff) expect(run(bits)).toBe(0x7fff);
      continue;
    }
    const want = right(x);
    const got = value(run(bits));
    const least = 2 ** (1 - f.bias);
    if (!Number.isFinite(want) || want < least ? relative : false) continue;
    if (relative && want > (2 - 2 ** -f.frac) * 2 ** f.bias) continue;
    error = Math.max(error, Math.abs(got - want) / (relative ? want : 1));
    count++;
  }
  return { count, error };
}

describe("approximations are within the manual's bounds on every 16-bit input", () => {
  it("tanh.approx.f16: 2^-10.987", () => {
    const { count, error } = worst(f16, ftanh(f16), Math.tanh, false);
    expect(count).toBe(2 * 0x7c01);
    expect(error).toBeLessThan(2 ** -10.987);
  });
  it("tanh.approx.bf16: 2^-8", () => {
    const { count, error } = worst(bf16, ftanh(bf16), Math.tanh, false);
    expect(count).toBe(2 * 0x7f81);
    expect(error).toBeLessThan(2 ** -8);
  });
  it("ex2.approx.f16: 2^-9.9", () => {
    const { count, error } = worst(f16, fex2(f16), (x) => 2 ** x, true);
    expect(count).toBe(0x4c00 + 0x4b01);
    expect(error).toBeLessThan(2 ** -9.9);
  });
  it("ex2.approx.ftz.bf16: 2^-7", () => {
    const { count, error } = worst(bf16, fex2(bf16, { ftz: true }), (x) => 2 ** x, true);
    expect(count).toBe(0x4300 + 0x42fd);
    expect(error).toBeLessThan(2 ** -7);
  });
});

describe("approximations at the manual's corners", () => {
  const run = (op: Lowered, bits: number) => (op.js as (bits: number) => number)(bits);

  it("tanh", () => {
    for (const [f, one] of [
      [f16, 0x3c00],
      [bf16, 0x3f80],
    ] as const) {
      const inf = (2 ** f.exp - 1) * 2 ** f.frac;
      const corners = [0x8000 + inf, 0x8000, 0, inf, inf + 1].map((bits) => run(ftanh(f), bits));
      expect(corners).toEqual([0x8000 + one, 0x8000, 0, one, 0x7fff]);
    }
    expect([0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000].map((bits) => run(ftanh(f32), bits))).toEqual([
      0, 0x8000_0000, 0x3f80_0000, 0xbf80_0000, 0x7fff_ffff,
    ]);
    expect(run(ftanh(f32), 1)).toBe(1);
    expect(run(ftanh(f32), 0x3f80_0000)).toBe(0x3f42_f7d6); // tanh 1 = 0.76159415595576...
    expect(run(ftanh(f32), 0x4180_0000)).toBe(0x3f80_0000);
  });

  it("ex2", () => {
    for (const [f, one] of [
      [f16, 0x3c00],
      [bf16, 0x3f80],
    ] as const) {
      const inf = (2 ** f.exp - 1) * 2 ** f.frac;
      const ex2 = fex2(f, { ftz: f === bf16 });
      const corners = [0x8000 + inf, 0x8000, 0, 1, 0x8001, inf, inf + 1].map((bits) => run(ex2, bits));
      expect(corners).toEqual([0, one, one, one, one, inf, 0x7fff]);
    }
    expect(run(fex2(f32), 0x3f00_0000)).toBe(0x3fb5_04f3); // sqrt 2
    expect(run(fex2(f32), 0xc300_0000)).toBe(0x0020_0000); // 2^-128
    expect(run(fex2(f32, { ftz: true }), 0xc300_0000)).toBe(0);
    expect(run(fex2(f32), 0x4300_0000)).toBe(0x7f80_0000);
    expect(run(fex2(f32), 0xff7f_ffff)).toBe(0);
  });
});

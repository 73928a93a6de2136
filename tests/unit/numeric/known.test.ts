import { describe, expect, it } from "vitest";
import { bf16, f16, f32, f64 } from "../../../src/numeric/index.ts";
import type { Lowered } from "../../../src/numeric/lower/lowered.ts";
import { opOf } from "./entry.ts";
import { fabs, fadd, fcompare, ffma, fmax, fmin, fmul, fneg, fsub, pair } from "./float-entry.ts";

const run = (op: Lowered, ...operands: (number | bigint)[]) =>
  (op.js as (...all: (number | bigint)[]) => number | bigint)(...operands);

/** Facts that the numeric notes, the manual or ptxas state one by one. */
describe("floating-point facts", () => {
  it("rounds where shortcuts go wrong", () => {
    expect(run(ffma(f16), 0x3e94, 0x134c, 0x3e22)).toBe(0x3e23);
    expect(run(ffma(f16), 0x7200, 0x38bf, 0x01df)).toBe(0x6f1f);
    expect(run(ffma(bf16), 0x72c0, 0x1f8d, 0xac72)).toBe(0x52d3);
    expect(run(ffma(f32), 0x3f80_0800, 0x3f80_0800, 0x1780_0000)).toBe(0x3f80_1001);
  });

  it("gives one NaN a format", () => {
    expect(run(fadd(f16), 0xfe01, 0x3c00)).toBe(0x7fff);
    expect(run(fmul(bf16), 0x7f80, 0)).toBe(0x7fff);
    expect(run(fadd(f32), 0x7f80_0000, 0xff80_0000)).toBe(0x7fff_ffff);
    expect(run(fsub(f64), 0x7ff0n << 48n, 0x7ff0n << 48n)).toBe(0xfff8_0000_0000_0000n);
    expect(run(fneg(f16), 0x7c01)).toBe(0x7fff);
    expect(run(fabs(bf16), 0xff81)).toBe(0x7fff);
  });

  it("gives an exact zero the sign of its rounding", () => {
    for (const [rnd, zero] of [
      ["rn", 0],
      ["rz", 0],
      ["rp", 0],
      ["rm", 0x8000_0000],
    ] as const) {
      expect(run(fadd(f32, { rnd }), 0x3f80_0000, 0xbf80_0000)).toBe(zero);
      expect(run(fadd(f32, { rnd, from: f16 }), 0x3c00, 0xbf80_0000)).toBe(zero);
      expect(run(ffma(f32, { rnd }), 0x4000_0000, 0x4000_0000, 0xc080_0000)).toBe(zero);
      expect(run(fadd(f32, { rnd }), 0, 0)).toBe(0);
      expect(run(fadd(f32, { rnd }), 0x8000_0000, 0x8000_0000)).toBe(0x8000_0000);
    }
  });

  it("saturates and rectifies", () => {
    expect(run(fadd(f16, { sat: true }), 0x7e00, 0x3c00)).toBe(0);
    expect(run(fadd(f16, { sat: true }), 0x8000, 0x8000)).toBe(0);
    expect(run(fadd(f16, { sat: true }), 0x3c00, 0x3c00)).toBe(0x3c00);
    expect(run(ffma(f16, { relu: true }), 0xbc00, 0x3c00, 0)).toBe(0);
    expect(run(ffma(f16, { relu: true }), 0x8000, 0x3c00, 0x8000)).toBe(0);
    expect(run(ffma(f16, { relu: true }), 0xfe00, 0, 0)).toBe(0x7fff);
    expect(run(ffma(f16, { oob: true }), 0xfff7, 0x7e00, 0x7e00)).toBe(0);
    expect(run(ffma(f16, { oob: true }), 0x3c00, 0x3c00, 0x7ff7)).toBe(0x7fff);
  });

  it("flushes operands with their sign", () => {
    expect(run(pair(fadd(f16, { ftz: true })), 0x8001_0001, 0x8000_0000)).toBe(0x8000_0000);
    expect(run(fneg(f16, { ftz: true }), 0x0001)).toBe(0x8000);
    expect(run(fmin(f16, { ftz: true }), 0x8001, 0x0000)).toBe(0x8000);
  });

  it("flushes results at the border: f16 before rounding, f32 after", () => {
    // (1 - 2^-11) * 2^-14 * (1 + 2^-11 + ...) rounds up to the least normal number, and was below it before.
    expect(run(fmul(f16, { ftz: true }), 0x3bff, 0x0400)).toBe(0);
    expect(run(fmul(f16), 0x3bff, 0x0400)).toBe(0x0400);
    // ptxas 13.0 folds this one to 0: with 24 bits and no bound on the exponent it is not rounded up.
    expect(run(fmul(f32, { ftz: true }), 0x3f7f_ffff, 0x0080_0000)).toBe(0);
    // 1 - 2^-46 of the least normal number: with 24 bits it is rounded up.
    expect(run(fmul(f32, { ftz: true }), 0x3f7f_fffe, 0x0080_0001)).toBe(0x0080_0000);
  });

  it("orders zeros and picks numbers over NaN in min and max", () => {
    for (const [a, b] of [
      [0x8000, 0],
      [0, 0x8000],
    ] as const) {
      expect(run(fmin(f16), a, b)).toBe(0x8000);
      expect(run(fmax(f16), a, b)).toBe(0);
    }
    expect(run(fmin(f16), 0x7e00, 0xc000)).toBe(0xc000);
    expect(run(fmin(f16), 0x7e00, 0xfe00)).toBe(0x7fff);
    expect(run(fmax(f16, { nan: true }), 0x7e00, 0xc000)).toBe(0x7fff);
    expect(run(fmax(bf16, { xorsignAbs: true }), 0xc040, 0x3f80)).toBe(0xc040);
    expect(run(fmin(f16, { xorsignAbs: true }), 0xfe00, 0x4000)).toBe(0xc000);
    expect(run(fmin(f64), 0n, 1n << 63n)).toBe(1n << 63n);
    expect(run(fmax(f64), 0x7ff8n << 48n, 1n)).toBe(1n);
    expect(run(fmax(f64), 0x7ff8n << 48n, 0xfff8n << 48n)).toBe(0xfff8_0000_0000_0000n);
    expect(run(fmin(f64), 0xbff0n << 48n, 0xc000n << 48n)).toBe(0xc000n << 48n);
  });

  it("keeps 64-bit signs", () => {
    expect(run(fneg(f64), 1n)).toBe((1n << 63n) | 1n);
    expect(run(fabs(f64), (1n << 63n) | 1n)).toBe(1n);
  });

  it("compares, ordered and unordered", () => {
    const table = { eq: [0, 1, 0], ne: [1, 0, 1], lt: [1, 0, 0], le: [1, 1, 0], gt: [0, 0, 1], ge: [0, 1, 1] } as const;
    for (const [relation, [less, equal, greater]] of Object.entries(table)) {
      const ordered = relation as keyof typeof table;
      for (const name of [ordered, `${ordered}u`] as const) {
        const compare = fcompare(f32, name);
        expect(run(compare, 0xbf80_0000, 0x0000_0001)).toBe(less);
        expect(run(compare, 0x8000_0000, 0)).toBe(equal);
        expect(run(compare, 0x7f80_0000, 0x7f7f_ffff)).toBe(greater);
        expect(run(compare, 0xffff_ffff, 0)).toBe(name.length - 2);
        expect(run(fcompare(f64, name), 1n << 63n, 0n)).toBe(equal);
        expect(run(fcompare(f64, name), 0xbff0n << 48n, 0xc000n << 48n)).toBe(greater);
        expect(run(fcompare(f32, name, { ftz: true }), 0x0000_0001, 0x8000_0001)).toBe(equal);
      }
    }
    expect([run(fcompare(f16, "num"), 0, 0x7c00), run(fcompare(f16, "nan"), 0, 0x7c00)]).toEqual([1, 0]);
    expect([run(fcompare(f16, "num"), 0, 0x7c01), run(fcompare(f16, "nan"), 0xfc01, 0)]).toEqual([0, 1]);
  });

  it("refuses what no form has", () => {
    expect(() => opOf("add.rn.ftz.f64")).toThrow("no form");
    expect(() => fmin(f64, { nan: true })).toThrow("no form");
    expect(() => opOf("add.rn.f64x2")).toThrow("no form");
  });
});

import { describe, expect, it } from "vitest";
import { bf16, type Format, f16, f32, f64 } from "../../../src/numeric/index.ts";
import { agree } from "../../agree.ts";
import { type ConvertMode, convert, type NumberType } from "./float-entry.ts";
import { adversary, corners, sequence } from "./patterns.ts";

const run = (from: NumberType, to: NumberType, mode: ConvertMode, bits: number | bigint) =>
  (convert(from, to, mode).js as (bits: number | bigint) => number | bigint)(bits);

const view = new DataView(new ArrayBuffer(8));
const bits32 = (value: number) => {
  view.setFloat32(0, value);
  return Number.isNaN(value) ? 0x7fff_ffff : view.getUint32(0);
};
const value32 = (bits: number) => {
  view.setUint32(0, bits);
  return view.getFloat32(0);
};
const bits64 = (value: number) => {
  view.setFloat64(0, value);
  return view.getBigUint64(0);
};
const value64 = (bits: bigint) => {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
};

/** All results of a function on all 16-bit inputs, as one array to compare. */
const all16 = (one: (bits: number) => number) => Array.from({ length: 0x10000 }, (_, bits) => one(bits));
const isNan16 = (f: Format, bits: number) => (bits & 0x7fff) > (2 ** f.exp - 1) * 2 ** f.frac;

describe("convert between floats", () => {
  it("widens bf16 by a shift, payload kept", () => {
    const widen = convert("bf16", "f32").js as (bits: number) => number;
    agree(
      all16(widen),
      all16((bits) => bits * 0x10000),
    );
  });

  it.each([f16, bf16])("comes back from f32 and f64 to $name", (f) => {
    const name = f.name as "f16" | "bf16";
    const same = all16((bits) => (isNan16(f, bits) ? 0x7fff : bits));
    for (const wide of ["f32", "f64"] as const) {
      const there = convert(name, wide).js as (bits: number) => number | bigint;
      const back = convert(wide, name, { rnd: "rz" }).js as (bits: number | bigint) => number;
      agree(
        all16((bits) => back(there(bits))),
        same,
      );
    }
  });

  it("narrows f64 to f32 and widens f32 to f64 as the host does", () => {
    for (const bits of corners(f64)) agree(run("f64", "f32", {}, bits), bits32(value64(bits)));
    for (const bits of corners(f32)) {
      const value = value32(Number(bits));
      if (!Number.isNaN(value)) agree(run("f32", "f64", {}, Number(bits)), bits64(value));
    }
  });

  it("rounds once, in the direction asked for", () => {
    expect(run("f32", "f16", { rnd: "rn" }, bits32(65519.996))).toBe(0x7bff);
    expect(run("f32", "f16", { rnd: "rn" }, bits32(65520))).toBe(0x7c00);
    expect(run("f32", "f16", { rnd: "rz" }, bits32(1e9))).toBe(0x7bff);
    expect(run("f32", "bf16", { rnd: "rp" }, 0x3f80_0001)).toBe(0x3f81);
    expect(run("f32", "bf16", { rnd: "rm" }, 0x3f80_ffff)).toBe(0x3f80);
    expect(run("f32", "tf32", { rnd: "rna" }, 0x3f80_1000)).toBe(0x3f80_2000);
    expect(run("f32", "tf32", { rnd: "rn" }, 0x3f80_1000)).toBe(0x3f80_0000);
    // Between two halves of f16, above the middle by less than f32 can tell: two roundings would go down.
    expect(run("f64", "f16", { rnd: "rn" }, bits64(1 + 2 ** -11 + 2 ** -40))).toBe(0x3c01);
  });

  it("gives canonical NaNs", () => {
    expect(run("f32", "f16", {}, 0xff80_0001)).toBe(0x7fff);
    expect(run("f16", "f32", {}, 0xfc01)).toBe(0x7fff_ffff);
    expect(run("f32", "bf16", {}, 0x7f80_0001)).toBe(0x7fff);
    expect(run("f64", "f32", {}, 0xfff0_0000_0000_0001n)).toBe(0x7fff_ffff);
  });

  it("keeps a payload where a move or an f64 has it", () => {
    expect(run("f32", "f32", {}, 0xff80_0001)).toBe(0xff80_0001);
    expect(run("f64", "f64", {}, 0xfff0_0000_0000_0001n)).toBe(0xfff0_0000_0000_0001n);
    expect(run("f64", "f64", { rnd: "rni" }, 0xfff0_0000_0000_0001n)).toBe(0xfff8_0000_0000_0001n);
    expect(run("f32", "f64", {}, 0x7fa1_2345)).toBe(0x7ffc_2468_a000_0000n);
    expect(run("f32", "f64", {}, 0xff80_0001)).toBe(0xfff8_0000_2000_0000n);
    expect(run("f16", "f64", {}, 0xfc01)).toBe(0x7fff_ffff_e000_0000n);
  });

  it("applies sat, relu and ftz", () => {
    expect(run("f32", "f16", { sat: true }, bits32(Number.NaN))).toBe(0);
    expect(run("f32", "f32", { sat: true }, bits32(1.5))).toBe(bits32(1));
    expect(run("f64", "f64", { sat: true }, bits64(-2))).toBe(0n);
    expect(run("f64", "f64", { sat: true }, bits64(2))).toBe(bits64(1));
    expect(run("f64", "f64", { sat: true }, bits64(0.25))).toBe(bits64(0.25));
    expect(run("f64", "f64", { sat: true }, bits64(Number.NaN))).toBe(0n);
    expect(run("f32", "f16", { relu: true }, bits32(-0))).toBe(0);
    expect(run("f32", "bf16", { relu: true }, bits32(Number.NaN))).toBe(0x7fff);
    expect(run("f32", "f64", { ftz: true }, 0x8000_0001)).toBe(1n << 63n);
    expect(run("f64", "f32", { ftz: true }, bits64(2 ** -140))).toBe(0);
    expect(run("f16", "f32", { ftz: true }, 0x0001)).toBe(bits32(2 ** -24));
  });

  it("rounds to whole numbers", () => {
    const cases = [
      [-2.5, -2, -2, -3, -2],
      [-1.5, -2, -1, -2, -1],
      [-0.5, -0, -0, -1, -0],
      [0.5, 0, 0, 0, 1],
      [2.5, 2, 2, 2, 3],
      [8388607.5, 8388608, 8388607, 8388607, 8388608],
      [1e20, 1e20, 1e20, 1e20, 1e20],
    ] as const;
    for (const [value, ...wanted] of cases) {
      const got = (["rni", "rzi", "rmi", "rpi"] as const).map((rnd) => run("f32", "f32", { rnd }, bits32(value)));
      expect(got).toEqual(wanted.map(bits32));
    }
  });
});

describe("convert floats to integers", () => {
  it("truncates, clamps, and knows NaN", () => {
    expect(run("f32", "s32", {}, bits32(-1.9))).toBe(0xffff_ffff);
    expect(run("f32", "s8", {}, bits32(-1000))).toBe(0x80);
    expect(run("f32", "u8", {}, bits32(-1000))).toBe(0);
    expect(run("f32", "u16", {}, bits32(1e9))).toBe(0xffff);
    expect(run("f64", "s64", {}, bits64(Number.POSITIVE_INFINITY))).toBe((1n << 63n) - 1n);
    expect(run("f64", "u64", {}, bits64(2 ** 63))).toBe(1n << 63n);
    expect(run("f32", "s32", {}, 0x7fff_ffff)).toBe(0);
    expect(run("f32", "s64", {}, 0x7fff_ffff)).toBe(1n << 63n);
    expect(run("f64", "u32", {}, bits64(Number.NaN))).toBe(0x8000_0000);
    expect(run("f32", "s32", { rnd: "rpi", ftz: true }, 1)).toBe(0);
    expect(run("f32", "s32", { rnd: "rpi" }, 1)).toBe(1);
  });

  it.each([f16, bf16])("agrees with the host for every $name", (f) => {
    const widen = convert(f.name as "f16", "f64").js as (bits: number) => bigint;
    const whole = convert(f.name as "f16", "s32", { rnd: "rmi" }).js as (bits: number) => number;
    const expected = (bits: number) => {
      const value = Math.floor(value64(widen(bits)));
      return Number.isNaN(value) ? 0 : Math.min(Math.max(value, -(2 ** 31)), 2 ** 31 - 1) >>> 0;
    };
    expect(all16(whole)).toEqual(all16(expected));
  });
});

describe("convert integers", () => {
  it("to floats as the host rounds", () => {
    const next = sequence(5);
    for (let i = 0; i < 2000; i++) {
      const bits = next() >>> (next() % 32);
      expect(run("u32", "f32", { rnd: "rn" }, bits)).toBe(bits32(bits));
      expect(run("s32", "f32", { rnd: "rn" }, bits)).toBe(bits32(bits | 0));
      const wide = ((BigInt(next()) << 32n) | BigInt(next())) >> BigInt(next() % 64);
      expect(run("u64", "f64", { rnd: "rn" }, wide)).toBe(bits64(Number(wide)));
      expect(run("s64", "f64", { rnd: "rn" }, wide)).toBe(bits64(Number(BigInt.asIntN(64, wide))));
    }
    expect(run("u64", "f32", { rnd: "rz" }, (1n << 64n) - 1n)).toBe(0x5f7f_ffff);
    expect(run("u16", "f16", { rnd: "rn" }, 0xffff)).toBe(0x7c00);
    expect(run("s8", "bf16", { rnd: "rn" }, 0x80)).toBe(0xc300);
  });

  it("to integers: extends, cuts, saturates", () => {
    expect(run("s8", "s32", {}, 0x80)).toBe(0xffff_ff80);
    expect(run("u8", "s64", {}, 0x80)).toBe(0x80n);
    expect(run("s16", "u64", {}, 0xffff)).toBe((1n << 64n) - 1n);
    expect(run("s64", "s8", {}, 0x1ffn)).toBe(0xff);
    expect(run("s32", "u8", { sat: true }, 0xffff_ffff)).toBe(0);
    expect(run("u64", "s16", { sat: true }, 1n << 63n)).toBe(0x7fff);
    expect(run("s64", "s32", { sat: true }, 1n << 63n)).toBe(0x8000_0000);
  });

  it("comes back from f64", () => {
    const next = adversary(f32, 9);
    for (let i = 0; i < 500; i++) {
      const bits = Number(next());
      expect(run("f64", "s32", {}, run("s32", "f64", {}, bits))).toBe(bits);
    }
  });
});

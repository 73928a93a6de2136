import { describe, expect, it } from "vitest";
import { type Exact, type Rounding, round, unpack } from "../../../src/numeric/exact/exact.ts";
import {
  e2m1,
  e4m3,
  e5m2,
  exactDecimal,
  f16,
  f32,
  f64,
  floatFields,
  formats,
  neighbours,
  ue8m0,
} from "../../../src/numeric/index.ts";
import { agree } from "../../agree.ts";
import { share } from "../../share.ts";
import { corners } from "./patterns.ts";

const modes: readonly Rounding[] = ["rn", "rz", "rm", "rp", "rna"];

/** All codes of formats of up to 16 bits, corners of the others. */
function codesOf(f: (typeof formats)[number]): bigint[] {
  const bits = f.sign + f.exp + f.frac;
  return bits > 16 || f.pad > 0 ? corners(f) : Array.from({ length: 2 ** bits }, (_, code) => BigInt(code));
}

/** A binary64 from an exact number; right for formats that binary64 holds. */
function toNumber(x: Exact): number {
  if (x.kind === "nan") return Number.NaN;
  const magnitude = x.kind === "inf" ? Number.POSITIVE_INFINITY : Number(x.sig) * 2 ** x.exp;
  return x.neg ? -magnitude : magnitude;
}

describe("formats", () => {
  it.each(formats.filter((f) => f !== f64))("$name: every code means itself in every direction", (f) => {
    const codes = codesOf(f);
    expect(codes.length).toBeGreaterThan(14);
    for (const code of codes) {
      const x = unpack(f, code);
      const want = x.kind === "nan" ? f.nan : code;
      if (modes.some((rnd) => round(f, rnd, x) !== want)) expect(modes.map((rnd) => round(f, rnd, x))).toBe(want);
    }
  });

  it("agree with the host on what bits mean", () => {
    const view = new DataView(new ArrayBuffer(8));
    for (const code of corners(f32)) {
      view.setUint32(0, Number(code));
      agree(toNumber(unpack(f32, code)), view.getFloat32(0));
    }
    for (const code of corners(f64)) {
      view.setBigUint64(0, code);
      agree(round(f64, "rn", unpack(f64, code)), Number.isNaN(view.getFloat64(0)) ? f64.nan : code);
    }
  });

  it("know the manual's limits", () => {
    const value = (f: (typeof formats)[number], code: bigint) => toNumber(unpack(f, code));
    expect([value(e4m3, 0x7en), value(e4m3, 0x7fn), value(e4m3, 1n)]).toEqual([448, Number.NaN, 2 ** -9]);
    expect([value(e5m2, 0x7bn), value(e5m2, 0x7cn), value(e5m2, 1n)]).toEqual([
      57344,
      Number.POSITIVE_INFINITY,
      2 ** -16,
    ]);
    expect(codesOf(e2m1).map((code) => value(e2m1, code))).toEqual(
      [0, 0.5, 1, 1.5, 2, 3, 4, 6].flatMap((x) => [x]).concat([-0, -0.5, -1, -1.5, -2, -3, -4, -6]),
    );
    expect([value(ue8m0, 0n), value(ue8m0, 127n), value(ue8m0, 254n), value(ue8m0, 255n)]).toEqual([
      2 ** -127,
      1,
      2 ** 127,
      Number.NaN,
    ]);
  });

  it("round between neighbours as the letters say", () => {
    const codes = codesOf(f16).filter((bits) => bits < 0x7bffn);
    expect(codes.length).toBe(0x7bff);
    // A prime: all exponents, and codes that are even and odd.
    for (const code of share(codes, 10)) {
      const [low, high] = [unpack(f16, code), unpack(f16, code + 1n)];
      if (low.kind !== "finite" || high.kind !== "finite") throw new Error("not finite");
      const exp = Math.min(low.exp, high.exp) - 2;
      const units = (x: typeof low) => x.sig << BigInt(x.exp - exp);
      const step = (units(high) - units(low)) / 4n;
      for (const quarter of [1n, 2n, 3n]) {
        for (const neg of [false, true]) {
          const x = { kind: "finite", neg, exp, sig: units(low) + quarter * step } as const;
          const sign = neg ? 0x8000n : 0n;
          const even = code % 2n === 0n ? code : code + 1n;
          const nearest = quarter === 2n ? even : quarter === 1n ? code : code + 1n;
          const away = quarter >= 2n ? code + 1n : code;
          const want = [nearest, code, neg ? code + 1n : code, neg ? code : code + 1n, away].join();
          const got = modes.map((rnd) => round(f16, rnd, x) - sign).join();
          if (got !== want) expect(got).toBe(want);
        }
      }
    }
  });

  it("overflow as the letters say", () => {
    const huge = (neg: boolean): Exact => ({ kind: "finite", neg, exp: 20, sig: 1n });
    expect(modes.map((rnd) => round(f16, rnd, huge(false)))).toEqual([0x7c00n, 0x7bffn, 0x7bffn, 0x7c00n, 0x7c00n]);
    expect(modes.map((rnd) => round(f16, rnd, huge(true)))).toEqual([0xfc00n, 0xfbffn, 0xfc00n, 0xfbffn, 0xfc00n]);
    expect(round(e2m1, "rn", huge(true))).toBe(0xfn);
    expect(round(e4m3, "rn", huge(false))).toBe(0x7fn);
    expect(round(e4m3, "rz", huge(false))).toBe(0x7en);
    expect(round(ue8m0, "rp", { kind: "finite", neg: false, exp: 2, sig: 5n })).toBe(132n);
    expect(round(ue8m0, "rz", { kind: "finite", neg: false, exp: -200, sig: 5n })).toBe(0n);
    expect(round(ue8m0, "rz", { kind: "finite", neg: false, exp: 200, sig: 1n })).toBe(254n);
  });
});

describe("what a value is made of", () => {
  it("expands every digit", () => {
    expect(exactDecimal(f16, 0x2e66n)).toBe("0.0999755859375");
    expect(exactDecimal(f16, 0x8001n)).toBe("-0.000000059604644775390625");
    expect(exactDecimal(f32, 0x3f80_0000n)).toBe("1.0");
    expect(exactDecimal(f32, 0x8000_0000n)).toBe("-0.0");
    expect(exactDecimal(f64, 0xfff0n << 48n)).toBe("-inf");
    expect(exactDecimal(f64, 0x7ff8n << 48n)).toBe("nan");
    for (const code of corners(f64)) {
      const view = new DataView(new ArrayBuffer(8));
      view.setBigUint64(0, code);
      if (unpack(f64, code).kind === "finite") agree(Number(exactDecimal(f64, code)), view.getFloat64(0));
    }
  });

  it("knows the neighbours", () => {
    expect(neighbours(f16, 0x3c00n)).toEqual({ below: 0x3bffn, above: 0x3c01n });
    expect(neighbours(f16, 0xbc00n)).toEqual({ below: 0xbc01n, above: 0xbbffn });
    expect(neighbours(f16, 0n)).toEqual({ below: 0x8001n, above: 1n });
    expect(neighbours(f16, 0x8001n)).toEqual({ below: 0x8002n, above: 0x8000n });
    expect(neighbours(f16, 0x7bffn)).toEqual({ below: 0x7bfen, above: 0x7c00n });
    expect(neighbours(f16, 0x7c00n)).toEqual({ below: 0x7bffn, above: undefined });
    expect(neighbours(f16, 0x7e00n)).toEqual({ below: undefined, above: undefined });
    expect(neighbours(e4m3, 0x7en)).toEqual({ below: 0x7dn, above: undefined });
    expect(neighbours(e2m1, 0xfn)).toEqual({ below: undefined, above: 0xen });
    expect(neighbours(ue8m0, 0n)).toEqual({ below: undefined, above: 1n });
  });

  it("names the fields", () => {
    expect(floatFields(f16, 0xc200n)).toEqual({
      kind: "normal",
      negative: true,
      exponentField: 16,
      fractionField: 0x200n,
      exponent: 1,
    });
    expect(floatFields(f16, 1n)).toMatchObject({ kind: "subnormal", negative: false, exponentField: 0, exponent: -14 });
    expect([0n, 0x7c00n, 0xfe00n].map((bits) => floatFields(f16, bits).kind)).toEqual(["zero", "infinity", "nan"]);
    expect(floatFields(ue8m0, 0n)).toMatchObject({ kind: "normal", exponent: -127 });
  });
});

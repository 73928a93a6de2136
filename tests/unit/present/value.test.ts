import { describe, expect, it } from "vitest";
import { unpack } from "../../../src/numeric/exact.ts";
import { bf16, e4m3, f16, f32 } from "../../../src/numeric/format.ts";
import { exactDecimal, explainFloat, neighbours } from "../../../src/present/explain.ts";
import { hex, lanes, number } from "../../../src/present/value.ts";

describe("values as text", () => {
  it("shows bits with all digits", () => {
    expect(hex(0x3c00n, 16)).toBe("0x3c00");
    expect(hex(1n, 64)).toBe("0x0000000000000001");
    expect(hex(1n, 1)).toBe("1");
  });

  it.each([
    [0x3c00n, "f16", "1.0"],
    [0x8000n, "f16", "-0.0"],
    [0x7c00n, "f16", "inf"],
    [0x7fffn, "f16", "nan"],
    [0x0001n, "f16", "6e-8"],
    [0x3555n, "f16", "0.3333"],
    [0x3dccn, "bf16", "0.0996"],
    [0x3dcccccdn, "f32", "0.1"],
    [0x3fb999999999999an, "f64", "0.1"],
    [0xffffffffn, "s32", "-1"],
    [0xffffffffn, "u32", "4294967295"],
    [0xffffffffffffffffn, "s64", "-1"],
    [0x40003c00n, "f16x2", "1.0, 2.0"],
    [0x40003f80n, "bf16x2", "1.0, 2.0"],
  ])("%s as %s is %s", (bits, type, text) => {
    expect(number(bits, type)).toBe(text);
  });

  it("splits packed values with the low bits first", () => {
    expect(lanes(0xffff0001n, "s16x2")).toEqual([
      { type: "s16", bits: 1n },
      { type: "s16", bits: 0xffffn },
    ]);
  });
});

describe("a value explained", () => {
  const exactly = (bits: bigint, format: typeof f16) => {
    const value = unpack(format, bits);
    return value.kind === "finite" ? exactDecimal(value) : value.kind;
  };
  it("has an exact decimal", () => {
    expect(exactly(0x0001n, f16)).toBe("0.000000059604644775390625");
    expect(exactly(0x3dcccccdn, f32)).toBe("0.100000001490116119384765625");
    expect(exactly(0xfbffn, f16)).toBe("-65504");
    expect(exactly(0x8000n, f16)).toBe("-0");
  });

  it("has neighbours, over zero and up to infinity", () => {
    expect(neighbours(0x3c00n, f16)).toEqual([
      ["next below", 0x3bffn],
      ["next above", 0x3c01n],
    ]);
    expect(neighbours(0x0000n, f16)).toEqual([
      ["next below", 0x8001n],
      ["next above", 0x0001n],
    ]);
    expect(neighbours(0x8000n, f16)).toEqual([
      ["next below", 0x8001n],
      ["next above", 0x0001n],
    ]);
    expect(neighbours(0x7bffn, f16)).toEqual([
      ["next below", 0x7bfen],
      ["next above", 0x7c00n],
    ]);
    expect(neighbours(0x7c00n, f16)).toEqual([["next below", 0x7bffn]]);
    expect(neighbours(0xfc00n, f16)).toEqual([["next above", 0xfbffn]]);
    expect(neighbours(0x7fffn, f16)).toEqual([]);
    expect(neighbours(0x7en, e4m3)).toEqual([["next below", 0x7dn]]);
  });

  it("has fields", () => {
    const text = explainFloat(0xc015n, bf16);
    expect(text).toContain("0xc015 as bf16: -2.33\n");
    expect(text).toContain("sign        1\n");
    expect(text).toContain("exponent    10000000 (2^1)\n");
    expect(text).toContain("fraction    0010101\n");
    expect(text).toContain("exactly     -2.328125\n");
  });
});

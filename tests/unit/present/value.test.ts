import { describe, expect, it } from "vitest";
import { bf16, e4m3, f16 } from "../../../src/numeric/format/format.ts";
import { explainCode, explainFloat } from "../../../src/present/explain.ts";
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
    [0x3dccn, "bf16", "0.099609375"],
    // Nine digits are as long as what they stand for, and two say which bf16 it is.
    [0x3dcdn, "bf16", "0.1"],
    [0x4049n, "bf16", "3.140625"],
    [0x40490000n, "tf32", "3.140625"],
    [0x4540n, "e4m3x2", "2.0, 3.25"],
    [0x54n, "e2m1x2", "2.0, 3.0"],
    [0x807fn, "ue8m0x2", "1.0, 2.0"],
    [0xffn, "ue8m0", "nan"],
    [0x0100fe7fn, "s8x4", "127, -2, 0, 1"],
    [0x400000003f800000n, "f32x2", "1.0, 2.0"],
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
  it("has its fields, its exact value and its neighbours", () => {
    expect(explainFloat(0xc015n, bf16)).toBe(
      [
        "0xc015 as bf16: -2.328125",
        "  sign        1",
        "  exponent    10000000 (2^1)",
        "  fraction    0010101",
        "  exactly     -2.328125",
        "  next below  0xc016  -2.34375",
        "  next above  0xc014  -2.3125",
        "",
      ].join("\n"),
    );
  });

  it("tells subnormals, zeros and what is no number", () => {
    expect(explainFloat(0x0001n, f16)).toContain("exponent    00000 (2^-14, subnormal)\n");
    expect(explainFloat(0x0001n, f16)).toContain("exactly     0.000000059604644775390625\n");
    expect(explainFloat(0x0000n, f16)).toContain("next below  0x8001  -6e-8\n");
    expect(explainFloat(0x7c00n, f16)).not.toContain("exactly");
    expect(explainFloat(0x7fn, e4m3)).toMatch(/^0x7f as e4m3: nan\n/);
  });
});

describe("a code explained", () => {
  it("shows the page with both examples", () => {
    const page = { title: "a mistake", why: "Because.", wrong: "one\ntwo", right: "three" };
    expect(explainCode("PTX1203", page)).toBe(
      "PTX1203: a mistake\n\nBecause.\n\nwrong:\n    one\n    two\n\nright:\n    three\n",
    );
  });
});

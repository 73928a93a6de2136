import { describe, expect, it } from "vitest";
import { readAssignment } from "../../../src/launch/value/assignment.ts";
import { hexBytes } from "../../../src/launch/value/bytes.ts";
import { valueForm } from "../../../src/launch/value/form.ts";
import { readNumber } from "../../../src/launch/value/number.ts";
import { readBytesCount, readCount, readExtent, readThread, readTime } from "../../../src/launch/value/quantity.ts";
import { fills } from "../../../src/launch/value/recipe.ts";
import { scalars } from "../../../src/launch/value/scalar.ts";
import { Source } from "../../../src/source/source.ts";

const bits = (text: string, type: string) => {
  const reading = readNumber(text, type);
  return "bits" in reading ? reading.bits : `${reading.message}; expected ${reading.expected}`;
};

describe("a number", () => {
  it.each([
    ["0x3c00", "f16", 0x3c00n],
    ["0b11", "b16", 3n],
    ["0f3f800000", "f32", 0x3f800000n],
    ["0d3ff0000000000000", "f64", 0x3ff0000000000000n],
    ["1.5", "f16", 0x3e00n],
    ["1", "f16", 0x3c00n],
    ["-0.0", "f16", 0x8000n],
    ["-1", "s32", 0xffffffffn],
    ["-1", "b16", 0xffffn],
    ["4294967295", "u32", 0xffffffffn],
    ["inf", "bf16", 0x7f80n],
    ["-inf", "f32", 0xff800000n],
    ["nan", "f16", 0x7fffn],
    ["5e-324", "f64", 1n],
    ["true", "pred", 1n],
    // Halfway between two f16 and a little above, which a double does not tell apart: rounding twice would go down.
    ["1.00048828125000000000000000000001", "f16", 0x3c01n],
    ["1.00048828125", "f16", 0x3c00n],
    ["0xffffffffffffffffffffffffffffffff", "b128", (1n << 128n) - 1n],
  ])("%s as %s", (text, type, expected) => {
    expect(bits(text, type)).toBe(expected);
  });

  it.each([
    ["0x12345", "f16", "0x12345 has 17 bits, and .f16 has 16; expected 16 bits"],
    ["0f3f800000", "f16", "0f3f800000 has 32 bits, and .f16 has 16; expected 16 bits"],
    ["2049", "f16", ".f16 does not hold 2049 exactly; expected 2049.0 for the nearest (0x6800), or 0x801 for the bits"],
    ["1e400", "f64", "1e400 is too large for .f64; expected inf for infinity"],
    ["70000", "f16", "70000 is too large for .f16; expected inf for infinity"],
    ["-1e-30", "f16", "-1e-30 is too small for .f16; expected 0.0 for zero"],
    ["-1", "u32", ".u32 does not hold -1; expected 0 to 4294967295"],
    ["256", "b8", ".b8 does not hold 256; expected -128 to 255"],
    [
      "1.5",
      "b32",
      "1.5 is not an integer, and .b32 is not a float type; expected :f32=1.5 for a number, or 0x.. for bits",
    ],
    ["zwei", "b32", "zwei is not a value; expected a whole number, or 0x.. for bits"],
    ["2", "pred", "2 is not a value of a predicate; expected 0 or 1"],
  ])("refuses %s as %s and names the readings", (text, type, message) => {
    expect(bits(text, type)).toBe(message);
  });
});

describe("a list of values", () => {
  const list = (text: string, type: string, count?: number) => {
    const source = new Source("--reg", text);
    const { value, diagnostics } = scalars({ text, span: { start: 0, end: text.length } }, type, source, count);
    return value ?? diagnostics.map(({ code, message }) => `${code}: ${message}`);
  };

  it("packs lanes, low bits first", () => {
    expect(list("1,2", "f16x2", 1)).toEqual([0x40003c00n]);
    expect(list("0x40003c00", "f16x2", 1)).toEqual([0x40003c00n]);
    expect(list("1,2,3,4", "f16x2")).toEqual([0x40003c00n, 0x44004200n]);
    expect(list("-1,1", "s16x2", 1)).toEqual([0x0001ffffn]);
  });

  it("gives one value an element", () => {
    expect(list("1,2,3", "u8")).toEqual([1n, 2n, 3n]);
  });

  it("refuses the wrong number of values, and lanes where the type has none", () => {
    expect(list("1", "f16x2", 1)).toEqual(["PTX2102: 1 is not one value of .f16x2 (1 lane)"]);
    expect(list("1,2", "b32", 1)).toEqual(["PTX2102: .b32 has no lane type"]);
    expect(list("1", "f99")).toEqual(["PTX2101: .f99 is not a type"]);
  });
});

describe("the form of a value", () => {
  it.each([
    ["f32x1024", { kind: "buffer", type: "f32", count: 1024, fill: { kind: "none" } }],
    ["f16x2", { kind: "buffer", type: "f16", count: 2, fill: { kind: "none" } }],
    ["f16x2x4:iota", { kind: "buffer", type: "f16x2", count: 4, fill: { kind: "iota" } }],
    ["f32x8:fill=0", { kind: "buffer", type: "f32", count: 8, fill: { kind: "value", text: "0", at: 11 } }],
    ["u32x2:1,2", { kind: "buffer", type: "u32", count: 2, fill: { kind: "list", text: "1,2", at: 6 } }],
    ["@x.npy", { kind: "file", path: "x.npy" }],
    ["=x", { kind: "same", name: "x" }],
    ["hex:00_ff", { kind: "bytes", digits: "00ff" }],
    ["0x10", { kind: "scalar" }],
    ["1,2", { kind: "scalar" }],
    ["f99x2", { kind: "wrong", message: "f99 is not a type of elements", expected: "f32, u8 or the like" }],
    ["f32x8:", { kind: "wrong", message: "nothing to fill the buffer with", expected: fills }],
  ])("%s", (text, form) => {
    expect(valueForm(text)).toEqual(form);
  });
});

describe("an assignment", () => {
  const read = (text: string) => {
    const { value, diagnostics } = readAssignment(new Source("--arg", text));
    return value === undefined ? diagnostics[0]?.code : [value.name.text, value.type?.text, value.value.text];
  };
  it("splits name, type and value", () => {
    expect(read("a=1")).toEqual(["a", undefined, "1"]);
    expect(read("%r1:f16x2=1,2")).toEqual(["%r1", "f16x2", "1,2"]);
    expect(read("y==x")).toEqual(["y", undefined, "=x"]);
    expect(read("=f32x4:fill=0")).toEqual(["", undefined, "f32x4:fill=0"]);
    expect(read("x=f32x4:fill=0")).toEqual(["x", undefined, "f32x4:fill=0"]);
    expect(read("__proto__=1")).toEqual(["__proto__", undefined, "1"]);
    expect(read("a")).toBe("PTX2101");
  });
});

describe("quantities", () => {
  it("reads sizes, counts, times, extents and threads", () => {
    expect([readBytesCount("48K"), readBytesCount("1G"), readBytesCount("1KiB"), readBytesCount("x")]).toEqual([
      49152,
      2 ** 30,
      1024,
      undefined,
    ]);
    expect([readCount("100M"), readCount("7"), readCount("-1")]).toEqual([1e8, 7, undefined]);
    expect([readTime("10s"), readTime("500ms"), readTime("2m"), readTime("3"), readTime("x")]).toEqual([
      10_000,
      500,
      120_000,
      3000,
      undefined,
    ]);
    expect([readExtent("32"), readExtent("4,2"), readExtent("1,2,3"), readExtent("4x2")]).toEqual([
      [32, 1, 1],
      [4, 2, 1],
      [1, 2, 3],
      undefined,
    ]);
    expect([readThread("all"), readThread("0/5"), readThread("5")]).toEqual(["all", [0, 5], undefined]);
    expect([hexBytes("00ff"), hexBytes("0"), hexBytes("zz")]).toEqual([Uint8Array.of(0, 255), undefined, undefined]);
  });
});

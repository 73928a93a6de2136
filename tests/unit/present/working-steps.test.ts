import { describe, expect, it } from "vitest";
import { a, b, c, label, operation, plus, slice, times, wrap } from "../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../src/numeric/operation/expression.ts";
import { textOf } from "../../../src/numeric/operation/text.ts";
import { workOperation } from "../../../src/present/working/operation.ts";
import { linesOf } from "../../../src/present/working/row.ts";

const steps = (of: Expression): string[] => {
  const each = operation({ a: "u32", b: "u32", c: "u32" }, "u32", wrap("u32", of));
  return linesOf(
    workOperation(each, [
      { name: "x", bits: 5n },
      { name: "y", bits: 7n },
      { name: "z", bits: 9n },
    ]).rows,
    "",
  ).slice(3);
};

describe("the steps of a working", () => {
  it("show what has a name once, and then the name", () => {
    expect(steps(plus(label("product", times(a, b)), c))).toEqual(["product      35: x * y", "product + z  44"]);
  });

  it("take a sum of many as one", () => {
    expect(steps(plus(a, b, times(b, c), a))).toEqual(["y * z              63", "x + y + y * z + x  80"]);
  });

  it("do not let a long step push the others to the right", () => {
    const long = plus(times(a, b), times(b, c), times(c, a), times(a, a), times(b, b));
    expect(steps(long)).toEqual([
      "x * y  35",
      "y * z  63",
      "z * x  45",
      "x * x  25",
      "y * y  49",
      "x * y + y * z + z * x + x * x + y * y  217",
    ]);
  });
});

describe("one line", () => {
  it("spells out what has a name, and writes one bit as one", () => {
    const sum = plus(label("product", times(a, b)), slice(c, 3, 1), slice(c, 4, 2));
    expect(textOf(operation({ a: "u32", b: "u32", c: "u32" }, "u32", wrap("u32", sum)))).toBe(
      "d = wrap.u32(a * b + c[3] + c[5:4])",
    );
  });
});

import { describe, expect, it } from "vitest";
import { byReference } from "../../../../src/numeric/lower/rule.ts";
import { a, b, operation, plus, wrap } from "../../../../src/numeric/operation/build.ts";

describe("the reference as a function on bits", () => {
  const sum = byReference(operation({ a: "u32", b: "u32" }, "u32", wrap("u32", plus(a, b))));

  it("gives a number for up to 32 bits", () => {
    expect(sum(0xffff_ffff, 2)).toBe(1);
  });

  it("does not look at operands that are not its own, as a loop for any number of them gives them", () => {
    expect((sum as (...bits: unknown[]) => unknown)(1, 2, undefined, undefined)).toBe(3);
  });
});

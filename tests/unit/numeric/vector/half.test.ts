import { describe, expect, it } from "vitest";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { linesOf } from "../../../../src/numeric/operation/text.ts";
import { isFloat } from "../../../../src/numeric/operation/type.ts";
import { operationsOf } from "../table-operations.ts";
import { differences } from "./judge.ts";

/** Judges all operations of a section that `which` wants, and gives those without a rule. */
function judged(number: string, which: (operation: Operation, syntax: string) => boolean = () => true): string[] {
  const without: string[] = [];
  let seed = 0;
  for (const [syntax, operation] of operationsOf(number).values()) {
    if (!which(operation, syntax)) continue;
    const wrong = differences(operation, { seed: ++seed });
    if (wrong === undefined) without.push(`${syntax}: ${linesOf(operation).join("; ")}`);
    else expect(wrong.slice(0, 3)).toEqual([]);
  }
  expect(seed).toBeGreaterThan(0);
  return without;
}

const hasFloat = ({ takes, gives, result }: Operation): boolean =>
  result.into === "lanes" || [gives, ...takes.map(({ type }) => type)].some(isFloat);

describe("vectors of f16 and bf16 are what the table says", () => {
  it("arithmetic", () => {
    expect(judged("9.7.4")).toEqual([]);
  });

  it("relations", () => {
    const isHalf = (_: Operation, syntax: string): boolean => /^setp.*(f16|bf16)/.test(syntax);
    expect(judged("9.7.6", isHalf)).toEqual([]);
  });
});

describe("vectors of conversions are what the table says", () => {
  const without = /^createpolicy/;
  it("9.7.9", () => {
    const left = judged("9.7.9", (operation, syntax) => !without.test(syntax) && hasFloat(operation));
    // What a NaN becomes in f64 is told by its bits, and so is what bf16 becomes in f32.
    expect(left.filter((text) => !/notanumber|bits/.test(text))).toEqual([]);
  });
});

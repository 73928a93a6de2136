import { describe, expect, it } from "vitest";
import { keyOf } from "../../../../src/numeric/operation/key.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { linesOf } from "../../../../src/numeric/operation/text.ts";
import { isFloat } from "../../../../src/numeric/operation/type.ts";
import { operationsOf } from "../table-operations.ts";
import { differences } from "./judge.ts";

/** Judges all operations of a section that `which` wants, and gives those without a rule. */
function judged(section: string, which: (operation: Operation, syntax: string) => boolean = () => true): string[] {
  const without: string[] = [];
  let seed = 0;
  for (const [syntax, operation] of operationsOf(section).values()) {
    if (!which(operation, syntax)) continue;
    const wrong = differences(operation, { seed: ++seed, count: 120, exact: 20 });
    if (wrong === undefined) without.push(`${syntax}: ${linesOf(operation).join("; ")}`);
    else expect(wrong.slice(0, 3)).toEqual([]);
  }
  expect(seed).toBeGreaterThan(0);
  return without;
}

const hasFloat = ({ takes, gives, result }: Operation): boolean =>
  result.into === "lanes" || [gives, ...takes.map(({ type }) => type)].some(isFloat);

const hasHalf = (operation: Operation): boolean => /"b?f16"/.test(keyOf(operation));

describe("vectors of f16 and bf16 are what the table says", () => {
  it("arithmetic", () => {
    expect(judged("half-precision")).toEqual([]);
  });

  it("mixed precision", () => {
    // What sm_107f alone does, a sum or product that becomes a half, is left to the functions on one lane.
    const toHalf = /^(add|sub|mul)\S*\.dtype\.atype\.ctype .*round\.r[nz](\.ftz)?\.b?f16\(/;
    expect(judged("mixed-precision", hasFloat).filter((line) => !toHalf.test(line))).toEqual([]);
  });

  it("relations", () => {
    let at = 0;
    // Of set there are two thousand: one of them in twenty.
    const some = (operation: Operation, syntax: string): boolean =>
      syntax.startsWith("setp") ? /f16/.test(syntax) : hasHalf(operation) && at++ % 20 === 0;
    expect(judged("comparison-selection", some)).toEqual([]);
  });
});

describe("vectors of conversions are what the table says", () => {
  it("of registers, one in five", () => {
    let at = 0;
    // One in five: lanes of many forms are converted by the same rules.
    const some = (operation: Operation, syntax: string): boolean =>
      !/^createpolicy/.test(syntax) && hasFloat(operation) && at++ % 5 === 0;
    expect(judged("data-movement", some)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { a, abs, b, divided, operation, plus, rounded, times } from "../../../../src/numeric/operation/build.ts";
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

describe("vectors of numbers of two formats, where there is a rule", () => {
  const sources = ["f32", "f16", "bf16", "e5m2", "e4m3", "e3m2", "e2m3", "e2m1", "ue5m3", "s8"] as const;
  const targets = ["f32", "bf16", "f16", "e5m2", "e4m3", "e2m1", "ue5m3"] as const;
  const modifiers = [{}, { rnd: "rz" }, { satfinite: true }, { relu: true, satfinite: true }] as const;

  it.each([
    ["times a power of two", times(a, b)],
    ["over a power of two", divided(a, b)],
    ["times two powers", times(times(a, b), b)],
  ])("%s", (_, of) => {
    let rules = 0;
    for (const from of sources)
      for (const to of targets)
        for (const mode of modifiers) {
          const result = rounded(to, mode, to === "ue5m3" ? abs(of) : of);
          const wrong = differences(operation({ a: from, b: "ue8m0" }, to, result), { count: 60, exact: 60 });
          if (wrong !== undefined) rules += 1;
          expect(wrong ?? []).toEqual([]);
        }
    expect(rules).toBeGreaterThan(100);
  });

  it.each([
    ["e4m3", "e5m2"],
    ["f16", "bf16"],
    ["bf16", "e2m1"],
    ["ue5m3", "e4m3"],
  ] as const)("of %s and %s", (from, by) => {
    for (const to of ["bf16", "f16", "f32", "e4m3"] as const)
      for (const of of [times(a, b), divided(a, b), plus(a, b)])
        expect(differences(operation({ a: from, b: by }, to, rounded(to, {}, of))) ?? []).toEqual([]);
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

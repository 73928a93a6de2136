import { describe, expect, it } from "vitest";
import { wideScalar } from "../../../src/numeric/lower/exact/bigint.ts";
import { intervals } from "../../../src/numeric/lower/exact/interval.ts";
import { byReference, type Scalar } from "../../../src/numeric/lower/rule.ts";
import { narrowScalar } from "../../../src/numeric/lower/word/integer.ts";
import { a, abs, argument, b, c, carry, minus, operation, plus, wrap } from "../../../src/numeric/operation/build.ts";
import { evaluate } from "../../../src/numeric/operation/evaluate.ts";
import type { Operation, Result } from "../../../src/numeric/operation/operation.ts";
import { textOf } from "../../../src/numeric/operation/text.ts";
import { widthOf } from "../../../src/numeric/operation/type.ts";
import { Random, randomBits, randomOperation } from "./random-operation.ts";

const OPERATIONS = 3000;
const DRAWS = 12;

/** Runs random operations by a rule and by the reference; gives how many the rule knew, and the first differences. */
function differences(rule: (operation: Operation) => Scalar | undefined, narrow: boolean) {
  const wrong: string[] = [];
  let known = 0;
  for (let seed = 1; seed <= OPERATIONS && wrong.length < 5; seed++) {
    const made = randomOperation(seed, { narrow });
    const run = rule(made);
    if (run === undefined) continue;
    known++;
    const meaning = byReference(made);
    const random = new Random(seed + 7919);
    for (let draw = 0; draw < DRAWS; draw++) {
      const bits = randomBits(made, random).map((x, at) => (widthOf(made.takes[at]!.type) > 32 ? x : Number(x)));
      const [got, wanted] = [run(...bits), meaning(...bits)];
      // A zero of either sign is the same bits.
      if (got !== wanted)
        wrong.push(`${seed}: ${textOf(made)} of ${made.takes.map(({ type }) => type)} ${bits}: ${got}, not ${wanted}`);
    }
  }
  return { known, wrong };
}

describe("integer operations, lowered", () => {
  it("are the reference on numbers", () => {
    const { known, wrong } = differences(narrowScalar, true);
    expect(wrong).toEqual([]);
    expect(known).toBeGreaterThan(OPERATIONS / 3);
  });

  it("are the reference on bigints", () => {
    const { known, wrong } = differences(wideScalar, false);
    expect(wrong).toEqual([]);
    expect(known).toBe(OPERATIONS);
  });
});

describe("the interval of an expression", () => {
  it("holds its value", () => {
    const outside: string[] = [];
    for (let seed = 1; seed <= OPERATIONS; seed++) {
      const made = randomOperation(seed);
      const of = expressionOf(made.result);
      const interval = intervals(made.takes)(of);
      if (interval === undefined) continue;
      const random = new Random(seed);
      for (let draw = 0; draw < DRAWS; draw++) {
        const bits = randomBits(made, random);
        const value = evaluate(of, { takes: made.takes, bits, rnd: "rn" });
        if (typeof value !== "bigint" || value < interval.least || value > interval.greatest)
          outside.push(`${textOf(made)} ${bits}: ${value} not in ${interval.least} to ${interval.greatest}`);
      }
    }
    expect(outside.slice(0, 5)).toEqual([]);
  });

  it("is as narrow as 32 and 33 bits where the page's own expressions are", () => {
    const of = (x: Parameters<typeof wrap>[1], types: "u32" | "s32") => {
      const { takes } = operation({ a: types, b: types, c: types }, types, wrap(types, x));
      return intervals(takes)(x as never);
    };
    expect(of(plus(a, b), "u32")).toEqual({ least: 0n, greatest: 0x1_ffff_fffen });
    expect(of(abs(minus(a, b)), "s32")).toEqual({ least: 0n, greatest: 0xffff_ffffn });
  });
});

const expressionOf = (result: Result): Parameters<typeof evaluate>[0] =>
  result.into === "choose" ? result.when : result.into === "lanes" ? argument("a") : result.of;

describe("a carry", () => {
  it("is one bit above the width", () => {
    const sum = operation({ a: "u32", b: "u32", c: "u32" }, "u32", carry("u32", plus(a, b, c)));
    expect(narrowScalar(sum)!(0xffff_ffff, 1, 0)).toBe(0x1_0000_0000);
    // Three together may reach beyond that bit, which wraps.
    expect(narrowScalar(sum)!(0xffff_ffff, 0xffff_ffff, 0xffff_ffff)).toBe(0xffff_fffd);
    expect(byReference(sum)(0xffff_ffff, 0xffff_ffff, 0xffff_ffff)).toBe(0xffff_fffd);
  });
});

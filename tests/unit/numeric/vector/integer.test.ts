import { describe, expect, it } from "vitest";
import type { Bits } from "../../../../src/numeric/bits.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { reference } from "../../../../src/numeric/operation/reference.ts";
import { textOf } from "../../../../src/numeric/operation/text.ts";
import { widthOf } from "../../../../src/numeric/operation/type.ts";
import { Random, randomBits } from "../random-operation.ts";
import { type Known, vectorRun } from "./run-vector.ts";
import { isOfIntegers, operationsOfTable } from "./table-operations.ts";

const all = operationsOfTable().filter(({ operation, carryOut }) => isOfIntegers(operation) && !carryOut);

/** What no rule leads to. */
const WITHOUT = [
  "bfind.shiftamt.s32", "bfind.s32", "bfind.shiftamt.s64", "bfind.s64", "fns.b32",
  "atom.relaxed.cta.global.cas.b128", "atom.relaxed.cta.global.exch.L2::cache_hint.b128",
]; // biome-ignore format: a list

/** Cases of an operation: corners against corners, and whatever comes. */
function drawn(operation: Operation, count: number, seed: number): bigint[][] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => randomBits(operation, random));
}

/** The first cases in which the code gives something else than the reference; undefined where no rule leads. */
function wrongIn(operation: Operation, cases: readonly (readonly bigint[])[], known: readonly Known[]) {
  const run = vectorRun(operation, known);
  if (run === undefined) return undefined;
  const given = operation.takes.map((_, at) => cases.map((bits): Bits => known[at] ?? bits[at]!));
  const got = run(given);
  const wrong: string[] = [];
  for (const [at, bits] of cases.entries()) {
    if (got[at] === undefined) break;
    const read = operation.takes.map((_, index) => BigInt(known[index] ?? bits[index]!));
    const want = reference(operation, read);
    if (BigInt(got[at]!) !== want && wrong.length < 2)
      wrong.push(
        `${textOf(operation)} of ${read.map((x) => `0x${x.toString(16)}`)}: 0x${got[at]!.toString(16)}, not 0x${want.toString(16)}`,
      );
  }
  return wrong;
}

describe("operations of integers as vectors", () => {
  it("give what the reference gives, for operands in registers", () => {
    const wrong: string[] = [];
    const without: string[] = [];
    for (const [at, { spelling, operation }] of all.entries()) {
      const found = wrongIn(operation, drawn(operation, 48, at), []);
      if (found === undefined) without.push(spelling);
      else wrong.push(...found.map((each) => `${spelling}: ${each}`));
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(without).toEqual(WITHOUT);
    expect(all.length).toBeGreaterThan(1700);
  });

  it("give the same where some operands are known", () => {
    const wrong: string[] = [];
    for (const [at, { spelling, operation }] of all.entries()) {
      const random = new Random(at + 99);
      const fixed = randomBits(operation, random);
      const which = 1 + random.below(2 ** operation.takes.length - 1);
      const known = operation.takes.map(({ type }, index): Known => {
        if (((which >> index) & 1) === 0) return undefined;
        return widthOf(type) === 64 ? fixed[index]! : Number(fixed[index]!);
      });
      const found = wrongIn(operation, drawn(operation, 16, at), known);
      wrong.push(...(found ?? []).map((each) => `${spelling} with ${known}: ${each}`));
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });
});

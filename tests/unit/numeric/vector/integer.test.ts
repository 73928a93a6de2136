import { describe, expect, it } from "vitest";
import type { Bits } from "../../../../src/numeric/bits.ts";
import type { Operation } from "../../../../src/numeric/operation/operation.ts";
import { reference } from "../../../../src/numeric/operation/reference.ts";
import { textOf } from "../../../../src/numeric/operation/text.ts";
import { widthOf } from "../../../../src/numeric/operation/type.ts";
import { carryOf } from "../../../../src/numeric/vector/lower.ts";
import { draws, share } from "../../../share.ts";
import { Random, randomBits, randomOperation } from "../random-operation.ts";
import { type Known, type VectorRun, vectorRun } from "./run-vector.ts";
import { isOfIntegers, operationsOfTable } from "./table-operations.ts";

const table = operationsOfTable().filter(({ operation }) => isOfIntegers(operation));
const all = table.filter(({ carryOut }) => !carryOut);

/** What no rule leads to. */
const WITHOUT = [
  "clmad.hi.u64",
  "clmad.lo.u64",
  "atom.relaxed.cta.global.cas.b128",
  "atom.relaxed.cta.global.exch.L2::cache_hint.b128",
];

const drawn = (operation: Operation, count: number, seed: number): bigint[][] => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => randomBits(operation, random));
};

/** Some operands of an operation, that are known when its code is written. */
function someKnown({ takes }: Operation, seed: number): Known[] {
  const random = new Random(seed);
  const fixed = randomBits({ takes } as Operation, random);
  const which = 1 + random.below(2 ** takes.length - 1);
  return takes.map(({ type }, at) => {
    if (((which >> at) & 1) === 0) return undefined;
    return widthOf(type) === 64 ? fixed[at]! : Number(fixed[at]!);
  });
}

/** The first cases in which the code gives something else than the reference. */
function wrongIn(
  run: VectorRun,
  operation: Operation,
  cases: readonly (readonly bigint[])[],
  known: readonly Known[],
  want = (bits: readonly bigint[]) => reference(operation, bits),
): string[] {
  if (operation.takes.length === 0) return [];
  const got = run(operation.takes.map((_, at) => cases.map((bits): Bits => known[at] ?? bits[at]!)));
  return cases.flatMap((bits, index) => {
    const read = bits.map((each, at) => BigInt(known[at] ?? each));
    const wanted = want(read);
    if (BigInt(got[index]!) === wanted) return [];
    const types = operation.takes.map(({ type }) => type);
    return [`${textOf(operation)} of ${types} ${read.map(hex)}: ${hex(got[index]!)}, not ${hex(wanted)}`];
  });
}

const hex = (bits: Bits): string => `0x${bits.toString(16)}`;

describe("operations of integers as vectors", () => {
  it("give what the reference gives, for operands in registers", () => {
    const wrong: string[] = [];
    const without: string[] = [];
    for (const [at, { spelling, operation }] of all.entries()) {
      const run = vectorRun(operation);
      if (run === undefined) without.push(spelling);
      else wrong.push(...wrongIn(run, operation, drawn(operation, draws(5, 48), at), []));
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(without).toEqual(WITHOUT);
    expect(all.length).toBeGreaterThan(1700);
  });

  it("give the same where some operands are known", () => {
    const wrong: string[] = [];
    for (const [at, { operation }] of share(all, 8).entries()) {
      const known = someKnown(operation, at);
      const run = vectorRun(operation, known);
      if (run !== undefined) wrong.push(...wrongIn(run, operation, drawn(operation, draws(4, 16), at), known));
    }
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  it("give the same where they are no instruction's", () => {
    const wrong: string[] = [];
    let led = 0;
    for (let seed = 1; seed <= draws(150, 800); seed++) {
      const operation = randomOperation(seed, { depth: 1 + (seed % 3) });
      if ((operation.gives === "pred") !== (operation.result.into === "predicate")) continue;
      const known = seed % 2 ? [] : someKnown(operation, seed);
      const run = vectorRun(operation, known);
      if (run === undefined) continue;
      led++;
      wrong.push(...wrongIn(run, operation, drawn(operation, 12, seed), known).map((each) => `${seed}: ${each}`));
    }
    expect(wrong.slice(0, 10)).toEqual([]);
    expect(led).toBeGreaterThan(draws(80, 440));
  });

  it("give a carry as a mask, beside the sum", () => {
    const carries = table.filter(({ carryOut }) => carryOut);
    expect(carries.length).toBeGreaterThan(10);
    for (const [at, { operation }] of carries.entries()) {
      const width = widthOf(operation.gives);
      const known = at % 2 ? [] : someKnown(operation, at);
      const cases = drawn(operation, draws(80, 500), at);
      const value = vectorRun(operation, known, (operands, make) => carryOf(operation, operands, make)?.value)!;
      const low = (bits: readonly bigint[]) => BigInt.asUintN(width, reference(operation, bits));
      expect(wrongIn(value, operation, cases, known, low)).toEqual([]);
      const flag: Operation = { ...operation, gives: "pred" };
      const out = vectorRun(flag, known, (operands, make) => carryOf(operation, operands, make)?.out)!;
      const high = (bits: readonly bigint[]) => reference(operation, bits) >> BigInt(width);
      expect(wrongIn(out, flag, cases, known, high)).toEqual([]);
    }
  });
});

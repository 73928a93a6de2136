import { expect, it } from "vitest";
import type { Bits } from "../../../../src/numeric/bits.ts";
import { byReference } from "../../../../src/numeric/lower/rule.ts";
import {
  a,
  abs,
  argument,
  bits,
  c,
  call,
  choose,
  clamp,
  divided,
  flushed,
  integral,
  is,
  max,
  min,
  minus,
  negated,
  operation,
  plus,
  predicate,
  relation,
  root,
  rounded,
  select,
  signed,
  times,
  via,
  wrap,
} from "../../../../src/numeric/operation/build.ts";
import type { Expression } from "../../../../src/numeric/operation/expression.ts";
import type { Operation, Result } from "../../../../src/numeric/operation/operation.ts";
import { linesOf } from "../../../../src/numeric/operation/text.ts";
import { type FloatName, isFloat, type TypeName } from "../../../../src/numeric/operation/type.ts";
import { VectorMaker } from "../../../../src/numeric/vector/maker.ts";
import { draws } from "../../../share.ts";
import { Random } from "../random-operation.ts";
import { casesOf } from "./cases.ts";
import { vectorRun } from "./run-vector.ts";

const floats = ["f16", "bf16", "f32", "f64", "f32", "f16"] as const;
const integers = ["u32", "s32", "u64", "s64", "u16", "s8"] as const;
const roundings = ["rn", "rn", "rz", "rm", "rp", "rna"] as const;
const functions = ["rsqrt", "ex2", "lg2", "tanh", "sin", "cos"] as const;
const relations = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"] as const;
const properties = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] as const;

/** An operation of reals that need not be an instruction's: any operands, effects and formats together. */
function randomFloat(seed: number): Operation {
  // Of two neighbours the generator makes the same.
  const random = new Random(seed);
  const one = <T>(of: readonly T[]): T => random.one(of);
  const format = one<FloatName>(floats);
  // Mostly all operands are of the format.
  const takes = Object.fromEntries(
    ["a", "b", "c"].map((name): [string, TypeName] => [
      name,
      random.below(4) > 0 ? format : one<TypeName>([...floats, ...integers]),
    ]),
  );
  const leaf = (name: string): Expression => {
    const of = argument(name);
    if (!isFloat(takes[name]!)) return of;
    switch (random.below(6)) {
      case 0:
        return flushed(true, of);
      case 1:
        return negated(of);
      case 2:
        return abs(of);
      default:
        return of;
    }
  };
  const [x, y, z] = [leaf("a"), leaf("b"), leaf("c")];
  const real = (): Expression => {
    switch (random.below(15)) {
      case 0:
        return x;
      case 1:
        return root(x);
      case 2:
        return divided(x, y);
      case 3:
        return min(x, y, { nan: random.below(2) === 0 });
      case 4:
        return max(x, y, { nan: random.below(2) === 0 });
      case 5:
        return isFloat(takes["a"]!) ? integral(one(["rn", "rz", "rm", "rp"]), x) : x;
      case 6:
        return call(one(functions), x);
      case 7:
        return signed(abs(x), relation("lt", y, 0));
      case 8:
        return plus(via(rounded(format, { ftz: random.below(2) === 0 }, times(x, y))), z);
      case 9:
        return minus(x, y);
      case 10:
        return times(x, y);
      case 11:
        return plus(x, y);
      case 12:
        return signed(real(), truth());
      default:
        return plus(times(x, y), z);
    }
  };
  const truth = (): Expression =>
    isFloat(takes["a"]!) && random.below(3) === 0
      ? is(one(properties), one([a, flushed(true, a)]))
      : relation(one(relations), x, y);
  const some = (): boolean => random.below(4) === 0;
  const round = (): Result =>
    rounded(format, { rnd: one(roundings), ftz: some(), sat: some(), relu: some(), satfinite: some() }, real());
  const integer = one(integers);
  const toInteger = (type: TypeName, of: Expression): Result =>
    isFloat(takes["a"]!) ? choose(is("notanumber", a), wrap(type, 0), clamp(type, of)) : clamp(type, x);
  switch (random.below(9)) {
    case 0:
      return operation(takes, "pred", predicate(truth()));
    case 1:
      return operation(takes, integer, toInteger(integer, integral(one(["rn", "rz", "rm", "rp"]), x)));
    case 2:
      return operation(takes, integer, wrap(integer, select(truth(), bits(c), one([0, 1, -1]))));
    case 3:
      return operation(takes, format, choose(truth(), round(), round()));
    default:
      return operation(takes, format, round());
  }
}

const hex = (given: readonly Bits[]): string => given.map((each) => `0x${each.toString(16)}`).join(" ");

it("operations of reals that are no instruction's are right where a rule leads, or none does", () => {
  const wrong: string[] = [];
  let led = 0;
  for (let seed = 1; seed <= draws(1200, 5_000); seed += 2) {
    const operation = randomFloat(seed);
    const run = vectorRun(operation, [], undefined, new VectorMaker());
    if (run === undefined) continue;
    led++;
    const exact = byReference(operation);
    const all = casesOf(operation, 8, seed);
    const cases = Array.from({ length: Math.min(all.length, 12) }, (_, at) => all[(at * 8191 + seed) % all.length]!);
    const got = run(operation.takes.map((_, at) => cases.map((each) => each[at]!)));
    for (const [at, given] of cases.entries()) {
      const wanted = exact(...given);
      if (got[at] !== wanted)
        wrong.push(`${seed}: ${linesOf(operation)} of ${hex(given)}: ${hex([got[at]!])}, not ${hex([wanted])}`);
    }
  }
  expect(wrong.slice(0, 8)).toEqual([]);
  // None of them is left to the reference that was led before.
  expect(led).toBeGreaterThanOrEqual(draws(254, 950));
});

import type { Bits } from "../bits.ts";
import { keyOf } from "../operation/key.ts";
import type { Operation } from "../operation/operation.ts";
import { arithmetic } from "./arithmetic.ts";
import { choice, constant, labelled, move } from "./choice.ts";
import { betweenIntegers, byChance, toFloat, toInteger, toIntegerOrNan } from "./convert.ts";
import { functionOfF32, ofUpperWord, remembered, rootOfF64 } from "./exact/approximate.ts";
import { changedSign, extremum } from "./extremum.ts";
import { lanes } from "./lanes.ts";
import { combination, floatProperty, floatRelation, integerRelation, maskedBits } from "./relation.ts";
import { byReference, type Scalar, type ScalarRule } from "./rule.ts";
import { integers } from "./word/integer.ts";

/** Lanes that replace some bits of a number of up to 32 bits: the lanes, merged with the number's other bits. */
const lanesOnto: ScalarRule = ({ takes, gives, result }, lower) => {
  if (result.into !== "lanes" || result.onto === undefined) return undefined;
  const { lanes, onto } = result;
  if (lanes.some(({ low, bits }) => low + bits > 32)) return undefined;
  const written = lower({ takes, gives, result: { into: "lanes", lanes } });
  const kept = lower({ takes, gives, result: { into: "wrap", type: gives, of: onto } });
  const places = lanes.reduce((all, { low, bits }) => all | ((bits === 32 ? -1 : (1 << bits) - 1) << low), 0);
  return (...bits) => (((kept(...bits) as number) & ~places) | (written(...bits) as number)) >>> 0;
};

export type { Scalar };

/** Rules in the order in which they are tried. If none applies, the reference computes the operation. */
const rules: readonly ScalarRule[] = [
  labelled,
  lanes,
  lanesOnto,
  constant,
  move,
  integerRelation,
  maskedBits,
  combination,
  toIntegerOrNan,
  choice,
  betweenIntegers,
  integers,
  arithmetic,
  functionOfF32,
  ofUpperWord,
  rootOfF64,
  changedSign,
  extremum,
  toFloat,
  toInteger,
  byChance,
  floatRelation,
  floatProperty,
  remembered,
];

const known = new Map<string, Scalar>();

/** The fastest function for an operation on the bits of one lane. */
export function scalarOf(operation: Operation): Scalar {
  const key = keyOf(operation);
  const made = known.get(key) ?? lowered(operation);
  known.set(key, made);
  return made;
}

function lowered(operation: Operation): Scalar {
  for (const rule of rules) {
    const made = rule(operation, scalarOf);
    if (made !== undefined) return made;
  }
  return byReference(operation);
}

/** A function of an operation with CC.CF, which comes last; all are numbers, or for 64 bits bigints. */
export type CarryScalar = (a: Bits, b: Bits, c: Bits, carry: Bits) => Bits;

/** An operation of two operands or three, with the flag behind them if it reads it. */
export function withFlagLast(run: Scalar, arity: 2 | 3, flagged: boolean): CarryScalar {
  if (arity === 3) return flagged ? (a, b, c, carry) => run(a, b, c, Number(carry)) : run;
  return flagged ? (a, b, _, carry) => run(a, b, Number(carry)) : run;
}

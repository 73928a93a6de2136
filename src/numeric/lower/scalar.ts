import type { CarryOp, Op } from "../op.ts";
import { keyOf } from "../operation/key.ts";
import type { Operation } from "../operation/operation.ts";
import { widthOf } from "../operation/type.ts";
import { functionOfF32, ofUpperWord, remembered } from "./approximate.ts";
import { arithmetic } from "./arithmetic.ts";
import { choice, constant, labelled, move } from "./choice.ts";
import { betweenIntegers, byChance, toFloat, toInteger, toIntegerOrNan } from "./convert.ts";
import { changedSign, extremum } from "./extremum.ts";
import { integers } from "./integer.ts";
import { lanes } from "./lanes.ts";
import { lanesOnto } from "./onto.ts";
import { combination, floatProperty, floatRelation, integerRelation, maskedBits } from "./relation.ts";
import { byReference, type Scalar, type ScalarRule } from "./rule.ts";

/** Rules in the order in which they are asked. What none of them knows is computed by the reference. */
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

/** An operation with its function, as plans hold it. */
export const executable = (operation: Operation): Op => ({
  name: keyOf(operation),
  takes: operation.takes.map(({ type }) => widthOf(type)),
  gives: widthOf(operation.gives),
  // Made when somebody asks: an instruction with a loop of its own needs no function.
  get js() {
    return scalarOf(operation) as Op["js"];
  },
  operation,
});

/** The same for an operation with CC.CF: its function gets the flag last, whether it reads it or not. */
export function executableCarry(operation: Operation): CarryOp {
  const inputs = operation.takes.filter(({ name }) => name !== "CF");
  const flagged = inputs.length < operation.takes.length;
  const arity = inputs.length as CarryOp["arity"];
  return {
    name: keyOf(operation),
    width: widthOf(operation.gives) === 64 ? 64 : 32,
    arity,
    operation,
    get js() {
      return withFlagLast(scalarOf(operation), arity, flagged) as CarryOp["js"];
    },
  };
}

/** An operation of two operands or three, with the flag behind them if it reads it. */
function withFlagLast(run: Scalar, arity: CarryOp["arity"], flagged: boolean): Scalar {
  if (arity === 3) return flagged ? (a, b, c, carry) => run(a!, b!, c!, Number(carry)) : run;
  return flagged ? (a, b, _, carry) => run(a!, b!, Number(carry)) : run;
}

import type { Bits, CarryOp, Op } from "../op.ts";
import { keyOf } from "../operation/key.ts";
import type { Operation } from "../operation/operation.ts";
import { widthOf } from "../operation/type.ts";
import { functionOfF32, ofUpperWord, remembered } from "./approximate.ts";
import { arithmetic } from "./arithmetic.ts";
import { choice, constant, move } from "./choice.ts";
import { byChance, toFloat, toInteger, toIntegerOrNan } from "./convert.ts";
import { chosenCode } from "./extremum.ts";
import { lanes } from "./lanes.ts";
import { combination, floatProperty, floatRelation } from "./relation.ts";
import { byReference, type Scalar, type ScalarRule } from "./rule.ts";

/** Rules in the order in which they are asked. What none of them knows is computed by the reference. */
const rules: readonly ScalarRule[] = [
  lanes,
  constant,
  move,
  arithmetic,
  functionOfF32,
  ofUpperWord,
  chosenCode,
  toFloat,
  toInteger,
  toIntegerOrNan,
  byChance,
  floatRelation,
  floatProperty,
  combination,
  choice,
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
  js: scalarOf(operation) as Op["js"],
  operation,
});

/** The same for an operation with CC.CF: its function gets the flag last, whether it reads it or not. */
export function executableCarry(operation: Operation): CarryOp {
  const run = scalarOf(operation);
  const inputs = operation.takes.filter(({ name }) => name !== "CF");
  const flagged = inputs.length < operation.takes.length;
  const arity = inputs.length as CarryOp["arity"];
  const js = (a: Bits, b: Bits, c: Bits, carry: Bits): Bits =>
    run(...[a, b, c].slice(0, arity), ...(flagged ? [Number(carry)] : []));
  return {
    name: keyOf(operation),
    width: widthOf(operation.gives) === 64 ? 64 : 32,
    arity,
    operation,
    js: js as CarryOp["js"],
  };
}

import type { Operation } from "../operation/operation.ts";
import { widthOf } from "../operation/type.ts";
import { choice, constant, labelled, move } from "./choice.ts";
import { conversions, conversionsOfNan } from "./convert/rules.ts";
import { floatRules } from "./float/rules.ts";
import { halfRules, packedRules } from "./half/rules.ts";
import { carries } from "./integer/carry.ts";
import { packedHalves } from "./integer/packed.ts";
import { integers } from "./integer/rule.ts";
import { lanes } from "./lanes.ts";
import type { VectorMaker } from "./maker.ts";
import type { CarryRule, VectorRule } from "./rule.ts";
import type { Value } from "./vector.ts";

/** The first of them that leads is taken. */
const rules: readonly VectorRule[] = [
  labelled,
  ...packedRules,
  packedHalves,
  lanes,
  constant,
  move,
  ...conversionsOfNan,
  integers,
  choice,
  ...floatRules,
  ...halfRules,
  ...conversions,
];

/** An operation on four lanes of a warp, as code of WebAssembly can compute it; undefined where no rule leads. */
export function vectorOf(operation: Operation, operands: readonly Value[], make: VectorMaker): Value | undefined {
  // A value of 128 bits has no vectors.
  if ([operation.gives, ...operation.takes.map(({ type }) => type)].some((type) => widthOf(type) > 64))
    return undefined;
  const lower = (part: Operation, given: readonly Value[]): Value | undefined => vectorOf(part, given, make);
  for (const rule of rules) {
    const found = rule(operation, operands, make, lower);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same for an operation with a carry-out. */
export const carryOf: CarryRule = carries;

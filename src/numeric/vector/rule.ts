import type { Operation } from "../operation/operation.ts";
import type { VectorMaker } from "./maker.ts";
import type { Value, Vector } from "./vector.ts";

/**
 * The result of an operation on four lanes, for operands as `Value` says (an operand of 8 or 16 bits has no bit above
 * them set). Undefined if the rule does not apply; then the next one is tried, if there is one. `lower` is for the
 * parts of an operation that are operations themselves: a lane, either side of a choice.
 */
export type VectorRule = (
  operation: Operation,
  operands: readonly Value[],
  make: VectorMaker,
  lower: LowerPart,
) => Value | undefined;

/** All rules, on a part of an operation. */
export type LowerPart = (part: Operation, operands: readonly Value[]) => Value | undefined;

/** The same for an operation with a carry-out: the mask of the lanes whose CC.CF becomes 1 as well. */
export type CarryRule = (
  operation: Operation,
  operands: readonly Value[],
  make: VectorMaker,
) => { readonly value: Value; readonly out: Vector } | undefined;

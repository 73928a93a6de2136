import type { Operation } from "../operation/operation.ts";
import type { VectorMaker } from "./maker.ts";
import type { Value, Vector } from "./vector.ts";

/**
 * What an operation gives on four lanes, for operands as `Value` says (and for an operand of 8 or 16 bits: no bit above
 * them is set). Undefined where the rule does not lead; then the next one is asked, and in the end nobody.
 */
export type VectorRule = (operation: Operation, operands: readonly Value[], make: VectorMaker) => Value | undefined;

/** The same for an operation with a carry-out: the mask of the lanes whose CC.CF becomes 1 as well. */
export type CarryRule = (
  operation: Operation,
  operands: readonly Value[],
  make: VectorMaker,
) => { readonly value: Value; readonly out: Vector } | undefined;

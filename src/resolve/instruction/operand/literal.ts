import type { Operand } from "../../../interp/contract/operand.ts";
import type { LiteralClass } from "../../../isa/form/operands.ts";
import { outOfRange } from "../../constant/range.ts";
import type { Scope } from "../../declaration/scope.ts";

/** Why a 64-bit constant cannot be encoded in the instruction; undefined for one that can. */
export function literalProblem(
  value: bigint,
  wanted: LiteralClass,
): { readonly message: string; readonly expected: string } | undefined {
  // With a sign, those above 2^63 are below 0.
  const expected = outOfRange(wanted, wanted.signed ? BigInt.asIntN(64, value) : value);
  if (expected !== undefined) return { message: "this constant is out of range", expected };
  if (wanted.power === undefined || (value >= 1n && value <= BigInt(wanted.power) && (value & (value - 1n)) === 0n))
    return undefined;
  return { message: `${value} is not an alignment`, expected: `a power of two, at most ${wanted.power}` };
}

/** The constant's operand; undefined where there is a problem. */
export const literalOperand = (value: bigint, wanted: LiteralClass, scope: Scope): Operand | undefined =>
  literalProblem(value, wanted) ? undefined : scope.constant(BigInt.asUintN(wanted.bits, value), 32);

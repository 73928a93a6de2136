import { constantValue } from "../../contract/constant.ts";
import { type Operand, slot } from "../../contract/operand.ts";
import type { Instruction, Program } from "../../contract/program.ts";

/** Bytes that each lane copies: what there is of fewer is left to JavaScript. */
export const COPIED = 16;

/** What a full warp does in the module: a cp.async, the end of a group of copies, or a wait for all groups but some. */
export type CopySite =
  | {
      readonly act: "copy";
      readonly to: Place;
      readonly from: Place;
      /** The slot of how much each lane reads; all where there is none. */
      readonly reads: number | undefined;
    }
  | { readonly act: "commit" }
  /** Without `pending` for all that the warp has begun. */
  | { readonly act: "wait"; readonly pending: number | undefined };

/** A slot with addresses, and what is added to them. */
interface Place {
  readonly slot: number;
  readonly offset: number;
}

/** What compiled code has to know of an instruction; undefined if only JavaScript can execute it. */
export function copySiteOf({ plan, operands }: Instruction, program: Program): CopySite | undefined {
  const [first, second, third, fourth] = operands;
  if (plan.shape === "commit group") return plan.line === "cp.async" ? { act: "commit" } : undefined;
  if (plan.shape === "wait group") {
    const pending = first && Number(constantValue(first, program));
    return plan.line === "cp.async" && plan.reads !== true ? { act: "wait", pending } : undefined;
  }
  if (plan.shape !== "copy async" || plan.fills === "predicate") return undefined;
  const [to, from] = [placeOf(first, "r"), placeOf(second, "q")];
  if (to === undefined || from === undefined) return undefined;
  if (constantValue(third, program) !== BigInt(COPIED)) return undefined;
  return { act: "copy", to, from, reads: plan.fills && slot(fourth).slot };
}

function placeOf(operand: Operand | undefined, bank: "r" | "q"): Place | undefined {
  if (operand?.kind !== "address" || operand.base?.bank !== bank || operand.index !== undefined) return undefined;
  const offset = Number(BigInt.asIntN(32, operand.offset));
  return BigInt(offset) === operand.offset ? { slot: operand.base.slot, offset } : undefined;
}

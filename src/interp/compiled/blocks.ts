import { endsRun } from "../contract/effects.ts";
import type { Operand } from "../contract/operand.ts";
import type { Instruction, Program } from "../contract/program.ts";

/**
 * Instructions that run one after the other: lanes part only at its end. A group may stand in the middle of one, where its
 * turn has ended, and be met there by another.
 */
export interface Block {
  readonly number: number;
  /** The first instruction, and the one behind the last that is a step. */
  readonly start: number;
  readonly end: number;
  /** The branch at `end`, where one ends it that compiled code can follow. */
  readonly branch: { readonly target: number; readonly instruction: Instruction } | undefined;
}

/** Cuts a program into blocks, in order of pc; what is in none of them is control that JavaScript executes. */
export function blocksOf({ code, functions }: Program): readonly Block[] {
  const leaders = new Uint8Array(code.length + 1);
  leaders[0] = 1;
  for (const { entry } of functions) if (typeof entry === "number") leaders[entry] = 1;
  for (const [pc, { plan, operands }] of code.entries()) {
    if (!endsRun(plan)) continue;
    leaders[pc + 1] = 1;
    for (const target of operands.flatMap(targetsOf)) leaders[target] = 1;
  }
  const blocks: Block[] = [];
  for (let pc = 0; pc < code.length; ) {
    const start = pc;
    while (pc < code.length && !endsRun(code[pc]!.plan) && (pc === start || leaders[pc] === 0)) pc++;
    const end = pc;
    // A control instruction that somebody branches to begins a block of its own.
    const controlled = end < code.length && endsRun(code[end]!.plan) && (end === start || leaders[end] === 0);
    const branch = controlled ? branchOf(code[end]!) : undefined;
    if (end > start || branch !== undefined) blocks.push({ number: blocks.length, start, end, branch });
    if (controlled) pc = end + 1;
  }
  return blocks;
}

/** The pc of a block's last instruction. */
export const lastOf = ({ end, branch }: Block): number => (branch === undefined ? end - 1 : end);

/** A branch to one place, by its guard alone. */
function branchOf(instruction: Instruction): Block["branch"] {
  const { plan, operands } = instruction;
  if (plan.shape !== "branch" || plan.channels !== undefined) return undefined;
  const [target] = operands;
  return target?.kind === "target" ? { target: target.pc, instruction } : undefined;
}

function targetsOf(operand: Operand | undefined): readonly number[] {
  if (operand?.kind === "target") return [operand.pc];
  return operand?.kind === "vector" ? operand.items.flatMap(targetsOf) : [];
}

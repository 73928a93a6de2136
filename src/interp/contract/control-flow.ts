import type { Operand } from "./operand.ts";
import { goesOn, nextOf } from "./plan/effects.ts";
import type { Instruction } from "./program.ts";

/** Basic blocks of code, numbered in order of pc, and the edges between them. Block 0 is the entry. */
export interface ControlFlow {
  /** First instruction of each block. */
  readonly starts: readonly number[];
  /** By pc: its block. */
  readonly blockOf: Int32Array;
  readonly successors: readonly (readonly number[])[];
  readonly predecessors: readonly (readonly number[])[];
}

/** Divides code into basic blocks: at branch targets and after every instruction that may not go on to the next. */
export function controlFlowOf(code: readonly Instruction[]): ControlFlow {
  const leads = new Uint8Array(code.length + 1);
  leads[0] = 1;
  for (const [pc, instruction] of code.entries()) {
    const targets = targetsOf(instruction);
    for (const target of targets) leads[target] = 1;
    if (targets.length > 0 || !goesOn(instruction)) leads[pc + 1] = 1;
  }
  const starts: number[] = [];
  const blockOf = new Int32Array(code.length);
  for (let pc = 0; pc < code.length; pc++) {
    if (leads[pc]) starts.push(pc);
    blockOf[pc] = starts.length - 1;
  }
  const predecessors: number[][] = starts.map(() => []);
  const successors = starts.map((_, block) => {
    const last = (starts[block + 1] ?? code.length) - 1;
    const inside = followers(code[last]!, last).filter((pc) => pc < code.length);
    const next = [...new Set(inside.map((pc) => blockOf[pc]!))];
    for (const each of next) predecessors[each]!.push(block);
    return next;
  });
  return { starts, blockOf, successors, predecessors };
}

/** Where the instruction at `pc` may lead; one past the last is the end of the program. */
export function followers(instruction: Instruction, pc: number): readonly number[] {
  const targets = targetsOf(instruction);
  return goesOn(instruction) ? [...targets, pc + 1] : targets;
}

const none: readonly number[] = [];

/** Where a branch may go. The targets of a call are functions, which return to the instruction after it. */
export function targetsOf({ plan, operands }: Instruction): readonly number[] {
  if (nextOf(plan) !== "targets") return none;
  const found: number[] = [];
  const visit = (operand: Operand | undefined): void => {
    if (operand?.kind === "target") found.push(operand.pc);
    else if (operand?.kind === "vector") operand.items.forEach(visit);
  };
  operands.forEach(visit);
  return found;
}

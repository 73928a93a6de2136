import { goesOn, nextOf } from "../../interp/contract/effects.ts";
import type { Operand } from "../../interp/contract/operand.ts";
import type { Instruction } from "../../interp/contract/program.ts";

/** Basic blocks of a program and their successors. Block 0 is the entry. */
export interface Flow {
  /** First instruction of each block. */
  readonly starts: readonly number[];
  readonly blockOf: Int32Array;
  readonly predecessors: readonly (readonly number[])[];
}

const none: readonly number[] = [];

/** Cuts code into basic blocks: at branch targets and after every instruction that may not go on to the next. */
export function flowOf(code: readonly Instruction[]): Flow {
  const leads = new Uint8Array(code.length + 1);
  leads[0] = 1;
  for (let pc = 0; pc < code.length; pc++) {
    const instruction = code[pc] as Instruction;
    const targets = nextOf(instruction.plan) === "targets" ? targetsOf(instruction) : none;
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
  for (let block = 0; block < starts.length; block++) {
    const last = (starts[block + 1] ?? code.length) - 1;
    const instruction = code[last];
    if (!instruction) continue;
    const next = followers(instruction, last);
    for (const pc of next.length > 1 ? new Set(next) : next)
      if (pc < code.length) predecessors[blockOf[pc] ?? 0]?.push(block);
  }
  return { starts, blockOf, predecessors };
}

/** Where the instruction at `pc` may lead; one past the last is the end of the program. */
export function followers(instruction: Instruction, pc: number): number[] {
  const next = targetsOf(instruction);
  if (goesOn(instruction)) next.push(pc + 1);
  return next;
}

function targetsOf({ plan, operands }: Instruction): number[] {
  const found: number[] = [];
  // The targets of a call are functions, which return to the instruction after it.
  if (nextOf(plan) !== "targets") return found;
  const visit = (operand: Operand | undefined): void => {
    if (operand?.kind === "target") found.push(operand.pc);
    else if (operand?.kind === "vector") operand.items.forEach(visit);
  };
  operands.forEach(visit);
  return found;
}

import { followers } from "../../../src/interp/contract/control-flow.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { nextOf } from "../../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import type { Past } from "./past.ts";

/** Branches before an instruction that are looked at. */
const MOST_BRANCHES = 64;

/**
 * The branch that decided that a thread executed the instruction of a step: the last one before it whose other way leads to
 * the reader of the value without coming by there.
 */
export function decidingBranch(past: Past, thread: ThreadId, step: number, reader: number): number | undefined {
  const { log, program } = past;
  const { block, warp, lane } = thread;
  const own = log.stepsOf(block, warp);
  const pc = log.pc(step);
  let left = MOST_BRANCHES;
  let next = pc;
  for (let at = own.lastIndexOf(step) - 1; at >= 0 && left > 0; at--) {
    const before = own[at] ?? 0;
    if (!((log.active(before) >>> lane) & 1)) continue;
    const branch = log.pc(before);
    const { plan, guard } = past.instruction(branch);
    // Of another function.
    if (nextOf(plan) === "caller" || nextOf(plan) === "callee") return undefined;
    if (guard !== undefined && nextOf(plan) === "targets") {
      left--;
      const others = followers(past.instruction(branch), branch).filter((each) => each !== next);
      if (others.some((other) => leads(program, other, reader, pc))) return before;
    }
    next = branch;
  }
  return undefined;
}

/**
 * The branch behind the instruction of a step by which a thread went past others that write the same, before it came to the
 * reader; with the first of those.
 */
export function passingBranch(
  past: Past,
  thread: ThreadId,
  step: number,
  reader: { readonly step: number; readonly pc: number },
  writing: readonly number[],
): { readonly step: number; readonly past: number } | undefined {
  const { log, program } = past;
  const own = log.stepsOf(thread.block, thread.warp).filter((each) => (log.active(each) >>> thread.lane) & 1);
  let next = reader.pc;
  let left = MOST_BRANCHES;
  for (let at = own.lastIndexOf(reader.step) - 1; at >= 0 && (own[at] ?? 0) > step && left > 0; at--) {
    const before = own[at] ?? 0;
    const branch = log.pc(before);
    const { plan, guard } = past.instruction(branch);
    if (guard !== undefined && nextOf(plan) === "targets") {
      left--;
      const others = followers(past.instruction(branch), branch).filter((each) => each !== next);
      const missed = writing.find(
        (pc) => pc !== log.pc(step) && others.some((other) => leads(program, other, pc, reader.pc)),
      );
      if (missed !== undefined) return { step: before, past: missed };
    }
    next = branch;
  }
  return undefined;
}

/** Whether control may come from one instruction to another without coming by a third. */
function leads({ code }: Program, from: number, to: number, not: number): boolean {
  const seen = new Set([from]);
  for (const pc of seen) {
    if (pc === to) return true;
    const instruction = code[pc];
    if (pc === not || instruction === undefined) continue;
    for (const next of followers(instruction, pc)) seen.add(next);
  }
  return false;
}

import type { Warp } from "../state/warp.ts";
import { reconverge } from "../warp/groups.ts";
import type { LinkedCode } from "./linked-code.ts";

/**
 * Runs a warp as `LinkedProgram.run` says. Straight-line code runs in a loop over steps that tests only for its end:
 * the next control instruction, the pc where another group waits, or the end of the budget.
 */
export function advance(warp: Warp, code: LinkedCode, budget: number, clock: number): number {
  let executed = 0;
  while (canAdvance(warp, code, budget - executed))
    executed += advanceRun(warp, code, budget - executed, clock + executed);
  return executed;
}

/** Whether the current group may go on with `budget`. Running off the end is no instruction and needs no budget. */
export const canAdvance = (warp: Warp, { steps }: LinkedCode, budget: number): boolean =>
  warp.active !== 0 && warp.yieldBudget > 0 && (budget > 0 || warp.pc === steps.length);

/** Runs the current group to the next control instruction, and executes that. */
export function advanceRun(
  warp: Warp,
  { steps, ends, controls, guarded }: LinkedCode,
  budget: number,
  clock: number,
): number {
  const last = steps.length;
  const start = warp.pc;
  const end = ends[start]!;
  const stop = Math.min(end, warp.reconvergeAt, start + budget);
  warp.clock = clock;
  warp.from = start;
  const { active } = warp;
  try {
    for (let pc = start; pc < stop; pc++) {
      warp.pc = pc;
      steps[pc]!(warp);
    }
  } catch (fault) {
    // The guard of the step that failed had narrowed the mask.
    warp.active = active;
    record(warp, guarded, start, warp.pc);
    throw fault;
  }
  warp.pc = stop;
  const executed = stop - start;
  if (stop === end && stop !== warp.reconvergeAt && (executed < budget || stop === last)) {
    if (start < last) warp.executedToEnd[start]! |= warp.active;
    controls[stop]!(warp);
    return stop < last ? executed + 1 : executed;
  }
  record(warp, guarded, start, stop);
  if (stop === warp.reconvergeAt) reconverge(warp);
  return executed;
}

/** Records that the active lanes ran `[start, stop)`, which has no control instruction. */
export function record(warp: Warp, guarded: Uint8Array, start: number, stop: number): void {
  for (let pc = start; pc < stop; pc++) if (guarded[pc] === 0) warp.executed[pc]! |= warp.active;
}

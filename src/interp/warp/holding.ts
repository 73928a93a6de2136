import type { Instruction } from "../contract/program.ts";
import type { Until, Warp } from "../state/warp.ts";
import { checkDivergence } from "./divergence.ts";
import { diverge, park, reconverge, wake } from "./groups.ts";
import { guardOf } from "./guard.ts";

/** Lanes that have to wait, and their condition. */
export interface Wait {
  readonly mask: number;
  readonly until: Until;
}

/** Executes an instruction for the active lanes and returns those that have to wait; the others have their results. */
export type Hold = (warp: Warp) => readonly Wait[];

/** Binds an instruction whose lanes wait behind it until a condition holds (mbarrier.try_wait ...). */
export function holding({ guard }: Instruction, pc: number, hold: Hold): (warp: Warp) => void {
  const lanes = guardOf(guard);
  return (warp) => {
    const taken = lanes(warp);
    const { active } = warp;
    if (taken === 0) {
      warp.pc = pc + 1;
      reconverge(warp);
      return;
    }
    warp.active = taken;
    let held = 0;
    try {
      for (const { mask, until } of hold(warp)) {
        park(warp, { pc, mask, depth: warp.depth, on: { kind: "until", until } });
        held = (held | mask) >>> 0;
      }
    } finally {
      warp.active = active;
    }
    warp.executed[pc]! |= taken & ~held;
    if (held === 0) {
      warp.pc = pc + 1;
      reconverge(warp);
      return;
    }
    if (held !== active) diverge(warp, pc + 1, (active & ~held) >>> 0);
    warp.active = 0;
    reconverge(warp);
    checkDivergence(warp);
  };
}

/** Releases groups whose condition holds; true where there was one. */
export const wakeReady = (warps: readonly Warp[]): boolean => release(warps, (until) => until.ready(), true);

/** Releases groups whose wait has a time limit; true where there was one. */
export const giveUp = (warps: readonly Warp[]): boolean => release(warps, (until) => until.limited, false);

function release(warps: readonly Warp[], may: (until: Until) => boolean, inTime: boolean): boolean {
  let found = false;
  for (const warp of warps) {
    const before = warp.parked.length;
    for (const group of [...warp.parked]) {
      const { on, mask, pc } = group;
      if (on.kind !== "until" || !may(on.until)) continue;
      on.until.go(warp, mask, inTime);
      warp.executed[pc]! |= mask;
      wake(warp, group);
    }
    if (warp.parked.length === before) continue;
    found = true;
    reconverge(warp);
  }
  return found;
}

import { acquires } from "../contract/memory-consistency.ts";
import { bytesTouched, fenceOf, touchesOf } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { Instruction } from "../contract/program.ts";
import { WINDOWED } from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import type { Step } from "../state/warp.ts";
import { siteOf } from "./async/site.ts";

/** Whether an instruction acquires, as fences do. */
const isAcquire = (plan: Plan): boolean =>
  fenceOf(plan) !== undefined || touchesOf(plan).some(({ sem }) => acquires(sem));

/** The store of an instruction that may write shared memory. */
function storeOf(plan: Plan): ReturnType<typeof touchesOf>[number] | undefined {
  const access = touchesOf(plan).find(({ how }) => how === "store" || how === "atomic");
  return access?.space === "shared" || access?.space === "generic" ? access : undefined;
}

/** Whether `noting` wraps the steps of an instruction. */
export const isNoted = (plan: Plan): boolean => isAcquire(plan) || storeOf(plan) !== undefined;

/**
 * Wraps a step so that its stores to shared memory, of its own block or another's, count as writes of the generic
 * proxy, and its acquires as acquires, if the program has readers in the async proxy (PTX ISA 8.6). Other programs
 * keep their steps as they are.
 */
export function noting(step: Step, { plan, operands }: Pick<Instruction, "plan" | "operands">, context: Context): Step {
  const { asynchrony, scratch, memory } = context;
  const { proxies } = asynchrony.fences;
  if (!proxies.active) return step;
  if (isAcquire(plan)) {
    const acquiring = step;
    step = (warp) => {
      acquiring(warp);
      proxies.acquired(warp.block, warp.index);
    };
  }
  const access = storeOf(plan);
  if (access === undefined) return step;
  const bytes = bytesTouched(access, operands);
  const site = siteOf(context);
  const store = step;
  return (warp) => {
    store(warp);
    const lanes = (access.lanes ?? 0xffff_ffff) & warp.active;
    for (let lane = 0; lane < warp.lanes; lane++) {
      const start = scratch.at[lane]!;
      if (!((lanes >>> lane) & 1) || start < 0 || (memory.shadow.u8[start]! & WINDOWED) === 0) continue;
      proxies.wrote({ block: warp.block, warp: warp.index, lane }, site(warp), { start, bytes });
    }
  };
}

import { acquires } from "../contract/memory-consistency.ts";
import { bytesTouched, fenceOf, touchesOf } from "../contract/plan/effects.ts";
import type { Instruction } from "../contract/program.ts";
import { WINDOWED } from "../memory/shadow.ts";
import type { Context } from "../state/context.ts";
import type { Step } from "../state/warp.ts";
import { siteOf } from "./async/site.ts";

/**
 * Wraps a step so that its stores to shared memory, of its own block or another's, count as writes of the generic
 * proxy, and its acquires as acquires, if the program has readers in the async proxy (PTX ISA 8.6). Other programs
 * keep their steps as they are.
 */
export function noting(step: Step, { plan, operands }: Pick<Instruction, "plan" | "operands">, context: Context): Step {
  const { asynchrony, scratch, memory } = context;
  const { proxies } = asynchrony.fences;
  if (!proxies.active) return step;
  const touches = touchesOf(plan);
  if (fenceOf(plan) !== undefined || touches.some(({ sem }) => acquires(sem))) {
    const acquiring = step;
    step = (warp) => {
      acquiring(warp);
      proxies.acquired(warp.block, warp.index);
    };
  }
  const access = touches.find(({ how }) => how === "store" || how === "atomic");
  if (access === undefined || (access.space !== "shared" && access.space !== "generic")) return step;
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

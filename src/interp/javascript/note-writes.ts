import { bytesTouched, touchesOf } from "../contract/effects.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Step } from "../state/warp.ts";
import { siteOf } from "./async/site.ts";

/**
 * Wraps a step so that what it stores in shared memory counts as written by the generic proxy, where the program has readers
 * by the async one (PTX ISA 8.6); other programs keep their steps as they are.
 */
export function noting(step: Step, { plan, operands }: Pick<Instruction, "plan" | "operands">, context: Context): Step {
  const { asynchrony, scratch, sharedBytes } = context;
  if (!asynchrony.fences.proxies.active) return step;
  const access = touchesOf(plan).find(({ how }) => how === "store" || how === "atomic");
  if (access === undefined || (access.space !== "shared" && access.space !== "generic")) return step;
  const bytes = bytesTouched(access, operands);
  const site = siteOf(context);
  return (warp) => {
    step(warp);
    const lanes = access.lanes ?? warp.active;
    for (let lane = 0; lane < warp.lanes; lane++) {
      const start = scratch.at[lane]!;
      if (!((lanes >>> lane) & 1) || start < warp.shared || start >= warp.shared + sharedBytes) continue;
      asynchrony.fences.proxies.wrote({ block: warp.block, warp: warp.index, lane }, site(warp), { start, bytes });
    }
  };
}

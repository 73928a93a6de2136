import type { Context, Step } from "./context.ts";
import { elements } from "./operand.ts";
import type { Instruction } from "./program.ts";
import type { Observer } from "./session.ts";

/** Wraps a load or a store so that observers hear of each lane's access once it has happened. */
export function observing(
  step: Step,
  { plan, operands, guard }: Instruction,
  { scratch }: Context,
  observers: readonly Observer[],
): Step {
  if (plan.shape !== "load" && plan.shape !== "store") return step;
  const { shape, space, cell } = plan;
  const bytes = (cell.bits / 8) * elements(operands[shape === "load" ? 0 : 1]).length;
  return (warp) => {
    const mask = guard === undefined ? -1 : guard.negated ? ~warp.p[guard.slot]! : warp.p[guard.slot]!;
    step(warp);
    for (let lane = 0; lane < warp.lanes; lane++) {
      if (!(((warp.active & mask) >>> lane) & 1)) continue;
      const address = (BigInt(scratch.high[lane]!) << 32n) | BigInt(scratch.low[lane]!);
      for (const observer of observers)
        observer[shape]?.({ block: warp.block, warp: warp.index, lane }, space, address, bytes);
    }
  };
}

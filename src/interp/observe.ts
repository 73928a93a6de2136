import type { Context, Step } from "./context.ts";
import { locator } from "./locate.ts";
import { elements } from "./operand.ts";
import type { Instruction } from "./program.ts";
import type { Observer } from "./session.ts";

/** Wraps a load or a store so that observers hear of each lane's access once it has happened. */
export function observing(
  step: Step,
  { plan, operands, guard }: Instruction,
  context: Context,
  observers: readonly Observer[],
): Step {
  if (plan.shape !== "load" && plan.shape !== "store") return step;
  const { shape, space, cell } = plan;
  const bytes = (cell.bits / 8) * elements(operands[shape === "load" ? 0 : 1]).length;
  const { low, high } = context.scratch;
  const { sum } = locator(operands[shape === "load" ? 1 : 0], space, bytes, context);
  return (warp) => {
    const mask = guard === undefined ? -1 : guard.negated ? ~warp.p[guard.slot]! : warp.p[guard.slot]!;
    // Before the step: a load may overwrite its own base.
    sum(warp);
    const addresses = Array.from(low, (word, lane) => (BigInt(high[lane]!) << 32n) | BigInt(word));
    step(warp);
    for (let lane = 0; lane < warp.lanes; lane++) {
      if (!(((warp.active & mask) >>> lane) & 1)) continue;
      const address = addresses[lane]!;
      for (const observer of observers)
        observer[shape]?.({ block: warp.block, warp: warp.index, lane }, space, address, bytes);
    }
  };
}

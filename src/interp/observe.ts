import type { Context, Step } from "./context.ts";
import { guardOf } from "./guard.ts";
import { locator } from "./locate.ts";
import { elements } from "./operand.ts";
import type { Plan } from "./plan.ts";
import type { Instruction, Operand } from "./program.ts";
import type { Observer } from "./session.ts";

/** Wraps a load, a store or an atomic so that observers hear of each lane's access once it has happened; and a fence. */
export function observing(
  step: Step,
  { plan, operands, guard }: Instruction,
  context: Context,
  observers: readonly Observer[],
): Step {
  if (plan.shape === "nothing" && plan.fence !== undefined) {
    const lanes = guardOf(guard);
    const scope = plan.fence;
    return (warp) => {
      for (const observer of observers) observer.fence?.(warp.block, warp.index, lanes(warp), scope);
    };
  }
  if (plan.shape !== "load" && plan.shape !== "store" && plan.shape !== "atomic") return step;
  const { shape, space, sem = "weak", scope = "gpu" } = plan;
  const { address: at, bytes } = touched(plan, operands);
  const { low, high } = context.scratch;
  const { sum } = locator(at, space, bytes, context);
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
        observer[shape]?.({ block: warp.block, warp: warp.index, lane }, space, address, bytes, sem, scope);
    }
  };
}

/** The address operand of an access, and how many bytes a lane touches. */
function touched(
  plan: Plan & { shape: "load" | "store" | "atomic" },
  operands: readonly (Operand | undefined)[],
): { address: Operand | undefined; bytes: number } {
  switch (plan.shape) {
    case "load":
      return { address: operands[1], bytes: (plan.cell.bits / 8) * elements(operands[0]).length };
    case "store":
      return { address: operands[0], bytes: (plan.cell.bits / 8) * elements(operands[1]).length };
    case "atomic": {
      const at = plan.gives ? 1 : 0;
      return { address: operands[at], bytes: (plan.bits / 8) * elements(operands[at + 1]).length };
    }
  }
}

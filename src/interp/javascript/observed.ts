import { elements, slot } from "../contract/operand.ts";
import type { Plan } from "../contract/plan.ts";
import type { Instruction, Operand } from "../contract/program.ts";
import type { Observer } from "../contract/session.ts";
import type { Context, Step } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";
import { guardOf } from "../warp/guard.ts";
import { locator } from "./locate.ts";

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
  const { low, high, at: places } = context.scratch;
  const { sum, locate } = locator(at, space, bytes, context);
  const stored = shape === "store" ? values(operands[1], plan.cell.bits, context.lanes) : () => 0n;
  return (warp) => {
    const mask = guard === undefined ? -1 : guard.negated ? ~warp.p[guard.slot]! : warp.p[guard.slot]!;
    // Before the step: a load may overwrite its own base.
    locate(warp);
    const where = Int32Array.from(places);
    sum(warp);
    const addresses = Array.from(low, (word, lane) => (BigInt(high[lane]!) << 32n) | BigInt(word));
    step(warp);
    for (let lane = 0; lane < warp.lanes; lane++) {
      if (!(((warp.active & mask) >>> lane) & 1)) continue;
      const address = addresses[lane]!;
      const thread = { block: warp.block, warp: warp.index, lane };
      const value = stored(warp, lane);
      for (const observer of observers)
        observer[shape]?.(thread, space, address, bytes, sem, scope, where[lane]!, value);
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

/** What a lane stores: its elements side by side, the first one lowest. */
function values(operand: Operand | undefined, bits: number, lanes: number): (warp: Warp, lane: number) => bigint {
  const parts = elements(operand).map(slot);
  return ({ r, q }, lane) =>
    parts.reduce((sum, part, index) => {
      const at = part.slot * lanes + lane;
      const low = part.bank === "q" ? q[at]! : BigInt(r[at]!);
      const value = bits === 128 ? low | (q[at + lanes]! << 64n) : low;
      return sum | (BigInt.asUintN(bits, value) << BigInt(bits * index));
    }, 0n);
}

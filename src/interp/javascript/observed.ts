import { LANES } from "../contract/launch/lane-mask.ts";
import type { Operand } from "../contract/operand.ts";
import { fenceOf } from "../contract/plan/effects.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Step, Warp } from "../state/warp.ts";
import { guardOf } from "../warp/guard.ts";
import { locator } from "./locate.ts";
import { lineLocator } from "./matrix/locate-lines.ts";
import { type ObservableAccess, ObservedAccess, observableAccesses, type Threads } from "./observed-access.ts";

/** Wraps a step to notify observers of each lane's accesses to memory after they have happened, and of a fence. */
export function observing(
  step: Step,
  pc: number,
  { plan, operands, guard }: Instruction,
  context: Context,
  threads: Threads,
): Step {
  const { observers } = context;
  const witnesses = observableAccesses(plan).map((access) => new Witness(access, pc, operands, context));
  const fence = fenceOf(plan);
  if (witnesses.length === 0 && fence === undefined) return step;
  const lanes = guardOf(guard);
  const [only] = witnesses;
  if (witnesses.length === 1 && fence === undefined)
    return (warp) => {
      const taken = lanes(warp);
      // Before the step: a load may overwrite its own base.
      only!.look(warp);
      step(warp);
      only!.notify(warp, taken, observers, threads);
    };
  return (warp) => {
    const taken = lanes(warp);
    for (const witness of witnesses) witness.look(warp);
    step(warp);
    for (const witness of witnesses) witness.notify(warp, taken, observers, threads);
    if (fence !== undefined)
      for (const observer of observers) observer.fence?.(warp.block, warp.index, taken, fence.scope, fence.sem);
  };
}

/** One access of an instruction: computes the lanes' addresses before it happens, and notifies observers afterwards. */
class Witness extends ObservedAccess {
  readonly #locate: Step;
  readonly #sum: Step;
  readonly #scratch: Context["scratch"];

  constructor(access: ObservableAccess, pc: number, operands: readonly (Operand | undefined)[], context: Context) {
    super(access, pc, operands, context, { addresses: new Uint32Array(2 * LANES), where: new Int32Array(LANES) });
    const { how, space, address: at, lines } = access;
    this.#scratch = context.scratch;
    const { locate, sum } =
      lines === undefined
        ? locator(operands[at], space, this.bytes, context)
        : lineLocator(operands[at], operands[2], { space, lines }, how === "load" ? how : "store", context);
    this.#locate = locate;
    this.#sum = sum;
  }

  look(warp: Warp): void {
    const { addresses } = this;
    const { low, high, at } = this.#scratch;
    this.#locate(warp);
    this.where.set(at);
    this.#sum(warp);
    for (let lane = 0; lane < LANES; lane++) {
      addresses[2 * lane] = low[lane]!;
      addresses[2 * lane + 1] = high[lane]!;
    }
  }
}

import type { Channels } from "../contract/channels.ts";
import { isControl } from "../contract/plan/effects.ts";
import type { PlanOf } from "../contract/plan/shape-facts.ts";
import type { ControlShape } from "../contract/plan/shapes.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";
import { afterExit } from "./after-exit.ts";
import { barrier } from "./barrier.ts";
import type { FindBuiltin } from "./builtin-call.ts";
import { Calls } from "./call.ts";
import { clusterBarrier } from "./cluster-barrier.ts";
import { enabled } from "./enabled.ts";
import { diverge, reconverge } from "./groups.ts";
import { guardOf, type TakenLanes } from "./guard.ts";
import { splitBarrier } from "./split-barrier.ts";
import { branchByIndex } from "./switch.ts";
import { warpOperation } from "./warp-operation.ts";

/** An instruction that ends a straight run: it sets the warp's next pc itself. */
export type Control = (warp: Warp) => void;

/** Binds branches, calls, exits and whatever waits for other lanes; undefined for a step. */
function control(instruction: Instruction, pc: number, calls: Calls, context: Context): Control | undefined {
  const { plan } = instruction;
  if (!isControl(plan)) return undefined;
  // TypeScript does not see that an entry takes plans of the shape that it stands under.
  const binder = binders[plan.shape] as ControlBinder<ControlShape>;
  return binder(plan, { instruction, pc, lanes: guardOf(instruction.guard), calls, context });
}

/** What binding a control instruction takes. */
interface Site {
  readonly instruction: Instruction;
  readonly pc: number;
  /** The lanes that pass its guard. */
  readonly lanes: TakenLanes;
  readonly calls: Calls;
  readonly context: Context;
}

type ControlBinder<S extends ControlShape> = (plan: PlanOf<S>, site: Site) => Control;

const binders: { readonly [S in ControlShape]: ControlBinder<S> } = {
  branch: (plan, { instruction, pc, lanes }) => {
    const [target] = instruction.operands;
    if (target?.kind !== "target") throw new Error("a branch without a target");
    return branch(pc, target.pc, branching(plan, lanes));
  },
  switch: (_, { instruction, pc, lanes, context }) => branchByIndex(instruction, pc, context.lanes, lanes),
  call: (plan, { instruction, pc, lanes, calls }) => calls.call(instruction, pc, branching(plan, lanes)),
  exit: ({ channels }, { pc, lanes }) => leave(pc, channels === undefined ? lanes : active(channels)),
  return: ({ channels }, { pc, lanes, calls }) => {
    const gone = channels === undefined ? lanes : active(channels);
    return calls.leave(pc, gone, leave(pc, gone));
  },
  warp: (plan, { instruction, pc, context }) => warpOperation(plan, instruction, pc, context),
  barrier: (plan, { instruction, pc, context }) => barrier(plan, instruction, pc, context),
  "split barrier": (plan, { instruction, pc, context }) => splitBarrier(plan, instruction, pc, context),
  "cluster barrier": (plan, { instruction, pc, context }) => clusterBarrier(plan, instruction, pc, context),
};

/** The lanes that a branch or a call takes along. */
function branching({ channels, uniform }: PlanOf<"branch" | "call">, lanes: TakenLanes): TakenLanes {
  if (channels === undefined) return lanes;
  if (!uniform) return active(channels);
  const on = enabled(channels);
  return (warp) => (on(warp) === 0 ? 0 : warp.active);
}

/** The active lanes among the enabled channels. */
function active(channels: Channels): TakenLanes {
  const on = enabled(channels);
  return (warp) => (on(warp) & warp.active) >>> 0;
}

const branch =
  (pc: number, target: number, lanes: TakenLanes): Control =>
  (warp) => {
    const taken = lanes(warp);
    const { active } = warp;
    if (taken !== 0 && target <= pc) warp.fuel--;
    if (taken === 0) warp.pc = pc + 1;
    else {
      if (taken !== active) diverge(warp, pc + 1, (active & ~taken) >>> 0);
      warp.active = taken;
      warp.pc = target;
    }
    reconverge(warp);
  };

const leave =
  (pc: number, lanes: TakenLanes): Control =>
  (warp) => {
    const gone = lanes(warp);
    warp.live = (warp.live & ~gone) >>> 0;
    warp.active = (warp.active & ~gone) >>> 0;
    warp.pc = pc + 1;
    const { parked, ctaSync } = warp;
    if (parked.length > 0 || ctaSync.openBarriers > 0 || ctaSync.clusterOpen || ctaSync.tensor.blocks.length > 0)
      afterExit(warp);
    else reconverge(warp);
  };

/** A program that runs off its end has exited. */
const fallOff: Control = (warp) => leave(warp.pc, guardOf(undefined))(warp);

/**
 * Binds what ends the straight runs of the context's program, by pc; undefined for a step. One more stands behind the
 * last instruction. `builtinFor` finds what the driver supplies for a function without a body.
 */
export function bindControls(context: Context, builtinFor: FindBuiltin): readonly (Control | undefined)[] {
  const calls = new Calls(context, builtinFor);
  return [...context.program.code.map((instruction, pc) => control(instruction, pc, calls, context)), fallOff];
}

import { type Channels, enabled } from "../contract/channels.ts";
import type { Plan } from "../contract/plan.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";
import { afterExit } from "./after-exit.ts";
import { barrier } from "./barrier.ts";
import { Calls } from "./call.ts";
import { clusterBarrier } from "./cluster-barrier.ts";
import { diverge, reconverge } from "./groups.ts";
import { guardOf, type TakenLanes } from "./guard.ts";
import { branchByIndex } from "./switch.ts";
import { warpOperation } from "./warp-operation.ts";

/** An instruction that ends a straight run: it sets the warp's next pc itself. */
export type Control = (warp: Warp) => void;

/** Binds branches, calls, exits and whatever waits for other lanes; undefined for everything else. */
function control(instruction: Instruction, pc: number, calls: Calls, context: Context): Control | undefined {
  const { plan, operands, guard } = instruction;
  const lanes = guardOf(guard);
  switch (plan.shape) {
    case "branch": {
      const [target] = operands;
      if (target?.kind !== "target") throw new Error("a branch without a target");
      return branch(pc, target.pc, branching(plan, lanes));
    }
    case "switch":
      return branchByIndex(instruction, pc, context.lanes, lanes);
    case "call":
      return calls.call(instruction, pc, lanes);
    case "exit":
      return leave(pc, plan.channels === undefined ? lanes : active(plan.channels));
    case "return":
      return calls.leave(pc, lanes, leave(pc, lanes));
    case "warp":
      return warpOperation(instruction, pc, context);
    case "barrier":
      return barrier(instruction, pc, context);
    case "cluster barrier":
      return clusterBarrier(instruction, pc, context);
    default:
      return undefined;
  }
}

/** The lanes that a branch takes along. */
function branching({ channels, uniform }: Plan & { shape: "branch" }, lanes: TakenLanes): TakenLanes {
  if (channels === undefined) return lanes;
  if (!uniform) return active(channels);
  const on = enabled(channels);
  return (warp) => (on(warp) === 0 ? 0 : warp.active);
}

/** Enabled channels that are there to go elsewhere. */
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
    if (parked.length > 0 || ctaSync.openBarriers > 0 || ctaSync.clusterOpen) afterExit(warp);
    else reconverge(warp);
  };

/** A program that runs off its end has exited. */
export const fallOff: Control = (warp) => leave(warp.pc, guardOf(undefined))(warp);

/** A program's instructions, ready to run. */
export interface LinkedCode {
  readonly steps: readonly ((warp: Warp) => void)[];
  /** By pc: where the straight run from there ends, at a control instruction or at the end of the program. */
  readonly ends: Int32Array;
  readonly controls: readonly (Control | undefined)[];
  /** By pc: 1 for a guarded instruction, which keeps its own record of the lanes that ran it. */
  readonly guarded: Uint8Array;
}

/** Binds all instructions of the context's program with `step`. */
export function link(
  context: Context,
  step: (instruction: Instruction, pc: number) => (warp: Warp) => void,
): LinkedCode {
  const { code } = context.program;
  const calls = new Calls(context);
  const controls = [...code.map((instruction, pc) => control(instruction, pc, calls, context)), fallOff];
  const never = (): void => {
    throw new Error("a control instruction ran as a step");
  };
  const steps = code.map((instruction, pc) => (controls[pc] === undefined ? step(instruction, pc) : never));
  const ends = new Int32Array(code.length + 1);
  for (let pc = code.length, end = pc; pc >= 0; pc--) {
    if (controls[pc] !== undefined) end = pc;
    ends[pc] = end;
  }
  return { steps, ends, controls, guarded: Uint8Array.from(code, ({ guard }) => (guard === undefined ? 0 : 1)) };
}

import { lanesOf } from "../contract/launch/lane-mask.ts";
import { acquires, reachOfAccess, releases } from "../contract/memory-consistency.ts";
import { bytesTouched, fenceOf, isCollective, touchesOf } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { PlannedAccess } from "../contract/plan/shapes/shape-facts.ts";
import type { Instruction } from "../contract/program.ts";
import { windows } from "../contract/window.ts";
import { builtinFor } from "../driver/builtin.ts";
import { advance } from "../javascript/advance.ts";
import { bind } from "../javascript/bind.ts";
import { linkCode } from "../javascript/linked-code.ts";
import { locator } from "../javascript/locate.ts";
import { observing } from "../javascript/observed.ts";
import { Threads } from "../javascript/observed-access.ts";
import type { Context } from "../state/context.ts";
import type { Executor } from "../state/executor.ts";
import type { Step, Warp } from "../state/warp.ts";
import { guardOf } from "../warp/guard.ts";
import type { WeakLaunch } from "./weak-launch.ts";
import type { Access } from "./weak-memory.ts";

/**
 * Executes as `javascript` does, but shared and global memory are weak: lanes load and store one after the other, and
 * each sees memory as `launch` presents it. Other accesses to memory (matrices, images) are ordered with everything.
 */
export function weakly(launch: WeakLaunch): Executor {
  return {
    link(context, observed = false) {
      const threads = new Threads();
      const code = linkCode(context, builtinFor, (instruction, pc) => {
        const step = weakStep(bind(instruction, pc, context), instruction, context, launch);
        return observed ? observing(step, pc, instruction, context, threads) : step;
      });
      return { run: (warp, budget, clock) => advance(warp, code, budget, clock) };
    },
  };
}

function weakStep(step: Step, instruction: Instruction, context: Context, launch: WeakLaunch): Step {
  const { plan, guard } = instruction;
  const lanes = guardOf(guard);
  const fence = fenceOf(plan);
  if (fence !== undefined)
    return (warp) => {
      const taken = lanes(warp);
      step(warp);
      for (const lane of lanesOf(taken)) launch.fenced({ block: warp.block, warp: warp.index, lane }, fence);
    };
  const [access, ...more] = touchesOf(plan);
  if (access === undefined || isPrivate(access)) return step;
  if (more.length > 0 || isCollective(plan) || !isPlain(plan))
    return (warp) => {
      step(warp);
      launch.memory.forget();
    };
  const bytes = bytesTouched(access, instruction.operands);
  const { locate, sum } = locator(instruction.operands[access.address], access.space, bytes, context);
  const act = actor(plan, access, bytes, launch);
  const { scratch } = context;
  return (warp) => {
    const { active } = warp;
    const taken = lanes(warp);
    try {
      for (const lane of lanesOf(taken)) {
        warp.active = (1 << lane) >>> 0;
        locate(warp);
        const at = scratch.at[lane]!;
        if (access.space === "generic") sum(warp);
        if (at < 0 || (access.space === "generic" && !isCommon(scratch.high[lane]!))) step(warp);
        else act(warp, lane, at, () => step(warp));
      }
    } finally {
      warp.active = active;
    }
  };
}

/** Describes one lane's access for weak memory. */
function actor(
  plan: Plan & { shape: "load" | "store" | "atomic" },
  { how, sem, scope }: PlannedAccess,
  bytes: number,
  launch: WeakLaunch,
) {
  const order = {
    reach: reachOfAccess(how, sem, scope),
    acquires: acquires(sem),
    releases: releases(sem),
    bytes,
  };
  const { memory } = launch;
  return ({ block, index: warp }: Warp, lane: number, at: number, act: () => void): void => {
    const access: Access = { ...order, at, by: launch.agent({ block, warp, lane }) };
    if (plan.shape === "load") memory.load(access, act);
    else if (plan.shape === "store") memory.store(access, act);
    else memory.atomic(access, { reads: plan.gives, mayFail: plan.op.takes.length === 3 }, act);
  };
}

const isPlain = (plan: Plan): plan is Plan & { shape: "load" | "store" | "atomic" } =>
  plan.shape === "load" || plan.shape === "store" || plan.shape === "atomic";

/** Memory that is private to a thread, or that is never written. */
const isPrivate = ({ space }: PlannedAccess): boolean => space === "local" || space === "param" || space === "const";

/** Memory that threads share, by the high word of a generic address. */
const isCommon = (high: number): boolean => high === windows.global || high === windows.shared;

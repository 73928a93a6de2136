import { lanesOf } from "../contract/launch/lane-mask.ts";
import { acquires, reachOfAccess, releases } from "../contract/memory-consistency.ts";
import { bytesTouched, completesAsync, fenceOf, isCollective, touchesOf } from "../contract/plan/effects.ts";
import type { Plan } from "../contract/plan/plan.ts";
import type { PlannedAccess } from "../contract/plan/shapes/shape-facts.ts";
import type { Instruction, Program } from "../contract/program.ts";
import { windows } from "../contract/window.ts";
import { builtinFor } from "../driver/builtin.ts";
import { advance, advanceRun, canAdvance } from "../javascript/advance.ts";
import { bind } from "../javascript/bind.ts";
import { type LinkedCode, linkCode } from "../javascript/linked-code.ts";
import { locator } from "../javascript/locate.ts";
import { observing } from "../javascript/observed.ts";
import { Threads } from "../javascript/observed-access.ts";
import type { Context } from "../state/context.ts";
import type { Executor } from "../state/executor.ts";
import type { Step, Warp } from "../state/warp.ts";
import { guardOf } from "../warp/guard.ts";
import { type ComesFirst, loadsBefore, type PostponedLoad } from "./postponed.ts";
import type { WeakLaunch } from "./weak-launch.ts";
import type { Access, WeakMemory } from "./weak-memory.ts";

/**
 * Executes as `javascript` does, but shared and global memory are weak: lanes load and store one after the other, and
 * each sees memory as `launch` presents it. A load may be done later than where it stands, while nothing needs its result.
 * Other accesses to memory (matrices, images) are ordered with everything.
 */
export function weakly(launch: WeakLaunch): Executor {
  return {
    link(context, observed = false) {
      const threads = new Threads();
      const late: Late[] = [];
      const code = linkCode(context, builtinFor, (instruction, pc) => {
        const step = weakStep(bind(instruction, pc, context), instruction, pc, context, launch, late);
        return observed ? observing(step, pc, instruction, context, threads) : step;
      });
      if (late.length === 0) return { run: (warp, budget, clock) => advance(warp, code, budget, clock) };
      const waiting = afterLoads(code, context.program, launch, late);
      return { run: (warp, budget, clock) => advanceBesideLoads(warp, waiting, launch, budget, clock) };
    },
  };
}

/** By pc: does a load there that was postponed. */
type Late = (warp: Warp, load: PostponedLoad) => void;

/** Lets each instruction wait for the postponed loads that come before it. */
function afterLoads(code: LinkedCode, program: Program, launch: WeakLaunch, late: readonly Late[]): LinkedCode {
  const first = program.code.map((instruction): ComesFirst => {
    const { plan } = instruction;
    return isPlain(plan) || (touchesOf(plan).length === 0 && !completesAsync(plan))
      ? loadsBefore(instruction, program.code)
      : () => true;
  });
  const after = (step: Step, pc: number): Step => {
    const comesFirst = first[pc]!;
    return (warp) => {
      settle(warp, launch, late, comesFirst);
      step(warp);
    };
  };
  return {
    ...code,
    steps: code.steps.map(after),
    controls: code.controls.map((control, pc) => control && after(control, pc)),
  };
}

/** Runs a warp as `advance` does; while it has postponed loads, its turn may end behind any instruction: others then go on. */
function advanceBesideLoads(warp: Warp, code: LinkedCode, launch: WeakLaunch, budget: number, clock: number): number {
  let executed = 0;
  while (canAdvance(warp, code, budget - executed)) {
    executed += advanceRun(warp, code, 1, clock + executed);
    if (launch.postponed.has(warp) && launch.memory.yields()) warp.yieldBudget = 0;
  }
  return executed;
}

/** Does the postponed loads of a warp's active lanes that come first. */
function settle(warp: Warp, launch: WeakLaunch, late: readonly Late[], comesFirst: ComesFirst): void {
  for (const load of launch.postponed.take(warp, comesFirst)) {
    const { active, pc } = warp;
    warp.active = (1 << load.lane) >>> 0;
    warp.pc = load.pc;
    late[load.pc]!(warp, load);
    warp.active = active;
    warp.pc = pc;
  }
}

function weakStep(
  step: Step,
  instruction: Instruction,
  pc: number,
  context: Context,
  launch: WeakLaunch,
  late: Late[],
): Step {
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
  if (access === undefined ? !isUntold(plan) : isPrivate(access) || isOfObject(plan, access)) return step;
  if (access === undefined || more.length > 0 || isCollective(plan) || !isPlain(plan))
    return (warp) => {
      step(warp);
      launch.memory.forget();
    };
  const bytes = bytesTouched(access, instruction.operands);
  const { locate, sum } = locator(instruction.operands[access.address], access.space, bytes, context);
  const described = describing(access, bytes, launch);
  const act = actor(plan, launch.memory);
  const mayWait = plan.shape === "load" && !acquires(access.sem);
  if (mayWait)
    late[pc] = (warp, { at, lane, since }) => launch.memory.load(described(warp, lane, at), () => step(warp), since);
  const { scratch } = context;
  return (warp) => {
    const { active } = warp;
    const taken = lanes(warp);
    const later = mayWait && launch.memory.postpones();
    try {
      for (const lane of lanesOf(taken)) {
        warp.active = (1 << lane) >>> 0;
        locate(warp);
        const at = scratch.at[lane]!;
        if (access.space === "generic") sum(warp);
        if (at < 0 || (access.space === "generic" && !isCommon(scratch.high[lane]!))) {
          step(warp);
          continue;
        }
        const own = described(warp, lane, at);
        settle(warp, launch, late, (load) => own.releases || (load.at < at + bytes && at < load.at + load.bytes));
        if (later) launch.postponed.add(warp, { pc, lane, at, bytes, since: launch.memory.standing(own) });
        else act(own, () => step(warp));
      }
    } finally {
      warp.active = active;
    }
  };
}

/** Describes one lane's access for weak memory. */
function describing({ how, sem, scope }: PlannedAccess, bytes: number, launch: WeakLaunch) {
  const order = {
    reach: reachOfAccess(how, sem, scope),
    acquires: acquires(sem),
    releases: releases(sem),
    bytes,
  };
  return ({ block, index: warp }: Warp, lane: number, at: number): Access => ({
    ...order,
    at,
    by: launch.agent({ block, warp, lane }),
  });
}

/** Does one lane's access. */
function actor(plan: Plan & { shape: "load" | "store" | "atomic" }, memory: WeakMemory) {
  return (access: Access, act: () => void): void => {
    if (plan.shape === "load") memory.load(access, act);
    else if (plan.shape === "store") memory.store(access, act);
    else memory.atomic(access, { reads: plan.gives, mayFail: plan.op.takes.length === 3 }, act);
  };
}

/** Whether it accesses an mbarrier object, of which observers are told what it orders. */
const isOfObject = (plan: Plan, { how }: PlannedAccess): boolean => completesAsync(plan) && how !== "store";

/** Whether it changes memory in a way of which nobody is told. */
const isUntold = ({ shape }: Plan): boolean =>
  shape === "multimem" || shape === "zero fill" || shape === "map field" || shape === "map copy";

const isPlain = (plan: Plan): plan is Plan & { shape: "load" | "store" | "atomic" } =>
  plan.shape === "load" || plan.shape === "store" || plan.shape === "atomic";

/** Memory that is private to a thread, or that is never written. */
const isPrivate = ({ space }: PlannedAccess): boolean => space === "local" || space === "param" || space === "const";

/** Memory that threads share, by the high word of a generic address. */
const isCommon = (high: number): boolean => high === windows.global || high === windows.shared;

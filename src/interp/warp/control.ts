import type { Channels } from "../contract/launch/channels.ts";
import { firstLane, LANES } from "../contract/launch/lane-mask.ts";
import { elements, slot } from "../contract/operand.ts";
import { isControl } from "../contract/plan/effects.ts";
import type { PlanOf } from "../contract/plan/shapes/shape-facts.ts";
import type { ControlShape } from "../contract/plan/shapes.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import { Fault } from "../state/fault.ts";
import type { Barrier, BarrierSite, CtaSync, Participants, Warp } from "../state/warp.ts";
import { barrier, barrierFault, barriersAfterExit, begin, complete, enter, isComplete } from "./barrier.ts";
import type { FindBuiltin } from "./builtin-call.ts";
import { Calls } from "./call.ts";
import { clusterBarrier, clusterBarrierAfterExit } from "./cluster-barrier.ts";
import { checkDivergence } from "./divergence.ts";
import { enabled } from "./enabled.ts";
import { diverge, park, reconverge } from "./groups.ts";
import { guardOf, type TakenLanes } from "./guard.ts";
import { togetherAfterExit } from "./together.ts";
import { warpOperation, warpOperationsAfterExit } from "./warp-operation.ts";

/** `index, targets`: brx.idx; each lane goes to the target of its index. */
function branchByIndex(
  { operands: [index, list] }: Instruction,
  pc: number,
  width: number,
  lanes: (warp: Warp) => number,
): (warp: Warp) => void {
  const from = slot(index).slot * width;
  const targets = elements(list).map((target) => {
    if (target.kind !== "target") throw new Error(`a ${target.kind} in a list of labels`);
    return target.pc;
  });
  return (warp) => {
    const { active, r } = warp;
    const taken = lanes(warp);
    const masks = new Map<number, number>();
    for (let lane = 0; lane < width; lane++) {
      if (!((taken >>> lane) & 1)) continue;
      const target = targets[r[from + lane]!];
      if (target === undefined)
        throw new Fault("PTX3023", lane, `has index ${r[from + lane]} and ${targets.length} labels`);
      masks.set(target, ((masks.get(target) ?? 0) | (1 << lane)) >>> 0);
    }
    const rest = (active & ~taken) >>> 0;
    if ([...masks.keys()].some((target) => target <= pc)) warp.yieldBudget--;
    if (rest !== 0) diverge(warp, pc + 1, rest);
    for (const [target, mask] of masks) diverge(warp, target, mask);
    warp.active = 0;
    reconverge(warp);
  };
}

/** Named barriers of a group in vISA; sbarrier is the first of them. */
const MOST_NAMED = 32;

/** Roles of a SIMD thread at a named barrier: one that signals without waiting, and one that nobody waits for. */
const [PRODUCER, CONSUMER] = [1, 2];

/**
 * A split barrier (vISA's sbarrier and nbarrier): a SIMD thread signals its arrival and goes on, and waits later
 * until all others have signalled. Throws a Fault when a thread waits without a signal, or signals twice without a
 * wait.
 */
function splitBarrier(
  { act }: PlanOf<"split barrier">,
  { operands }: Instruction,
  pc: number,
  context: Context,
): (warp: Warp) => void {
  const [number = 0, role, producers, consumers] = operands.map((operand) => slot(operand).slot * context.lanes);
  const site: BarrierSite = { act: "sync", half: true, aligned: false, pc, context, give: () => {} };
  if (act === "wait") return (warp) => wait(warp, site, warp.r[number + firstLane(warp.active)]!);
  return (warp) => {
    const { r, active } = warp;
    const lane = firstLane(active);
    const value = (at: number | undefined): number => (at === undefined ? 0 : r[at + lane]!);
    const asked = producers === undefined ? undefined : { producers: value(producers), consumers: value(consumers) };
    const named = value(number);
    const open = signal(warp, context, named, value(role), asked);
    warp.pc = pc + 1;
    if (isComplete(warp.ctaSync, open)) complete(warp, open, named);
    reconverge(warp);
  };
}

function signal(warp: Warp, context: Context, number: number, role: number, asked: Participants | undefined): Barrier {
  const { ctaSync, index, active, block } = warp;
  const lane = firstLane(active);
  if (role > CONSUMER!)
    throw barrierFault(lane, `signals barrier ${number} as ${role}, and there are the roles 0 to 2`);
  if (asked !== undefined && (asked.producers < 1 || asked.consumers < 1))
    throw barrierFault(lane, `signals barrier ${number} for ${among(asked)}, and there is one at least`);
  const open = join(ctaSync, lane, number, asked);
  if ((ctaSync.splitOwing[index]! >>> number) & 1)
    throw barrierFault(lane, `signals barrier ${number} twice without waiting`);
  const first = open.arrived[index] === 0;
  enter(open, index, number, active, 0);
  if ((warp.live & ~open.arrived[index]!) === 0) open.warps = (open.warps | (1 << index)) >>> 0;
  if (role !== PRODUCER) ctaSync.splitOwing[index]! |= 1 << number;
  open.split = { context, ...(asked && { counts: { asked, missing: missing(open, asked, first ? role : -1) } }) };
  for (const observer of context.observers) observer.halfBarrier?.(block, number, "signal", index, active);
  return open;
}

/** The participants still missing once one more thread of that role has arrived. */
function missing({ split }: Barrier, asked: Participants, role: number): Participants {
  const { producers, consumers } = split?.counts?.missing ?? asked;
  return {
    producers: producers - (role === 0 || role === PRODUCER ? 1 : 0),
    consumers: consumers - (role === 0 || role === CONSUMER ? 1 : 0),
  };
}

/** The state of barrier `number`, made by the first arrival. Throws a Fault when participants disagree about it. */
function join(ctaSync: CtaSync, lane: number, number: number, asked: Participants | undefined): Barrier {
  if (number >= MOST_NAMED) throw barrierFault(lane, `names barrier ${number}, and a group has 0 to 31`);
  const open = ctaSync.barriers[number];
  if (open === undefined) {
    ctaSync.openBarriers++;
    const threads = asked ? LANES * (asked.producers + asked.consumers) : ctaSync.threads;
    return begin(ctaSync, number, Math.ceil(threads / LANES) * LANES, asked === undefined, undefined);
  }
  const others = open.split?.counts?.asked;
  if (open.whole !== (asked === undefined) || (open.split === undefined && asked !== undefined))
    throw barrierFault(lane, `meets another kind of barrier instruction at barrier ${number}`);
  if (others !== undefined && (others.producers !== asked?.producers || others.consumers !== asked.consumers))
    throw barrierFault(
      lane,
      `waits for ${among(asked ?? others)} at barrier ${number}, where others wait for ${among(others)}`,
    );
  return open;
}

const among = ({ producers, consumers }: Participants): string => `${producers} producers and ${consumers} consumers`;

function wait(warp: Warp, site: BarrierSite, number: number): void {
  const { ctaSync, index, active, block } = warp;
  if (number >= MOST_NAMED || !((ctaSync.splitOwing[index]! >>> number) & 1))
    throw barrierFault(firstLane(active), `waits at barrier ${number}, which it has not signalled`);
  ctaSync.splitOwing[index]! &= ~(1 << number);
  const open = ctaSync.barriers[number];
  if (open === undefined || open.arrived[index] === 0) {
    for (const observer of site.context.observers) observer.halfBarrier?.(block, number, "wait", index, active);
    warp.pc = site.pc + 1;
    reconverge(warp);
    return;
  }
  park(warp, { pc: site.pc, mask: active, depth: warp.depth, on: { kind: "barrier", number, site } });
  warp.active = 0;
  reconverge(warp);
  checkDivergence(warp);
}

/** Called after lanes of a warp have exited: releases lanes that waited for them alone, and picks the next group. */
function afterExit(warp: Warp): void {
  const { ctaSync, parked } = warp;
  if (parked.length > 0) {
    togetherAfterExit(warp);
    warpOperationsAfterExit(warp);
  }
  if (ctaSync.openBarriers > 0) barriersAfterExit(warp);
  clusterBarrierAfterExit(ctaSync);
  if (ctaSync.warps.every(({ live }) => live === 0)) for (const block of ctaSync.tensor.blocks) block.unfreed();
  reconverge(warp);
  checkDivergence(warp);
}

/** An instruction that ends a straight-line region: it sets the warp's next pc itself. */
export type Control = (warp: Warp) => void;

/** Binds branches, calls, exits and whatever waits for other lanes; undefined for a step. */
function control(instruction: Instruction, pc: number, calls: Calls, context: Context): Control | undefined {
  const { plan } = instruction;
  if (!isControl(plan)) return undefined;
  // TypeScript does not see that an entry accepts plans of the shape that it is stored under.
  const binder = binders[plan.shape] as ControlBinder<ControlShape>;
  return binder(plan, { instruction, pc, lanes: guardOf(instruction.guard), calls, context });
}

/** The arguments for binding a control instruction. */
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

/** The lanes that branch or call. */
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
    if (taken !== 0 && target <= pc) warp.yieldBudget--;
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

/** The end of a program acts as an exit. */
const fallOff: Control = (warp) => leave(warp.pc, guardOf(undefined))(warp);

/**
 * Binds the control instructions of the context's program, by pc; undefined for a step. One more entry stands behind
 * the last instruction. `builtinFor` finds the driver's function for one without a body.
 */
export function bindControls(context: Context, builtinFor: FindBuiltin): readonly (Control | undefined)[] {
  const calls = new Calls(context, builtinFor);
  return [...context.program.code.map((instruction, pc) => control(instruction, pc, calls, context)), fallOff];
}

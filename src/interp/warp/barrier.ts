import { isConstant } from "../contract/constant.ts";
import { bitsIn, firstLane, LANES } from "../contract/launch/lane-mask.ts";
import { type Operand, predicate, slot } from "../contract/operand.ts";
import type { PlanOf } from "../contract/plan/shapes/shape-facts.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import { threadsLeft } from "../state/cta-sync.ts";
import { Fault, report } from "../state/fault.ts";
import type { Barrier, BarrierSite, CtaSync, SplitBarrier, Warp } from "../state/warp.ts";
import { checkDivergence, checkOneInstruction, type WaitingAtBarrier } from "./divergence.ts";
import { diverge, park, reconverge, wake } from "./groups.ts";
import { guardOf } from "./guard.ts";

/** Returns the lanes whose vote is true. */
function votesOf(operand: Operand | undefined): (warp: Warp) => number {
  const { slot, negated } = predicate(operand);
  return ({ p }) => (negated ? ~p[slot]! : p[slot]!);
}

/** Writes the result of a reduction among the threads of a barrier: how many voted for, or whether all or any did. */
function giving(d: Operand | undefined, pc: number, act: BarrierSite["act"], { lanes }: Context): BarrierSite["give"] {
  if (act === "popc") {
    const to = slot(d).slot * lanes;
    return ({ r, executed }, mask, { votes }) => {
      for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1) r[to + lane] = votes;
      executed[pc]! |= mask;
    };
  }
  const to = predicate(d).slot;
  return ({ p, executed }, mask, { votes, voters }) => {
    const holds = act === "and" ? votes === voters : votes > 0;
    p[to] = holds ? p[to]! | mask : p[to]! & ~mask;
    executed[pc]! |= mask;
  };
}

/** Barriers that a block has. */
const MOST_BARRIERS = 16;

/**
 * Barriers among the threads of a block. A warp arrives once all its lanes that have not exited have come to the
 * barrier, so the count goes up by whole warps, a partial last warp included.
 */
export function barrier(
  { act, aligned }: PlanOf<"barrier">,
  { operands, guard }: Instruction,
  pc: number,
  context: Context,
): (warp: Warp) => void {
  const reduces = act !== "sync" && act !== "arrive";
  const [number, count] = reduces ? operands.slice(1, -1) : operands;
  // Offsets in bank r; -1 where the instruction has no count.
  const numberAt = slot(number).slot * context.lanes;
  const countAt = count === undefined ? -1 : slot(count).slot * context.lanes;
  const numberOf = ({ r }: Warp, lane: number): number => r[numberAt + lane]!;
  const countOf = ({ r }: Warp, lane: number): number => (countAt < 0 ? 0 : r[countAt + lane]!);
  const votes = reduces ? votesOf(operands.at(-1)) : () => 0;
  const lanes = guardOf(guard);
  const fixed = [number, count].every((operand) => operand === undefined || isConstant(operand, context.program));
  const give = reduces ? giving(operands[0], pc, act, context) : () => {};
  const site: BarrierSite = { act, aligned, pc, context, give };
  // By warp and number: the wait of a warp that arrived complete, kept because it is nearly always the same.
  const together: WaitingAtBarrier[] = [];

  return (warp) => {
    const taken = lanes(warp);
    if (taken === warp.live && taken !== 0 && (fixed || (isAlike(warp, numberAt) && isAlike(warp, countAt)))) {
      const first = firstLane(taken);
      const [named, counted] = [numberOf(warp, first), countOf(warp, first)];
      if (act === "arrive") passTogether(warp, site, named, counted);
      else arriveTogether(warp, site, named, counted, votes(warp), together);
      return;
    }
    if (taken === 0) {
      warp.pc = pc + 1;
      reconverge(warp);
      return;
    }
    // Lanes may hold different barrier numbers or counts in their registers.
    for (let rest = taken; rest !== 0; ) {
      const first = firstLane(rest);
      const named = numberOf(warp, first);
      const counted = countOf(warp, first);
      let alike = fixed ? rest : 0;
      for (let lane = first; !fixed && lane < warp.lanes; lane++)
        if ((rest >>> lane) & 1 && numberOf(warp, lane) === named && countOf(warp, lane) === counted)
          alike |= 1 << lane;
      rest = (rest & ~alike) >>> 0;
      arrive(warp, site, named, counted, alike >>> 0, votes(warp));
    }
    if (taken !== warp.active) diverge(warp, pc + 1, (warp.active & ~taken) >>> 0);
    warp.active = 0;
    reconverge(warp);
    checkDivergence(warp);
  };
}

function arrive(warp: Warp, site: BarrierSite, number: number, count: number, mask: number, votes: number): void {
  const { ctaSync, index } = warp;
  // V8 needs no heap numbers for signed integers in these calls.
  const barrier = join(ctaSync, site, number, count, firstLane(mask | 0));
  enter(barrier, index, number, mask | 0, votes | 0);
  park(warp, { pc: site.pc, mask, depth: warp.depth, on: { kind: "barrier", number, site } });
  checkOneInstruction(warp, number, site.pc);
  warpArrives(warp, barrier, number);
}

/** Counts a warp that has already left barrier `number`, which waits for `count` threads. */
export function noteArrival({ ctaSync, index, live }: Warp, number: number, count: number): void {
  let barrier = ctaSync.barriers[number];
  if (barrier === undefined) {
    ctaSync.openBarriers++;
    barrier = begin(ctaSync, number, count, false, undefined);
  }
  enter(barrier, index, number, live, 0);
  barrier.warps = (barrier.warps | (1 << index)) >>> 0;
}

/** Counts lanes of warp `index`, and their votes. */
export function enter(barrier: Barrier, index: number, number: number, mask: number, votes: number): void {
  const again = barrier.arrived[index]! & mask;
  if (again !== 0)
    throw barrierFault(firstLane(again), `arrives at barrier ${number} again before the others have completed it`);
  barrier.arrived[index]! |= mask;
  barrier.votes += bitsIn(votes & mask);
  barrier.voters += bitsIn(mask);
}

/**
 * The common case of an arrival: all live lanes of a warp arrive at once. It allocates and searches nothing; `waits`
 * holds how each warp waited here last time.
 */
function arriveTogether(
  warp: Warp,
  site: BarrierSite,
  number: number,
  count: number,
  votes: number,
  waits: WaitingAtBarrier[],
): void {
  const { ctaSync, index, active: mask, depth } = warp;
  const barrier = join(ctaSync, site, number, count, firstLane(mask));
  enter(barrier, index, number, mask, votes);
  barrier.warps = (barrier.warps | (1 << index)) >>> 0;
  let group = waits[index * MOST_BARRIERS + number];
  if (group?.mask !== mask || group.depth !== depth)
    waits[index * MOST_BARRIERS + number] = group = { pc: site.pc, mask, depth, on: { kind: "barrier", number, site } };
  warp.parked.push(group);
  warp.active = 0;
  warp.reconvergeAt = Number.POSITIVE_INFINITY;
  if (isComplete(ctaSync, barrier)) complete(warp, barrier, number);
}

/** The same for `bar.arrive`: all live lanes of a warp arrive at once and go on behind it. */
function passTogether(warp: Warp, site: BarrierSite, number: number, count: number): void {
  const { ctaSync, index, live } = warp;
  const barrier = join(ctaSync, site, number, count, firstLane(live));
  enter(barrier, index, number, live, 0);
  barrier.warps = (barrier.warps | (1 << index)) >>> 0;
  // Its lanes wait to go on while observers are notified of the barrier.
  warp.active = 0;
  diverge(warp, site.pc + 1, live);
  if (isComplete(ctaSync, barrier)) complete(warp, barrier, number);
  reconverge(warp);
}

/** Whether a register, at `from` in bank r, is the same in all live lanes of a warp; -1 stands for no register. */
function isAlike({ live, lanes, r }: Warp, from: number): boolean {
  if (from < 0) return true;
  const first = firstLane(live);
  const held = r[from + first]!;
  for (let lane = first + 1; lane < lanes; lane++) if ((live >>> lane) & 1 && r[from + lane] !== held) return false;
  return true;
}

/** The state of barrier `number`, made by the first arrival. Throws a Fault when participants disagree about it. */
function join(ctaSync: CtaSync, { act }: BarrierSite, number: number, count: number, lane: number): Barrier {
  if (number >= MOST_BARRIERS) throw barrierFault(lane, `names barrier ${number}, and a block has 0 to 15`);
  if (count % LANES !== 0) throw barrierFault(lane, `waits for ${count} threads, which is not a multiple of ${LANES}`);
  if (count === 0 && act === "arrive") throw barrierFault(lane, "arrives without a count");
  const whole = count === 0;
  const threads = whole ? Math.ceil(ctaSync.threads / LANES) * LANES : count;
  const reduction = act === "sync" || act === "arrive" ? undefined : act;
  const open = ctaSync.barriers[number];
  if (open === undefined) {
    ctaSync.openBarriers++;
    return begin(ctaSync, number, threads, whole, reduction);
  }
  if (open.threads !== threads)
    throw barrierFault(
      lane,
      `waits for ${threads} threads at barrier ${number}, where others wait for ${open.threads}`,
    );
  if (open.reduction !== reduction)
    throw barrierFault(lane, `meets another kind of barrier instruction at barrier ${number}`);
  return open;
}

/** Reuses the barrier's last object where it fits, since a loop comes to the barrier again and again. */
export function begin(
  ctaSync: CtaSync,
  number: number,
  threads: number,
  whole: boolean,
  reduction: Barrier["reduction"],
): Barrier {
  let barrier = ctaSync.completeBarriers[number];
  if (barrier?.threads !== threads || barrier.whole !== whole || barrier.reduction !== reduction) {
    const arrived = new Uint32Array(ctaSync.warps.length);
    barrier = { threads, whole, reduction, arrived, warps: 0, votes: 0, voters: 0, split: undefined };
    ctaSync.completeBarriers[number] = barrier;
  } else {
    barrier.arrived.fill(0);
    barrier.warps = 0;
    barrier.votes = 0;
    barrier.voters = 0;
    barrier.split = undefined;
  }
  ctaSync.barriers[number] = barrier;
  return barrier;
}

export const barrierFault = (lane: number, what: string): Fault => new Fault("PTX3012", lane, what);

/** Counts the warp once its last lane has arrived: lanes at `bar.arrive` go on, the others wait for the other warps. */
function warpArrives(warp: Warp, barrier: Barrier, number: number): void {
  const { ctaSync, index, live } = warp;
  if ((live & ~barrier.arrived[index]!) !== 0) return;
  barrier.warps = (barrier.warps | (1 << index)) >>> 0;
  for (const group of waitingAt(warp, number)) if (group.on.site.act === "arrive") wake(warp, group);
  if (isComplete(ctaSync, barrier)) complete(warp, barrier, number);
}

export function isComplete({ warps }: CtaSync, barrier: Barrier): boolean {
  const missing = barrier.split?.counts?.missing;
  if (missing !== undefined) return missing.producers <= 0 && missing.consumers <= 0;
  if (!barrier.whole) return LANES * bitsIn(barrier.warps) >= barrier.threads;
  // The last warps mostly arrive last.
  for (let at = warps.length - 1; at >= 0; at--) if ((warps[at]!.live & ~barrier.arrived[at]!) !== 0) return false;
  return true;
}

/**
 * Releases all waiting warps and resets the barrier. The caller reconverges `last`, the warp that arrived last, unless
 * that warp runs already.
 */
export function complete(last: Warp, barrier: Barrier, number: number): void {
  const { ctaSync, block } = last;
  ctaSync.barriers[number] = undefined;
  ctaSync.openBarriers--;
  if (barrier.split !== undefined) tellHalves(ctaSync, barrier.split, block, number);
  const missing = barrier.whole ? ctaSync.threads - threadsLeft(ctaSync) : 0;
  let context: Context | undefined;
  let lastGroup: WaitingAtBarrier | undefined;
  for (const warp of ctaSync.warps) {
    const only = soleGroup(warp, number);
    if (only !== undefined) {
      context ??= only.on.site.context;
      if (missing > 0) noteExited(warp, only, missing);
      only.on.site.give(warp, only.mask, barrier);
      if (warp === last) lastGroup = only;
      else resume(warp, only);
      continue;
    }
    const waiting = waitingAt(warp, number);
    for (const group of waiting) {
      const { site } = group.on;
      context ??= site.context;
      if (missing > 0) noteExited(warp, group, missing);
      site.give(warp, group.mask, barrier);
      wake(warp, group);
    }
    if (waiting.length > 0 && warp !== last) reconverge(warp);
  }
  if (context === undefined) return;
  const { proxies } = context.asynchrony.fences;
  if (proxies.active) proxies.met(ctaSync.warps.filter(({ index }) => barrier.arrived[index] !== 0));
  if (barrier.split === undefined)
    for (const observer of context.observers) observer.barrier?.(block, number, barrier.arrived, barrier.whole);
  // The last warp resumes after the observers, which must find it where it arrived.
  if (lastGroup !== undefined) resume(last, lastGroup);
}

/** The group of a warp that has come to the barrier as one; undefined where its lanes are at more than one pc. */
function soleGroup({ active, waiting, parked }: Warp, number: number): WaitingAtBarrier | undefined {
  const group = parked[0];
  if (active !== 0 || waiting.length > 0 || parked.length !== 1 || group?.on.kind !== "barrier") return undefined;
  return group.on.number === number ? (group as WaitingAtBarrier) : undefined;
}

/** Does what `wake` and `reconverge` do, for a warp with one group. */
function resume(warp: Warp, { pc, mask, depth }: WaitingAtBarrier): void {
  warp.parked.pop();
  warp.pc = pc + 1;
  warp.active = mask;
  warp.depth = depth;
  warp.reconvergeAt = Number.POSITIVE_INFINITY;
}

const waitingAt = ({ parked }: Warp, number: number): readonly WaitingAtBarrier[] =>
  parked.filter((group): group is WaitingAtBarrier => group.on.kind === "barrier" && group.on.number === number);

/** Notifies observers that a split barrier is complete; for lanes at a plain barrier also of their signal and wait. */
function tellHalves({ warps }: CtaSync, { context }: SplitBarrier, block: number, number: number): void {
  const waiting = warps.flatMap((warp) =>
    waitingAt(warp, number).map(({ mask, on }) => ({ index: warp.index, mask, arrives: !on.site.half })),
  );
  for (const observer of context.observers) {
    for (const { index, mask, arrives } of waiting)
      if (arrives) observer.halfBarrier?.(block, number, "signal", index, mask);
    observer.halfBarrier?.(block, number, "complete", 0, 0);
    for (const { index, mask } of waiting) observer.halfBarrier?.(block, number, "wait", index, mask);
  }
}

/** Reports a barrier for the whole block that exited threads have missed, where the launch checks for that. */
function noteExited(warp: Warp, { mask, pc, on: { site } }: WaitingAtBarrier, missing: number): void {
  const { context } = site;
  if (!context.sanitize.sync) return;
  const exited = missing === 1 ? "1 thread has" : `${missing} threads have`;
  const what = `waits for the whole block, and ${exited} exited without arriving`;
  context.report(report(context, warp, firstLane(mask), "PTX4011", what, pc));
}

/** Called after lanes of the warp have exited: completes the barriers that waited for them alone. */
export function barriersAfterExit(warp: Warp): void {
  const { ctaSync, index } = warp;
  for (const [number, barrier] of ctaSync.barriers.entries()) {
    if (barrier === undefined) continue;
    if (barrier.arrived[index] !== 0 && !((barrier.warps >>> index) & 1)) warpArrives(warp, barrier, number);
    else if (barrier.whole && isComplete(ctaSync, barrier)) complete(warp, barrier, number);
  }
}

import { isConstant } from "../contract/constant.ts";
import { bitsIn, firstLane, LANES } from "../contract/lane-mask.ts";
import { type Operand, predicate, slot } from "../contract/operand.ts";
import type { Instruction } from "../contract/program.ts";
import type { PlanOf } from "../contract/shape-facts.ts";
import type { Context } from "../state/context.ts";
import { Fault, report } from "../state/fault.ts";
import type { Barrier, BarrierSite, CtaSync, Warp } from "../state/warp.ts";
import { checkDivergence, checkOneInstruction, type WaitingAtBarrier } from "./divergence.ts";
import { diverge, park, reconverge, wake } from "./groups.ts";
import { guardOf } from "./guard.ts";

type LaneReader = (warp: Warp, lane: number) => number;

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
  const numberOf = reader(number, context.lanes);
  const countOf = count === undefined ? () => 0 : reader(count, context.lanes);
  const votes = reduces ? votesOf(operands.at(-1)) : () => 0;
  const lanes = guardOf(guard);
  const fixed = [number, count].every((operand) => operand === undefined || isConstant(operand, context.program));
  const give = reduces ? giving(operands[0], pc, act, context) : () => {};
  const site: BarrierSite = { act, aligned, pc, context, give };

  return (warp) => {
    const taken = lanes(warp);
    if (taken === 0) {
      warp.pc = pc + 1;
      reconverge(warp);
      return;
    }
    // Registers may name another barrier, or another count, in another lane.
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
  const barrier = join(ctaSync, site, number, count, firstLane(mask));
  const again = barrier.arrived[index]! & mask;
  if (again !== 0)
    throw misuse(firstLane(again), `arrives at barrier ${number} again before the others have completed it`);
  barrier.arrived[index]! |= mask;
  barrier.votes += bitsIn(votes & mask);
  barrier.voters += bitsIn(mask);
  park(warp, { pc: site.pc, mask, depth: warp.depth, on: { kind: "barrier", number, site } });
  checkOneInstruction(warp, number, site.pc);
  warpArrives(warp, barrier, number);
}

/** The state of barrier `number`, made by the first who arrives. Throws a Fault when participants disagree about it. */
function join(ctaSync: CtaSync, { act }: BarrierSite, number: number, count: number, lane: number): Barrier {
  if (number > 15) throw misuse(lane, `names barrier ${number}, and a block has 0 to 15`);
  if (count % LANES !== 0) throw misuse(lane, `waits for ${count} threads, which is no multiple of ${LANES}`);
  if (count === 0 && act === "arrive") throw misuse(lane, "arrives without a count");
  const whole = count === 0;
  const threads = whole ? Math.ceil(ctaSync.threads / LANES) * LANES : count;
  const reduction = act === "sync" || act === "arrive" ? undefined : act;
  const open = ctaSync.barriers[number];
  if (open === undefined) {
    const arrived = new Uint32Array(ctaSync.warps.length);
    const made: Barrier = { threads, whole, reduction, arrived, warps: 0, votes: 0, voters: 0 };
    ctaSync.barriers[number] = made;
    ctaSync.openBarriers++;
    return made;
  }
  if (open.threads !== threads)
    throw misuse(lane, `waits for ${threads} threads at barrier ${number}, where others wait for ${open.threads}`);
  if (open.reduction !== reduction)
    throw misuse(lane, `meets another kind of barrier instruction at barrier ${number}`);
  return open;
}

const misuse = (lane: number, what: string): Fault => new Fault("PTX3012", lane, what);

/** Counts the warp once its last lane has arrived: lanes at `bar.arrive` go on, the others wait for the other warps. */
function warpArrives(warp: Warp, barrier: Barrier, number: number): void {
  const { ctaSync, index, live } = warp;
  if ((live & ~barrier.arrived[index]!) !== 0) return;
  barrier.warps = (barrier.warps | (1 << index)) >>> 0;
  for (const group of waitingAt(warp, number)) if (group.on.site.act === "arrive") wake(warp, group);
  if (isComplete(ctaSync, barrier)) complete(warp, barrier, number);
}

function isComplete({ warps }: CtaSync, barrier: Barrier): boolean {
  if (!barrier.whole) return LANES * bitsIn(barrier.warps) >= barrier.threads;
  return warps.every(({ live, index }) => (live & ~barrier.arrived[index]!) === 0);
}

/** Lets everybody go on and resets the barrier. The caller reconverges `last`, the warp that has arrived last. */
function complete(last: Warp, barrier: Barrier, number: number): void {
  const { ctaSync, block } = last;
  ctaSync.barriers[number] = undefined;
  ctaSync.openBarriers--;
  const missing = barrier.whole ? ctaSync.threads - ctaSync.warps.reduce((sum, { live }) => sum + bitsIn(live), 0) : 0;
  let context: Context | undefined;
  for (const warp of ctaSync.warps) {
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
  context?.asynchrony.fences.proxies.met(ctaSync.warps.filter(({ index }) => barrier.arrived[index] !== 0));
  for (const observer of context?.observers ?? []) observer.barrier?.(block, number, barrier.arrived, barrier.whole);
}

const waitingAt = ({ parked }: Warp, number: number): readonly WaitingAtBarrier[] =>
  parked.filter((group): group is WaitingAtBarrier => group.on.kind === "barrier" && group.on.number === number);

/** Reports a barrier for the whole block that threads have missed because they had exited, where the launch checks that. */
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

function reader(operand: Operand | undefined, lanes: number): LaneReader {
  const from = slot(operand).slot * lanes;
  return ({ r }, lane) => r[from + lane]!;
}

function votesOf(operand: Operand | undefined): (warp: Warp) => number {
  const { slot, negated } = predicate(operand);
  return ({ p }) => (negated ? ~p[slot]! : p[slot]!);
}

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

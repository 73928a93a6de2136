import { firstLane, LANES } from "../contract/lane-mask.ts";
import { slot } from "../contract/operand.ts";
import type { PlanOf } from "../contract/plan/shape-facts.ts";
import type { Instruction } from "../contract/program.ts";
import type { Context } from "../state/context.ts";
import type { Barrier, BarrierSite, CtaSync, Participants, Warp } from "../state/warp.ts";
import { begin, complete, enter, isComplete, misuse } from "./barrier.ts";
import { checkDivergence } from "./divergence.ts";
import { park, reconverge } from "./groups.ts";

/** Barriers of a group in vISA; sbarrier is the first of them. */
const MOST_NAMED = 32;

/** The role of a SIMD thread that signals without waiting, and of one that nobody waits for. */
const [PRODUCER, CONSUMER] = [1, 2];

/**
 * A barrier in two halves (vISA's sbarrier and nbarrier): a SIMD thread signals that it has come and goes on, and waits
 * later until all others have. Throws a Fault when a thread waits at what it has not signalled, or signals again before.
 */
export function splitBarrier(
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
  if (role > CONSUMER!) throw misuse(lane, `signals barrier ${number} as ${role}, and there are the roles 0 to 2`);
  if (asked !== undefined && (asked.producers < 1 || asked.consumers < 1))
    throw misuse(lane, `signals barrier ${number} for ${among(asked)}, and there is one at least`);
  const open = join(ctaSync, lane, number, asked);
  if ((ctaSync.splitOwing[index]! >>> number) & 1)
    throw misuse(lane, `signals barrier ${number} twice without waiting`);
  const first = open.arrived[index] === 0;
  enter(open, index, number, active, 0);
  if ((warp.live & ~open.arrived[index]!) === 0) open.warps = (open.warps | (1 << index)) >>> 0;
  if (role !== PRODUCER) ctaSync.splitOwing[index]! |= 1 << number;
  open.split = { context, ...(asked && { counts: { asked, missing: missing(open, asked, first ? role : -1) } }) };
  for (const observer of context.observers) observer.halfBarrier?.(block, number, "signal", index, active);
  return open;
}

/** Who is missing once one more thread of that role has come. */
function missing({ split }: Barrier, asked: Participants, role: number): Participants {
  const { producers, consumers } = split?.counts?.missing ?? asked;
  return {
    producers: producers - (role === 0 || role === PRODUCER ? 1 : 0),
    consumers: consumers - (role === 0 || role === CONSUMER ? 1 : 0),
  };
}

/** The state of barrier `number`, made by the first who comes. Throws a Fault when participants disagree about it. */
function join(ctaSync: CtaSync, lane: number, number: number, asked: Participants | undefined): Barrier {
  if (number >= MOST_NAMED) throw misuse(lane, `names barrier ${number}, and a group has 0 to 31`);
  const open = ctaSync.barriers[number];
  if (open === undefined) {
    ctaSync.openBarriers++;
    const threads = asked ? LANES * (asked.producers + asked.consumers) : ctaSync.threads;
    return begin(ctaSync, number, Math.ceil(threads / LANES) * LANES, asked === undefined, undefined);
  }
  const others = open.split?.counts?.asked;
  if (open.whole !== (asked === undefined) || (open.split === undefined && asked !== undefined))
    throw misuse(lane, `meets another kind of barrier instruction at barrier ${number}`);
  if (others !== undefined && (others.producers !== asked?.producers || others.consumers !== asked.consumers))
    throw misuse(
      lane,
      `waits for ${among(asked ?? others)} at barrier ${number}, where others wait for ${among(others)}`,
    );
  return open;
}

const among = ({ producers, consumers }: Participants): string => `${producers} producers and ${consumers} consumers`;

function wait(warp: Warp, site: BarrierSite, number: number): void {
  const { ctaSync, index, active, block } = warp;
  if (number >= MOST_NAMED || !((ctaSync.splitOwing[index]! >>> number) & 1))
    throw misuse(firstLane(active), `waits at barrier ${number}, which it has not signalled`);
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

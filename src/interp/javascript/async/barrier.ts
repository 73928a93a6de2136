import type { Arrival, BarrierOperation } from "../../async/barriers.ts";
import { barrierWord, packBarrier } from "../../async/mbarrier-object.ts";
import { type Flight, lineOf, type Operation, type Together } from "../../async/operation.ts";
import { bitsIn, firstLane, lanesOf } from "../../contract/launch/lane-mask.ts";
import { type Operand, predicate, slot } from "../../contract/operand.ts";
import type { PlanOf } from "../../contract/plan/shapes/shape-facts.ts";
import type { Context } from "../../state/context.ts";
import { report, whoIs } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { barrierPlace, eachLane, multicastTo, refuse } from "./barrier-place.ts";

/** mbarrier.init, inval, expect_tx and complete_tx. */
export function mbarrier(
  { act, space, layout, multicast }: PlanOf<"mbarrier">,
  [a, n, mask]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { asynchrony, lanes } = context;
  const place = barrierPlace(a, space, act === "init" || act === "inval", context);
  const count = n === undefined ? () => 0 : counter(n, lanes);
  const ranks = multicast && mask && counter(mask, lanes);
  const { barriers } = asynchrony;
  return (warp) => {
    place.locate(warp);
    eachLane(warp, lanes, (lane) => {
      const at = place.at(warp, lane);
      const by = place.operation(warp, lane);
      const amount = count(warp, lane);
      if (act === "init" && barriers.isObject(at)) reportLive(warp, lane, at, context);
      for (const target of ranks ? multicastTo(at, ranks(warp, lane), lane, warp) : [at]) {
        const made =
          act === "init"
            ? barriers.init(at, amount, by, layout)
            : act === "inval"
              ? barriers.invalidate(at, by)
              : asynchrony.arrive(target, { count: 0, [act === "expect_tx" ? "expects" : "completes"]: amount }, by);
        if (made !== undefined && "code" in made) throw refuse(made, lane, context);
      }
      if (act === "init") asynchrony.fences.proxies.initialised(by.thread, by.site, at);
    });
  };
}

/** mbarrier.check_layout. */
export function checkLayout(
  { space, layout }: PlanOf<"mbarrier layout">,
  [p, a]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { barriers } = context.asynchrony;
  const place = barrierPlace(a, space, true, context);
  const to = predicate(p).slot;
  return (warp) => {
    place.locate(warp);
    eachLane(warp, context.lanes, (lane) => {
      const at = place.at(warp, lane);
      const error = barriers.check(at);
      if (error !== undefined) throw refuse(error, lane, context);
      const bit = (1 << lane) >>> 0;
      if (barriers.layout(at) === layout) warp.p[to]! |= bit;
      else warp.p[to]! &= ~bit;
    });
  };
}

/** Reports an mbarrier.init where a live object exists already. */
function reportLive(warp: Warp, lane: number, at: number, context: Context): void {
  const { asynchrony, grid, block } = context;
  const made = asynchrony.barriers.maker(at);
  const found = report(context, warp, lane, "PTX4030", "makes an mbarrier object where there is one, not invalidated");
  const maker = made?.site;
  const message = made && `${made.site.opcode}, which has made it, in ${whoIs(made.thread, grid, block)}`;
  const related = maker && message ? [{ source: maker.source, span: maker.span, message }] : [];
  context.report({ ...found, related: [...related, ...(found.related ?? [])] });
}

/** mbarrier.arrive and arrive_drop. */
export function arrive(
  { space, drop, expects, incomplete, multicast, sem, scope }: PlanOf<"mbarrier arrive">,
  [state, a, ...counts]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { asynchrony, lanes } = context;
  const to = state?.kind === "slot" ? state.slot * lanes : undefined;
  const place = barrierPlace(a, space, to !== undefined, context);
  const mask = multicast && counts.at(-1);
  const n = counts.length > (multicast ? 1 : 0) ? counts[0] : undefined;
  const amount = n === undefined ? () => 1 : counter(n, lanes);
  const ranks = mask && counter(mask, lanes);
  const isPlain = ranks === undefined && !expects && !drop && !incomplete;
  /** Lets all lanes arrive at once; false, having done nothing, where they may differ in more than what they find. */
  const arriveTogether = (warp: Warp): boolean => {
    if (!isPlain || asynchrony.apart || warp.active === 0 || !place.isOne(warp)) return false;
    const [first, active] = [firstLane(warp.active), warp.active >>> 0];
    const [at, all, said] = [place.at(warp, first), lanesOf(active), amount(warp, first)];
    if (all.some((lane) => amount(warp, lane) !== said)) return false;
    if (!asynchrony.barriers.awaits(at, said * all.length)) return false;
    const made = asynchrony.arrive(at, { count: said }, place.operation(warp, first), active);
    if ("code" in made) throw refuse(made, first, context);
    if (to === undefined) return true;
    // The pending arrivals are the lowest bits, and there are as many as arrive.
    let [low, high] = packBarrier(made.before);
    for (const lane of all) {
      warp.w[2 * (to + lane)] = low;
      warp.w[2 * (to + lane) + 1] = high;
      low -= said;
    }
    return true;
  };
  return (warp) => {
    place.locate(warp);
    if (arriveTogether(warp)) return;
    eachLane(warp, lanes, (lane) => {
      const at = place.at(warp, lane);
      const said = amount(warp, lane);
      const counts = expects ? { count: 1, expects: said, drop } : { count: said, drop, incomplete };
      const arrival: Arrival = { ...counts, order: { sem, scope } };
      for (const target of ranks ? multicastTo(at, ranks(warp, lane), lane, warp) : [at]) {
        const made = asynchrony.arrive(target, arrival, place.operation(warp, lane));
        if ("code" in made) throw refuse(made, lane, context);
        if (to !== undefined) warp.q[to + lane] = barrierWord(made.before);
      }
    });
  };
}

/** cp.async.mbarrier.arrive. */
export function copiesArrive(
  { space, counted }: PlanOf<"copies arrive">,
  [a]: readonly (Operand | undefined)[],
  context: Context,
): Step {
  const { asynchrony, lanes } = context;
  const { barriers } = asynchrony;
  const place = barrierPlace(a, space, true, context);
  /** Some lanes of a warp, of those that arrive at the object at `at`. */
  const arriveAt = (warp: Warp, at: number, among: number): void => {
    const error = counted ? barriers.check(at) : barriers.increment(at, bitsIn(among));
    // Lanes for which there is room arrive before the one for which there is none.
    for (const lane of error === undefined ? [] : lanesOf(among)) {
      const own = counted ? error : barriers.increment(at, 1);
      if (own !== undefined) throw refuse(own, lane, context);
    }
    const line = lineOf("cp.async", { block: warp.block, warp: warp.index, lane: firstLane(among) });
    const by = place.operation(warp, firstLane(among));
    asynchrony.issueBehind(line, among, (part, after) => arrivals(by, at, { lanes: part, among }, after));
  };
  return (warp) => {
    place.locate(warp);
    if (!asynchrony.apart && warp.active !== 0 && place.isOne(warp))
      arriveAt(warp, place.at(warp, firstLane(warp.active)), warp.active >>> 0);
    else eachLane(warp, lanes, (lane) => arriveAt(warp, place.at(warp, lane), (1 << lane) >>> 0));
  };
}

/** One arrival of each of these lanes of a warp at the object at `at`, behind what is in flight of their copies. */
export function arrivals(
  { site, thread }: BarrierOperation,
  at: number,
  { lanes, among }: Omit<Together, "of">,
  after: readonly Flight[],
): Operation {
  // The number of a lane's operation is one of those among which it stands.
  const isOne = (among & (among - 1)) === 0;
  const of = (lane: number): Operation => {
    const own = (1 << lane) >>> 0;
    return arrivals({ site, thread }, at, { lanes: own, among: own }, after);
  };
  return {
    site,
    thread: { ...thread, lane: firstLane(lanes) },
    what: "arrival",
    proxy: "generic",
    reads: [],
    writes: [],
    after,
    completion: { kind: "mbarrier", at, bytes: 0, arrivals: 1 },
    together: isOne ? undefined : { lanes, among, of },
    perform: () => {},
  };
}

/** A 32-bit number of one lane. */
function counter(operand: Operand, lanes: number): (warp: Warp, lane: number) => number {
  const from = slot(operand).slot * lanes;
  return ({ r }, lane) => r[from + lane]!;
}

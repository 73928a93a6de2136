import type { Axiom } from "../axioms.ts";
import { derive, type Orders } from "../order.ts";
import type { Relation, Room } from "../relation.ts";
import type { Candidate } from "./candidate.ts";
import { type Contest, isFenceSc } from "./fixed.ts";
import { isWrite, type Node } from "./node.ts";
import { undecided } from "./undecided.ts";

/** How the search judges a candidate: undefined where it is to stop. */
export interface Judge {
  readonly candidate: Candidate;
  readonly axioms: readonly Axiom[];
  readonly room: Room;
  /** What is left to choose where orders of writes and fences are decided; undefined where nothing is possible. */
  readonly finish: (orders: Orders) => Orders | undefined;
  /** Whether there may be more candidates. */
  readonly goesOn: () => boolean;
  /** Counts one that contradicts an axiom. */
  readonly drops: () => void;
}

/**
 * Of a candidate that has all its events, orders of writes and of fences that the axioms allow: one for each write that may
 * be the last to a location whose final value is asked for. Nothing else of these orders can be seen in a final state, so that
 * the first that obeys the axioms stands for all, unless `every` one is asked for.
 */
export function* decided(
  orders: Orders,
  judge: Judge,
  watched: (write: Node) => boolean,
  every: boolean,
): Generator<Orders> {
  if (every || !isOrderly(orders, watched)) {
    for (const end of everyOrder(orders, judge)) {
      const whole = judge.finish(end);
      if (whole) yield whole;
    }
    return;
  }
  yield* byLast(orders, judge, lastsOf(orders, watched));
}

/**
 * Whether what is undecided is total for each location that is asked for once it is decided: every two writes there are morally strong, or
 * exclude each other, or are related already. Otherwise the order of fences decides what memory may hold, and all are tried.
 */
const isOrderly = ({ nodes, co, strong }: Orders, watched: (write: Node) => boolean): boolean =>
  nodes.every(
    (b) =>
      !isWrite(b) ||
      !watched(b) ||
      (b.pieces.length === 1 &&
        b.touches.every((a) => {
          if (!isWrite(nodes[a] as Node)) return true;
          return strong.has(a, b.index) || co.has(a, b.index) || co.has(b.index, a);
        })),
  );

/** Locations whose last write is open, as the writes that none follows. */
function lastsOf({ nodes, co }: Orders, watched: (write: Node) => boolean): Node[][] {
  const pieces = new Map<number, Node[]>();
  for (const node of nodes) {
    if (!isWrite(node) || !watched(node)) continue;
    const piece = node.pieces[0] as number;
    pieces.set(piece, [...(pieces.get(piece) ?? []), node]);
  }
  return [...pieces.values()]
    .map((writes) => writes.filter((a) => writes.every((b) => !co.has(a.index, b.index))))
    .filter((lasts) => lasts.length > 1);
}

function* byLast(orders: Orders, judge: Judge, locations: readonly Node[][]): Generator<Orders> {
  const [lasts, ...others] = locations;
  const { coherence, fences } = judge.candidate;
  if (!lasts) {
    const [writes, scs] = [coherence.length, fences.length];
    const found = first(orders, judge);
    if (found) yield found;
    coherence.length = writes;
    fences.length = scs;
    return;
  }
  for (const last of lasts) {
    const before = coherence.length;
    for (const write of lasts) if (write !== last) coherence.push([write.index, last.index]);
    const next = judged(judge);
    if (next) yield* byLast(next, judge, others);
    coherence.length = before;
  }
}

/** The candidate's orders, if they contradict no axiom; those derived before are no longer valid. */
export function judged({ candidate, axioms, room, goesOn, drops }: Judge): Orders | undefined {
  if (!goesOn()) return undefined;
  room.leave();
  const orders = derive(candidate, room);
  if (!axioms.some((axiom) => axiom.isBroken(orders))) return orders;
  drops();
  return undefined;
}

/** Fences whose order is not chosen yet. */
const openFences = ({ contests, sc }: Orders): Contest[] =>
  contests.filter(({ among, a, b }) => among === "fences" && !sc.has(a, b) && !sc.has(b, a));

/** Whether two fences are in no order yet. */
export const hasOpenFences = (orders: Orders): boolean =>
  openFences(orders).some(({ a, b }) => !orders.base.has(a, b) && !orders.base.has(b, a));

/** Fences whose order causality order gives already: nothing is left to choose. */
const given = (orders: Orders): [number, number][] =>
  openFences(orders).flatMap(({ a, b }): [number, number][] =>
    orders.base.has(a, b) ? [[a, b]] : orders.base.has(b, a) ? [[b, a]] : [],
  );

/** The first way to decide everything; what it has chosen stays in the candidate. */
function first(orders: Orders, judge: Judge): Orders | undefined {
  if (!undecided(orders)) return judge.finish(orders);
  const { coherence, fences } = judge.candidate;
  const [writes, scs] = [coherence.length, fences.length];
  coherence.push(...likelyWrites(orders, judge));
  const ordered = coherence.length > writes ? judged(judge) : orders;
  if (ordered) fences.push(...likelyFences(ordered));
  const likely = fences.length > scs ? judged(judge) : ordered;
  const end = likely && !undecided(likely) && judge.finish(likely);
  if (end) return end;
  coherence.length = writes;
  fences.length = scs;
  const again = judged(judge);
  return again && oneByOne(again, judge);
}

/**
 * What must come before what at each location, as the sources of the reads say it: a write that reaches a read comes before the
 * write that it reads from, and that one before a write that the read reaches (SC-per-Location, Causality). A loop contradicts
 * the axioms, however writes are ordered.
 */
export function required(orders: Orders, judge: Judge): Relation {
  orders.required ??= requiredBy(orders, judge);
  return orders.required;
}

function requiredBy({ nodes, strong, cause, perLocation }: Orders, { candidate, room }: Judge): Relation {
  const before = room.take(nodes.length).join(perLocation);
  let grew = false;
  for (const { kind, index: read } of nodes) {
    const from = kind === "read" ? candidate.sources[read] : undefined;
    if (from?.length !== 1) continue;
    const source = from[0] as number;
    if (source < 0 || (nodes[source] as Node).thread < 0) continue;
    for (const at of candidate.fixed.rivals[source] as readonly number[]) {
      if (cause.has(at, read) || (strong.has(at, read) && perLocation.has(at, read))) before.add(at, source);
      else if (strong.has(source, read) && perLocation.has(read, at)) before.add(source, at);
      else continue;
      grew = true;
    }
  }
  return grew ? before.close() : before;
}

/**
 * Whether two atomic operations read from one write, though one of them has to come after the other: whichever is the second
 * contradicts Atomicity.
 */
export function isTakenTwice({ nodes, strong, co }: Orders, { sources }: Pick<Candidate, "sources">): boolean {
  const taken = new Map<number, Node[]>();
  for (const write of nodes) {
    const from = write.half < 0 ? undefined : sources[write.half];
    const source = from?.length === 1 ? (from[0] as number) : -1;
    if (source < 0 || !co.has(source, write.index)) continue;
    const others = taken.get(source) ?? [];
    if (others.some(({ index }) => strong.has(index, write.index))) return true;
    taken.set(source, [...others, write]);
  }
  return false;
}

/** An order of the writes to each location that no read contradicts, if there is one. */
function likelyWrites(orders: Orders, judge: Judge): [number, number][] {
  const { contests, co } = orders;
  const open = contests.filter(({ among, a, b }) => among === "writes" && !co.has(a, b) && !co.has(b, a));
  if (open.length === 0) return [];
  const before = judge.room.take(co.size).join(required(orders, judge)).join(co).close();
  return open.map(({ a, b }) => (before.countBefore(a) <= before.countBefore(b) ? [a, b] : [b, a]));
}

/** An order of the fences that no communication contradicts, if there is one. */
function likelyFences(orders: Orders): [number, number][] {
  const { nodes, base, rf, co, fr } = orders;
  const all = nodes.filter(isFenceSc).map(({ index }) => index);
  if (all.length < 2) return [];
  const before = base.copy();
  for (const steps of [rf, co, fr])
    for (const [from, to] of steps.pairs())
      for (const b of all) if (base.has(b, from)) for (const a of all) if (a !== b && base.has(to, a)) before.add(b, a);
  before.close();
  const rank = (row: number): number => all.filter((fence) => before.has(fence, row)).length;
  return openFences(orders).map(({ a, b }) => (rank(a) <= rank(b) ? [a, b] : [b, a]));
}

/** The first way to decide everything, a pair at a time. */
function oneByOne(orders: Orders, judge: Judge): Orders | undefined {
  const { candidate } = judge;
  const fences = candidate.fences.length;
  candidate.fences.push(...given(orders));
  const now = candidate.fences.length > fences ? judged(judge) : orders;
  const open = now && undecided(now);
  const end = now && !open && judge.finish(now);
  if (end) return end;
  if (open) {
    const chosen = open.among === "fences" ? candidate.fences : candidate.coherence;
    const length = chosen.length;
    for (const pair of [[open.a, open.b] as const, [open.b, open.a] as const]) {
      chosen.push(pair);
      const next = judged(judge);
      const found = next && oneByOne(next, judge);
      if (found) return found;
      chosen.length = length;
    }
  }
  candidate.fences.length = fences;
  return undefined;
}

/** Every way to decide everything. */
export function* everyOrder(orders: Orders, judge: Judge): Generator<Orders> {
  const open = undecided(orders);
  if (!open) {
    yield orders;
    return;
  }
  const { candidate } = judge;
  const chosen = open.among === "fences" ? candidate.fences : candidate.coherence;
  for (const pair of [[open.a, open.b] as const, [open.b, open.a] as const]) {
    chosen.push(pair);
    const next = judged(judge);
    if (next) yield* everyOrder(next, judge);
    chosen.pop();
  }
}

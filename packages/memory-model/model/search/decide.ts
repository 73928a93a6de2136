import { type Axiom, races } from "../axioms.ts";
import type { Fence } from "../event.ts";
import { derive, type Orders } from "../order.ts";
import type { Room } from "../relation.ts";
import type { Candidate } from "./candidate.ts";
import { isWrite, type Node } from "./node.ts";
import { undecided } from "./undecided.ts";

/** How the search judges a candidate: undefined where it is to stop. */
interface Judge {
  readonly candidate: Candidate;
  readonly axioms: readonly Axiom[];
  readonly room: Room;
  /** Whether nothing else than an axiom speaks against one in which all is decided. */
  readonly possible: (orders: Orders) => boolean;
  /** Counts a candidate; false where there have been too many. */
  readonly counts: () => boolean;
}

/**
 * Of a candidate that has all its events, orders of writes and of fences that the axioms allow: one for each write that may
 * be the last to a location whose final value is asked for. Nothing else of these orders can be seen in a final state, so that
 * the first that obeys the axioms stands for all; but fences order accesses, so that where two may race all their orders are tried.
 */
export function* decided(orders: Orders, judge: Judge, watched: (name: string) => boolean): Generator<Orders> {
  if (!isOrderly(orders) || (hasOpenFences(orders) && !races(orders).next().done)) {
    yield* all(orders, judge);
    return;
  }
  yield* byLast(orders, judge, lastsOf(orders, watched));
}

/**
 * Whether what is undecided is total for each location once it is decided: every two writes there are morally strong, or
 * exclude each other, or are related already. Otherwise the order of fences decides what memory may hold, and all are tried.
 */
const isOrderly = ({ nodes, co, strong }: Orders): boolean =>
  nodes.every(
    (b) =>
      !isWrite(b) ||
      (b.pieces.length === 1 &&
        b.touches.every((a) => {
          if (!isWrite(nodes[a] as Node)) return true;
          return strong.has(a, b.index) || co.has(a, b.index) || co.has(b.index, a);
        })),
  );

const isSc = ({ kind, event }: Node): boolean => kind === "fence" && (event as Fence).semantics === "sc";

/** Whether the order of two fences is undecided. */
const hasOpenFences = ({ nodes, sc }: Orders): boolean =>
  nodes.some(
    (b) =>
      isSc(b) &&
      b.strong.some((a) => a < b.index && isSc(nodes[a] as Node) && !sc.has(a, b.index) && !sc.has(b.index, a)),
  );

/** Locations whose last write is open, as the writes that none follows. */
function lastsOf({ nodes, co }: Orders, watched: (name: string) => boolean): Node[][] {
  const pieces = new Map<number, Node[]>();
  for (const node of nodes) {
    if (!isWrite(node)) continue;
    const piece = node.pieces[0] as number;
    pieces.set(piece, [...(pieces.get(piece) ?? []), node]);
  }
  return [...pieces.values()]
    .filter((writes) => writes.some(({ location }) => location !== undefined && watched(location.name)))
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
function judged({ candidate, axioms, room, counts }: Judge): Orders | undefined {
  if (!counts()) return undefined;
  room.leave();
  const orders = derive(candidate, room);
  return axioms.some((axiom) => axiom.broken(orders)) ? undefined : orders;
}

/** Fences whose order causality order gives already: nothing is left to choose. */
function given({ nodes, sc, base }: Orders): [number, number][] {
  return nodes.filter(isSc).flatMap(({ index: b, strong }) =>
    strong.flatMap((a): [number, number][] => {
      if (!isSc(nodes[a] as Node) || sc.has(a, b) || sc.has(b, a)) return [];
      return base.has(a, b) ? [[a, b]] : base.has(b, a) ? [[b, a]] : [];
    }),
  );
}

/** The first way to decide everything; what it has chosen stays in the candidate. */
function first(orders: Orders, judge: Judge): Orders | undefined {
  const { candidate } = judge;
  const fences = candidate.fences.length;
  candidate.fences.push(...given(orders));
  const now = candidate.fences.length > fences ? judged(judge) : orders;
  const open = now && undecided(now);
  if (now && !open && judge.possible(now)) return now;
  if (open) {
    const chosen = open.among === "fences" ? candidate.fences : candidate.coherence;
    const length = chosen.length;
    for (const pair of [[open.a, open.b] as const, [open.b, open.a] as const]) {
      chosen.push(pair);
      const next = judged(judge);
      const found = next && first(next, judge);
      if (found) return found;
      chosen.length = length;
    }
  }
  candidate.fences.length = fences;
  return undefined;
}

/** Every way to decide everything. */
function* all(orders: Orders, judge: Judge): Generator<Orders> {
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
    if (next) yield* all(next, judge);
    chosen.pop();
  }
}

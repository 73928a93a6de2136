import { crosses } from "./proxy-path.ts";
import type { Relation, Room } from "./relation.ts";
import { type Candidate, unresolved } from "./search/candidate.ts";
import type { Contest } from "./search/fixed.ts";
import { isWrite, type Node } from "./search/node.ts";

/** The relations of a candidate execution, as sections 8.7 to 8.9 of the manual derive them. */
export interface Orders {
  readonly nodes: readonly Node[];
  /** Every pair of events of which one must precede the other. */
  readonly contests: readonly Contest[];
  /** Program order (8.9.1): transitive; elements of one vector are unordered (8.2.4). */
  readonly po: Relation;
  /** Program order between operations that overlap, by one proxy and one virtual address (8.2.1). */
  readonly poHere: Relation;
  /** Morally strong (8.7). */
  readonly strong: Relation;
  /** Reads from. */
  readonly rf: Relation;
  /** The two halves of an atomic operation. */
  readonly rmw: Relation;
  /** Reads on which an event depends, or that are of a thread whose exit its own waited for. */
  readonly dep: Relation;
  /** Observation order (8.9.2). */
  readonly observation: Relation;
  /** Fence-SC order (8.9.3), as far as it is chosen. */
  readonly sc: Relation;
  /** Synchronization at barriers (8.9.4). */
  readonly meetings: Relation;
  /** Synchronizes (8.9.4). */
  readonly sync: Relation;
  /** Base causality order (8.9.5). */
  readonly base: Relation;
  /** The steps of coherence order: chosen pairs, and causality. */
  readonly cause: Relation;
  /** What coherence order is made of: chosen pairs, and causality. */
  readonly coherenceSteps: Relation;
  /** Coherence order (8.9.6). */
  readonly co: Relation;
  /** A read, and the writes that follow in coherence order what it read (8.9.7, 3). */
  readonly fr: Relation;
  /** Communication order (8.9.7) between morally strong operations. */
  readonly communication: Relation;
  /** Transitive closure of program order between overlapping operations and `communication`. */
  readonly perLocation: Relation;
  /** Transitive closure of the flow from writes to reads and on to the events that depend on them. */
  readonly flow: Relation;
  /** What must come before what at each location; undefined until somebody asks (`required`). */
  required?: Relation;
}

/** Derives all orders of a candidate; they use the matrices of `room` and are valid until it is released. */
export function derive(candidate: Candidate, room: Room): Orders {
  const { nodes, sources, fixed } = candidate;
  const { contests, po, poHere, strong, rmw, dep, meetings, initially, touches, overwrites } = fixed;
  const size = nodes.length;
  const rf = room.take(size);
  for (const { index } of nodes)
    for (const write of sources[index] ?? []) if (write !== unresolved) rf.add(write, index);
  const observation = observe(rf, rmw, strong, room);
  const sc = room.take(size);
  for (const [a, b] of candidate.fences) sc.add(a, b);
  const sync = room.take(size);
  for (const { write, read, first, last } of fixed.patterns) if (observation.has(write, read)) sync.add(first, last);
  sync.join(sc);
  const base = room.take(size).join(fixed.ordered);
  if (!sync.isEmpty()) base.join(sync).close(fixed.apart);
  sync.join(meetings);
  const preserved = candidate.plain
    ? room.take(size).join(base).within(touches).join(initially)
    : proxyPreserved(candidate, base, room);
  const cause = room.take(size).joinComposition(observation, preserved).join(preserved);
  if (candidate.model === "manual") wholeOperations(cause, rmw, nodes);
  const coherenceSteps = room.take(size).join(cause).within(overwrites);
  for (const [a, b] of candidate.coherence) coherenceSteps.add(a, b);
  const co = room.take(size).join(coherenceSteps).close();
  const fr = fromReads(candidate, co, room);
  const communication = room.take(size).join(rf).join(co).join(fr).within(strong);
  const perLocation = room.take(size).join(poHere).join(communication).close();
  const flow = room.take(size).join(rf).join(dep);
  if (!dep.isEmpty()) flow.close();
  return {
    nodes,
    contests,
    po,
    poHere,
    strong,
    rf,
    rmw,
    dep,
    observation,
    sc,
    meetings,
    sync,
    base,
    cause,
    coherenceSteps,
    co,
    fr,
    communication,
    perLocation,
    flow,
  };
}

/**
 * An atomic operation is indivisible: an event that its write precedes follows its read, and an event that precedes its
 * read precedes its write.
 */
function wholeOperations(cause: Relation, rmw: Relation, nodes: readonly Node[]): void {
  for (const [read, write] of rmw.pairs())
    for (const { index } of nodes) {
      if (cause.has(write, index)) cause.add(read, index);
      if (cause.has(index, read)) cause.add(index, write);
    }
}

/** A write precedes a read that is morally strong with it and reads from it, and so on through atomic operations. */
function observe(rf: Relation, rmw: Relation, strong: Relation, room: Room): Relation {
  const { size } = rf;
  const direct = room.take(size).join(rf).within(strong);
  if (rmw.isEmpty()) return direct;
  // from write to write through the halves of atomic operations, any number of times, then to the read
  const hops = room.take(size).joinComposition(direct, rmw).close();
  return room.take(size).joinComposition(hops, direct).join(direct);
}

/** Proxy-preserved base causality order (8.9.5); initial writes precede everything that overlaps them (8.2.6). */
function proxyPreserved({ nodes, plain }: Candidate, base: Relation, room: Room): Relation {
  const result = room.take(nodes.length);
  const fences = plain ? [] : nodes.filter((node) => node.kind === "proxy fence");
  for (const b of nodes)
    for (const index of b.touches) {
      const a = nodes[index] as Node;
      if (a.thread < 0 || leads(a, b)) result.add(index, b.index);
      if (a.thread >= 0 && leads(b, a)) result.add(b.index, index);
    }
  return result;

  function leads(from: Node, to: Node): boolean {
    return base.has(from.index, to.index) && (plain || crosses(from, to, fences, base));
  }
}

/** Piece by piece: a read precedes the writes that follow its source there in coherence order. */
function fromReads({ nodes, sources, fixed: { written } }: Candidate, co: Relation, room: Room): Relation {
  const fr = room.take(nodes.length);
  for (const { kind, index, pieces } of nodes) {
    const from = kind === "read" ? sources[index] : undefined;
    if (!from) continue;
    for (const [i, piece] of pieces.entries()) {
      const source = from[i] ?? unresolved;
      if (source === unresolved) continue;
      if (pieces.length === 1) fr.joinRow(index, co, source, written);
      else
        for (const write of nodes)
          if (isWrite(write) && co.has(source, write.index) && write.pieces.includes(piece)) fr.add(index, write.index);
    }
  }
  return fr;
}

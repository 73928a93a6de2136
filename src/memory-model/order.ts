import { meet } from "./barriers.ts";
import { type Candidate, unresolved } from "./candidate.ts";
import type { Event, ProxyFence, Read, Write } from "./event.ts";
import { isRead, isWrite, type Node } from "./node.ts";
import { acquirePatterns, releasePatterns } from "./patterns.ts";
import { Relation } from "./relation.ts";
import { fencedInBlock, sameProxy } from "./strength.ts";

/** The relations of a candidate execution, as sections 8.7 to 8.9 of the manual derive them. */
export interface Orders {
  readonly nodes: readonly Node[];
  /** Program order (8.9.1): transitive; elements of one vector are unordered (8.2.4). */
  readonly po: Relation;
  /** Morally strong (8.7). */
  readonly strong: Relation;
  /** Reads from. */
  readonly rf: Relation;
  /** The two halves of an atomic operation. */
  readonly rmw: Relation;
  /** Reads on which an event depends, before it. */
  readonly dep: Relation;
  /** Observation order (8.9.2). */
  readonly observation: Relation;
  /** Fence-SC order (8.9.3), as far as it is chosen. */
  readonly sc: Relation;
  /** Who synchronizes with whom at barriers (8.9.4). */
  readonly meetings: Relation;
  /** Synchronizes (8.9.4). */
  readonly sync: Relation;
  /** Base causality order (8.9.5). */
  readonly base: Relation;
  /** Causality order (8.9.5). */
  readonly cause: Relation;
  /** What coherence order is made of: chosen pairs, and causality. */
  readonly coherenceSteps: Relation;
  /** Coherence order (8.9.6). */
  readonly co: Relation;
  /** A read, and the writes that follow in coherence order what it read (8.9.7, 3). */
  readonly fr: Relation;
}

/** Derives all orders of a candidate. */
export function derive(candidate: Candidate): Orders {
  const { nodes } = candidate;
  const size = nodes.length;
  const threads = byThread(nodes);
  const po = new Relation(size);
  const strong = new Relation(size);
  for (const node of nodes) {
    for (const before of node.before) po.add(before, node.index);
    for (const other of node.strong) {
      strong.add(other, node.index);
      strong.add(node.index, other);
    }
  }
  const { rf, rmw, dep } = dataFlow(candidate, threads);
  const observation = observe(size, rf, rmw, strong);
  const sc = new Relation(size);
  for (const [a, b] of candidate.fences) sc.add(a, b);
  const meetings = meet(threads, size);
  const sync = synchronizes(threads, observation, strong).join(meetings).join(sc);
  const base = po.copy().join(sync).close();
  const preserved = proxyPreserved(candidate, base);
  const cause = observation.composedWith(preserved).join(preserved);
  const coherenceSteps = new Relation(size);
  for (const [a, b] of candidate.coherence) coherenceSteps.add(a, b);
  for (const b of nodes)
    if (isWrite(b))
      for (const index of b.touches) {
        if (!isWrite(nodes[index] as Node)) continue;
        if (cause.has(index, b.index)) coherenceSteps.add(index, b.index);
        if (cause.has(b.index, index)) coherenceSteps.add(b.index, index);
      }
  const co = coherenceSteps.copy().close();
  const fr = fromReads(candidate, co);
  return { nodes, po, strong, rf, rmw, dep, observation, sc, meetings, sync, base, cause, coherenceSteps, co, fr };
}

/** The events of each thread, in program order. */
function byThread(nodes: readonly Node[]): Node[][] {
  const threads = new Map<number, Node[]>();
  for (const node of nodes) {
    if (node.thread < 0) continue;
    const thread = threads.get(node.thread);
    if (thread) thread.push(node);
    else threads.set(node.thread, [node]);
  }
  return [...threads.values()];
}

function dataFlow(candidate: Candidate, threads: readonly (readonly Node[])[]) {
  const { nodes, sources } = candidate;
  const rf = new Relation(nodes.length);
  const rmw = new Relation(nodes.length);
  const dep = new Relation(nodes.length);
  for (const [read, from] of sources.entries())
    for (const write of from ?? []) if (write !== unresolved) rf.add(write, read);
  for (const thread of threads) {
    const at = new Map(thread.map((node) => [node.position, node.index]));
    for (const node of thread) {
      const event = node.event as Event;
      for (const need of event.needs) {
        const read = at.get(need);
        if (read !== undefined) dep.add(read, node.index);
      }
      if (event.kind !== "write" || event.atomic === undefined) continue;
      const half = at.get(event.atomic);
      if (half !== undefined) rmw.add(half, node.index);
    }
  }
  return { rf, rmw, dep };
}

/** A write precedes a read that is morally strong with it and reads from it, and so on through atomic operations. */
function observe(size: number, rf: Relation, rmw: Relation, strong: Relation): Relation {
  const direct = new Relation(size);
  for (const [write, read] of rf.pairs()) if (strong.has(write, read)) direct.add(write, read);
  // from write to write through the halves of atomic operations, any number of times, then to the read
  const hops = direct.composedWith(rmw).close();
  return hops.composedWith(direct).join(direct);
}

function synchronizes(threads: readonly (readonly Node[])[], observation: Relation, strong: Relation): Relation {
  const sync = new Relation(observation.size);
  const releases = threads.map((thread) => [...releasePatterns(thread)]);
  const acquires = threads.map((thread) => [...acquirePatterns(thread)]);
  for (const [i, ours] of releases.entries())
    for (const [j, theirs] of acquires.entries())
      if (i !== j)
        for (const { first, write } of ours)
          for (const { read, last } of theirs)
            if (observation.has(write, read) && strong.has(first, last)) sync.add(first, last);
  return sync;
}

/** Proxy-preserved base causality order (8.9.5); initial writes precede everything that overlaps them (8.2.6). */
function proxyPreserved({ nodes, plain }: Candidate, base: Relation): Relation {
  const result = new Relation(nodes.length);
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

/** Whether the way from X to Y in base causality order leads from the proxy of X to that of Y. */
function crosses(x: Node, y: Node, fences: readonly Node[], base: Relation): boolean {
  const from = x.event as Read | Write;
  const to = y.event as Read | Write;
  if (sameProxy(from, to) && (from.proxy === "generic" || sameBlock(x, y))) return true;
  const along = fences.filter((fence) => base.has(x.index, fence.index) && base.has(fence.index, y.index));
  if (from.proxy === "generic" && to.proxy === "generic") return along.some((fence) => proxyOf(fence) === "alias");
  const leaving = along.filter((fence) => serves(fence, from.proxy, x));
  const entering = along.filter((fence) => serves(fence, to.proxy, y));
  if (to.proxy === "generic") return leaving.length > 0;
  if (from.proxy === "generic") return entering.length > 0;
  return leaving.some((out) => entering.some((into) => out === into || base.has(out.index, into.index)));
}

const proxyOf = (fence: Node): ProxyFence["proxy"] => (fence.event as ProxyFence).proxy;

const sameBlock = (a: Node, b: Node): boolean =>
  a.placement.gpu === b.placement.gpu &&
  a.placement.cluster === b.placement.cluster &&
  a.placement.cta === b.placement.cta;

const serves = (fence: Node, proxy: Read["proxy"], user: Node): boolean =>
  proxyOf(fence) === proxy && (!fencedInBlock(proxy) || sameBlock(fence, user));

/** Piece by piece: a read precedes the writes that follow its source there in coherence order. */
function fromReads(candidate: Candidate, co: Relation): Relation {
  const { nodes, sources } = candidate;
  const fr = new Relation(nodes.length);
  for (const node of nodes) {
    if (!isRead(node)) continue;
    for (const [i, piece] of node.pieces.entries()) {
      const source = sources[node.index]?.[i] ?? unresolved;
      if (source === unresolved) continue;
      for (const write of nodes)
        if (isWrite(write) && co.has(source, write.index) && write.pieces.includes(piece))
          fr.add(node.index, write.index);
    }
  }
  return fr;
}

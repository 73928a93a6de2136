import type { Fence } from "../event.ts";
import type { Relation, Room } from "../relation.ts";
import { leave, meet } from "./meetings.ts";
import { isWrite, type Node } from "./node.ts";

/**
 * A pair that must be ordered: morally strong writes (8.9.6), atomic operations of which one must finish before the other begins
 * (8.7.2), morally strong fence.sc (8.9.3).
 */
export interface Contest {
  readonly among: "fences" | "writes";
  readonly a: number;
  readonly b: number;
}

/** What the events of a candidate have in common, whatever its reads return and however its writes and fences are ordered. */
export interface Fixed {
  /** Events of asynchronous operations: no order leads through them (PTX ISA 8.9.1.1). */
  readonly apart: ReadonlySet<number>;
  readonly po: Relation;
  readonly poHere: Relation;
  readonly strong: Relation;
  readonly rmw: Relation;
  readonly dep: Relation;
  readonly meetings: Relation;
  /** Program order and synchronization at barriers, closed. */
  readonly ordered: Relation;
  /** Initial writes, and what touches the same bytes. */
  readonly initially: Relation;
  /** Operations that touch a byte in common, in both directions. */
  readonly touches: Relation;
  /** Writes that do. */
  readonly overwrites: Relation;
  /** A read, or another write, and the writes that touch a byte of it. */
  readonly written: Relation;
  /** Every pair of events of which one must precede the other. */
  readonly contests: readonly Contest[];
  /** For each write: the others that it is morally strong with. */
  readonly rivals: readonly (readonly number[])[];
  /** Release and acquire patterns that synchronize where the read observes the write. */
  readonly patterns: readonly {
    readonly write: number;
    readonly read: number;
    readonly first: number;
    readonly last: number;
  }[];
}

/** Whether an event is part of an asynchronous operation, and no release of what its thread did before (st.async.release). */
const isApart = ({ event, releases }: Node): boolean =>
  "async" in event && event.async !== undefined && !releases.some(({ alone }) => alone === undefined);

/** Derives what depends on the events alone; its matrices are valid until `room` is released. */
export function fix(nodes: readonly Node[], room: Room): Fixed {
  const size = nodes.length;
  const take = (): Relation => room.take(size);
  const [po, poHere, strong, rmw, dep] = [take(), take(), take(), take(), take()];
  const [initially, touches, overwrites, written] = [take(), take(), take(), take()];
  for (const b of nodes) {
    const { index, before, beforeHere, strong: others, needs, half } = b;
    for (const row of before) po.add(row, index);
    for (const row of beforeHere) poHere.add(row, index);
    for (const row of others) {
      strong.add(row, index);
      strong.add(index, row);
    }
    for (const row of needs) dep.add(row, index);
    if (half >= 0) rmw.add(half, index);
    for (const row of b.touches) {
      const a = nodes[row] as Node;
      if (a.thread < 0) initially.add(row, index);
      else touches.add(index, row);
      touches.add(row, index);
      if (isWrite(a)) written.add(index, row);
      if (isWrite(b)) written.add(row, index);
      if (!isWrite(a) || !isWrite(b)) continue;
      overwrites.add(row, index);
      overwrites.add(index, row);
    }
  }
  leave(nodes, dep);
  const meetings = meet(nodes, take());
  const apart = new Set(nodes.filter(isApart).map(({ index }) => index));
  const ordered = take().join(po).join(meetings).close(apart);
  const patterns = patternsOf(nodes, strong);
  const contests = nodes.flatMap((node) => contestsOf(node, nodes));
  const rivals = nodes.map((write) =>
    nodes.filter((other) => isWrite(write) && isWrite(other) && strong.has(other.index, write.index)).map(indexOf),
  );
  return {
    apart,
    po,
    poHere,
    strong,
    rmw,
    dep,
    meetings,
    ordered,
    initially,
    touches,
    overwrites,
    written,
    patterns,
    contests,
    rivals,
  };
}

const indexOf = ({ index }: Node): number => index;

export const isFenceSc = ({ kind, event }: Node): boolean => kind === "fence" && (event as Fence).semantics === "sc";

/** The pairs of an event and one before it. */
function contestsOf(node: Node, nodes: readonly Node[]): Contest[] {
  const b = node.index;
  const strong = (of: (other: Node) => boolean) => node.strong.filter((a) => of(node) && of(nodes[a] as Node));
  return [
    ...[...node.excludes, ...strong(isWrite)].map((a): Contest => ({ among: "writes", a, b })),
    ...strong(isFenceSc).map((a): Contest => ({ among: "fences", a, b })),
  ];
}

/**
 * Release patterns, and acquire patterns of other threads, where both are morally strong: the one synchronizes with the other
 * that observes it.
 */
const patternsOf = (nodes: readonly Node[], strong: Relation): Fixed["patterns"] =>
  nodes.flatMap((ours) =>
    ours.releases.flatMap(({ first, write, alone }) =>
      nodes.flatMap((theirs) =>
        theirs.thread === ours.thread && alone === undefined
          ? []
          : theirs.acquires
              .filter(({ last }) => strong.has(first, last))
              .flatMap(({ read, last }) =>
                [first, ...(alone ?? [])].map((from) => ({ write, read, first: from, last })),
              ),
      ),
    ),
  );

import type { Barrier } from "./event.ts";
import type { Node } from "./node.ts";
import type { Relation } from "./relation.ts";

/** Where threads meet: one barrier of one block or cluster, for one number of threads. */
function place(node: Node): string {
  const { of, id, count } = node.event as Barrier;
  const { gpu, cluster, block } = node.placement;
  return of === "cluster" ? `cluster ${gpu}.${cluster}` : `${of} ${gpu}.${cluster}.${block} ${id} ${count ?? "all"}`;
}

/**
 * Who synchronizes with whom at barriers (PTX ISA 8.9.4): `bar.sync`, `bar.red` and `bar.arrive` with the `bar.sync` and
 * `bar.red` of the same meeting, `barrier.cluster.arrive` with the `barrier.cluster.wait` of it. The n-th time that a
 * thread comes to a barrier belongs to the n-th meeting there.
 Adds the pairs to `sync`.
 */
export function meet(threads: readonly (readonly Node[])[], sync: Relation): Relation {
  const meetings = new Map<string, Node[]>();
  for (const thread of threads) {
    const visits = new Map<string, number>();
    for (const node of thread.filter(({ kind }) => kind === "barrier")) {
      const { of, does } = node.event as Barrier;
      // a cluster's arrive and wait are two halves of one visit, each counted by itself
      const visited = of === "cluster" ? `${place(node)} ${does}` : place(node);
      const visit = visits.get(visited) ?? 0;
      visits.set(visited, visit + 1);
      const meeting = `${place(node)} ${visit}`;
      const there = meetings.get(meeting);
      if (there) there.push(node);
      else meetings.set(meeting, [node]);
    }
  }
  for (const there of meetings.values())
    for (const from of there)
      for (const to of there) {
        if (from.thread === to.thread || (from.event as Barrier).relaxed) continue;
        const { of, does } = to.event as Barrier;
        const leaves = (from.event as Barrier).does;
        if (of === "cluster" ? leaves !== "wait" && does !== "arrive" : does === "sync") sync.add(from.index, to.index);
      }
  return sync;
}

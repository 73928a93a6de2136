import { includeEachOther, type Placement, type Reach } from "../contract/memory-consistency.ts";
import type { View } from "./view.ts";

/** A thread of the launch, and where it runs. Blocks without a cluster are clusters by themselves. */
export interface Agent extends Placement {
  /** A number unique among threads. */
  readonly index: number;
}

/** True for operations of one thread, and for two whose scopes each include the other's thread (PTX ISA 8.7). */
export const morallyStrong = (a: Agent, reachOfA: Reach, b: Agent, reachOfB: Reach): boolean =>
  a.index === b.index || includeEachOther(reachOfA, a, reachOfB, b);

/** Views that threads have released: to blocks, to clusters, to all. They never change. */
export type Released = ReadonlyMap<number, View>;

export const nothing: Released = new Map();

/** Adds the view of `agent` to `before`, for all threads that `reach` includes. */
export function released(before: Released, agent: Agent, view: View, reach: Reach): Released {
  const known = view.copy();
  return both(before, new Map(groupsOf(agent, reach).map((group) => [group, known])));
}

export function both(a: Released, b: Released): Released {
  if (a.size === 0 || a === b) return b;
  if (b.size === 0) return a;
  const all = new Map(a);
  for (const [group, view] of b) {
    const known = all.get(group)?.copy();
    known?.join(view);
    all.set(group, known ?? view);
  }
  return all;
}

/** Joins into `view` what was released to the block, cluster or device of `agent`, as far as `reach` goes. */
export function acquire(view: View, all: Released, agent: Agent, reach: Reach): void {
  for (const group of groupsOf(agent, reach)) {
    const heard = all.get(group);
    if (heard !== undefined) view.join(heard);
  }
}

/** Numbers of the thread's block, of its cluster and of all, as far as `reach` goes. */
const groupsOf = ({ block, cluster }: Agent, reach: Reach): readonly number[] =>
  [3 * block, 3 * cluster + 1, 2].slice(0, reach + 1);

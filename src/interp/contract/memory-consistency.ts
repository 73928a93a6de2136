/**
 * The terms of the memory consistency model (chapter 8 of the manual), shared by the axioms, the race detector and
 * weak runs. Each of them has a separate representation of what threads know.
 */

/** The memory order of an access (PTX ISA 8.4), and its scope (8.5). */
export type MemoryOrder = "weak" | "volatile" | "relaxed" | "acquire" | "release" | "acq_rel";

export type MemoryScope = "cta" | "cluster" | "gpu" | "sys";

export type FenceOrder = "acquire" | "release" | "acq_rel" | "sc";

/** A fence between the accesses before and after it, as threads in its scope observe them. */
export interface PlannedFence {
  readonly sem: FenceOrder;
  readonly scope: MemoryScope;
}

/** What a proxy fence orders with the generic proxy; `alias`: other virtual addresses of the same bytes (8.6). */
export type FencedProxy = "alias" | "async" | "tensormap";

/** Whether an operation acquires (PTX ISA 8.4); `fence.sc` does what `fence.acq_rel` does, and more. */
export const acquires = (order: MemoryOrder | FenceOrder | "mmio"): boolean =>
  order === "acquire" || order === "acq_rel" || order === "sc";

/** Whether an operation releases. */
export const releases = (order: MemoryOrder | FenceOrder | "mmio"): boolean =>
  order === "release" || order === "acq_rel" || order === "sc";

/** Where a thread of a device runs: numbers that are equal for threads of one cluster, and within that of one block. */
export interface Placement {
  readonly cluster: number;
  readonly block: number;
}

/**
 * How far an operation's scope reaches on a device (PTX ISA 8.5): 0 its block, 1 its cluster, 2 all of the device,
 * also for `.sys`. A weak operation has no scope, -1.
 */
export type Reach = -1 | 0 | 1 | 2;

const reaches = { cta: 0, cluster: 1, gpu: 2, sys: 2 } as const satisfies Readonly<Record<MemoryScope, Reach>>;

export const reachOf = (scope: MemoryScope): 0 | 1 | 2 => reaches[scope];

/** The reach of a load, a store or an atomic operation; an atomic operation is relaxed by default. */
export const reachOfAccess = (
  how: "load" | "store" | "atomic" | "discard",
  sem: MemoryOrder,
  scope: MemoryScope,
): Reach => (how !== "atomic" && sem === "weak" ? -1 : reachOf(scope));

/** The least reach of a thread at `a` that includes a thread at `b`. */
export function distance(a: Placement, b: Placement): 0 | 1 | 2 {
  if (a.cluster !== b.cluster) return 2;
  return a.block === b.block ? 0 : 1;
}

/**
 * Whether each of two operations has a scope that includes the other's thread: operations of two threads are then
 * morally strong if they use one proxy and overlap completely (PTX ISA 8.7).
 */
export const includeEachOther = (reachA: Reach, a: Placement, reachB: Reach, b: Placement): boolean =>
  Math.min(reachA, reachB) >= distance(a, b);

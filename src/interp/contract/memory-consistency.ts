/**
 * The words of the memory consistency model (chapter 8 of the manual), for all that judge by it: the axioms, the race detector and
 * weak runs. How each of them keeps account of what threads know is its own.
 */

/** What an access promises about others (PTX ISA 8.4), and to whom (8.5). */
export type MemoryOrder = "weak" | "volatile" | "relaxed" | "acquire" | "release" | "acq_rel";

export type MemoryScope = "cta" | "cluster" | "gpu" | "sys";

export type FenceOrder = "acquire" | "release" | "acq_rel" | "sc";

/** A fence between what is before it and what is after it, as threads in its scope see them. */
export interface PlannedFence {
  readonly sem: FenceOrder;
  readonly scope: MemoryScope;
}

/** What a proxy fence brings in order with the generic proxy; `alias`: other virtual addresses of the same bytes (8.6). */
export type FencedProxy = "alias" | "async" | "tensormap";

/** Operations that acquire (PTX ISA 8.4); `fence.sc` does what `fence.acq_rel` does, and more. */
export const acquires = (order: MemoryOrder | FenceOrder | "mmio"): boolean =>
  order === "acquire" || order === "acq_rel" || order === "sc";

/** Those that release. */
export const releases = (order: MemoryOrder | FenceOrder | "mmio"): boolean =>
  order === "release" || order === "acq_rel" || order === "sc";

/** Where a thread of a device runs: numbers that are equal for threads of one cluster, and within that of one block. */
export interface Placement {
  readonly cluster: number;
  readonly block: number;
}

/**
 * How far an operation's scope goes on a device (PTX ISA 8.5): 0 its block, 1 its cluster, 2 all of the device, as `.sys` does
 * there. A weak operation has no scope, -1.
 */
export type Reach = -1 | 0 | 1 | 2;

const reaches = { cta: 0, cluster: 1, gpu: 2, sys: 2 } as const satisfies Readonly<Record<MemoryScope, Reach>>;

export const reachOf = (scope: MemoryScope): 0 | 1 | 2 => reaches[scope];

/** The reach of a load, a store or an atomic operation; an atomic operation is relaxed unless it says more. */
export const reachOfAccess = (
  how: "load" | "store" | "atomic" | "discard",
  sem: MemoryOrder,
  scope: MemoryScope,
): Reach => (how !== "atomic" && sem === "weak" ? -1 : reachOf(scope));

/** The least reach of a thread at `a` that includes one at `b`. */
export function distance(a: Placement, b: Placement): 0 | 1 | 2 {
  if (a.cluster !== b.cluster) return 2;
  return a.block === b.block ? 0 : 1;
}

/**
 * Whether each of two operations has a scope that includes the other's thread: with that, operations of two threads are morally
 * strong where they use one proxy and overlap completely (PTX ISA 8.7).
 */
export const includeEachOther = (reachA: Reach, a: Placement, reachB: Reach, b: Placement): boolean =>
  Math.min(reachA, reachB) >= distance(a, b);

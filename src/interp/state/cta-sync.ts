import type { Observer } from "../contract/session.ts";
import type { Barrier } from "../warp/barrier.ts";
import type { Warp } from "./warp.ts";

/** What the warps of one block know of each other: who has arrived where. */
export interface CtaSync {
  /** All warps of the block, in order. */
  readonly warps: Warp[];
  /** Threads that the block began with. */
  threads: number;
  /** By number: barriers that somebody has arrived at. */
  readonly barriers: (Barrier | undefined)[];
  /** How many of them there are. */
  openBarriers: number;
  /** The blocks of the cluster by rank, this one included (PTX ISA 2.2.1.1). */
  cluster: readonly CtaSync[];
  /** Whether somebody has arrived at the cluster's barrier since it was last complete. */
  clusterOpen: boolean;
  /** By warp: lanes that have arrived at the cluster's barrier in its current phase, and lanes that owe a wait. */
  readonly clusterArrived: Uint32Array;
  readonly clusterOwing: Uint32Array;
  /** Tools that hear when the cluster has met; known from the first arrival on. */
  observers: readonly Observer[];
}

/** Warps of a block at most: 1024 threads. */
const MOST_WARPS = 32;

export function newCtaSync(): CtaSync {
  const ctaSync: CtaSync = {
    warps: [],
    threads: 0,
    barriers: Array.from({ length: 16 }, () => undefined),
    openBarriers: 0,
    cluster: [],
    clusterOpen: false,
    clusterArrived: new Uint32Array(MOST_WARPS),
    clusterOwing: new Uint32Array(MOST_WARPS),
    observers: [],
  };
  ctaSync.cluster = [ctaSync];
  return ctaSync;
}

/** At the start of a block of `threads`: nobody waits. */
export function clearCtaSync(ctaSync: CtaSync, threads: number): void {
  ctaSync.threads = threads;
  ctaSync.barriers.fill(undefined);
  ctaSync.openBarriers = 0;
  ctaSync.clusterOpen = false;
  ctaSync.clusterArrived.fill(0);
  ctaSync.clusterOwing.fill(0);
}

/** What a snapshot keeps of it. */
export type CtaSyncImage = Pick<
  CtaSync,
  "threads" | "barriers" | "openBarriers" | "clusterOpen" | "clusterArrived" | "clusterOwing"
>;

export const saveCtaSync = ({
  threads,
  barriers,
  openBarriers,
  clusterOpen,
  clusterArrived,
  clusterOwing,
}: CtaSyncImage): CtaSyncImage => ({
  ...{ threads, openBarriers, clusterOpen },
  barriers: barriers.map((barrier) => barrier && { ...barrier, arrived: barrier.arrived.slice() }),
  clusterArrived: clusterArrived.slice(),
  clusterOwing: clusterOwing.slice(),
});

export function restoreCtaSync(ctaSync: CtaSync, image: CtaSyncImage): void {
  const { threads, barriers, openBarriers, clusterOpen, clusterArrived, clusterOwing } = saveCtaSync(image);
  Object.assign(ctaSync, { threads, openBarriers, clusterOpen });
  for (const [number, barrier] of barriers.entries()) ctaSync.barriers[number] = barrier;
  ctaSync.clusterArrived.set(clusterArrived);
  ctaSync.clusterOwing.set(clusterOwing);
}

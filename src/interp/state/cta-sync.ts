import { noTensorAllocation } from "./tensor-allocation.ts";
import type { CtaSync } from "./warp.ts";

/** Warps of a block at most: 1024 threads. */
const MOST_WARPS = 32;

/** For a block without warps. */
export function newCtaSync(): CtaSync {
  const ctaSync: CtaSync = {
    warps: [],
    threads: 0,
    barriers: Array.from({ length: 16 }, () => undefined),
    completeBarriers: Array.from({ length: 16 }, () => undefined),
    openBarriers: 0,
    cluster: [],
    clusterOpen: false,
    clusterArrived: new Uint32Array(MOST_WARPS),
    clusterOwing: new Uint32Array(MOST_WARPS),
    clusterContext: undefined,
    tensor: noTensorAllocation,
  };
  ctaSync.cluster = [ctaSync];
  return ctaSync;
}

/** At the start of a block of `threads`: nobody waits. */
export function clearCtaSync(ctaSync: CtaSync, threads: number): void {
  ctaSync.threads = threads;
  if (ctaSync.openBarriers > 0) ctaSync.barriers.fill(undefined);
  ctaSync.openBarriers = 0;
  ctaSync.clusterOpen = false;
  // Somebody has come to the cluster's barrier since the launch began.
  if (ctaSync.clusterContext !== undefined) {
    ctaSync.clusterArrived.fill(0);
    ctaSync.clusterOwing.fill(0);
  }
  ctaSync.tensor = noTensorAllocation;
}

/** What a snapshot keeps of it. */
export type CtaSyncImage = Pick<
  CtaSync,
  "threads" | "barriers" | "openBarriers" | "clusterOpen" | "clusterArrived" | "clusterOwing" | "tensor"
>;

/** A copy that later arrivals do not change. */
export const saveCtaSync = ({
  threads,
  barriers,
  openBarriers,
  clusterOpen,
  clusterArrived,
  clusterOwing,
  tensor,
}: CtaSyncImage): CtaSyncImage => ({
  ...{ threads, openBarriers, clusterOpen, tensor },
  barriers: barriers.map((barrier) => barrier && { ...barrier, arrived: barrier.arrived.slice() }),
  clusterArrived: clusterArrived.slice(),
  clusterOwing: clusterOwing.slice(),
});

/** Puts a copy back. */
export function restoreCtaSync(ctaSync: CtaSync, image: CtaSyncImage): void {
  const { threads, barriers, openBarriers, clusterOpen, clusterArrived, clusterOwing, tensor } = saveCtaSync(image);
  Object.assign(ctaSync, { threads, openBarriers, clusterOpen, tensor });
  for (const [number, barrier] of barriers.entries()) ctaSync.barriers[number] = barrier;
  ctaSync.clusterArrived.set(clusterArrived);
  ctaSync.clusterOwing.set(clusterOwing);
}

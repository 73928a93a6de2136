import { bitsIn } from "../contract/launch/lane-mask.ts";
import { noTensorAllocation } from "./tensor-allocation.ts";
import type { CtaSync } from "./warp.ts";

/** Warps of a block at most: 1024 threads. */
const MOST_WARPS = 32;

/** Barriers of a block: PTX names 16, vISA 32. */
const MOST_BARRIERS = 32;

/** For a block without warps. */
export function newCtaSync(): CtaSync {
  // One buffer: three take longer to be made than a short block takes to run.
  const words = new Uint32Array(3 * MOST_WARPS);
  const ofWarps = (at: number): Uint32Array => words.subarray(at * MOST_WARPS, (at + 1) * MOST_WARPS);
  const ctaSync: CtaSync = {
    warps: [],
    threads: 0,
    barriers: new Array(MOST_BARRIERS).fill(undefined),
    completeBarriers: new Array(MOST_BARRIERS).fill(undefined),
    openBarriers: 0,
    splitOwing: ofWarps(0),
    cluster: [],
    clusterOpen: false,
    clusterArrived: ofWarps(1),
    clusterOwing: ofWarps(2),
    clusterContext: undefined,
    tensor: noTensorAllocation,
  };
  ctaSync.cluster = [ctaSync];
  return ctaSync;
}

/** At the start of a block of `threads`: no thread waits. */
export function clearCtaSync(ctaSync: CtaSync, threads: number): void {
  ctaSync.threads = threads;
  if (ctaSync.openBarriers > 0) ctaSync.barriers.fill(undefined);
  ctaSync.openBarriers = 0;
  ctaSync.splitOwing.fill(0);
  ctaSync.clusterOpen = false;
  // A thread has arrived at the cluster's barrier since the launch began.
  if (ctaSync.clusterContext !== undefined) {
    ctaSync.clusterArrived.fill(0);
    ctaSync.clusterOwing.fill(0);
  }
  ctaSync.tensor = noTensorAllocation;
}

/** What a snapshot keeps of it. */
export type CtaSyncImage = Pick<
  CtaSync,
  "threads" | "barriers" | "openBarriers" | "splitOwing" | "clusterOpen" | "clusterArrived" | "clusterOwing" | "tensor"
>;

/** A copy that later arrivals do not change. */
export const saveCtaSync = ({
  threads,
  barriers,
  openBarriers,
  splitOwing,
  clusterOpen,
  clusterArrived,
  clusterOwing,
  tensor,
}: CtaSyncImage): CtaSyncImage => ({
  threads,
  openBarriers,
  clusterOpen,
  tensor,
  barriers: barriers.map((barrier) => barrier && { ...barrier, arrived: barrier.arrived.slice() }),
  splitOwing: splitOwing.slice(),
  clusterArrived: clusterArrived.slice(),
  clusterOwing: clusterOwing.slice(),
});

/** Restores a copy. */
export function restoreCtaSync(ctaSync: CtaSync, image: CtaSyncImage): void {
  const { threads, barriers, openBarriers, clusterOpen, tensor, ...ofWarps } = saveCtaSync(image);
  Object.assign(ctaSync, { threads, openBarriers, clusterOpen, tensor });
  for (const [number, barrier] of barriers.entries()) ctaSync.barriers[number] = barrier;
  ctaSync.splitOwing.set(ofWarps.splitOwing);
  ctaSync.clusterArrived.set(ofWarps.clusterArrived);
  ctaSync.clusterOwing.set(ofWarps.clusterOwing);
}

/** Threads of the block that have not exited. */
export function threadsLeft({ warps }: CtaSync): number {
  let threads = 0;
  for (const { live } of warps) threads += bitsIn(live);
  return threads;
}

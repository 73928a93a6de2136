import type { Observer } from "../contract/session.ts";
import type { Warp } from "../machine/warp.ts";
import type { Barrier } from "./barrier.ts";

/** What the warps of one block know of each other: who has arrived where. */
export interface Muster {
  /** All warps of the block, in order. */
  readonly warps: Warp[];
  /** Threads that the block began with. */
  threads: number;
  /** By number: barriers that somebody has arrived at. */
  readonly barriers: (Barrier | undefined)[];
  /** How many of them there are. */
  open: number;
  /** The blocks of the cluster by rank, this one included (PTX ISA 2.2.1.1). */
  team: readonly Muster[];
  /** Whether somebody has arrived at the cluster's barrier since it was last complete. */
  gathering: boolean;
  /** By warp: lanes that have arrived at the cluster's barrier in its current phase, and lanes that owe a wait. */
  readonly arrived: Uint32Array;
  readonly owing: Uint32Array;
  /** Tools that hear when the cluster has met; known from the first arrival on. */
  observers: readonly Observer[];
}

/** Warps of a block at most: 1024 threads. */
const MOST_WARPS = 32;

export function newMuster(): Muster {
  const muster: Muster = {
    warps: [],
    threads: 0,
    barriers: Array.from({ length: 16 }, () => undefined),
    open: 0,
    team: [],
    gathering: false,
    arrived: new Uint32Array(MOST_WARPS),
    owing: new Uint32Array(MOST_WARPS),
    observers: [],
  };
  muster.team = [muster];
  return muster;
}

/** For a block of `threads` that moves in: nobody waits. */
export function clearMuster(muster: Muster, threads: number): void {
  muster.threads = threads;
  muster.barriers.fill(undefined);
  muster.open = 0;
  muster.gathering = false;
  muster.arrived.fill(0);
  muster.owing.fill(0);
}

/** What a snapshot keeps of it. */
export type MusterImage = Pick<Muster, "threads" | "barriers" | "open" | "gathering" | "arrived" | "owing">;

export const saveMuster = ({ threads, barriers, open, gathering, arrived, owing }: MusterImage): MusterImage => ({
  ...{ threads, open, gathering },
  barriers: barriers.map((barrier) => barrier && { ...barrier, arrived: barrier.arrived.slice() }),
  arrived: arrived.slice(),
  owing: owing.slice(),
});

export function restoreMuster(muster: Muster, image: MusterImage): void {
  const { threads, barriers, open, gathering, arrived, owing } = saveMuster(image);
  Object.assign(muster, { threads, open, gathering });
  for (const [number, barrier] of barriers.entries()) muster.barriers[number] = barrier;
  muster.arrived.set(arrived);
  muster.owing.set(owing);
}

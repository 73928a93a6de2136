import { firstLane } from "../contract/launch/lane-mask.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Warp } from "../state/warp.ts";

/** The thread that represents a warp's current group: its lowest lane. */
export const here = (warp: Warp): ThreadId => ({ block: warp.block, warp: warp.index, lane: firstLane(warp.active) });

/** The pc of a live lane: the instruction that it executes next, or waits at. */
export const pcOf = (warp: Warp, lane: number): number =>
  (warp.active >>> lane) & 1
    ? warp.pc
    : ([...warp.waiting, ...warp.parked].find(({ mask }) => (mask >>> lane) & 1)?.pc ?? warp.pc);

/** Whether a lane cannot go on before others arrive. */
export const isParked = ({ parked }: Warp, lane: number): boolean => parked.some(({ mask }) => (mask >>> lane) & 1);

/** The call depth of a thread. */
export const callsOf = (warp: Warp | undefined, thread: ThreadId | undefined): number =>
  (thread && warp?.activations[thread.lane]?.depth) ?? 0;

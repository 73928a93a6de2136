import type { WarpAccess } from "./observer.ts";

/**
 * Plain loads of whole warps that an observer need not be notified of at once: late, but in order, and before it is
 * notified of anything else.
 */
export interface LateLoads {
  /** Changes when what `within` has said may no longer hold. */
  readonly version: number;
  /** Whether loads of a block may be late, until the observer is notified of something else. */
  isOpen(block: number, space: "global" | "shared"): boolean;
  /** The offsets in memory's buffer, around one, at which loads of global memory may be late. */
  within(at: number): readonly [start: number, end: number];
  /** Keeps all of a load but who makes it, and where lane 0 loads; returns a number for it, if others like it may be late. */
  note(access: WarpAccess): number | undefined;
  /** A load like one that was noted. */
  load(noted: number, block: number, warp: number, start: number): void;
  /** So many loads of shared memory are not notified at all: all threads of the block have met behind them. */
  skip(block: number, count: number): void;
}

import type { Dim3 } from "../contract/launch/dim3.ts";
import type { Program } from "../contract/program.ts";
import type { Context } from "./context.ts";
import type { BlockRow } from "./template.ts";
import type { Warp } from "./warp.ts";

/**
 * Executes instructions. Sessions, schedulers and tools know only this interface, so that another executor can replace
 * the one in JavaScript, for a whole launch or for the instructions that it is better at.
 */
export interface Executor {
  /**
   * Binds the program of a launch to its memory and sizes. With `observed` the executor notifies `context.observers`,
   * later ones included, of each memory access and each fence; a session links twice when observers are present.
   */
  link(context: Context, observed?: boolean): LinkedProgram;
  /** Its compiled code for a program, for the same executor in another thread; undefined for none. It can be cloned. */
  made?(program: Program): object | undefined;
  /** Accepts the result of `made` in another thread, before the program is linked. */
  take?(program: Program, made: object): void;
}

/** A program ready to run on the warps of one launch. Between calls it keeps only what it bound. */
export interface LinkedProgram {
  /**
   * Runs the current group of a warp from `warp.pc` on: for at most `budget` warp instructions, and no further than
   * where the group ends, waits for other lanes or warps, or has used up `warp.yieldBudget`. Returns how many it has
   * executed.
   *
   * At each return the complete state is in the warp and in memory, as if instructions had run one by one: a caller
   * that steps passes a budget of 1, and may go on with another executor. `clock` is how many instructions the launch
   * had executed before. Throws a `Fault`: then `warp.pc` is the failed instruction, those before it have run, its
   * lanes below the fault's have completed, and `warp.clock + warp.pc - warp.from` is how many instructions the
   * launch has executed. A warp's registers may lie outside of the memory, in a warp that a tool has made.
   */
  run(warp: Warp, budget: number, clock: number): number;
  /**
   * The same for all warps of the only resident block, scheduled round robin as the scheduler does. Returns
   * how many instructions were executed; 0 where it cannot do that now. It may stop in the middle of a turn.
   */
  turns?(turns: Turns, budget: number, clock: number): number;
  /** Gives back the memory that it has of its own. */
  close?(): void;
  /** Whether the program, linked once more, would run faster: asked before a launch begins anew. */
  isOutdated?(): boolean;
}

/** The round robin of a block's warps. */
export interface Turns {
  readonly warps: readonly Warp[];
  /** Threads that the block began with. */
  readonly threads: number;
  /** The warp whose turn it is; behind the last one at the end of a round. */
  next: number;
  /** Rounds since a warp came to a barrier or to its end. */
  still: number;
  /** The blocks that may take over the slot when all threads have exited; undefined for none. */
  readonly chain?: Chain | undefined;
}

/**
 * Blocks that an executor may begin by itself, one after the other, x running fastest: shared memory is zero and
 * uninitialised, %ctaid is the block's, all threads are at pc 0, and CC.CF is 0. Nothing else differs.
 */
export interface Chain {
  /** How many there are at most. */
  readonly most: number;
  readonly grid: Dim3;
  /** %ctaid of the block that runs. */
  readonly ctaid: Dim3;
  /** Where the components of %ctaid lie behind a warp's base, a word for each lane. */
  readonly rows: readonly BlockRow[];
  /** Notifies observers that a block has ended, and that the next one has begun: `ahead` of them behind the last `begin`. */
  notify(ahead: number): void;
  /** Reports that so many more have begun, of which observers have been notified. */
  begin(count: number): void;
}

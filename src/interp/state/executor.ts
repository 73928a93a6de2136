import type { Dim3 } from "../contract/launch/dim3.ts";
import type { Program } from "../contract/program.ts";
import type { Context } from "./context.ts";
import type { BlockRow } from "./template.ts";
import type { Warp } from "./warp.ts";

/**
 * What executes instructions. Sessions, schedulers and tools know this interface alone, so that another executor can take
 * the place of the one in JavaScript, for a whole launch or for the instructions that it is better at.
 */
export interface Executor {
  /**
   * Binds the program of a launch to its memory and sizes. With `observed` each access to memory and each fence is told
   * to `context.observers`, those that come later included; a session links twice when somebody wants to hear of them.
   */
  link(context: Context, observed?: boolean): LinkedProgram;
  /** What it has made of a program so far, for the same executor in another thread; undefined for nothing. It can be cloned. */
  made?(program: Program): object | undefined;
  /** Takes what `made` has given in another thread, before the program is linked. */
  take?(program: Program, made: object): void;
}

/** A program that is ready to run on the warps of one launch. It keeps nothing between two calls but what it bound. */
export interface LinkedProgram {
  /**
   * Runs the current group of a warp from `warp.pc` on: for at most `budget` warp instructions, and no further than where
   * the group has ended, waits for other lanes or warps, or has used up `warp.yieldBudget`. Gives how many it has executed.
   *
   * At each return all state stands in the warp and in memory, as if instructions had run one by one: whoever steps asks
   * with a budget of 1, and may go on with another executor. `clock` is how many instructions the launch had executed
   * before. Throws a `Fault`: then `warp.pc` is the instruction that failed, those before it have run, of its lanes those
   * below the fault's have completed, and `warp.clock + warp.pc - warp.from` is how many instructions the launch has
   * executed. A warp's registers may lie outside of the memory, where a tool has made it.
   */
  run(warp: Warp, budget: number, clock: number): number;
  /**
   * The same for all warps of a block that is the only one resident: they take turns as the scheduler lets them. Gives how
   * many instructions were executed; 0 where it does not do that now. It may stop in the middle of a turn.
   */
  turns?(turns: Turns, budget: number, clock: number): number;
}

/** Whose turn it is among the warps of a block. */
export interface Turns {
  readonly warps: readonly Warp[];
  /** Threads that the block began with. */
  readonly threads: number;
  /** The warp whose turn it is; behind the last one at the end of a round. */
  next: number;
  /** Rounds since a warp came to a barrier or to its end. */
  still: number;
  /** The blocks that may take the block's place when all of its threads have exited; undefined for none. */
  readonly chain?: Chain | undefined;
}

/**
 * Blocks that an executor may begin by itself, one behind the other, x running fastest: shared memory is zero and
 * uninitialised, %ctaid tells which one it is, all threads stand at pc 0, and CC.CF is 0. Nothing else is different.
 */
export interface Chain {
  /** How many there are at most. */
  readonly most: number;
  readonly grid: Dim3;
  /** %ctaid of the block that runs. */
  readonly ctaid: Dim3;
  /** Where a part of %ctaid lies behind a warp's base, a word for each lane. */
  readonly rows: readonly BlockRow[];
  /** Tells that so many more have begun, and that those before the last of them have ended. */
  begin(count: number): void;
}

import type { Diagnostic } from "../../source/diagnostic.ts";
import type { MachineView } from "../tools/machine-view.ts";
import type { MemoryOrder, MemoryScope, Space } from "./plan.ts";
import type { Operand, Program } from "./program.ts";

/** Where in the launch: small integers, so that a thread is cheap to name and to compare. */
export interface ThreadId {
  /** Linear index of the block in the grid. */
  readonly block: number;
  /** Index of the warp in the block. */
  readonly warp: number;
  readonly lane: number;
}

/** Why control came back: one union for exit codes, the REPL's prompt and a debug adapter's `stopped`. */
export type Stop =
  | { readonly reason: "step" | "budget" | "pause"; readonly at: ThreadId; readonly pc: number }
  | { readonly reason: "breakpoint" | "watchpoint"; readonly at: ThreadId; readonly pc: number; readonly id: number }
  /** A fault of the program (exit 4), a sanitizer finding that ends it (7), a gap (5) or a limit (6): see `diagnostic.code`. */
  | { readonly reason: "trap"; readonly at: ThreadId; readonly pc: number; readonly diagnostic: Diagnostic }
  | { readonly reason: "exit" };

export interface RunOptions {
  /** Warp instructions at most. */
  readonly budget?: number;
  /** One instruction; with `over` a call is one; with `out` until the function returns, the kernel's end included. */
  readonly stepping?: "into" | "over" | "out";
  readonly thread?: ThreadId;
  /**
   * Asked before each instruction, with the lanes of the group that is about to execute it: true stops there, with
   * reason `pause`. It may look at everything and change nothing.
   */
  readonly before?: Before;
}

export type Before = (block: number, warp: number, pc: number, active: number) => boolean;

/** What a tool may hear. The loop without observers has no call for them in it. */
export interface Observer {
  /** Before the instruction at `pc` runs for the lanes in `active`, of which `taken` pass its guard. */
  instruction?(block: number, warp: number, pc: number, active: number, taken: number): void;
  /** After it has run for them. Lanes that wait for others have not got its results yet. None follows a fault. */
  after?(block: number, warp: number, pc: number, active: number, taken: number): void;
  /** `where`: the offset in the memory's buffer, which tells places apart whatever they are called. */
  load?(
    at: ThreadId, space: Space, address: bigint, bytes: number, sem: MemoryOrder, scope: MemoryScope, where: number,
  ): void; // biome-ignore format: as the others
  /** `value`: what the lane stores, the first element lowest. */
  store?(
    at: ThreadId, space: Space, address: bigint, bytes: number, sem: MemoryOrder, scope: MemoryScope, where: number,
    value: bigint,
  ): void; // biome-ignore format: as the others
  atomic?(
    at: ThreadId, space: Space, address: bigint, bytes: number, sem: MemoryOrder, scope: MemoryScope, where: number,
  ): void; // biome-ignore format: as the others
  /** A barrier is complete; `threads` are the lanes that have arrived, by warp; `whole` when it was for all of the block. */
  barrier?(block: number, id: number, threads: Uint32Array, whole: boolean): void;
  /** All threads of these blocks, a cluster's, have met at its barrier. */
  cluster?(blocks: readonly number[]): void;
  /** These lanes of a warp have met at an instruction among lanes. */
  warpSync?(block: number, warp: number, lanes: number): void;
  fence?(block: number, warp: number, lanes: number, scope: MemoryScope): void;
  /** A block begins, or had begun when the observer came; it ends. */
  begin?(block: number): void;
  end?(block: number): void;
  /** The session was put back to a snapshot. */
  rewound?(): void;
}

/** A register as a person knows it. Made on demand from the program's register list; a step never sees it. */
export interface RegisterView {
  readonly name: string;
  readonly type: string;
  readonly width: number;
  /** One element a vector component; a scalar has one. */
  readonly bits: readonly bigint[];
  /** False while nothing has been written to it, neither by the program nor by the host. */
  readonly written: boolean;
}

/** One warp of a block that runs, or has ended and whose slot no other block has taken yet. */
export interface WarpView {
  readonly block: number;
  readonly warp: number;
  /** Lanes that the block's threads fill, and those of them that have not exited. */
  readonly threads: number;
  readonly live: number;
  /** True for the warp whose turn it is. */
  readonly current: boolean;
  /** Live lanes by where they stand: first those that run, then others in the order in which they will. */
  readonly groups: readonly GroupView[];
}

/** Lanes of a warp that stand at one place. */
export interface GroupView {
  readonly mask: number;
  /** What they are about to execute, or wait at. */
  readonly pc: number;
  /** How many calls deep. */
  readonly depth: number;
  /** `running`: they go first in the warp's turn; `ready`: behind other groups; else they wait for others. */
  readonly state: "running" | "ready" | "barrier" | "cluster" | "lanes";
  /** The barrier's number, or the lanes that an instruction among lanes waits for. */
  readonly barrier?: number;
  readonly members?: number;
}

/** A barrier of a block that somebody has arrived at. */
export interface BarrierView {
  readonly block: number;
  readonly number: number;
  /** Threads that it waits for. */
  readonly threads: number;
  /** By warp: lanes that have arrived. */
  readonly arrived: readonly number[];
  readonly reduction: "popc" | "and" | "or" | undefined;
}

/** One call that a thread is in. */
export interface CallView {
  /** Index into `Program.functions`. */
  readonly callee: number;
  /** The call instruction. */
  readonly from: number;
}

/** One launch under control: synchronous, serialisable, free of terminals. Every front end wraps this. */
export interface Session {
  readonly program: Program;
  run(options?: RunOptions): Stop;
  /** Findings that did not end the run, and notes; grows while it runs. */
  readonly findings: readonly Diagnostic[];
  /** Stops before the instruction at `pc`; gives an id for `clear`. */
  breakAt(pc: number): number;
  clear(id: number): void;
  observe(observer: Observer): void;
  /** The observer hears no more. */
  forget(observer: Observer): void;
  /** Where everybody stands. */
  readonly machine: MachineView;
  /** Warp instructions executed so far. */
  readonly steps: number;
  /** Registers of a thread, also after it has ended: the kernel's, or those of a function by its index. */
  registers(thread: ThreadId, callee?: number): readonly RegisterView[];
  /**
   * What an operand of the program holds now for a thread that runs: its bits, an element each for a vector; for an
   * address the sum, cut to 32 bits where its base has no more; nothing for a target or a sink.
   */
  operand(thread: ThreadId, operand: Operand): readonly bigint[];
  /** CC.CF of a thread. */
  carry(thread: ThreadId): 0 | 1;
  writeRegister(thread: ThreadId, name: string, bits: readonly bigint[], callee?: number): void;
  writeCarry(thread: ThreadId, value: 0 | 1): void;
  /** A special register that is fixed for a thread's life, by its name without the percent sign (`tid.x`). */
  special(name: string, thread: ThreadId): number | undefined;
  /**
   * Executes another program's instructions for one thread that runs, on its memory and on the registers that both
   * programs call the same, those of a function by its index; gives the fault that ended it. See `executeInjected`.
   */
  inject(program: Program, thread: ThreadId, callee?: number): Diagnostic | undefined;
  read(space: Space, address: bigint, bytes: number, thread?: ThreadId): Uint8Array;
  write(space: Space, address: bigint, bytes: Uint8Array, thread?: ThreadId): void;
  /**
   * Both throw an Error when the session was closed: its memory may be somebody else's by now. A snapshot shares with
   * `before` what has not changed. What device printf has printed is not printed again after `restore`, until something
   * is written and the launch takes another course; a race that was found stays found.
   */
  snapshot(before?: Snapshot): Snapshot;
  restore(snapshot: Snapshot): void;
  /**
   * Gives the launch's own memory back: shared and local memory and the parameters cannot be read any more. Registers
   * and carry flags stay readable, of all threads whose registers fit in 64 MiB and of the block that ran last. A
   * second call does nothing. A launch that had not ended cannot go on: `run` throws an Error.
   */
  close(): void;
}

/** All of a launch's state at one moment, opaque. */
export interface Snapshot {
  readonly brand: "snapshot";
  readonly steps: number;
  /** The memory that it is made of, which it may share with other snapshots. */
  pages(): Iterable<{ readonly byteLength: number }>;
}

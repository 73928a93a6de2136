import type { Diagnostic } from "../../source/diagnostic.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Observer } from "../contract/observer.ts";
import type { Operand } from "../contract/operand.ts";
import type { Program } from "../contract/program.ts";
import type { HostSpace } from "../contract/space.ts";
import type { Stop } from "../contract/stop.ts";
import type { RegisterView } from "../contract/views.ts";
import type { Part } from "../schedule/schedule.ts";
import type { LaunchState } from "./launch.ts";

/** One launch under control: synchronous, serialisable, free of terminals. Every front end wraps this. */
export interface Session {
  readonly program: Program;
  run(options?: RunOptions): Stop;
  /** Findings that did not end the run, and notes; grows while it runs. */
  readonly findings: readonly Diagnostic[];
  /** Stops before the instruction at `pc`; gives an id for `clear`. */
  breakAt(pc: number): number;
  clear(id: number): void;
  /** From now on the observer hears of what happens. */
  observe(observer: Observer): void;
  /** The observer hears no more. */
  forget(observer: Observer): void;
  /** Keeps a tool's finding, one an instruction. */
  report(finding: Diagnostic): void;
  /**
   * All that the launch consists of, for tools that look at it; undefined when memory did not suffice to begin.
   * @internal
   */
  readonly state: LaunchState | undefined;
  /**
   * When no block runs and none is to begin for now (`Scheduler.hold`): goes on with `blocks`, as if those before them had
   * run here, in `steps` instructions.
   * @internal
   */
  skip(blocks: Part, steps: number): void;
  /**
   * Places of which something has been found, and others of which nothing is to be reported any more.
   * @internal
   */
  readonly seen: Iterable<number>;
  /** @internal */
  overlook(places: Iterable<number>): void;
  /**
   * True when somebody listens to it or has set a breakpoint.
   * @internal
   */
  readonly isWatched: boolean;
  /** Warp instructions executed so far. */
  readonly steps: number;
  /**
   * Registers of a thread, also after it has ended: the kernel's, or those of a function by its index. None where the
   * launch was told that nobody would ask for them.
   */
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
  /** Where a variable of the module lies for a SIMD thread that has variables of its own; undefined where all have the same. */
  variable(name: string, thread: ThreadId): bigint | undefined;
  read(space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): Uint8Array;
  write(space: HostSpace, address: bigint, bytes: Uint8Array, thread?: ThreadId): void;
  /**
   * Writes something again that was written here before: the launch takes the course that it took then, so what device
   * printf has printed behind it is not printed again.
   */
  repeat(change: () => void): void;
  /**
   * Both throw an Error when the session was closed: its memory may be somebody else's by now. A snapshot shares with
   * `before` what has not changed. What device printf has printed is not printed again after `restore`, until something
   * is written and the launch takes another course; observers that listened then and now know what they knew then.
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

/** How far a run goes. Without options it goes to the next breakpoint or to the end. */
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

/** Asked before each instruction of a run; `active` is a mask of lanes. */
export type Before = (block: number, warp: number, pc: number, active: number) => boolean;

/** All of a launch's state at one moment, opaque. */
export interface Snapshot {
  readonly brand: "snapshot";
  readonly steps: number;
  /** The memory that it is made of, which it may share with other snapshots. */
  pages(): Iterable<{ readonly byteLength: number }>;
}

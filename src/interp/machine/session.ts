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

/** A controllable launch: synchronous, serialisable, independent of terminals. Every front end wraps this. */
export interface Session {
  readonly program: Program;
  run(options?: RunOptions): Stop;
  /** Findings that did not end the run, and notes; grows while it runs. */
  readonly findings: readonly Diagnostic[];
  /** Sets a breakpoint at `pc`; returns an id for `clear`. */
  breakAt(pc: number): number;
  clear(id: number): void;
  /** Adds an observer. */
  observe(observer: Observer): void;
  /** Removes an observer. */
  forget(observer: Observer): void;
  /** Keeps a tool's finding, one an instruction; where it says more than an earlier one, `instead` of that. False where it is not kept. */
  report(finding: Diagnostic, instead?: Diagnostic): boolean;
  /**
   * The complete state of the launch, for tools; undefined when memory did not suffice to begin.
   * @internal
   */
  readonly state: LaunchState | undefined;
  /**
   * After it has ended by `exit` and was closed: begins the launch once more, with other parameters, as if it were a new session.
   * False where a new one has to be made.
   * @internal
   */
  again(parameters: Uint8Array): boolean;
  /**
   * When no block runs and the others are held back (`Scheduler.hold`): continues with `blocks`, as if those before
   * them had run here, in `steps` instructions.
   * @internal
   */
  skip(blocks: Part, steps: number): void;
  /**
   * Places that have findings or whose findings are suppressed.
   * @internal
   */
  readonly seen: Iterable<number>;
  /** @internal */
  overlook(places: Iterable<number>): void;
  /**
   * True when it has an observer or a breakpoint.
   * @internal
   */
  readonly isWatched: boolean;
  /** Warp instructions executed so far. */
  readonly steps: number;
  /**
   * Registers of a thread, also after it has ended: the kernel's, or those of a function by its index. None where the
   * launch does not keep them readable.
   */
  registers(thread: ThreadId, callee?: number): readonly RegisterView[];
  /**
   * The present value of an operand for a thread that runs: its bits, an element each for a vector; for an
   * address the sum, cut to 32 bits where its base has no more; nothing for a target or a sink.
   */
  operand(thread: ThreadId, operand: Operand): readonly bigint[];
  /** CC.CF of a thread. */
  carry(thread: ThreadId): 0 | 1;
  writeRegister(thread: ThreadId, name: string, bits: readonly bigint[], callee?: number): void;
  writeCarry(thread: ThreadId, value: 0 | 1): void;
  /** A special register that is fixed for a thread's life, by its name without the percent sign (`tid.x`). */
  special(name: string, thread: ThreadId): number | undefined;
  /** The address of a module's variable for a SIMD thread with private variables; undefined where all share one. */
  variable(name: string, thread: ThreadId): bigint | undefined;
  read(space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): Uint8Array;
  write(space: HostSpace, address: bigint, bytes: Uint8Array, thread?: ThreadId): void;
  /**
   * Repeats an earlier write at this point: the launch follows the same trace as then, so the output of
   * device printf behind it is not printed again.
   */
  repeat(change: () => void): void;
  /**
   * Both throw an Error when the session was closed: its memory may be in other use by now. A snapshot shares unchanged
   * pages with `before`. After `restore` the output of device printf is not printed again, until a
   * write makes the launch take another trace; observers present both then and now get their state back.
   */
  snapshot(before?: Snapshot): Snapshot;
  restore(snapshot: Snapshot): void;
  /**
   * Frees the launch's memory: shared and local memory and the parameters cannot be read any more. Registers
   * and carry flags stay readable, of all threads whose registers fit in 64 MiB and of the block that ran last. A
   * second call does nothing. A launch that had not ended cannot go on: `run` throws an Error.
   */
  close(): void;
}

/** Limits of a run. Without options it goes to the next breakpoint or to the end. */
export interface RunOptions {
  /** Warp instructions at most. */
  readonly budget?: number;
  /** One instruction; with `over` a call is one; with `out` until the function returns, the kernel's end included. */
  readonly stepping?: "into" | "over" | "out";
  readonly thread?: ThreadId;
  /**
   * Called before each instruction, with the lanes of the group that is about to execute it: true stops there, with
   * reason `pause`. It may read everything and change nothing.
   */
  readonly before?: Before;
}

/** Called before each instruction of a run; `active` is a mask of lanes. */
export type Before = (block: number, warp: number, pc: number, active: number) => boolean;

/** The complete state of a launch at one moment, opaque. */
export interface Snapshot {
  readonly brand: "snapshot";
  readonly steps: number;
  /** Its pages of memory, which it may share with other snapshots. */
  pages(): Iterable<{ readonly byteLength: number }>;
}

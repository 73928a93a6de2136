import type { Space } from "../interp/plan.ts";
import type { Instruction } from "../interp/program.ts";
import type { BarrierView, RegisterView, Session, ThreadId, WarpView } from "../interp/session.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";

/** What can be caught besides breakpoints and watchpoints. */
export type Event = "fault" | "nan" | "divergence" | "barrier";

/** Why the debugger stands where it stands. */
export type DebugStop = {
  /** Warp instructions executed so far. */
  readonly step: number;
  /** Who made it stop, and the instruction that this thread is about to execute. */
  readonly thread: ThreadId;
  readonly pc: number;
} & (
  | /** Nothing has run yet, or going back has come to the beginning. */ { readonly reason: "start" }
  /** A step, `finish`, `until`, `goTo` or a write has come to its end. */
  | { readonly reason: "step" }
  | { readonly reason: "interrupt" }
  | { readonly reason: "breakpoint"; readonly id: number }
  /** The value has changed from `old` to `new`, seen in the direction of travel; `writer` is the instruction that did it. */
  | {
      readonly reason: "watchpoint";
      readonly id: number;
      readonly old: bigint | undefined;
      readonly new: bigint | undefined;
      readonly writer: number;
    }
  /** For `nan` and `divergence` the thread and `cause` say whose instruction did it; a barrier is about to be executed. */
  | { readonly reason: "catch"; readonly id: number; readonly event: Event; readonly cause: number }
  /** A fault, a finding that ends the run, a gap or a limit; `id` when it was caught. */
  | { readonly reason: "trap"; readonly diagnostic: Diagnostic; readonly id?: number }
  | { readonly reason: "exit" }
);

/** Asked every few milliseconds: true ends the travel, and the debugger stands where it has come to. */
export interface Travel {
  readonly interrupt?: () => boolean;
}

/** Whether a thread that is about to execute the instruction is meant. */
export type Condition = (debugger_: Debugger, thread: ThreadId) => boolean;

export interface BreakOptions {
  /** Deleted when it is hit. */
  readonly temporary?: boolean;
  readonly condition?: Condition;
  /** Hits that pass before it stops. */
  readonly ignore?: number;
}

/** A breakpoint, a watchpoint or a catchpoint; their numbers are one sequence. */
export interface Point {
  readonly id: number;
  readonly kind: "break" | "watch" | "catch";
  readonly enabled: boolean;
  readonly temporary: boolean;
  /** How often it held while the run went forward, ignored hits included. */
  readonly hits: number;
  /** Hits that are still to be ignored. */
  readonly ignore: number;
  readonly conditional: boolean;
  /** Of a breakpoint. */
  readonly pc?: number;
  /** Of a watchpoint: its value where the run stopped last. */
  readonly value?: bigint | undefined;
  /** Of a catchpoint. */
  readonly event?: Event;
}

/** Something that is written: a register of a thread, CC.CF of a thread, or bytes of memory. */
export type Target =
  | { readonly kind: "register"; readonly thread: ThreadId; readonly name: string }
  | { readonly kind: "carry"; readonly thread: ThreadId }
  | {
      readonly kind: "memory";
      readonly space: Space;
      readonly address: bigint;
      readonly bytes: number;
      /** Whose memory, for spaces that a block or a thread has to itself. */
      readonly thread?: ThreadId;
    };

/** The instruction that wrote a target: `step` is the position just before it ran. */
export interface Write {
  readonly step: number;
  readonly thread: ThreadId;
  readonly pc: number;
  /** The value as one number, first element or byte lowest; undefined where it could not be read. */
  readonly old: bigint | undefined;
  readonly new: bigint | undefined;
}

/** One function of a call stack. */
export interface Frame {
  /** The kernel's name for the outermost. */
  readonly name: string;
  /** The instruction that it is at: of all but the innermost the call. */
  readonly pc: number;
  readonly instruction: Instruction | undefined;
  /** The line that was compiled to it, where `.loc` gives one. */
  readonly location: Instruction["location"];
}

/** A register, and whether it differs from where the debugger stood before its last travel. */
export interface ChangedRegister extends RegisterView {
  readonly changed: boolean;
}

/**
 * A launch that can be run forward and backward, with breakpoints, watchpoints and a look at everything. It knows no
 * terminal: commands, prompts and a debug adapter are made of it.
 *
 * A position is a number of executed warp instructions. The machine is deterministic, so any position that was reached
 * once can be gone to again; what device printf has printed is not printed again on the way.
 */
export class Debugger {
  /** Starts a launch and stands before its first instruction; `start` is called again by `restart`. */
  static begin(options: {
    readonly start: () => Staged<Session | undefined>;
    /** Bytes that may be kept for going back; 256 MB unless told. */
    readonly history?: number;
  }): Staged<Debugger | undefined> {
    throw new Error(`not yet: ${options.history}`);
  }

  get session(): Session {
    throw new Error("not yet");
  }
  /** Warp instructions executed up to here. */
  get position(): number {
    throw new Error("not yet");
  }
  /** The furthest position that was reached on this course. */
  get furthest(): number {
    throw new Error("not yet");
  }
  get stop(): DebugStop {
    throw new Error("not yet");
  }
  /** The thread whose registers are shown and that `step` steps; a stop moves it to the thread that stopped. */
  get focus(): ThreadId {
    throw new Error("not yet");
  }
  /** Throws a RangeError when the launch has no such thread. */
  set focus(thread: ThreadId) {
    throw new Error(`not yet ${thread.lane}`);
  }

  /** `n` instructions of the focused thread; a barrier is two, arriving and going on. */
  step(n?: number, travel?: Travel): DebugStop {
    throw new Error(`not yet ${n} ${travel}`);
  }
  /** The same, with calls as one instruction. */
  next(n?: number, travel?: Travel): DebugStop {
    throw new Error(`not yet ${n} ${travel}`);
  }
  /** Until the focused thread has left its function; from the kernel itself, until it exits. */
  finish(travel?: Travel): DebugStop {
    throw new Error(`not yet ${travel}`);
  }
  continue(travel?: Travel): DebugStop {
    throw new Error(`not yet ${travel}`);
  }
  /** Until the focused thread is about to execute the instruction at `pc`. */
  until(pc: number, travel?: Travel): DebugStop {
    throw new Error(`not yet ${pc} ${travel}`);
  }
  /** Begins a new launch and stands before its first instruction; points are kept. With an error nothing changes. */
  restart(): readonly Diagnostic[] {
    throw new Error("not yet");
  }
  /** `restart`, then `continue`. */
  run(travel?: Travel): DebugStop {
    throw new Error(`not yet ${travel}`);
  }

  /** Back to before the focused thread's last instruction, `n` times. */
  stepBack(n?: number, travel?: Travel): DebugStop {
    throw new Error(`not yet ${n} ${travel}`);
  }
  /** The same, with calls that have returned as one instruction. */
  nextBack(n?: number, travel?: Travel): DebugStop {
    throw new Error(`not yet ${n} ${travel}`);
  }
  /** Back to the call of the focused thread's function; in the kernel itself to the beginning. */
  finishBack(travel?: Travel): DebugStop {
    throw new Error(`not yet ${travel}`);
  }
  /** Back to the last position where a point holds, or to the beginning. Ignore counts do not matter, hits are not counted. */
  continueBack(travel?: Travel): DebugStop {
    throw new Error(`not yet ${travel}`);
  }
  /** To a position, forward or back; points do not stop it. Beyond the end of the launch it stands at the end. */
  goTo(step: number, travel?: Travel): DebugStop {
    throw new Error(`not yet ${step} ${travel}`);
  }
  /** Who wrote the target last before a position, this one unless told; undefined when nobody has since the start. The debugger stays where it is. */
  lastWrite(target: Target, before?: number, travel?: Travel): Write | undefined {
    throw new Error(`not yet ${target.kind} ${before} ${travel}`);
  }

  /** Stops before the instruction at `pc`, once for all lanes that are about to execute it together. Throws a RangeError for no instruction. */
  breakAt(pc: number, options?: BreakOptions): number {
    throw new Error(`not yet ${pc} ${options}`);
  }
  /** Stops when the value that `read` gives has changed; `read` is called after every instruction, see `reader`. */
  watch(
    read: () => bigint | undefined,
    options?: Omit<BreakOptions, "condition"> & { readonly condition?: () => boolean },
  ): number {
    throw new Error(`not yet ${read} ${options}`);
  }
  catch(event: Event, options?: Omit<BreakOptions, "condition">): number {
    throw new Error(`not yet ${event} ${options}`);
  }
  /** By number; false when there is no such point. */
  enable(id: number): boolean {
    throw new Error(`not yet ${id}`);
  }
  disable(id: number): boolean {
    throw new Error(`not yet ${id}`);
  }
  delete(id: number): boolean {
    throw new Error(`not yet ${id}`);
  }
  ignore(id: number, hits: number): boolean {
    throw new Error(`not yet ${id} ${hits}`);
  }
  get points(): readonly Point[] {
    throw new Error("not yet");
  }

  /** Warps of the blocks that run now, with where their lanes stand. */
  warps(): readonly WarpView[] {
    throw new Error("not yet");
  }
  /** Barriers that somebody has arrived at. */
  barriers(): readonly BarrierView[] {
    throw new Error("not yet");
  }
  /** Registers of a thread, the focused one unless told; also of one that has ended. */
  registers(thread?: ThreadId): readonly ChangedRegister[] {
    throw new Error(`not yet ${thread}`);
  }
  carry(thread?: ThreadId): 0 | 1 {
    throw new Error(`not yet ${thread}`);
  }
  /** The instruction that a thread is about to execute, or waits at; undefined when it has exited or not begun. */
  pcOf(thread?: ThreadId): number | undefined {
    throw new Error(`not yet ${thread}`);
  }
  /** The functions that a thread is in, innermost first; none when it does not run. */
  where(thread?: ThreadId): readonly Frame[] {
    throw new Error(`not yet ${thread}`);
  }
  /** A fast way to read a target again and again, as `watch` wants it; undefined while it cannot be read. */
  reader(target: Target): () => bigint | undefined {
    throw new Error(`not yet ${target.kind}`);
  }
  /** Bytes of memory; throws a RangeError as `Session.read` does. */
  read(space: Space, address: bigint, bytes: number, thread?: ThreadId): Uint8Array {
    throw new Error(`not yet ${space} ${address} ${bytes} ${thread}`);
  }
  /** Writes change the course from here on: positions behind this one are forgotten, those before it stay. */
  write(space: Space, address: bigint, bytes: Uint8Array, thread?: ThreadId): void {
    throw new Error(`not yet ${space} ${address} ${bytes} ${thread}`);
  }
  writeRegister(name: string, bits: readonly bigint[], thread?: ThreadId): void {
    throw new Error(`not yet ${name} ${bits} ${thread}`);
  }
  writeCarry(value: 0 | 1, thread?: ThreadId): void {
    throw new Error(`not yet ${value} ${thread}`);
  }
}

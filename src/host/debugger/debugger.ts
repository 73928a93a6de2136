import type { ThreadId } from "../../interp/contract/launch/thread-id.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { HostSpace } from "../../interp/contract/space.ts";
import type { BarrierView, RegisterView, TensorMemoryView, WarpView } from "../../interp/contract/views.ts";
import type { Session } from "../../interp/machine/session.ts";
import type { Edit, MadeEdit } from "../../interp/tools/edit.ts";
import type { History } from "../../interp/tools/history.ts";
import { MachineView } from "../../interp/tools/machine-view.ts";
import { type Sliced, whole } from "../../interp/tools/sliced.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import { checkGiven, checkOptions, type Kind } from "../../source/given.ts";
import type { Accesses } from "./access.ts";
import { ExecutionControl } from "./execution-control.ts";
import { type Frame, framesOf } from "./frames.ts";
import { lastWrite } from "./last-write.ts";
import { Moves } from "./moves.ts";
import { type Point, Points } from "./points.ts";
import type { DebugStop, Event, Travel, Write, WriteTarget } from "./stop.ts";
import { readerOf, registerOf, type Scope } from "./target.ts";

export type { Edit, MadeEdit } from "../../interp/tools/edit.ts";
export type { Frame } from "./frames.ts";
export type { Point } from "./points.ts";
export type { DebugStop, Event, Move as Motion, Travel, Write, WriteTarget } from "./stop.ts";

/** Whether the breakpoint applies to a thread that is about to execute the instruction. */
export type Condition = (debugger_: Debugger, thread: ThreadId) => boolean;

export interface PointOptions {
  /** Deleted when it is hit. */
  readonly temporary?: boolean;
  /** Hits that are ignored before it stops. */
  readonly ignore?: number;
}

const pointOptions: Readonly<Record<keyof PointOptions, Kind>> = { temporary: "truth", ignore: "number" };
const breakOptions = { ...pointOptions, condition: "call" } as const;

export interface BreakOptions extends PointOptions {
  readonly condition?: Condition;
}

export interface WatchOptions extends PointOptions {
  /** Called when the value has changed. */
  readonly condition?: () => boolean;
  /** The watched target, if it is a single one: the stop then names the exact thread that wrote it. */
  readonly target?: WriteTarget;
}

/** A register, and whether the debugger's last move has changed it. */
export interface ChangedRegister extends RegisterView {
  readonly changed: boolean;
}

/**
 * A launch that can be run forward and backward, with breakpoints, watchpoints and access to all state. It uses no
 * terminal: a REPL or a debug adapter can be built on it.
 *
 * A position is a number of executed warp instructions, and has one state: what the instructions before it have done,
 * and then the changes that were made there by hand. The machine is deterministic, so it can return to any position
 * that it has reached; what device printf has printed is not printed again on the way. A fault stops before the
 * instruction that failed, of which nothing is done then.
 */
export class Debugger {
  /** Starts a launch and stops before its first instruction; `start` is called again by `restart`. */
  static begin(options: {
    readonly start: () => Staged<Session | undefined>;
    /** Bytes that may be used for going back; 256 MB by default. */
    readonly history?: number;
  }): Staged<Debugger | undefined> {
    checkOptions("Debugger.begin", options, { start: "call", history: "number" }, ["start"]);
    const { value, diagnostics } = begun(options.start());
    if (value === undefined) return { value, diagnostics };
    return { value: new Debugger(value, options.start, options.history), diagnostics };
  }

  readonly #start: () => Staged<Session | undefined>;
  readonly #budget: number | undefined;
  readonly #points: Points = new Points();
  #course: ExecutionControl;

  private constructor(session: Session, start: () => Staged<Session | undefined>, budget: number | undefined) {
    this.#start = start;
    this.#budget = budget;
    this.#course = new ExecutionControl(session, this.#points, budget);
  }

  get session(): Session {
    return this.#course.session;
  }

  /** The machine at the current position. */
  get machine(): MachineView {
    return new MachineView(this.session);
  }

  /** Warp instructions executed up to here. */
  get position(): number {
    return this.session.steps;
  }

  /** The furthest position reached in this run. */
  get furthest(): number {
    return this.#course.history.furthest;
  }

  /** Bytes used for going back. */
  get historyBytes(): number {
    return this.#course.history.bytes;
  }

  /** The position and the reason of the last stop. */
  get stop(): DebugStop {
    return this.#course.stop;
  }

  /** The thread whose registers are shown and that `step` steps; a stop changes it to the thread that stopped. */
  get focus(): ThreadId {
    return this.#course.focus;
  }

  /** Throws a RangeError when the thread has not begun or is no longer kept. */
  set focus(thread: ThreadId) {
    this.#course.focus = thread;
  }

  /** The moves below, to be executed incrementally. */
  get motions(): Moves {
    return new Moves(this.#course);
  }

  /** `n` instructions of the focused thread; a barrier is two, arriving and continuing. */
  step(n: number = 1, travel: Travel = {}): DebugStop {
    return whole(this.motions.step(n), travel.interrupt);
  }

  /** The same, counting a call as one instruction. */
  next(n: number = 1, travel: Travel = {}): DebugStop {
    return whole(this.motions.next(n), travel.interrupt);
  }

  /**
   * Until the focused thread is at another line of the program that this was compiled from, `n` times; with `over` not
   * inside calls. Instructions of no line belong to the line before them.
   */
  stepLine(n: number = 1, over: boolean = false, travel: Travel = {}): DebugStop {
    return whole(this.motions.stepLine(n, over), travel.interrupt);
  }

  /** Until the focused thread has left its function; from the kernel itself, until it exits. */
  finish(travel: Travel = {}): DebugStop {
    return whole(this.motions.finish(), travel.interrupt);
  }

  continue(travel: Travel = {}): DebugStop {
    return whole(this.motions.continue(), travel.interrupt);
  }

  /** Until the focused thread is about to execute the instruction at `pc`. */
  until(pc: number, travel: Travel = {}): DebugStop {
    return whole(this.motions.until(pc), travel.interrupt);
  }

  /**
   * Begins a new launch and stops before its first instruction; points are kept. After an error nothing has changed.
   */
  restart(): readonly Diagnostic[] {
    const { value, diagnostics } = begun(this.#start());
    if (value === undefined) return diagnostics;
    this.session.close();
    this.#course = new ExecutionControl(value, this.#points, this.#budget);
    return diagnostics;
  }

  /** `restart`, then `continue`. */
  run(travel: Travel = {}): DebugStop {
    this.restart();
    return this.continue(travel);
  }

  /** Back to before the focused thread's last instruction, `n` times. Points do not stop it. */
  stepBack(n: number = 1, travel: Travel = {}): DebugStop {
    return whole(this.motions.stepBack(n), travel.interrupt);
  }

  /** The same, with calls that have returned as one instruction. */
  nextBack(n: number = 1, travel: Travel = {}): DebugStop {
    return whole(this.motions.nextBack(n), travel.interrupt);
  }

  /** Back to the call of the focused thread's function; in the kernel itself to the beginning. */
  finishBack(travel: Travel = {}): DebugStop {
    return whole(this.motions.finishBack(), travel.interrupt);
  }

  /** Back to the last position where a point holds, or to the beginning. Ignore counts do not matter, hits are not counted. */
  continueBack(travel: Travel = {}): DebugStop {
    return whole(this.motions.continueBack(), travel.interrupt);
  }

  /** Goes to a position, forward or back; points do not stop it. It stops at the end of the launch. */
  goTo(step: number, travel: Travel = {}): DebugStop {
    return whole(this.motions.goTo(step), travel.interrupt);
  }

  /**
   * The last write of a target before a position, the current one by default, by the program or by hand; undefined when
   * there is none since the start, and when it was interrupted. The debugger does not move.
   */
  lastWrite(target: WriteTarget, before: number = this.position, travel: Travel = {}): Write | undefined {
    return lastWrite(this.session, this.#course.history, target, before, travel);
  }

  /** Looks through the run's past, which moves the session; the debugger does not move. */
  aside<T>(look: (session: Session, history: History) => Sliced<T>, { interrupt }: Travel = {}): T {
    const { history } = this.#course;
    return whole(history.aside(look(this.session, history)), interrupt);
  }

  /**
   * Stops before the instruction at `pc`, or before each of several, once for all lanes that are about to execute it together.
   * Throws a RangeError for no instruction.
   */
  breakAt(pc: number | readonly number[], given: BreakOptions = {}): number {
    checkOptions("breakAt", given, breakOptions);
    const { condition, ...options } = given;
    const pcs = new Set(typeof pc === "number" ? [pc] : pc);
    for (const each of pcs)
      if (this.session.program.code[each] === undefined) throw new RangeError(`there is no instruction ${each}`);
    const asked = condition && ((thread: ThreadId): boolean => condition(this, thread));
    return this.#points.add({ kind: "break", pcs, condition: asked }, options);
  }

  /**
   * Stops when the value that `read` gives has changed. It is called after every instruction, so it must be quick; see
   * `reader`. The stop is after the instruction that changed it; going back it is before it.
   */
  watch(read: () => bigint | undefined, given: WatchOptions = {}): number {
    checkGiven("watch", "read", read, "call");
    checkOptions("watch", given, { ...breakOptions, target: "object" });
    const { condition, target, ...options } = given;
    const who = target && (() => this.lastWrite(target)?.thread);
    return this.#points.add({ kind: "watch", read, condition, who }, options);
  }

  /**
   * Stops after an instruction that reads bytes of memory, writes them (even with the same value), or both. Going back
   * it stops before it. Asynchronous operations count when a thread has waited for them.
   */
  watchAccess(
    target: WriteTarget & { readonly kind: "memory" },
    accesses: Accesses,
    given: Omit<WatchOptions, "target"> = {},
  ): number {
    checkOptions("watchAccess", given, breakOptions);
    const { condition, ...options } = given;
    const read = this.reader(target);
    return this.#points.add({ kind: "access", accesses, target, read, condition }, options);
  }

  /**
   * Stops at events: `nan` after a computation that returned a NaN though none of its operands was one, `divergence`
   * after an instruction that made the lanes of a group diverge, `race` after an access in which the race detector
   * found a race, `barrier` before a warp arrives at a barrier. A fault always stops; its stop names the catchpoint
   * that caught it.
   */
  catch(event: Event, options: PointOptions = {}): number {
    checkOptions("catch", options, pointOptions);
    return this.#points.add({ kind: "catch", event }, options);
  }

  /** By number; false when there is no such point. */
  enable(id: number): boolean {
    return this.#points.change(id, { enabled: true });
  }

  disable(id: number): boolean {
    return this.#points.change(id, { enabled: false });
  }

  delete(id: number): boolean {
    return this.#points.delete(id);
  }

  /**
   * Sets another condition, or none; a watchpoint's is evaluated without a thread. False for an unknown point, and for
   * a catchpoint.
   */
  condition(id: number, condition: ((thread?: ThreadId) => boolean) | undefined): boolean {
    return this.#points.condition(id, condition);
  }

  /** The next `hits` hits do not stop it. */
  ignore(id: number, hits: number): boolean {
    return this.#points.change(id, { ignore: hits });
  }

  get points(): readonly Point[] {
    return this.#points.list();
  }

  /** Warps of the running blocks, and where their lanes are. */
  warps(): readonly WarpView[] {
    return this.machine.warps();
  }

  /** Barriers at which threads have arrived. */
  barriers(): readonly BarrierView[] {
    return this.machine.barriers();
  }

  /** Tensor memory of the focused thread's block; undefined where it has none. */
  tensorMemory(): TensorMemoryView | undefined {
    return this.machine.tensorMemory(this.focus.block);
  }

  /**
   * Registers of a thread, the focused one by default, also of one that has ended: of its current function, or of
   * `scope`.
   */
  registers(thread: ThreadId = this.focus, scope?: Scope): readonly ChangedRegister[] {
    const { program } = this.session;
    const inner = scope ?? this.machine.calls(thread)[0]?.callee;
    const callee = typeof inner === "number" ? inner : undefined;
    const { registers } = (callee === undefined ? undefined : program.functions[callee]) ?? program;
    return this.session.registers(thread, callee).map((view, at) => {
      const register = registers[at];
      const earlier = register && this.#course.earlier(thread, register);
      return {
        ...view,
        changed: earlier?.some((bits, element) => bits !== view.bits[element]) ?? false,
      };
    });
  }

  carry(thread: ThreadId = this.focus): 0 | 1 {
    return this.session.carry(thread);
  }

  /** Whether the debugger's last move has changed a thread's carry flag. */
  carryChanged(thread: ThreadId = this.focus): boolean {
    const earlier = this.#course.earlierCarry(thread);
    return earlier !== undefined && earlier !== this.session.carry(thread);
  }

  /** The instruction that a thread is about to execute, or waits at; undefined when it has exited or not begun. */
  pcOf(thread: ThreadId = this.focus): number | undefined {
    return this.machine.thread(thread)?.pc;
  }

  /** The functions that a thread is in, innermost first; none when it does not run. */
  where(thread: ThreadId = this.focus): readonly Frame[] {
    return framesOf(this.session, thread);
  }

  /**
   * A fast way to read a target repeatedly, for `watch`; undefined while it cannot be read. Throws a RangeError for no
   * register.
   */
  reader(target: WriteTarget): () => bigint | undefined {
    return readerOf(() => this.session, target);
  }

  /** Bytes of memory; throws a RangeError as `Session.read` does. */
  read(space: HostSpace, address: bigint, bytes: number, thread: ThreadId = this.focus): Uint8Array {
    return this.session.read(space, address, bytes, thread);
  }

  /** Manual changes of this run, in the order of their positions; some may be ahead. */
  get edits(): readonly MadeEdit[] {
    return this.#course.history.edits;
  }

  /**
   * A manual change belongs to the position where it is made: returning there, from either direction, reapplies it. It
   * changes the run from here on, so later positions are dropped, with the changes that were made there; earlier ones
   * stay. After a fault, it takes place before the failed instruction, so that it can be retried. Returns the fault of
   * an injected instruction that failed. Throws a RangeError where there is no such register, memory or thread.
   */
  edit(edit: Edit): Diagnostic | undefined {
    return this.#course.edit(edit);
  }

  /** `edit` of memory. Throws a RangeError as `read`. */
  write(space: HostSpace, address: bigint, bytes: Uint8Array, thread: ThreadId = this.focus): void {
    this.edit({ kind: "memory", space, address, bytes: new Uint8Array(bytes), thread });
  }

  /** `edit` of a register: one value per element, cut to its width. */
  writeRegister(name: string, bits: readonly bigint[], thread: ThreadId = this.focus, scope?: Scope): void {
    const { callee } = registerOf(this.session, thread, name, scope);
    this.edit({ kind: "register", thread, name, bits: [...bits], callee });
  }

  /**
   * Executes a program that `Kernel.injected` has parsed for a thread, as `inject` of the interpreter does; an `edit`
   * too.
   */
  inject(program: Program, thread: ThreadId = this.focus): Diagnostic | undefined {
    const callee = this.machine.calls(thread)[0]?.callee;
    return this.edit({ kind: "instructions", thread, program, callee });
  }

  /** `edit` of CC.CF. */
  writeCarry(value: 0 | 1, thread: ThreadId = this.focus): void {
    this.edit({ kind: "carry", thread, value });
  }
}

/** Starts the session; a launch that does not fit into memory is an error like any other. */
function begun({ value, diagnostics }: Staged<Session | undefined>): Staged<Session | undefined> {
  if (value === undefined || new MachineView(value).current !== undefined) return { value, diagnostics };
  const stop = value.run({ budget: 0 });
  return stop.reason === "trap"
    ? { value: undefined, diagnostics: [...diagnostics, stop.diagnostic] }
    : { value, diagnostics };
}

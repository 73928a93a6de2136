import type { Diagnostic } from "../../source/diagnostic.ts";
import { checkOptions, type Kind } from "../../source/given.ts";
import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Observer } from "../contract/observer.ts";
import { isPerInstruction, observesMemory } from "../contract/observes.ts";
import type { Operand } from "../contract/operand.ts";
import type { Program } from "../contract/program.ts";
import type { HostSpace } from "../contract/space.ts";
import type { Stop } from "../contract/stop.ts";
import type { RegisterView } from "../contract/views.ts";
import { deadlock } from "../schedule/deadlock.ts";
import type { Part } from "../schedule/schedule.ts";
import { stepLimit } from "../schedule/step-limit.ts";
import type { DeviceLaunch } from "../state/device-launches.ts";
import type { LinkedProgram, Turns } from "../state/executor.ts";
import { Fault, reportFault } from "../state/fault.ts";
import { readOperand } from "../state/read-operand.ts";
import { setRegister, viewRegisters, type Writers, writersOf } from "../state/registers.ts";
import { fixed } from "../state/special-registers.ts";
import type { Warp } from "../state/warp.ts";
import { passing } from "../warp/guard.ts";
import { Findings } from "./findings.ts";
import { pagesOf, type SessionImage } from "./image.ts";
import { type LaunchState, type MachineOptions, prepare, prepareAgain } from "./launch.ts";
import { Printing } from "./printing.ts";
import { scopeOf } from "./scope-of.ts";
import type { Before, RunOptions, Session, Snapshot } from "./session.ts";
import { passes } from "./stepping.ts";
import { callsOf, here, isParked, pcOf } from "./thread-position.ts";
import { tooSmall } from "./too-small.ts";

/** Starts a controllable launch. When memory does not suffice, its first `run` stops with PTX6002. */
export function startSession(options: MachineOptions, begin: Begin = refuse): Session {
  return new Running(options, begin);
}

/** Workers of a pool get no program that launches kernels. */
const refuse: Begin = ({ program }) => {
  throw new Error(`${program.name} cannot be launched here`);
};

/** Begins a launch that a thread has requested. */
export type Begin = (asked: DeviceLaunch, print: (text: string) => void) => Session;

const runOptions: Readonly<Record<keyof RunOptions, Kind>> = {
  budget: "number",
  stepping: "text",
  thread: "object",
  before: "call",
};

class Running implements Session {
  readonly program: Program;
  #steps = 0;
  /** The running warp, where `steps` may be read while it runs. */
  #watched: Warp | undefined;
  state: LaunchState | undefined;
  readonly #options: MachineOptions;
  readonly #begin: Begin;
  #findings: Findings = new Findings();
  #end: Stop | undefined;
  /** Where the last run stopped before an instruction, so that the next one does not stop there again. */
  #resting = false;
  #closed = false;
  readonly #breakpoints: Map<number, number> = new Map();
  #nextBreakpoint = 1;
  readonly #observers: Observer[];
  #observed: LinkedProgram | undefined;
  #printing: Printing;
  #writers: Writers | undefined;
  /** The launch that runs after the grid. */
  #launched: { readonly asked: DeviceLaunch; readonly session: Session } | undefined;
  /** Registers that the host has set: those of every thread by name, others by thread and name. */
  #given: Set<string>;

  constructor(options: MachineOptions, begin: Begin) {
    this.#options = options;
    this.#begin = begin;
    this.program = options.program;
    this.#given = new Set(options.registers?.keys());
    this.#printing = new Printing(options.print);
    const print = (text: string): void => this.#printing.print(text);
    this.state = prepare({ ...options, print }, () => this.#findings);
    this.#observers = this.state?.context.observers ?? [];
    if (this.state === undefined) this.#end = tooSmall(options);
    else this.state.context.launches.runner = this;
  }

  get steps(): number {
    const warp = this.#watched;
    return warp === undefined ? this.#steps : warp.clock + warp.pc - warp.from;
  }

  get findings(): readonly Diagnostic[] {
    return this.#findings.list;
  }

  run(options: RunOptions = {}): Stop {
    checkOptions("run", options, runOptions);
    const { budget = Number.POSITIVE_INFINITY, stepping, thread, before } = options;
    if (this.#end !== undefined) return this.#end;
    if (this.#closed) throw new Error("a closed session cannot go on");
    const { scheduler, context } = this.state!;
    const until = Math.min(this.#steps + budget, this.#options.maxSteps ?? Number.POSITIVE_INFINITY);
    try {
      if (stepping === undefined && before === undefined) this.#freely(until);
      const stop = this.#carefully(until, stepping, thread, before);
      if (stop !== undefined) return stop;
    } catch (fault) {
      this.#steps = this.steps;
      this.#watched = undefined;
      if (!(fault instanceof Fault)) throw fault;
      // The thread waited for a launch that has failed.
      return this.#end ?? this.#fail(fault);
    }
    const warp = scheduler.current;
    if (warp === undefined && scheduler.held)
      return { reason: "budget", at: { block: scheduler.next, warp: 0, lane: 0 }, pc: 0 };
    if (warp === undefined && scheduler.stuck) return this.#finish(deadlock(scheduler, context));
    if (warp === undefined) {
      const stop = this.#runLaunched(budget);
      return stop.reason === "budget" ? stop : this.#finish(stop);
    }
    if (this.#steps >= (this.#options.maxSteps ?? Number.POSITIVE_INFINITY))
      return this.#finish(stepLimit(warp, this.#steps, context));
    return { reason: "budget", at: here(warp), pc: warp.pc };
  }

  /** Runs what the grid has launched, one launch after the other; a launch has ended when those that it has made have. */
  #runLaunched(budget: number): Stop {
    const { context } = this.state!;
    const { launches } = context;
    for (let rest = budget; ; ) {
      const asked = this.#launched?.asked ?? launches.next();
      if (asked === undefined) return { reason: "exit" };
      const session = this.#launched?.session ?? this.#begin(asked, context.print);
      this.#launched = { asked, session };
      const before = session.steps;
      const stop = session.run({ budget: rest });
      rest -= session.steps - before;
      if (stop.reason === "budget") return { ...stop, at: asked.by, pc: asked.pc };
      for (const finding of session.findings) this.#findings.add(finding);
      session.close();
      this.#launched = undefined;
      if (stop.reason !== "trap") continue;
      const { diagnostic } = stop;
      const related = [...(diagnostic.related ?? []), asked.related];
      return { ...stop, at: asked.by, pc: asked.pc, diagnostic: { ...diagnostic, related } };
    }
  }

  /** Runs what threads have launched so far, for one that waits for it. */
  waitForLaunched(): void {
    const stop = this.#runLaunched(Number.POSITIVE_INFINITY);
    if (stop.reason !== "trap") return;
    this.#finish(stop);
    throw new Fault(stop.diagnostic.code, stop.at.lane, stop.diagnostic.message);
  }

  /** Runs complete turns that check only the budget, while no observer needs each instruction. */
  #freely(until: number): void {
    const { scheduler } = this.state!;
    const linked = this.#observedProgram();
    const unlimited = until === Number.POSITIVE_INFINITY;
    const take =
      linked.turns && ((turns: Turns): number => linked.turns?.(turns, until - this.#steps, this.#steps) ?? 0);
    const watched = this.#observers.length > 0;
    for (let warp = scheduler.current; warp !== undefined && this.#steps < until; warp = scheduler.current) {
      if (this.#breakpoints.size > 0 || (this.#observers.length > 0 && this.#observers.some(isPerInstruction))) return;
      const turned = take === undefined ? 0 : scheduler.turns(take);
      this.#steps += turned;
      if (turned > 0) continue;
      if (watched) this.#watch(warp);
      const { slice } = scheduler;
      const executed =
        unlimited && slice === Number.POSITIVE_INFINITY
          ? linked.run(warp, Number.POSITIVE_INFINITY, this.#steps)
          : linked.run(warp, Math.min(until - this.#steps, slice), this.#steps);
      this.#watched = undefined;
      this.#steps += executed;
      scheduler.slice -= executed;
      if (warp.active === 0 || warp.yieldBudget <= 0 || scheduler.slice <= 0) scheduler.turn();
    }
  }

  #watch(warp: Warp): void {
    warp.clock = this.#steps;
    warp.from = warp.pc;
    this.#watched = warp;
  }

  /** Runs the same turns, one instruction at a time. */
  #carefully(
    until: number,
    stepping: RunOptions["stepping"],
    thread: ThreadId | undefined,
    before: Before | undefined,
  ): Stop | undefined {
    const { scheduler } = this.state!;
    const linked = this.#observedProgram();
    let followed = stepping === undefined ? undefined : this.#liveWarp(thread);
    const whole = followed === undefined;
    const depth = callsOf(followed, thread);
    for (let warp = scheduler.current; warp !== undefined && this.#steps < until; warp = scheduler.current) {
      const id = this.#resting ? undefined : this.#breakpointAt(warp.pc);
      this.#resting = false;
      if (id !== undefined) {
        this.#resting = true;
        return { reason: "breakpoint", at: here(warp), pc: warp.pc, id };
      }
      const { pc, active } = warp;
      const taken = passing(this.program.code[pc]?.guard, warp);
      if (before?.(warp.block, warp.index, warp.pc, warp.active))
        return { reason: "pause", at: here(warp), pc: warp.pc };
      for (const observer of this.#observers) observer.instruction?.(warp.block, warp.index, pc, active, taken);
      const mine =
        whole || (warp === followed && warp.block === thread!.block && ((warp.active >>> thread!.lane) & 1) === 1);
      const waited = !whole && isParked(followed!, thread!.lane);
      const executed = linked.run(warp, 1, this.#steps);
      for (const observer of this.#observers) observer.after?.(warp.block, warp.index, pc, active, taken);
      this.#steps += executed;
      scheduler.slice -= executed;
      if (warp.active === 0 || warp.yieldBudget <= 0 || scheduler.slice <= 0) scheduler.turn();
      if (thread !== undefined && !whole) followed = this.#liveWarp(thread) ?? followed;
      // For a waiting thread, its release counts as a step, though another thread's instruction released it.
      const released = waited && !isParked(followed!, thread!.lane);
      if (stepping === undefined || !(mine || released)) continue;
      const gone = !whole && this.#liveWarp(thread) === undefined;
      if (!gone && passes(stepping, depth, callsOf(followed, thread))) continue;
      const next = scheduler.current;
      if (next === undefined) return undefined;
      this.#resting = true;
      if (whole || gone) return { reason: "step", at: here(next), pc: next.pc };
      return { reason: "step", at: thread!, pc: pcOf(followed!, thread!.lane) };
    }
    return undefined;
  }

  breakAt(pc: number): number {
    const id = this.#nextBreakpoint++;
    this.#breakpoints.set(id, pc);
    return id;
  }

  clear(id: number): void {
    this.#breakpoints.delete(id);
  }

  observe(observer: Observer): void {
    this.#observers.push(observer);
    this.#unlink();
    for (const { running, block } of this.state?.scheduler.slots ?? []) if (running) observer.begin?.(block);
  }

  forget(observer: Observer): void {
    const at = this.#observers.indexOf(observer);
    if (at >= 0) this.#observers.splice(at, 1);
    this.#unlink();
  }

  report(finding: Diagnostic, instead?: Diagnostic): boolean {
    if (instead === undefined) return this.#findings.add(finding);
    this.#findings.amend(instead, finding);
    return true;
  }

  registers(thread: ThreadId, callee?: number): readonly RegisterView[] {
    const warp = this.#warp(thread);
    if (warp === undefined) return [];
    this.#writers ??= writersOf(this.program);
    const all = (name: string): boolean => callee === undefined && this.#given.has(name);
    const given = (name: string): boolean => all(name) || this.#given.has(key(thread, name, callee));
    const { registers } = scopeOf(this.program, callee);
    return viewRegisters(this.program, registers, this.#writers, warp, thread.lane, given);
  }

  operand(thread: ThreadId, operand: Operand): readonly bigint[] {
    return readOperand(operand, this.#resident(thread), thread.lane);
  }

  carry(thread: ThreadId): 0 | 1 {
    return (((this.#warp(thread)?.carry ?? 0) >>> thread.lane) & 1) as 0 | 1;
  }

  writeRegister(thread: ThreadId, name: string, bits: readonly bigint[], callee?: number): void {
    setRegister(scopeOf(this.program, callee), this.#resident(thread), thread.lane, name, bits);
    this.#given.add(key(thread, name, callee));
    this.#printing.change();
  }

  writeCarry(thread: ThreadId, value: 0 | 1): void {
    const warp = this.#resident(thread);
    const bit = 1 << thread.lane;
    warp.carry = (value === 1 ? warp.carry | bit : warp.carry & ~bit) >>> 0;
    this.#printing.change();
  }

  special(name: string, { block, warp, lane }: ThreadId): number | undefined {
    return this.state && fixed(name, this.state.geometry)?.(block, warp, lane);
  }

  variable(name: string, { block, warp }: ThreadId): bigint | undefined {
    const { own } = this.#options;
    return own?.addressOf(name, block * own.threadsOfBlock + warp);
  }

  read(space: HostSpace, address: bigint, bytes: number, thread?: ThreadId): Uint8Array {
    const at = this.#place(space, address, bytes, thread);
    return new Uint8Array(this.#options.memory.data.u8.subarray(at, at + bytes));
  }

  write(space: HostSpace, address: bigint, bytes: Uint8Array, thread?: ThreadId): void {
    this.#options.memory.put(this.#place(space, address, bytes.length, thread), bytes);
    this.#printing.change();
  }

  repeat(change: () => void): void {
    this.#printing.repeat(change);
  }

  snapshot(before?: Snapshot): Snapshot {
    if (this.state === undefined) throw new Error("a launch that did not begin has no state");
    if (this.#closed) throw new Error("a closed session has no state to copy");
    // Launches are no position of this one: they end first.
    if (this.#launched !== undefined) this.run();
    const old = before as SessionImage | undefined;
    const image: SessionImage = {
      brand: "snapshot",
      steps: this.steps,
      memory: this.#options.memory.save(old?.memory),
      scheduler: this.state.scheduler.save(old?.scheduler),
      printed: this.#printing.printed,
      launches: this.state.context.launches.save(),
      awaited: this.state.context.awaited.save(),
      pages: () => pagesOf(image),
      findings: [...this.#findings.list],
      reported: new Set(this.#findings.places),
      given: new Set(this.#given),
      end: this.#end,
      resting: this.#resting,
      tools: new Map(this.#observers.flatMap((observer) => (observer.save ? [[observer, observer.save()]] : []))),
    };
    return image;
  }

  restore(snapshot: Snapshot): void {
    if (this.#closed) throw new Error("a closed session cannot be restored");
    const image = snapshot as SessionImage;
    const { memory } = this.#options;
    this.state!.scheduler.restore(image.scheduler, () => memory.restore(image.memory));
    this.#steps = image.steps;
    this.#findings.restore(image.findings, image.reported);
    this.#printing.printed = image.printed;
    this.#launched?.session.close();
    this.#launched = undefined;
    this.state!.context.launches.restore(image.launches);
    this.state!.context.awaited.restore(image.awaited);
    this.#given = new Set(image.given);
    this.#end = image.end;
    this.#resting = image.resting;
    for (const [observer, known] of image.tools) observer.restore?.(known);
  }

  close(): void {
    if (this.state === undefined || this.#closed) return;
    this.#closed = true;
    this.state.context.awaited.end();
    this.#launched?.session.close();
    this.#unlink();
    this.state.addresses.close();
    this.state.scheduler.close();
    const { memory } = this.#options;
    memory.supply?.giveBack();
    // One that a kernel has launched ends within another.
    if ((this.#options.depth ?? 0) === 0) memory.supply?.end();
    this.state.giveBack();
  }

  again(parameters: Uint8Array): boolean {
    const { state } = this;
    // What threads have requested of the device is theirs alone.
    if (this.program.kernels !== undefined) return false;
    if (!this.#closed || this.#end?.reason !== "exit" || this.isWatched || state === undefined) return false;
    const begun = prepareAgain(state, parameters);
    if (begun === undefined) return false;
    this.state = begun;
    this.#steps = 0;
    this.#end = undefined;
    this.#closed = false;
    this.#findings = new Findings();
    this.#printing = new Printing(this.#options.print);
    return true;
  }

  skip(blocks: Part, steps: number): void {
    this.#steps += steps;
    this.state!.scheduler.resume(blocks);
  }

  get seen(): Iterable<number> {
    return this.#findings.places;
  }

  overlook(places: Iterable<number>): void {
    this.#findings.overlook(places);
  }

  get isWatched(): boolean {
    return this.#breakpoints.size > 0 || this.#observers.length > 0;
  }

  /** Drops the program that notifies observers: it is linked for those that there are. */
  #unlink(): void {
    this.#observed?.close?.();
    this.#observed = undefined;
  }

  #observedProgram(): LinkedProgram {
    const { context, executor, linked } = this.state!;
    const heard = this.#observers.filter(observesMemory);
    if (this.#observers.length === 0 || (heard.length === 0 && this.#observers.some(isPerInstruction))) return linked;
    this.#observed ??= executor.link(context, true);
    return this.#observed;
  }

  #breakpointAt(pc: number): number | undefined {
    for (const [id, at] of this.#breakpoints) if (at === pc) return id;
    return undefined;
  }

  #place(space: HostSpace, address: bigint, bytes: number, thread: ThreadId | undefined): number {
    if (this.state === undefined) throw new RangeError("a launch that did not begin has no memory");
    return this.state.addresses.find(space, address, bytes, thread);
  }

  /** A warp that runs, or has run and whose registers are kept. */
  #warp({ block, warp }: ThreadId): Warp | undefined {
    const { scheduler, context } = this.state ?? {};
    return context?.observable ? scheduler?.find(block, warp) : undefined;
  }

  #resident(thread: ThreadId): Warp {
    const slot = this.state?.scheduler.slots.find(({ block }) => block === thread.block);
    const warp = slot?.warps[thread.warp];
    if (warp === undefined) throw new RangeError("the thread does not run now");
    return warp;
  }

  #liveWarp(thread: ThreadId | undefined): Warp | undefined {
    if (thread === undefined) return undefined;
    const warp = this.state!.scheduler.slots.find(({ block }) => block === thread.block)?.warps[thread.warp];
    return warp !== undefined && (warp.live >>> thread.lane) & 1 ? warp : undefined;
  }

  #fail(fault: Fault): Stop {
    const warp = this.state!.scheduler.current!;
    const { context } = this.state!;
    this.#steps = warp.clock + warp.pc - warp.from;
    const pc = fault.pc ?? warp.pc;
    const diagnostic = reportFault(context, warp, fault);
    const at = { block: warp.block, warp: warp.index, lane: fault.lane };
    return this.#finish({ reason: "trap", at, pc, diagnostic });
  }

  #finish(stop: Stop): Stop {
    this.state?.context.awaited.end();
    this.#end = stop;
    return stop;
  }
}

const key = ({ block, warp, lane }: ThreadId, name: string, callee?: number): string =>
  `${block}.${warp}.${lane} ${callee ?? ""} ${name}`;

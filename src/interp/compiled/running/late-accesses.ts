import { volume } from "../../contract/launch/dim3.ts";
import { FULL, LANES, lowest } from "../../contract/launch/lane-mask.ts";
import type { LateAccesses as Listener, Observer, WarpAccess } from "../../contract/observer.ts";
import { bytesTouched } from "../../contract/plan/effects.ts";
import { observableAccesses } from "../../javascript/observed-access.ts";
import type { Allocation } from "../../memory/allocation.ts";
import type { Context } from "../../state/context.ts";
import type { Chain } from "../../state/executor.ts";
import { ADDRESSED, ADDRESSED_BYTES, happenings, late, MOST_WAITING } from "../boundary/late-layout.ts";

/** The name of the memory where accesses wait, which only compiled launches have. */
export const LATE_ACCESSES = "accesses to notify of";

/** Of the first word of what waits: the instruction. */
const NUMBER = 0xffff;

/** How often the addresses of an instruction's accesses may differ otherwise than before, in vain. */
const PATIENCE = 32;

/** Words of what waits, by the first of them. */
const sizeOf = (what: number): number => ((what & ADDRESSED) !== 0 ? ADDRESSED_BYTES : 8) / 4;

/** An instruction whose accesses wait. */
class LateInstruction implements WarpAccess {
  readonly how: WarpAccess["how"];
  readonly pc: number;
  readonly space: WarpAccess["space"];
  readonly sem: WarpAccess["sem"];
  readonly scope: WarpAccess["scope"];
  readonly bytes: number;
  readonly addresses: Uint32Array = new Uint32Array(2 * LANES);
  readonly where: Int32Array = new Int32Array(LANES);
  block = -1;
  warp = -1;
  lanes = 0;
  /** The listener's number for accesses like the one that was learnt from. */
  noted = -1;
  patience = PATIENCE;
  /** Where an access waits from which to learn; 0 for none. */
  learnAt = 0;
  readonly mayDrop: boolean;
  /** Where the first and the last of its accesses up to a barrier wait, if it is an atomic operation; and which barrier that is. */
  first = -1;
  last = -1;
  interval = -1;

  constructor(pc: number, { program }: Context, listener: Listener) {
    const { plan, operands } = program.code[pc]!;
    const access = observableAccesses(plan)[0]!;
    const { how, space, sem, scope } = access;
    this.how = how;
    this.pc = pc;
    this.space = space;
    this.sem = sem;
    this.scope = scope;
    this.bytes = bytesTouched(access, operands);
    this.mayDrop = listener.mayDrop(this);
  }

  /** Only accesses wait whose lanes store to bytes of their own: what they store makes no difference. */
  value(): bigint {
    return 0n;
  }
}

/** Accesses that the module lets wait: an observer is notified of them before anything else, many at once. */
export class LateAccesses {
  readonly #context: Context;
  readonly #observer: Observer;
  readonly #listener: Listener;
  readonly #instructions: readonly LateInstruction[];
  /** Whether one of them accesses shared memory. */
  readonly #sharing: boolean;
  readonly #allocation: Allocation;
  readonly #words: Int32Array;
  /** By warp: the threads of a block, all of which come to a barrier that is notified of late. */
  readonly #everyone: Uint32Array;
  #block = -1;
  /** How much still waits after the observer was notified of something; how many intervals there were, and instructions to learn from. */
  #kept = 0;
  #interval = 0;
  #learning: LateInstruction[] = [];

  private constructor(
    context: Context,
    observer: Observer,
    listener: Listener,
    pcs: readonly number[],
    allocation: Allocation,
  ) {
    this.#context = context;
    this.#observer = observer;
    this.#listener = listener;
    this.#instructions = pcs.map((pc) => new LateInstruction(pc, context, listener));
    this.#sharing = this.#instructions.some(({ space }) => space === "shared");
    this.#allocation = allocation;
    this.#words = new Int32Array(context.memory.linear.buffer, allocation.start, late.bytes / 4);
    this.#words.fill(0);
    const threads = volume(context.block);
    this.#everyone = Uint32Array.from({ length: Math.ceil(threads / LANES) }, (_, warp) =>
      lowest(threads - LANES * warp),
    );
  }

  /**
   * Whether observers may be notified late: not where the only one has to hear of everything at once; where a tool may take
   * snapshots, which have all allocations; or where the program calls the driver, whose allocations must not depend on the
   * executor's.
   */
  static areFor({ observers, program, observable }: Context): boolean {
    const [only, ...others] = observers;
    if (only?.late === undefined || others.length > 0 || observable) return false;
    return !program.functions.some(({ entry }) => typeof entry === "string");
  }

  /** Undefined also where no memory is left. */
  static of(context: Context, pcs: readonly number[]): LateAccesses | undefined {
    const { memory, observers } = context;
    const [only] = observers;
    if (!LateAccesses.areFor(context) || only?.late === undefined || pcs.length === 0) return undefined;
    const request = { name: LATE_ACCESSES, bytes: late.bytes, align: 16, kind: "state", shadow: 0 } as const;
    const start = memory.reserve(request);
    const allocation = start === undefined ? undefined : memory.allocations.find(start);
    return allocation && new LateAccesses(context, only, only.late, pcs, allocation);
  }

  /** Gives the memory back. */
  close(): void {
    const { memory } = this.#context;
    const there = memory.allocations.find(this.#allocation.start);
    // One of a snapshot that was restored is a copy.
    if (there?.name === LATE_ACCESSES && there.start === this.#allocation.start) memory.release(there);
  }

  /** Before a module runs warps of a block: where the accesses wait in memory; 0 where none may. */
  begin(block: number): number {
    if (!this.#isThere) return 0;
    this.#block = block;
    this.refresh();
    return this.#allocation.start;
  }

  /** After the observer was notified of something: asks whether accesses may be late now. */
  refresh(): void {
    this.#words[late.left / 4] = this.#listener.isOpen(this.#block) ? MOST_WAITING - this.#kept : 0;
  }

  /** The next block of a chain has begun. */
  follow(): void {
    this.#block++;
  }

  /** Notifies the observer of what waits. */
  drain(): void {
    this.#notifyAll(true, undefined);
  }

  /**
   * Makes room for what may wait: notifies the observer of what happened up to the last barrier or end of a block, and of the
   * rest if that is much. Returns how many blocks of the chain have begun.
   */
  makeRoom(chain: Chain | undefined): number {
    const begun = this.#notifyAll(false, chain);
    if (this.#words[late.used / 4]! > late.room / 2 || this.#kept > MOST_WAITING / 2) this.drain();
    this.refresh();
    return begun;
  }

  #notifyAll(whole: boolean, chain: Chain | undefined): number {
    const words = this.#words;
    const used = words[late.used / 4]!;
    if (used === 0 || !this.#isThere) return 0;
    const first = late.waiting / 4;
    const end = first + used / 4;
    let begun = 0;
    let at = first;
    while (at < end) {
      const next = this.#next(at, end);
      if (next > end && !whole) break;
      begun += this.#notify(at, Math.min(next, end), next <= end && this.#isNeedless(at, next), chain);
      at = next;
    }
    // Not before: what waits is like what had been learnt by then.
    this.#kept = 0;
    for (let from = at; from < end; from += sizeOf(words[from]!)) {
      this.#kept++;
      const instruction = this.#instructions[words[from]! & NUMBER];
      if (instruction !== undefined) instruction.learnAt = 0;
    }
    for (const instruction of this.#learning) {
      if (instruction.learnAt > 0) this.#learn(instruction, instruction.learnAt);
      instruction.learnAt = 0;
    }
    this.#learning.length = 0;
    words[late.used / 4] = Math.max(0, 4 * (end - at));
    if (at < end && at > first) words.copyWithin(first, at, end);
    return begun;
  }

  /** Where what happens up to a barrier, or up to the end of the block, ends; beyond `end` where there is neither. */
  #next(from: number, end: number): number {
    const words = this.#words;
    for (let at = from; at < end; at += sizeOf(words[at]!)) {
      const what = words[at]! & NUMBER;
      if (what === happenings.completed || what === happenings.began) return at + 2;
    }
    return end + 1;
  }

  /** Notifies the observer of what waits between two places; returns how many blocks have begun. */
  #notify(from: number, end: number, drops: boolean, chain: Chain | undefined): number {
    const words = this.#words;
    const listener = this.#listener;
    let [begun, dropped] = [0, 0];
    for (let at = from; at < end; ) {
      const what = words[at]!;
      const second = words[at + 1]!;
      const number = what & NUMBER;
      const warp = (what >>> 16) & 31;
      const instruction = this.#instructions[number];
      const addressed = (what & ADDRESSED) !== 0;
      if (drops && instruction?.space === "shared") {
        if (instruction.how === "atomic" && (instruction.first === at || instruction.last === at)) {
          if (dropped > 0) listener.drop(dropped);
          dropped = 0;
          listener.dropAtomic(this.#at(instruction, at));
        } else dropped++;
      } else {
        if (dropped > 0) listener.drop(dropped);
        dropped = 0;
        if (instruction === undefined) {
          this.#happened(number, warp, second, chain);
          if (number === happenings.began) begun++;
        } else if (addressed) {
          this.#observer.access!(this.#at(instruction, at));
          if (second === -1 && instruction.patience > 0) {
            if (instruction.learnAt === 0) this.#learning.push(instruction);
            instruction.learnAt = at;
          }
        } else {
          instruction.patience = PATIENCE;
          const left = listener.access(instruction.noted, this.#block, warp, second);
          if (left !== 0) {
            this.#at(instruction, at).lanes = left >>> 0;
            this.#observer.access!(instruction);
          }
        }
      }
      at += sizeOf(what);
    }
    if (dropped > 0) listener.drop(dropped);
    return begun;
  }

  /** Whether the observer needs no access to shared memory of those that wait between two places. */
  #isNeedless(from: number, to: number): boolean {
    if (!this.#sharing) return false;
    const words = this.#words;
    this.#interval++;
    let [loads, stores, atomics] = [false, false, false];
    for (let at = from; at < to; at += sizeOf(words[at]!)) {
      const instruction = this.#instructions[words[at]! & NUMBER];
      if (instruction?.space !== "shared") continue;
      if (!instruction.mayDrop) return false;
      if (instruction.how === "load") loads = true;
      else if (instruction.how === "store") stores = true;
      else {
        if (instruction.interval !== this.#interval) instruction.first = at;
        instruction.interval = this.#interval;
        instruction.last = at;
        atomics = true;
      }
    }
    const interval = loads || stores || atomics ? this.#listener.interval(this.#block) : undefined;
    if (interval === undefined) return false;
    if (!stores && !(loads && atomics)) return true;
    for (let at = from; at < to; at += sizeOf(words[at]!)) {
      const what = words[at]!;
      const number = what & NUMBER;
      const warp = (what >>> 16) & 31;
      const instruction = this.#instructions[number];
      if (number === happenings.met && words[at + 1] === -1) interval.met(warp);
      if (instruction?.space !== "shared") continue;
      const needless =
        (what & ADDRESSED) === 0
          ? interval.isNeedless(instruction.noted, warp, words[at + 1]!)
          : interval.isNeedlessAccess(this.#at(instruction, at));
      if (!needless) return false;
    }
    return true;
  }

  /** The access that waits at a place. */
  #at(access: LateInstruction, at: number): LateInstruction {
    const words = this.#words;
    const what = words[at]!;
    const { where } = access;
    access.block = this.#block;
    access.warp = (what >>> 16) & 31;
    if ((what & ADDRESSED) !== 0) {
      access.lanes = words[at + 1]! >>> 0;
      for (let lane = 0; lane < LANES; lane++) where[lane] = words[at + 2 + lane]!;
    } else {
      access.lanes = FULL;
      const row = late.lanes / 4 + LANES * (what & NUMBER);
      for (let lane = 0; lane < LANES; lane++) where[lane] = words[at + 1]! + words[row + lane]!;
    }
    return access;
  }

  /** Notifies the observer of what is no access. */
  #happened(what: number, warp: number, value: number, chain: Chain | undefined): void {
    const observer = this.#observer;
    if (what === happenings.met) observer.warpSync?.(this.#block, warp, value >>> 0);
    else if (what === happenings.completed) observer.barrier?.(this.#block, value, this.#everyone, true);
    else {
      chain!.notify();
      this.follow();
    }
  }

  /** Lets the next accesses like one that waits at a place, which has its addresses with it, do without. */
  #learn(access: LateInstruction, at: number): void {
    const words = this.#words;
    const { where } = this.#at(access, at);
    const noted = this.#listener.note(access);
    if (noted === undefined) return;
    access.patience--;
    access.noted = noted;
    const number = words[at]! & NUMBER;
    const first = where[0]!;
    const row = late.lanes / 4 + LANES * number;
    for (let lane = 0; lane < LANES; lane++) words[row + lane] = where[lane]! - first;
    words[late.learned / 4 + number] = 1;
  }

  /** A snapshot that was restored may lack the memory. */
  get #isThere(): boolean {
    return this.#context.memory.allocations.find(this.#allocation.start) === this.#allocation;
  }
}

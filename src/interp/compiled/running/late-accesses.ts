import { volume } from "../../contract/launch/dim3.ts";
import { FULL, LANES, lowest } from "../../contract/launch/lane-mask.ts";
import type { LateAccesses as Listener, Observer, WarpAccess } from "../../contract/observer.ts";
import { bytesTouched } from "../../contract/plan/effects.ts";
import { observableAccesses } from "../../javascript/observed-access.ts";
import type { Allocation } from "../../memory/allocation.ts";
import type { Context } from "../../state/context.ts";
import { grainOf } from "../boundary/grain.ts";
import {
  ADDRESSED,
  ADDRESSED_BYTES,
  COPIED_BYTES,
  happenings,
  late,
  MORE_COPIED,
  MOST_WAITING,
  ROW_PATTERN,
} from "../boundary/late-layout.ts";
import { COPIED } from "../copies/copy-site.ts";
import { OwnerWords } from "./owner-words.ts";

/** The name of the memory where accesses wait, which only compiled launches have. */
export const LATE_ACCESSES = "accesses to notify of";

/** Of the first word of what waits: the instruction. */
const NUMBER = 0xffff;

/** How often the addresses of an instruction's accesses may differ otherwise than before, in vain. */
const PATIENCE = 32;

/** More than has room. */
const UNLIMITED = 1 << 30;

/** Words of what waits, by the first of them. */
const sizeOf = (what: number): number => {
  if ((what & ADDRESSED) !== 0) return ADDRESSED_BYTES / 4;
  return (what & NUMBER) === happenings.copied ? COPIED_BYTES / 4 : 2;
};

/** An instruction whose accesses wait. */
class LateInstruction implements WarpAccess {
  readonly how: WarpAccess["how"];
  readonly pc: number;
  readonly space: WarpAccess["space"];
  readonly sem: WarpAccess["sem"];
  readonly scope: WarpAccess["scope"];
  readonly bytes: number;
  /** Words that all lanes access. */
  readonly words: number;
  readonly addresses: Uint32Array = new Uint32Array(2 * LANES);
  readonly where: Int32Array = new Int32Array(LANES);
  block = -1;
  warp = -1;
  lanes = 0;
  patience = PATIENCE;
  readonly mayDrop: boolean;
  /** Whether it need not be held behind the next barrier. */
  readonly ends: boolean;
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
    this.words = LANES * Math.ceil(this.bytes / 4);
    this.mayDrop = listener.mayDrop(this);
    this.ends = space === "shared" && how !== "atomic" && this.mayDrop;
  }

  /** Only accesses wait whose lanes store to bytes of their own: what they store makes no difference. */
  value(): bigint {
    return 0n;
  }
}

/** Accesses that an observer holds, as they waited. */
interface Held {
  readonly words: Int32Array;
  /** The block that ran first, and by instruction what accesses were like that have no addresses with them. */
  readonly block: number;
  readonly noted: readonly number[];
}

/**
 * Accesses that the module lets wait: an observer is notified of them before anything else, many at once; or it holds them, as long
 * as the module judges that they race with none.
 */
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
  /** By instruction: the listener's number for accesses like the one that was learnt from; by that: the offsets of lanes from lane 0. */
  #noted: number[];
  readonly #offsets: Int32Array[] = [];
  /** Numbers of such offsets, from 1. */
  readonly #patterns = new Map([[Array.from({ length: LANES }, (_, lane) => 4 * lane).join(), ROW_PATTERN]]);
  /** While the module judges. */
  #owners: OwnerWords | undefined;
  /** What is held, as `HeldAccesses` has it. */
  #bytes = 0;
  #accesses = 0;
  #blocks = 0;
  #parts = 0;
  /** By instruction: whether it stores to parts of words; undefined where none does. */
  readonly #storesParts: readonly boolean[] | undefined;
  /** Words that the lanes of a warp access by one instruction, at most. */
  readonly #most: number;
  #block = -1;
  /** How much still waits after the observer was notified of something; how many intervals there were, and instructions to learn from. */
  #kept = 0;
  #interval = 0;

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
    this.#noted = pcs.map(() => -1);
    const storesParts = this.#instructions.map(({ how, bytes }) => how !== "load" && bytes < 4);
    this.#storesParts = storesParts.includes(true) ? storesParts : undefined;
    this.#most = Math.max(...this.#instructions.map(({ words }) => words));
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
    this.#owners?.close();
    this.#owners = undefined;
    this.#context.memory.releaseOwn(this.#allocation);
  }

  /**
   * Before a module runs warps of a block, `alone` if others have ended or not begun: where the accesses wait in memory; 0 where none
   * may.
   */
  begin(block: number, alone: boolean): number {
    if (!this.#isThere) return 0;
    if (this.#block < 0 && this.#listener.isOpen(block) && this.#listener.judge(() => this.#stop()))
      this.#owners = this.#ownerWords();
    this.#block = block;
    this.#owners?.stand(block, alone);
    this.refresh();
    return this.#allocation.start;
  }

  #ownerWords(): OwnerWords | undefined {
    const { memory, copyRoom, program } = this.#context;
    return OwnerWords.of(memory, this.#words, copyRoom !== undefined, grainOf(program));
  }

  /** After the observer was notified of something: asks whether accesses may be late now. */
  refresh(): void {
    const most = this.#owners === undefined ? MOST_WAITING - this.#kept : UNLIMITED;
    this.#words[late.left / 4] = this.#owners !== undefined || this.#listener.isOpen(this.#block) ? most : 0;
  }

  /** The next block of a chain has begun, and the module had no room to say so. */
  began(): void {
    this.#looksAgain();
    if (this.#append(happenings.began, 0)) {
      this.#words[late.begun / 4]!++;
      this.#owners?.next(true);
      return;
    }
    this.drain();
    this.#began();
  }

  /** Likewise of a barrier that is complete; false where the observer is to be notified now. */
  completed(number: number): boolean {
    this.#looksAgain();
    if (!this.#append(happenings.completed, number)) return false;
    this.#owners?.next(false);
    return true;
  }

  /** Likewise of lanes that have executed a warp operation together. */
  met(warp: number, lanes: number): boolean {
    return this.#append(happenings.met | (warp << 16), lanes | 0);
  }

  /** Likewise of an access, which the module has judged. */
  accessed(warp: number, pc: number, lanes: number, where: Int32Array): boolean {
    const number = this.#instructions.findIndex((instruction) => instruction.pc === pc);
    return number >= 0 && this.#append(number | (warp << 16) | ADDRESSED, lanes | 0, where);
  }

  /** Adds something to what waits, while the module judges. */
  #append(what: number, second: number, where?: Int32Array): boolean {
    const words = this.#words;
    const owners = this.#owners;
    if ((owners?.areInDoubt || words[late.used / 4]! > late.room) && !this.#hold()) return false;
    if (this.#owners === undefined) return false;
    const at = (late.waiting + words[late.used / 4]!) / 4;
    words[at] = what;
    words[at + 1] = second;
    if (where !== undefined) {
      words.set(where, at + 2);
      words[late.addressed / 4] = 1;
    }
    words[late.used / 4]! += 4 * sizeOf(what);
    return true;
  }

  /** Notifies the observer of what waits, or lets it hold that. */
  drain(): void {
    if (!this.#hold()) this.#notifyAll(true);
  }

  /**
   * Makes room for what may wait: notifies the observer of what happened up to the last barrier or end of a block, and of the
   * rest if that is much. Returns how many blocks of the chain have begun.
   */
  makeRoom(): number {
    const from = this.#block;
    if (!this.#hold()) this.#notifyAll(false);
    if (this.#words[late.used / 4]! > late.room / 2 || this.#kept > MOST_WAITING / 2) this.drain();
    this.refresh();
    return this.#block - from;
  }

  /** Has the observer hold what waits, or notifies it of that, where it must be; false where the module does not judge. */
  #hold(): boolean {
    const owners = this.#owners;
    if (owners === undefined || !this.#isThere) return false;
    const words = this.#words;
    const [used, brief, begun] = [words[late.used / 4]!, words[late.briefUsed / 4]!, words[late.begun / 4]!];
    if (used + brief === 0 && !owners.areInDoubt) return true;
    owners.leave();
    const first = late.waiting / 4;
    const all = brief > 0 ? this.#merged() : words.slice(first, first + used / 4);
    const { count } = owners;
    this.#accesses += (all.length / 2) * this.#most;
    this.#parts += this.#storedParts(all);
    this.#blocks += begun;
    this.#bytes += all.byteLength;
    const held: Held = { words: all, block: this.#block, noted: this.#noted };
    const [bytes, accesses, blocks, parts] = [this.#bytes, this.#accesses, this.#blocks, this.#parts];
    if (owners.areInDoubt || !this.#listener.mayHold({ bytes, words: count, accesses, blocks, parts })) {
      this.#listener.replay();
      this.#replay(held);
    } else this.#listener.hold(() => this.#replay(held));
    this.#block += begun;
    owners.follow(begun);
    if (words[late.addressed / 4] !== 0) this.#learnFrom(all, 0, all.length);
    for (const field of [late.used, late.briefUsed, late.begun, late.addressed]) words[field / 4] = 0;
    return true;
  }

  /** How often lanes store to parts of words in what waited, at most. */
  #storedParts(all: Int32Array): number {
    const stores = this.#storesParts;
    let sum = 0;
    if (stores !== undefined)
      for (let at = 0; at < all.length; at += sizeOf(all[at]!)) if (stores[all[at]! & NUMBER]) sum += LANES;
    return sum;
  }

  /** What waits, in order: of what waits no longer than up to the next barrier each says how much else waited by then. */
  #merged(): Int32Array {
    const words = this.#words;
    const first = late.waiting / 4;
    const end = first + words[late.used / 4]! / 4;
    const all = new Int32Array((words[late.used / 4]! + words[late.briefUsed / 4]!) / 4);
    let [from, to] = [first, 0];
    const take = (until: number): void => {
      all.set(words.subarray(from, until), to);
      to += until - from;
      from = until;
    };
    const briefEnd = (late.brief + words[late.briefUsed / 4]!) / 4;
    for (let at = late.brief / 4; at < briefEnd; ) {
      take(first + words[at]! / 4);
      const size = sizeOf(words[at + 1]!);
      all.set(words.subarray(at + 1, at + 1 + size), to);
      to += size;
      at += 1 + size;
    }
    take(end);
    return all.subarray(0, to);
  }

  /** Whether an interval that ends races with nothing, though the module has not looked at all of it. */
  #looksAgain(): void {
    if (!this.#owners?.areMixed) return;
    const all = this.#merged();
    let from = 0;
    for (let next = 0; next <= all.length; next = this.#next(all, from, all.length)) from = next;
    this.#owners.settle(this.#isNeedless(all, from, all.length, this.#noted));
  }

  /** Notifies the observer of what it holds. */
  #replay({ words, block, noted }: Held): void {
    const now = this.#block;
    this.#block = block;
    this.#notifyUp(words, 0, words.length, true, noted);
    this.#block = now;
  }

  /** The module no longer judges. */
  #stop(): void {
    this.#words[late.judging / 4] = 0;
    this.#owners?.close();
    this.#owners = undefined;
  }

  #notifyAll(whole: boolean): void {
    const words = this.#words;
    const used = words[late.used / 4]!;
    if (used === 0 || !this.#isThere) return;
    const first = late.waiting / 4;
    this.#take(this.#notifyUp(words, first, first + used / 4, whole, this.#noted));
  }

  /** Notifies the observer of what waits up to the last barrier or end of a block, or of the whole; returns where that ends. */
  #notifyUp(words: Int32Array, first: number, end: number, whole: boolean, noted: readonly number[]): number {
    let at = first;
    while (at < end) {
      const next = this.#next(words, at, end);
      if (next > end && !whole) break;
      this.#notify(words, at, Math.min(next, end), next <= end && this.#isNeedless(words, at, next, noted), noted);
      at = next;
    }
    return Math.min(at, end);
  }

  /** Removes what waits up to a place, having learnt from it. */
  #take(until: number): void {
    const words = this.#words;
    const first = late.waiting / 4;
    const end = first + words[late.used / 4]! / 4;
    // What waits is like what had been learnt by then.
    const waiting = new Set<LateInstruction>();
    this.#kept = 0;
    for (let from = until; from < end; from += sizeOf(words[from]!)) {
      this.#kept++;
      const instruction = this.#instructions[words[from]! & NUMBER];
      if (instruction !== undefined) waiting.add(instruction);
    }
    this.#learnFrom(words, first, until, waiting);
    words[late.used / 4] = 4 * (end - until);
    if (until < end && until > first) words.copyWithin(first, until, end);
  }

  /** Learns from the last accesses between two places, but not by some instructions. */
  #learnFrom(words: Int32Array, first: number, until: number, but?: ReadonlySet<LateInstruction>): void {
    const learning = new Map<LateInstruction, number>();
    for (let at = first; at < until; ) {
      const what = words[at]!;
      const instruction = this.#instructions[what & NUMBER];
      if (instruction !== undefined) {
        // From now on: what is dropped at a barrier teaches nothing.
        if (instruction.ends) this.#words[late.learned / 4 + (what & NUMBER)]! |= 2;
        if ((what & ADDRESSED) === 0) instruction.patience = PATIENCE;
        else if (words[at + 1] === -1 && instruction.patience > 0) learning.set(instruction, at);
      }
      at += sizeOf(what);
    }
    for (const [instruction, at] of learning) if (!but?.has(instruction)) this.#learn(words, instruction, at);
  }

  /** Where what happens up to a barrier, or up to the end of the block, ends; beyond `end` where there is neither. */
  #next(words: Int32Array, from: number, end: number): number {
    for (let at = from; at < end; at += sizeOf(words[at]!)) {
      const what = words[at]! & NUMBER;
      if (what === happenings.completed || what === happenings.began) return at + 2;
    }
    return end + 1;
  }

  /** Notifies the observer of what waits between two places. */
  #notify(words: Int32Array, from: number, end: number, drops: boolean, noted: readonly number[]): void {
    const listener = this.#listener;
    let dropped = 0;
    for (let at = from; at < end; ) {
      const what = words[at]!;
      const second = words[at + 1]!;
      const number = what & NUMBER;
      const warp = (what >>> 16) & 31;
      const instruction = this.#instructions[number];
      if (drops && instruction?.space === "shared") {
        if (instruction.how === "atomic" && (instruction.first === at || instruction.last === at)) {
          if (dropped > 0) listener.drop(dropped);
          dropped = 0;
          listener.dropAtomic(this.#at(words, instruction, at, noted));
        } else dropped++;
      } else {
        if (dropped > 0) listener.drop(dropped);
        dropped = 0;
        if (number === happenings.copied) {
          at = this.#copied(words, at, warp);
          continue;
        }
        if (instruction === undefined) this.#happened(number, warp, second);
        else if ((what & ADDRESSED) !== 0) this.#observer.access!(this.#at(words, instruction, at, noted));
        else {
          const left = listener.access(noted[number]!, this.#block, warp, second);
          if (left !== 0) {
            this.#at(words, instruction, at, noted).lanes = left >>> 0;
            this.#observer.access!(instruction);
          }
        }
      }
      at += sizeOf(what);
    }
    if (dropped > 0) listener.drop(dropped);
  }

  /** Whether the observer needs no access to shared memory of those that wait between two places. */
  #isNeedless(words: Int32Array, from: number, to: number, noted: readonly number[]): boolean {
    if (!this.#sharing) return false;
    this.#interval++;
    let [loads, stores, atomics] = [false, false, false];
    for (let at = from; at < to; at += sizeOf(words[at]!)) {
      if ((words[at]! & NUMBER) === happenings.copied) return false;
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
          ? interval.isNeedless(noted[number]!, warp, words[at + 1]!)
          : interval.isNeedlessAccess(this.#at(words, instruction, at, noted));
      if (!needless) return false;
    }
    return true;
  }

  /** The access that waits at a place. */
  #at(words: Int32Array, access: LateInstruction, at: number, noted: readonly number[]): LateInstruction {
    const what = words[at]!;
    const { where } = access;
    access.block = this.#block;
    access.warp = (what >>> 16) & 31;
    if ((what & ADDRESSED) !== 0) {
      access.lanes = words[at + 1]! >>> 0;
      for (let lane = 0; lane < LANES; lane++) where[lane] = words[at + 2 + lane]!;
    } else {
      access.lanes = FULL;
      const offsets = this.#offsets[noted[what & NUMBER]!]!;
      for (let lane = 0; lane < LANES; lane++) where[lane] = words[at + 1]! + offsets[lane]!;
    }
    return access;
  }

  /** Notifies the observer of copies that a warp has waited for, of each lane's in turn; returns where they end. */
  #copied(words: Int32Array, first: number, warp: number): number {
    const observer = this.#observer;
    const size = COPIED_BYTES / 4;
    let end = first + size;
    while ((words[end - size]! & MORE_COPIED) !== 0) end += size;
    for (let lane = 0; lane < LANES; lane++) {
      const thread = { block: this.#block, warp, lane };
      for (let at = first; at < end; at += size) {
        const [pc, to, from] = [words[at + 1]!, words[at + 2 + lane]!, words[at + 2 + LANES + lane]!];
        if (from !== 0) observer.load?.(thread, "global", BigInt(from), COPIED, "weak", "gpu", from, pc);
        observer.store?.(thread, "shared", BigInt(to), COPIED, "weak", "gpu", to, undefined, pc);
      }
    }
    return end;
  }

  /** Notifies the observer of what is no access. */
  #happened(what: number, warp: number, value: number): void {
    const observer = this.#observer;
    if (what === happenings.met) observer.warpSync?.(this.#block, warp, value >>> 0);
    else if (what === happenings.completed) observer.barrier?.(this.#block, value, this.#everyone, true);
    else this.#began();
  }

  #began(): void {
    this.#observer.end?.(this.#block++);
    this.#observer.begin?.(this.#block);
  }

  /** Lets the next accesses like one that waits at a place, which has its addresses with it, do without. */
  #learn(from: Int32Array, access: LateInstruction, at: number): void {
    const words = this.#words;
    const { where } = this.#at(from, access, at, this.#noted);
    const noted = this.#listener.note(access);
    if (noted === undefined) return;
    access.patience--;
    const number = from[at]! & NUMBER;
    this.#noted = this.#noted.with(number, noted);
    const offsets = where.map((each) => each - where[0]!);
    this.#offsets[noted] = offsets;
    words.set(offsets, late.lanes / 4 + LANES * number);
    const pattern = offsets.join();
    if (!this.#patterns.has(pattern)) this.#patterns.set(pattern, this.#patterns.size + 1);
    const learned = late.learned / 4 + number;
    words[learned] = (words[learned]! & 2) | 1 | (this.#patterns.get(pattern)! << 2);
  }

  /** A snapshot that was restored may lack the memory. */
  get #isThere(): boolean {
    return this.#context.memory.allocations.find(this.#allocation.start) === this.#allocation;
  }
}

import type { Diagnostic } from "../../../source/diagnostic.ts";
import { distance, type Reach } from "../../contract/memory-consistency.ts";
import type { LoggedAccess } from "./access-log.ts";
import {
  ELSEWHERE,
  KIND,
  KNOWN,
  MOST_READS,
  NOBODY,
  RaceShadow,
  type RaceShadowImage,
  READ_LIST,
  READ_STAMP,
  READER,
  READS,
  SHARED,
  WRITE_STAMP,
  WRITE_TURN,
  WRITER,
} from "./shadow.ts";
import { RaceStamps } from "./stamps.ts";
import { type BlockClock, nothing, ThreadClock, untold } from "./vector-clock.ts";
import { type MemoryWord, none, type RecordedAccess, type RecordedWrite } from "./word.ts";

/** Threads of a block have consecutive numbers, this many for each block. */
const BLOCK_THREADS = 1024;
/** Blocks that have numbers at one time, at most. */
const MOST_BLOCKS = 2 ** 22 - 1;
/** Unused stamps that are kept for a while. */
const STALE = 65536;

/** What has been reported of two instructions that race, and how far apart the two threads were (`apartIn`). */
export interface Reported {
  readonly apart: Reach;
  /** The instruction that the finding is about. */
  readonly pc: number;
  /** Undefined where something else was said there. */
  readonly finding: Diagnostic | undefined;
}

/**
 * The usual accesses as numbers: each word has at most one store that counts, and no store has released anything. Where
 * that does not suffice, the caller uses objects (`word.ts`); both report the same.
 */
export class PackedRaces {
  readonly shadow: RaceShadow = new RaceShadow();
  stamps: RaceStamps = new RaceStamps();
  /** By number. */
  #blocks: (BlockClock | undefined)[] = [];
  #free: number[] = [];
  /** Pairs of instructions that have been reported, a smaller pc and a greater one: by threads how far apart, and what was said. */
  #reported: Map<number, Reported> = new Map();
  #live = 0;
  // The warp whose access is checked.
  #clock: BlockClock | undefined;
  #block = 0;
  #warp = 0;
  #warpSync = 0;
  #barriers = 0;
  #pc = 0;
  #reach: Reach = -1;

  /** Assigns a number to a block; undefined where there is none left. */
  enter(clock: BlockClock): number | undefined {
    const number = this.#free.pop() ?? this.#blocks.length;
    if (number >= MOST_BLOCKS) return undefined;
    this.#blocks[number] = clock;
    clock.number = number;
    return number;
  }

  /** The block with a number. */
  blockOf(number: number): BlockClock {
    return this.#blocks[number]!;
  }

  leave({ number }: BlockClock): void {
    this.#blocks[number] = undefined;
    this.#free.push(number);
  }

  /** Sets the warp and instruction of the accesses that follow. */
  act(clock: BlockClock, warp: number, pc: number, reach: Reach): void {
    this.#clock = clock;
    this.#block = clock.number * BLOCK_THREADS;
    this.#warp = warp;
    this.#warpSync = clock.warpSyncs[warp] ?? 0;
    this.#barriers = clock.barriers;
    this.#pc = pc;
    this.#reach = reach;
  }

  /** The same for a deferred access; returns its block. */
  actAgain({ block, warp, pattern, warpSync, barrier }: LoggedAccess): BlockClock {
    const clock = this.#blocks[block]!;
    this.act(clock, warp, pattern.pc, pattern.reach);
    this.#warpSync = warpSync;
    this.#barriers = barrier;
    return clock;
  }

  /** The number of a lane of the current warp. */
  thread(lane: number): number {
    return this.#block + this.#warp * 32 + lane;
  }

  stamp(lane: number, bytes: number): number {
    const count = this.#clock!.seen(this.#warp, lane)?.count ?? 0;
    return this.stamps.of(count, this.#warpSync, this.#barriers, this.#pc, bytes, this.#reach);
  }

  /** The packed entry of the word at an offset. Clears what another block left in the current block's shared memory. */
  word(from: number, shared: boolean): number {
    const base = this.shadow.find(from);
    this.#claim(base, shared, 1);
    return base;
  }

  /**
   * The same for a row that all lanes of a warp access, a word each: what holds for lane 0 there holds for all, if their
   * block knows only counts (`isPlain`). -1 where its words have had different accesses.
   */
  row(from: number, shared: boolean): number {
    const base = this.shadow.findRow(from);
    if (base >= 0) this.#claim(base, shared, 32);
    return base;
  }

  #claim(base: number, shared: boolean, count: number): void {
    const { words } = this.shadow;
    const kind = words[base + KIND]!;
    if ((kind & KNOWN) === 0 || ((kind & SHARED) !== 0) !== shared) this.shadow.begin(base, shared, count);
    else if (shared && (kind & ELSEWHERE) === 0) {
      // Entries of an ended block of another cluster are stale: its shared memory has a new owner.
      const writer = words[base + WRITER]!;
      const user = writer !== NOBODY ? writer : words[base + READS] === 0 ? NOBODY : this.shadow.reader(base, 0);
      if (user !== NOBODY && user >>> 10 !== this.#block >>> 10) {
        const other = this.#blocks[user >>> 10]!;
        if (other.ended && other.cluster !== this.#clock!.cluster) this.shadow.begin(base, shared, count);
      }
    }
  }

  /** A load of `bytes` of a word; false where it must be checked as an object, with nothing done. */
  load(base: number, lane: number, bytes: number): boolean {
    const { words } = this.shadow;
    if ((words[base + KIND]! & ELSEWHERE) !== 0) return false;
    const thread = this.thread(lane);
    const writer = words[base + WRITER]!;
    if (writer !== NOBODY && writer !== thread && this.#clashes(writer, words[base + WRITE_STAMP]!, lane, bytes))
      return false;
    this.#remember(base, thread, this.stamp(lane, bytes), lane, bytes);
    return true;
  }

  /**
   * A store likewise. `turn`: that of the instruction, 0 where the value is unknown; `alike` says whether two
   * lanes of it store the same value.
   */
  store(base: number, lane: number, bytes: number, turn: number, alike: (a: number, b: number) => boolean): boolean {
    const { shadow, stamps } = this;
    const { words } = shadow;
    if ((words[base + KIND]! & ELSEWHERE) !== 0) return false;
    const thread = this.thread(lane);
    const writer = words[base + WRITER]!;
    if (writer !== NOBODY) {
      const stamp = words[base + WRITE_STAMP]!;
      if ((stamps.bytes[stamp]! & ~bytes) !== 0) return false;
      if (writer !== thread && this.#clashes(writer, stamp, lane, bytes))
        if (turn === 0 || words[base + WRITE_TURN] !== turn || !alike(writer & 31, lane)) return false;
    }
    const reads = words[base + READS]!;
    for (let at = 0; at < reads; at++) {
      const reader = shadow.reader(base, at);
      const stamp = shadow.readStamp(base, at);
      if ((stamps.bytes[stamp]! & ~bytes) !== 0) return false;
      if (reader !== thread && this.#clashes(reader, stamp, lane, bytes)) return false;
    }
    shadow.dropReads(base);
    words[base + WRITER] = thread;
    words[base + WRITE_STAMP] = this.stamp(lane, bytes);
    words[base + WRITE_TURN] = turn;
    return true;
  }

  /** Whether a word or a row was stored to after a turn. */
  isStoredAfter(base: number, turn: number): boolean {
    const { words } = this.shadow;
    return words[base + WRITER] !== NOBODY && words[base + WRITE_TURN]! > turn;
  }

  /** Whether the caller keeps the word, as objects. */
  isElsewhere(base: number): boolean {
    return (this.shadow.words[base + KIND]! & ELSEWHERE) !== 0;
  }

  /** What has been reported of two instructions. */
  reported(a: number, b: number): Reported | undefined {
    return this.#reported.get(Math.min(a, b) * 2 ** 26 + Math.max(a, b));
  }

  report(a: number, b: number, what: Reported): void {
    this.#reported.set(Math.min(a, b) * 2 ** 26 + Math.max(a, b), what);
  }

  /** Converts a word to objects, which the caller then keeps. `value`: what a lane stored in this turn. */
  unpack(base: number, turn: number, value: (lane: number) => bigint | undefined): MemoryWord {
    const { shadow } = this;
    const { words } = shadow;
    const writes: RecordedWrite[] = [];
    const writer = words[base + WRITER]!;
    if (writer !== NOBODY) {
      const now = words[base + WRITE_TURN] === turn;
      const access = this.#access(
        writer,
        words[base + WRITE_STAMP]!,
        now ? turn : 0,
        now ? value(writer & 31) : undefined,
      );
      writes.push({ ...access, release: undefined, own: untold });
    }
    const reads: RecordedAccess[] = [];
    for (let at = 0; at < words[base + READS]!; at++)
      reads.push(this.#access(shadow.reader(base, at), shadow.readStamp(base, at), 0, undefined));
    shadow.dropReads(base);
    words[base + WRITER] = NOBODY;
    words[base + KIND]! |= ELSEWHERE;
    return {
      writes: writes.length === 0 ? none : writes,
      reads: reads.length === 0 ? none : reads,
      shared: (words[base + KIND]! & SHARED) !== 0,
    };
  }

  /** Packs a word again where it fits. `turn`: the one whose values are known, 0 for none. */
  pack(base: number, { writes, reads }: MemoryWord, turn: number): boolean {
    const [write, ...others] = writes;
    if (others.length > 0 || (write !== undefined && (write.release !== undefined || write.own !== untold)))
      return false;
    const { words } = this.shadow;
    words[base + KIND]! &= ~ELSEWHERE;
    words[base + WRITER] = NOBODY;
    if (write !== undefined) {
      words[base + WRITER] = numberOf(write.thread);
      words[base + WRITE_STAMP] = this.#stampOf(write);
      words[base + WRITE_TURN] = write.value === undefined || write.turn !== turn ? 0 : turn;
    }
    for (const read of reads) this.shadow.addRead(base, numberOf(read.thread), this.#stampOf(read));
    return true;
  }

  /** Reports the blocks that appear in some word, and frees stamps that no word uses. */
  tidy(name: (clock: BlockClock) => void): void {
    const { words } = this.shadow;
    const named = new Set<number>();
    let [writer, reader] = [NOBODY, NOBODY];
    this.shadow.each((base) => {
      // Neighbouring words mostly have the same.
      const stored = words[base + WRITER]!;
      if (stored !== NOBODY && stored >>> 10 !== writer) {
        writer = stored >>> 10;
        named.add(writer);
      }
      for (let at = 0; at < words[base + READS]!; at++) {
        const block = this.shadow.reader(base, at) >>> 10;
        if (block === reader) continue;
        reader = block;
        named.add(block);
      }
    });
    for (const number of named) name(this.#blocks[number]!);
    if (this.stamps.size > 2 * this.#live + STALE) this.#renew();
  }

  save(): PackedImage {
    return {
      shadow: this.shadow.save(),
      stamps: this.stamps.copy(),
      blocks: [...this.#blocks],
      free: [...this.#free],
      reported: new Map(this.#reported),
    };
  }

  restore({ shadow, stamps, blocks, free, reported }: PackedImage): void {
    this.shadow.restore(shadow);
    this.stamps = stamps.copy();
    this.#blocks = [...blocks];
    this.#free = [...free];
    this.#reported = new Map(reported);
  }

  #renew(): void {
    const { shadow, stamps } = this;
    const { words } = shadow;
    const made = new RaceStamps();
    shadow.each((base) => {
      if (words[base + WRITER] !== NOBODY) words[base + WRITE_STAMP] = stamps.copyTo(made, words[base + WRITE_STAMP]!);
      const reads = words[base + READS]!;
      if (reads === 1) words[base + READ_STAMP] = stamps.copyTo(made, words[base + READ_STAMP]!);
      const list = words[base + READ_LIST]!;
      for (let at = 0; reads > 1 && at < reads; at++)
        shadow.setReadStamp(list, at, stamps.copyTo(made, shadow.readStamp(base, at)));
    });
    this.stamps = made;
    this.#live = made.size;
  }

  /** Whether an access to some of the same bytes races with the lane's, and no thread so far away has been reported yet. */
  #clashes(other: number, stamp: number, lane: number, bytes: number): boolean {
    const { stamps } = this;
    if ((stamps.bytes[stamp]! & bytes) === 0 || this.#follows(other, stamp, lane)) return false;
    const before = this.reported(stamps.pc[stamp]!, this.#pc)?.apart;
    if (before === 2) return false;
    const reach = Math.min(stamps.reach[stamp]!, this.#reach);
    const far = distance(this.#blocks[other >>> 10]!, this.#clock!);
    if (reach >= 0 && reach >= far) return false;
    return before === undefined || before < (far === 0 && other >>> 5 === this.thread(lane) >>> 5 ? -1 : far);
  }

  /** `ThreadClock.follows`, for another thread. */
  #follows(other: number, stamp: number, lane: number): boolean {
    const { stamps } = this;
    const clock = this.#clock!;
    if (other >>> 10 === this.#block >>> 10) {
      if (stamps.barrier[stamp]! < this.#barriers) return true;
      if (((other >>> 5) & 31) === this.#warp && stamps.warpSync[stamp]! < this.#warpSync) return true;
    }
    const known = clock.seen(this.#warp, lane)?.known ?? clock.known;
    if (known === nothing) return false;
    const { block } = this.#blocks[other >>> 10]!;
    return (
      (known.threads.get(block * BLOCK_THREADS + (other & 1023)) ?? -1) >= stamps.count[stamp]! ||
      (known.warps.get(block * 32 + ((other >>> 5) & 31)) ?? 0) > stamps.warpSync[stamp]! ||
      (known.blocks.get(block) ?? 0) > stamps.barrier[stamp]!
    );
  }

  /** `remember`, for packed words. */
  #remember(base: number, thread: number, stamp: number, lane: number, bytes: number): void {
    const { shadow } = this;
    const { words } = shadow;
    const reads = words[base + READS]!;
    if (reads > 1) {
      const { lists } = shadow;
      const list = words[base + READ_LIST]!;
      // The first load of the same warp, and of the same block.
      let [mates, block] = [-1, -1];
      for (let entry = list, end = list + 2 * reads; entry < end; entry += 2) {
        const apart = lists[entry]! ^ thread;
        if (apart >>> 10 !== 0) continue;
        const at = (entry - list) >> 1;
        if (block < 0) block = at;
        if (apart >>> 5 !== 0) continue;
        if (mates < 0) mates = at;
        if (apart !== 0 || !this.#alike(shadow.readStamp(base, at), stamp)) continue;
        shadow.setReadStamp(list, at, stamp);
        return;
      }
      if (reads === MOST_READS) {
        let gone = block < 0 ? -1 : this.#covered(base, block, thread, lane, bytes);
        if (gone < 0) gone = shadow.crowd(list, mates);
        shadow.replaceRead(list, gone, mates, thread, stamp);
        return;
      }
    } else if (reads === 1 && words[base + READER] === thread && this.#alike(words[base + READ_STAMP]!, stamp)) {
      words[base + READ_STAMP] = stamp;
      return;
    }
    shadow.addRead(base, thread, stamp);
  }

  #alike(a: number, b: number): boolean {
    const { pc, bytes } = this.stamps;
    return a === b || (pc[a] === pc[b] && bytes[a] === bytes[b]);
  }

  /**
   * The first load, from `from` on, that happened before the new one and can race with nothing that the new one cannot
   * race with; -1 where there is none.
   */
  #covered(base: number, from: number, thread: number, lane: number, bytes: number): number {
    const { shadow, stamps } = this;
    const { barrier, warpSync, reach, bytes: touched } = stamps;
    const { lists } = shadow;
    const list = shadow.words[base + READ_LIST]!;
    const clock = this.#clock!;
    const knows = (clock.seen(this.#warp, lane)?.known ?? clock.known) !== nothing;
    for (let at = from; at < MOST_READS; at++) {
      const other = lists[list + 2 * at]!;
      if ((other ^ thread) >>> 10 !== 0) continue;
      const stamp = shadow.readStamp(base, at);
      if (!knows && other !== thread && barrier[stamp]! >= this.#barriers && warpSync[stamp]! >= this.#warpSync)
        continue;
      if ((touched[stamp]! & ~bytes) !== 0 || reach[stamp]! < this.#reach) continue;
      if (other === thread || this.#follows(other, stamp, lane)) return at;
    }
    return -1;
  }

  #access(thread: number, stamp: number, turn: number, value: bigint | undefined): RecordedAccess {
    const { count, warpSync, barrier, pc, bytes, reach } = this.stamps;
    const clock = this.#blocks[thread >>> 10]!;
    const [warp, lane] = [(thread >>> 5) & 31, thread & 31];
    return {
      thread: clock.ended ? new ThreadClock(clock, warp, lane) : clock.thread(warp, lane),
      count: count[stamp]!,
      warpSync: warpSync[stamp]!,
      barrier: barrier[stamp]!,
      reach: reach[stamp]!,
      value,
      pc: pc[stamp]!,
      turn,
      bytes: bytes[stamp]!,
    };
  }

  #stampOf({ count, warpSync, barrier, pc, bytes, reach }: RecordedAccess): number {
    return this.stamps.of(count, warpSync, barrier, pc, bytes, reach);
  }
}

const numberOf = ({ blockClock, warp, lane }: ThreadClock): number =>
  blockClock.number * BLOCK_THREADS + warp * 32 + lane;

/** What a snapshot keeps. */
export interface PackedImage {
  readonly shadow: RaceShadowImage;
  readonly stamps: RaceStamps;
  readonly blocks: readonly (BlockClock | undefined)[];
  readonly free: readonly number[];
  readonly reported: ReadonlyMap<number, Reported>;
}

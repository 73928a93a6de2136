import type { Diagnostic } from "../../../source/diagnostic.ts";
import { firstLane } from "../../contract/launch/lane-mask.ts";
import { acquires, releases } from "../../contract/memory-consistency.ts";
import type { WarpAccess } from "../../contract/observer.ts";
import { writtenBy } from "../../contract/plan/effects.ts";
import type { LoggedAccess } from "./access-log.ts";
import type { PackedRaces } from "./packed.ts";
import { apartIn, type RaceSite, raceFinding } from "./report.ts";
import { both, morallyStrong, Release, released } from "./scope.ts";
import type { StrongLog } from "./strong.ts";
import { type BlockClock, type ByReach, type Epoch, ThreadClock, untold } from "./vector-clock.ts";
import type { RaceWeight } from "./weight.ts";
import {
  carriedOn,
  type Manner,
  type MemoryWord,
  none,
  observed,
  outside,
  type RecordedAccess,
  read,
  remember,
} from "./word.ts";

/** An access of one thread, to one or more words. */
export interface Doing extends Manner {
  readonly epoch: Epoch;
  readonly value: bigint | undefined;
  /** The instruction's turn, and the warp access that this one is a part of. */
  readonly turn: number;
  readonly access: WarpAccess | undefined;
  /** What it releases; computed with its first word. */
  released: ByReach | undefined;
}

/** What a store of a thread releases to those who acquire it. */
function releasedBy(doing: Doing): ByReach {
  const { sem, reach } = doing;
  const { thread } = doing.epoch;
  if (reach < 0) return untold;
  doing.released ??= releases(sem) ? released(thread, reach) : thread.fenced;
  return doing.released;
}

/** The launch, and the receiver of findings. */
export interface RaceListener extends RaceSite {
  /** `instead`: an earlier finding about the same two instructions, which says less. False where it is not kept. */
  report(finding: Diagnostic, instead: Diagnostic | undefined): boolean;
}

/**
 * Accesses to words whose state does not fit into numbers: each access is an object. A word that fits again is
 * packed again.
 */
export class RecordedRaces {
  words: Map<number, MemoryWord> = new Map();
  readonly #site: RaceListener;
  readonly #packed: PackedRaces;
  readonly #weight: RaceWeight;
  readonly #strong: StrongLog;
  /** The word that is touched. */
  #from = 0;

  constructor(site: RaceListener, packed: PackedRaces, weight: RaceWeight, strong: StrongLog) {
    this.#strong = strong;
    this.#site = site;
    this.#packed = packed;
    this.#weight = weight;
  }

  /** Records an access to one word as an object. */
  touch(from: number, base: number, shared: boolean, touched: number, doing: Doing): void {
    this.#from = from;
    const { how, reach, pc, value, turn, access: whole } = doing;
    const { thread, count, warpSync, barrier } = doing.epoch;
    const word = this.#word(from, base, shared, doing);
    if (how === "load" && isRepeated(word, doing, touched)) return;
    const before = word.reads.length + word.writes.length;
    // Each field by name: objects made by spread take twice as much memory.
    const access = { thread, count, warpSync, barrier, reach, value, pc, turn, bytes: touched };
    if (how === "load") this.#load(word, access, doing);
    else if (how === "store") this.#store(word, access, doing);
    else this.#update(word, access, doing);
    this.#weight.note(word.reads.length + word.writes.length - before);
    // A call for another thread may report the same stored value in this turn.
    if (value !== undefined && whole === undefined) return;
    if (!this.#packed.pack(base, word, whole === undefined ? 0 : turn)) return;
    this.forget(from);
  }

  /** Drops what is recorded of a word. */
  forget(from: number): void {
    const word = this.words.get(from);
    if (word === undefined) return;
    this.words.delete(from);
    this.#weight.note(-word.reads.length - word.writes.length);
  }

  /** A deferred access to a word that does not fit into numbers. */
  again(
    clock: BlockClock,
    { warp, pattern, warpSync, barrier, turn }: LoggedAccess,
    lane: number,
    from: number,
    base: number,
    shared: boolean,
    touched: number,
  ): void {
    const { how, sem, pc, reach } = pattern;
    const thread = clock.ended ? new ThreadClock(clock, warp, lane) : clock.thread(warp, lane);
    const epoch: Epoch = { thread, count: thread.count, warpSync, barrier };
    const manner = { how, sem, pc, reach, epoch, turn };
    this.touch(from, base, shared, touched, { ...manner, value: undefined, access: undefined, released: undefined });
  }

  #load(word: MemoryWord, access: RecordedAccess, { sem }: Manner): void {
    this.#judge(word, word.writes, access, "reads");
    remember(word, access);
    for (const write of observed(word, access)) read(write, access, sem === "acquire");
    access.thread.lastLoad = { word, writes: word.writes, access };
  }

  #store(word: MemoryWord, access: RecordedAccess, doing: Doing): void {
    const releases = releasedBy(doing);
    // A store also releases what earlier stores of its thread to this memory released (8.8, second release pattern).
    const earlier = observed(word, access).filter((write) => write.thread === access.thread);
    const own = access.reach < 0 ? untold : earlier.reduce((all, { own }) => both(all, own), releases);
    this.#write(word, access, own, undefined);
  }

  #update(word: MemoryWord, access: RecordedAccess, doing: Doing): void {
    const { sem } = doing;
    const before = observed(word, access);
    // The value that red reads is not returned: it acquires nothing (PTX ISA 8.11.1).
    if (writtenBy(this.#site.program.code[access.pc]!.plan) > 0)
      for (const write of before) read(write, access, acquires(sem));
    // It includes what was acquired just now.
    const releases = releasedBy(doing);
    const earlier = before.filter((write) => write.thread === access.thread);
    // An atomic carries on the releases of the stores that it observes (PTX ISA 8.9.2).
    const carried = carriedOn(before, access.bytes);
    const own = earlier.reduce((all, { own }) => both(all, own), releases);
    this.#write(word, access, own, carried);
  }

  #write(word: MemoryWord, access: RecordedAccess, own: ByReach, carried: Release | undefined): void {
    this.#judge(word, word.writes, access, "writes");
    this.#judge(word, word.reads, access, "writes");
    const release = carried ?? (own === untold ? undefined : new Release());
    release?.publish(access.thread, own);
    const { thread, count, warpSync, barrier, reach, value, pc, turn, bytes } = access;
    const write = { thread, count, warpSync, barrier, reach, value, pc, turn, bytes, release, own };
    const others = outside(word.writes, bytes);
    word.writes = others.length === 0 ? [write] : [...others, write];
    word.reads = outside(word.reads, access.bytes);
  }

  #judge(
    { shared }: MemoryWord,
    before: readonly RecordedAccess[],
    now: RecordedAccess,
    does: "reads" | "writes",
  ): void {
    for (const other of before) {
      if ((other.bytes & now.bytes) === 0 || morallyStrong(other, now) || now.thread.follows(other)) continue;
      // What a SIMD thread does is in its order, but channels that one message stores for have none.
      if (this.#site.program.simd !== undefined && isOneWarp(other, now) && other.turn !== now.turn) continue;
      // Lanes that store the same value together leave no doubt about what is stored.
      if (other.turn === now.turn && other.value !== undefined && other.value === now.value) continue;
      const said = this.#packed.reported(other.pc, now.pc);
      const apart = apartIn({ other, now });
      if (said !== undefined && said.apart >= apart) continue;
      const at = this.#from + firstLane(other.bytes & now.bytes);
      // Lanes of a warp need less to be ordered than warps do: what orders the farthest threads is told, at the same instruction.
      const pc = said?.finding ? said.pc : now.pc;
      const finding = raceFinding(this.#site, this.#strong, { other, now, does, shared, at }, pc);
      const kept = this.#site.report(finding, said?.finding);
      this.#packed.report(other.pc, now.pc, { apart, pc, finding: kept ? finding : undefined });
    }
  }

  #word(from: number, base: number, shared: boolean, { turn, access, epoch }: Doing): MemoryWord {
    const by = epoch.thread.blockClock;
    let word = this.words.get(from);
    if (word !== undefined && !this.#packed.isElsewhere(base)) {
      this.#weight.note(-word.writes.length - word.reads.length);
      word = undefined;
    }
    // Entries of an ended block of another cluster are stale: its shared memory has a new owner.
    const user = (word?.writes[0] ?? word?.reads[0])?.thread.blockClock;
    const given = shared && user?.ended === true && user.cluster !== by.cluster;
    if (word !== undefined && word.shared === shared && !given) return word;
    if (word !== undefined) {
      this.#weight.note(-word.writes.length - word.reads.length);
      word = { writes: none, reads: none, shared };
    } else {
      word = this.#packed.unpack(base, turn, (lane) => access?.value(lane));
      this.#weight.note(word.writes.length + word.reads.length);
    }
    this.words.set(from, word);
    return word;
  }
}

/**
 * Whether a load says no more than the last one of its thread, which is so in a loop that waits: nobody has stored to the word
 * since, and the thread has synchronised with nobody.
 */
function isRepeated(word: MemoryWord, { epoch, pc, reach }: Doing, bytes: number): boolean {
  const last = epoch.thread.lastLoad;
  if (last?.word !== word || last.writes !== word.writes) return false;
  const { access } = last;
  const { count, warpSync, barrier } = epoch;
  const isNow = access.count === count && access.warpSync === warpSync && access.barrier === barrier;
  return isNow && access.pc === pc && access.reach === reach && access.bytes === bytes;
}

/** Whether both are of one warp, whose lanes are channels of one thread where threads are SIMD threads. */
const isOneWarp = ({ thread: a }: RecordedAccess, { thread: b }: RecordedAccess): boolean =>
  a.blockClock === b.blockClock && a.warp === b.warp;

import { LANES } from "../../contract/launch/lane-mask.ts";
import { acquires, releases } from "../../contract/memory-consistency.ts";
import type { WarpAccess } from "../../contract/observer.ts";
import {
  type AccessList,
  AccessLog,
  type AccessPattern,
  emptyList,
  type LoggedAccess,
  RecentPatterns,
} from "./access-log.ts";
import { SharedInterval } from "./interval.ts";
import type { PackedRaces } from "./packed.ts";
import type { RecordedRaces } from "./recorded.ts";
import type { BlockClock } from "./vector-clock.ts";

/** Log2 of the bytes of global memory whose loads are deferred together. */
const PAGE_BITS = 12;

/** Accesses between two looks at how much memory they take: a power of two. */
const LOOK = 16;

/** Loads that are searched for those of a page. */
const MOST_SEARCHED = 1024;

/** How much may be deferred: bytes in all, and accesses of warps to the shared memory of one block. */
export interface DeferredLimits {
  readonly global: number;
  readonly shared: number;
}

/** A page of global memory. */
interface Page {
  readonly number: number;
  readonly loads: AccessList;
  /** Where its first load among the unsorted ones is, or one behind it; and between which times of sorting that is so. */
  loadedAt: number;
  loadedIn: number;
  /** Set once a thread has stored to it: from then on each load is checked at once. */
  stored: boolean;
}

/** The shared memory of a block. */
interface Tile {
  readonly interval: SharedInterval;
  /** What they do: bits of `doings`. */
  done: number;
  /** Whether there is something in the interval that has not been done. */
  asked: boolean;
  /** The number of barriers before the last access that was not deferred, or no longer is. */
  checkedAt: number;
  /** Its state does not fit into the packed numbers alone. */
  strange: boolean;
}

const doings = { load: 1, store: 2, atomic: 4 } as const;

/** Accesses that race with none of their kind. */
const harmless = (done: number): boolean => done === doings.load || done === doings.atomic;

/**
 * Plain accesses of whole warps, deferred until a check is needed. Loads of global memory race with nothing while no thread
 * stores to the page: most are never checked. Accesses to the block's shared memory are checked only if an `interval`
 * cannot say that they race with none since the last barrier: whatever comes behind the next one, a barrier of all threads,
 * races with none of them, and they are dropped. Otherwise accesses are checked in order, as if they happened then: blocks
 * with deferred accesses know only counts of barriers and warp synchronisations (`isPlain`).
 */
export class DeferredAccesses {
  readonly #packed: PackedRaces;
  readonly #recorded: RecordedRaces;
  readonly #limits: DeferredLimits;
  readonly patterns: RecentPatterns = new RecentPatterns();
  /** Loads of global memory. */
  readonly #log: AccessLog = new AccessLog();
  readonly #unsorted = new UnsortedLoads();
  #sorted = 0;
  /** By number: which of the known pages it is, and one more; the pages, in the order in which they were first accessed. */
  #numbers: Int32Array = new Int32Array(4096);
  #known: Page[] = [];
  readonly #tiles = new Map<BlockClock, Tile>();
  /** The tile that was last needed. */
  #last: { readonly clock?: BlockClock; readonly tile?: Tile } = {};
  /** Intervals of blocks that have ended. */
  readonly #intervals: SharedInterval[] = [];
  #taken = 0;
  /** Bytes of the logs of shared memory. */
  #sharedBytes = 0;
  /** How often deferring accesses to shared memory saved nothing, less how often it saved the check. */
  #inVain = 0;

  constructor(packed: PackedRaces, recorded: RecordedRaces, limits: DeferredLimits) {
    this.#packed = packed;
    this.#recorded = recorded;
    this.#limits = limits;
  }

  /** Bytes in use, about. */
  get bytes(): number {
    return this.#log.bytes + this.#unsorted.bytes + this.#sharedBytes;
  }

  /** An access by a warp of a plain block: returns the lanes that must be checked now. */
  take(clock: BlockClock, warp: number, pattern: AccessPattern, start: number, turn: number): number {
    if (pattern.space === "shared") return this.#takeShared(clock, warp, pattern, start, turn);
    const { lanes, how, reach, isRow, offsets } = pattern;
    if (how === "load" && reach < 0) {
      const left = this.#load(clock, warp, pattern, start, turn);
      this.#limit();
      return left;
    }
    let last = -1;
    for (let lane = 0; lane < LANES; lane++) {
      const number = (start + offsets[lane]!) >> PAGE_BITS;
      if (!((lanes >>> lane) & 1) || number === last) continue;
      last = number;
      this.#look(this.#page(number), how !== "load");
      // All lanes of a row are on one page.
      if (isRow && (start & 127) === 0) break;
    }
    return lanes;
  }

  /** Loads of global memory. */
  #load(clock: BlockClock, warp: number, pattern: AccessPattern, start: number, turn: number): number {
    const low = (start + pattern.low) >> PAGE_BITS;
    const high = (start + pattern.high) >> PAGE_BITS;
    const warpSync = clock.warpSyncs[warp] ?? 0;
    const first = low < 0 || high - low > 1 ? undefined : this.#page(low);
    const last = first === undefined || high === low ? first : this.#page(high);
    if (first === undefined || last === undefined || first.stored || last.stored) {
      this.#sortPages(pattern, start);
      return this.#sort(clock, warp, pattern, start, turn, warpSync, clock.barriers);
    }
    const at = this.#unsorted.add(clock, warp, this.#log.numberOf(pattern), start, turn, warpSync);
    this.#loaded(first, at);
    if (first !== last) this.#loaded(last, at);
    clock.deferred++;
    return 0;
  }

  #loaded(page: Page, at: number): void {
    if (page.loadedIn === this.#sorted) return;
    page.loadedIn = this.#sorted;
    page.loadedAt = at;
  }

  /** Sorts loads by their pages. */
  #sortAll(): void {
    this.#sorted++;
    this.#unsorted.take(0, (block, barrier, warp, pattern, start, turn, warpSync) =>
      this.#sortAgain(block, barrier, warp, this.#log.pattern(pattern), start, turn, warpSync),
    );
    this.#unsorted.clear();
  }

  #sortAgain(
    block: number,
    barrier: number,
    warp: number,
    pattern: AccessPattern,
    start: number,
    turn: number,
    warpSync: number,
  ): true {
    const clock = this.#packed.blockOf(block);
    clock.deferred--;
    this.#sort(clock, warp, pattern, start, turn, warpSync, barrier);
    return true;
  }

  /** Sorts the loads of the pages that lanes access. */
  #sortPages({ lanes, offsets }: AccessPattern, start: number): void {
    let last = -1;
    for (let lane = 0; lane < LANES; lane++) {
      const number = (start + offsets[lane]!) >> PAGE_BITS;
      if (!((lanes >>> lane) & 1) || number === last || number < 0) continue;
      last = number;
      const page = this.#page(number);
      if (page.loadedIn === this.#sorted) this.#sortPage(page);
    }
  }

  /** Sorts the loads of a page; all, where that is no more work. */
  #sortPage(page: Page): void {
    const { number, loadedAt } = page;
    let alone = this.#unsorted.behind(loadedAt) <= MOST_SEARCHED;
    if (alone)
      this.#unsorted.take(loadedAt, (block, barrier, warp, numbered, start, turn, warpSync) => {
        const pattern = this.#log.pattern(numbered);
        const low = (start + pattern.low) >> PAGE_BITS;
        const high = (start + pattern.high) >> PAGE_BITS;
        if (low > number || high < number) return false;
        // The order among the other page's loads has to stay.
        if (low !== high) alone = false;
        return alone && this.#sortAgain(block, barrier, warp, pattern, start, turn, warpSync);
      });
    if (!alone) this.#sortAll();
    else page.loadedIn = -1;
  }

  /** Sorts a load by the pages of its lanes; returns those that must be checked now. */
  #sort(
    clock: BlockClock,
    warp: number,
    pattern: AccessPattern,
    start: number,
    turn: number,
    warpSync: number,
    barrier: number,
  ): number {
    let rest = 0;
    const { offsets } = pattern;
    for (let left = pattern.lanes; left !== 0; ) {
      const at = start + offsets[31 - Math.clz32(left & -left)]!;
      let here = left;
      const number = at >> PAGE_BITS;
      // Mostly all lanes are on one page.
      if (!pattern.isOnePage(start, PAGE_BITS)) {
        here = 0;
        for (let lane = 0; lane < LANES; lane++)
          if ((left >>> lane) & 1 && (start + offsets[lane]!) >> PAGE_BITS === number) here |= 1 << lane;
      }
      left &= ~here;
      const page = at < 0 ? undefined : this.#page(number);
      if (page === undefined || page.stored) rest |= here;
      else {
        this.#log.add(page.loads, clock.number, warp, here, pattern, start, turn, warpSync, barrier);
        clock.deferred++;
      }
    }
    return rest;
  }

  #takeShared(clock: BlockClock, warp: number, pattern: AccessPattern, start: number, turn: number): number {
    const tile = this.#tile(clock);
    const { how, lanes, reach, sem, isApart } = pattern;
    const fits = how === "load" ? reach < 0 : how === "store" ? reach < 0 && isApart : !acquires(sem) && !releases(sem);
    if (!fits || !this.#isOpen(clock, tile) || !this.#isHarmless(clock, tile, warp, pattern, start)) {
      this.lookShared(clock);
      return lanes;
    }
    const { log, accesses } = tile.interval;
    const before = log.bytes;
    log.add(accesses, clock.number, warp, lanes, pattern, start, turn, clock.warpSyncs[warp] ?? 0, clock.barriers);
    this.#sharedBytes += log.bytes - before;
    clock.deferred++;
    if (accesses.count >= this.#limits.shared) this.#settleTile(tile, clock);
    this.#limit();
    return 0;
  }

  #isOpen(clock: BlockClock, { strange, checkedAt }: Tile): boolean {
    return clock.isPlain && !strange && checkedAt < clock.barriers && this.#inVain <= 64;
  }

  /** Whether an access to shared memory races with none since the last barrier. */
  #isHarmless({ warpSyncs }: BlockClock, tile: Tile, warp: number, pattern: AccessPattern, start: number): boolean {
    const { interval, done } = tile;
    if (tile.asked) interval.again();
    tile.asked = false;
    const fits = interval.reach(pattern, start);
    tile.done |= doings[pattern.how];
    if (harmless(tile.done)) return true;
    if (!fits || harmless(done)) {
      interval.again();
      interval.log.each(interval.accesses, (each) => {
        interval.reach(each.pattern, each.start);
        interval.add(each.pattern, each.start, each.warp, each.warpSync);
      });
      interval.reach(pattern, start);
    }
    return interval.add(pattern, start, warp, warpSyncs[warp] ?? 0);
  }

  /** Before accesses to global memory that are not deferred: checks the deferred loads of their pages. Returns the lanes. */
  look({ how, lanes, where }: Pick<WarpAccess, "how" | "lanes" | "where">): number {
    let last = -1;
    for (let lane = 0; lane < LANES; lane++) {
      const at = where[lane]!;
      if (!((lanes >>> lane) & 1) || at < 0 || at >> PAGE_BITS === last) continue;
      last = at >> PAGE_BITS;
      this.#look(this.#page(last), how !== "load");
    }
    return lanes;
  }

  /** The same for one address. */
  lookAt(at: number, stores: boolean): void {
    this.#look(this.#page(at >> PAGE_BITS), stores);
  }

  #look(page: Page, stores: boolean): void {
    if (page.loadedIn === this.#sorted) this.#sortPage(page);
    if (page.loads.count > 0) this.#settlePage(page);
    if (stores) page.stored = true;
  }

  /** The same for the block's shared memory. */
  lookShared(clock: BlockClock): void {
    const tile = this.#tile(clock);
    if (tile.interval.accesses.count > 0) this.#inVain++;
    this.#settleTile(tile, clock);
  }

  /** The block's shared memory no longer fits the packed numbers: defers none from now on. True where some were. */
  strange(clock: BlockClock): boolean {
    const tile = this.#tile(clock);
    const some = tile.interval.accesses.count > 0;
    tile.strange = true;
    this.#settleTile(tile, clock);
    return some;
  }

  /** An interval to ask about accesses to shared memory, if there was none since the last barrier. */
  ask(clock: BlockClock): SharedInterval | undefined {
    const tile = this.#tile(clock);
    if (!this.#isOpen(clock, tile) || tile.done !== 0) return undefined;
    tile.interval.again();
    tile.asked = true;
    return tile.interval;
  }

  /** All threads of the block have met at a barrier: what they do to its shared memory races with nothing before it. */
  met(clock: BlockClock): void {
    const tile = this.#tiles.get(clock);
    if (tile === undefined || tile.done === 0) return;
    this.#inVain = Math.max(this.#inVain - 1, -64);
    this.#begin(tile, clock);
  }

  /** A block has ended. */
  end(clock: BlockClock): void {
    const tile = this.#tiles.get(clock);
    if (tile === undefined) return;
    this.#begin(tile, clock);
    this.#intervals.push(tile.interval);
    this.#tiles.delete(clock);
    this.#last = {};
  }

  /** Checks all when they take too much memory. */
  #limit(): void {
    if ((++this.#taken & (LOOK - 1)) === 0 && this.bytes > this.#limits.global) this.settle();
  }

  /** Checks all deferred accesses. */
  settle(): void {
    this.#sortAll();
    for (const page of this.#known) this.#settlePage(page);
    for (const [clock, tile] of this.#tiles) this.#settleTile(tile, clock);
    this.#log.clear();
  }

  /** The pages that were stored to, and for each block the barrier count of its last access to shared memory that was checked. */
  save(): DeferredImage {
    this.settle();
    return {
      stored: this.#known.flatMap(({ number, stored }) => (stored ? number : [])),
      tiles: [...this.#tiles].map(([clock, { checkedAt, strange }]) => ({ clock, checkedAt, strange })),
    };
  }

  /** Drops the deferred accesses, which belong to another trace. */
  restore({ stored, tiles }: DeferredImage): void {
    this.#numbers.fill(0);
    this.#known = [];
    for (const number of stored) this.#page(number).stored = true;
    this.#tiles.clear();
    this.#last = {};
    for (const { clock, checkedAt, strange } of tiles) Object.assign(this.#tile(clock), { checkedAt, strange });
    this.#sharedBytes = 0;
    this.#unsorted.clear();
    this.#log.clear();
  }

  #page(number: number): Page {
    const known = this.#numbers[number];
    return known !== undefined && known > 0 ? this.#known[known - 1]! : this.#makePage(number);
  }

  #makePage(number: number): Page {
    if (number >= this.#numbers.length) {
      const more = new Int32Array(2 ** Math.ceil(Math.log2(number + 1)));
      more.set(this.#numbers);
      this.#numbers = more;
    }
    const page = { number, loads: emptyList(), loadedAt: 0, loadedIn: -1, stored: false };
    this.#numbers[number] = this.#known.push(page);
    return page;
  }

  #tile(clock: BlockClock): Tile {
    if (clock === this.#last.clock) return this.#last.tile!;
    let tile = this.#tiles.get(clock);
    if (tile === undefined) {
      const interval = this.#intervals.pop() ?? new SharedInterval();
      interval.begin();
      tile = { interval, done: 0, asked: false, checkedAt: -1, strange: false };
      this.#tiles.set(clock, tile);
    }
    this.#last = { clock, tile };
    return tile;
  }

  /** Forgets what a block has done to its shared memory. */
  #begin(tile: Tile, clock: BlockClock): void {
    const { interval } = tile;
    clock.deferred -= interval.accesses.count;
    this.#sharedBytes -= interval.log.bytes;
    interval.begin();
    tile.done = 0;
  }

  #settleTile(tile: Tile, clock: BlockClock): void {
    tile.checkedAt = clock.barriers;
    if (tile.done === 0) return;
    const { log, accesses } = tile.interval;
    log.each(accesses, (access) => {
      if (this.#check(access, true)) tile.strange = true;
    });
    this.#begin(tile, clock);
  }

  /** Checks the loads of a page. */
  #settlePage({ loads }: Page): void {
    this.#log.each(loads, (access) => {
      this.#packed.blockOf(access.block).deferred--;
      this.#check(access, false);
    });
    this.#log.drop(loads);
  }

  /** Checks an access, but not a load of words that were stored to since; true where the state of a word no longer fits into numbers. */
  #check(access: LoggedAccess, shared: boolean): boolean {
    const packed = this.#packed;
    const { pattern, lanes, start, turn } = access;
    const clock = packed.actAgain(access);
    const { how, bytes, isRow, offsets } = pattern;
    const row = isRow && clock.isPlain && lanes === pattern.lanes && (start & 127) === 0 && how !== "atomic";
    if (row && this.#checkRow(access, shared)) return false;
    let strange = false;
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      const where = start + offsets[lane]!;
      for (let from = where & ~3; from < where + bytes; from += 4) {
        const first = Math.max(where - from, 0);
        const last = Math.min(where + bytes - from, 4);
        const base = packed.word(from, shared);
        if (how === "load" && packed.isStoredAfter(base, turn)) continue;
        const touched = ((1 << last) - 1) & ~((1 << first) - 1);
        const done =
          how === "load"
            ? packed.load(base, lane, touched)
            : packed.store(base, lane, touched, how === "store" ? turn : 0, unlike);
        if (done) continue;
        strange = true;
        this.#recorded.again(clock, access, lane, from, base, shared, touched);
      }
    }
    return strange;
  }

  /** Checks an access to a row of words at once; false where each has to be checked. */
  #checkRow({ start, turn, pattern }: LoggedAccess, shared: boolean): boolean {
    const packed = this.#packed;
    const base = packed.row(start, shared);
    if (base < 0) return false;
    if (pattern.how === "store") return packed.store(base, 0, 15, turn, unlike);
    return packed.isStoredAfter(base, turn) || packed.load(base, 0, 15);
  }
}

/** Numbers of loads that are kept in one array. */
const CHUNK = 16384;

/** In place of the address of a load that was taken. */
const GONE = -1;

/** Loads of global memory in order, as numbers: of most nobody will ask. */
class UnsortedLoads {
  #chunks: Int32Array[] = [];
  #last: Int32Array = new Int32Array(0);
  #end = 0;
  /** Where the block of the last loads is named. */
  #head = 0;
  /** The block of the last loads, and its barriers. */
  #block = -1;
  #barriers = -1;

  get bytes(): number {
    return 4 * CHUNK * this.#chunks.length;
  }

  /** Adds a load; returns a place at or before it, from which `take` may go. */
  add(
    { number, barriers }: BlockClock,
    warp: number,
    pattern: number,
    start: number,
    turn: number,
    warpSync: number,
  ): number {
    if (number !== this.#block || barriers !== this.#barriers) {
      this.#block = number;
      this.#barriers = barriers;
      this.#head = this.#end;
      this.#put(~number, barriers, 0, 0);
    }
    this.#put((pattern << 5) | warp, start, turn, warpSync);
    return this.#head;
  }

  /** How many loads there are from a place on, about. */
  behind(place: number): number {
    return (this.#end - place) >> 2;
  }

  /** Calls `call` for the loads from a place on, and removes those for which it returns true. */
  take(
    place: number,
    call: (
      block: number,
      barrier: number,
      warp: number,
      pattern: number,
      start: number,
      turn: number,
      warpSync: number,
    ) => boolean,
  ): void {
    let [block, barrier] = [0, 0];
    for (let from = place; from < this.#end; from += 4) {
      const numbers = this.#chunks[Math.floor(from / CHUNK)]!;
      const at = from % CHUNK;
      const what = numbers[at]!;
      const start = numbers[at + 1]!;
      if (what < 0) [block, barrier] = [~what, start];
      else if (
        start !== GONE &&
        call(block, barrier, what & 31, what >> 5, start, numbers[at + 2]! >>> 0, numbers[at + 3]!)
      )
        numbers[at + 1] = GONE;
    }
  }

  clear(): void {
    this.#chunks.length = Math.min(1, this.#chunks.length);
    this.#end = 0;
    this.#block = -1;
  }

  #put(a: number, b: number, c: number, d: number): void {
    const at = this.#end % CHUNK;
    if (at === 0) {
      const chunk = Math.floor(this.#end / CHUNK);
      this.#last = this.#chunks[chunk] ?? new Int32Array(CHUNK);
      this.#chunks[chunk] = this.#last;
    }
    this.#end += 4;
    const numbers = this.#last;
    numbers[at] = a;
    numbers[at + 1] = b;
    numbers[at + 2] = c;
    numbers[at + 3] = d;
  }
}

/** Lanes of a store that is deferred access no byte together. */
const unlike = (): boolean => false;

/** What a snapshot keeps. */
export interface DeferredImage {
  readonly stored: readonly number[];
  readonly tiles: readonly { readonly clock: BlockClock; readonly checkedAt: number; readonly strange: boolean }[];
}

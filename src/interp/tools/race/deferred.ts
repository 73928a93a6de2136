import { LANES } from "../../contract/launch/lane-mask.ts";
import { acquires, releases } from "../../contract/memory-consistency.ts";
import type { WarpAccess } from "../../contract/observer.ts";
import {
  type AccessList,
  AccessLog,
  type AccessPattern,
  AccessPatterns,
  emptyList,
  LOG_FIELDS,
  type LoggedAccess,
} from "./access-log.ts";
import { SharedInterval } from "./interval.ts";
import type { PackedRaces } from "./packed.ts";
import type { RecordedRaces } from "./recorded.ts";
import type { BlockClock } from "./vector-clock.ts";

/** Log2 of the bytes of global memory whose loads are deferred together. */
const PAGE_BITS = 12;

/** How much may be deferred: bytes in all, and accesses of warps to the shared memory of one block. */
export interface DeferredLimits {
  readonly global: number;
  readonly shared: number;
}

/** A page of global memory. */
interface Page {
  readonly number: number;
  readonly loads: AccessList;
  /** Set once a thread has stored to it: from then on each load is checked at once. */
  stored: boolean;
}

/** The shared memory of a block. */
interface Tile {
  /** Accesses since the last barrier. */
  readonly accesses: AccessList;
  readonly interval: SharedInterval;
  /** What they do: bits of `doings`. */
  done: number;
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
  readonly patterns: AccessPatterns = new AccessPatterns();
  readonly #log: AccessLog = new AccessLog(this.patterns);
  /** By number, and in the order in which they were first accessed. */
  #pages: (Page | undefined)[] = [];
  #known: Page[] = [];
  readonly #tiles = new Map<BlockClock, Tile>();
  /** The tile that was last needed. */
  #last: { readonly clock?: BlockClock; readonly tile?: Tile } = {};
  /** Intervals of blocks that have ended. */
  readonly #intervals: SharedInterval[] = [];
  /** Deferred loads on pages, once for each page. */
  #count = 0;
  /** How often deferring accesses to shared memory saved nothing, less how often it saved the check. */
  #inVain = 0;

  constructor(packed: PackedRaces, recorded: RecordedRaces, limits: DeferredLimits) {
    this.#packed = packed;
    this.#recorded = recorded;
    this.#limits = limits;
  }

  /** Bytes in use, about. */
  get bytes(): number {
    return 4 * LOG_FIELDS * this.#count + this.patterns.bytes;
  }

  /** An access by a warp of a plain block: returns the lanes that must be checked now. */
  take(clock: BlockClock, warp: number, pattern: AccessPattern, start: number, turn: number): number {
    if (pattern.space === "shared") return this.#takeShared(clock, warp, pattern, start, turn);
    const { lanes, how, reach, isRow } = pattern;
    const plain = how === "load" && reach < 0;
    if (plain && (!isRow || (start & 127) !== 0)) return this.#load(clock, warp, pattern, start, turn);
    if (!isRow || (start & 127) !== 0) return this.#lookAll(pattern, start);
    const page = this.#page(start >> PAGE_BITS);
    if (!plain || page.stored) {
      this.#look(page, how !== "load");
      return lanes;
    }
    this.#put(page.loads, clock, warp, pattern, lanes, start, turn);
    if (this.bytes > this.#limits.global) this.settle();
    return 0;
  }

  /** Loads of global memory. */
  #load(clock: BlockClock, warp: number, pattern: AccessPattern, start: number, turn: number): number {
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
      else this.#put(page.loads, clock, warp, pattern, here, start, turn);
    }
    if (this.bytes > this.#limits.global) this.settle();
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
    this.#put(tile.accesses, clock, warp, pattern, lanes, start, turn);
    if (tile.accesses.count >= this.#limits.shared) this.#settleTile(tile, clock);
    if (this.bytes > this.#limits.global) this.settle();
    return 0;
  }

  #isOpen(clock: BlockClock, { strange, checkedAt }: Tile): boolean {
    return clock.isPlain && !strange && checkedAt < clock.barriers && this.#inVain <= 64;
  }

  /** Whether an access to shared memory races with none since the last barrier. */
  #isHarmless({ warpSyncs }: BlockClock, tile: Tile, warp: number, pattern: AccessPattern, start: number): boolean {
    const { interval, accesses, done } = tile;
    const fits = interval.reach(pattern, start);
    tile.done |= doings[pattern.how];
    if (harmless(tile.done)) return true;
    if (!fits || harmless(done)) {
      interval.begin();
      this.#log.each(accesses, (each) => {
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

  #lookAll({ how, lanes, offsets }: AccessPattern, start: number): number {
    return this.look({ how, lanes, where: offsets.map((offset) => start + offset) });
  }

  /** The same for one address. */
  lookAt(at: number, stores: boolean): void {
    this.#look(this.#page(at >> PAGE_BITS), stores);
  }

  #look(page: Page, stores: boolean): void {
    if (page.loads.count > 0) this.#replay(page.loads, false);
    if (stores) page.stored = true;
  }

  /** The same for the block's shared memory. */
  lookShared(clock: BlockClock): void {
    const tile = this.#tile(clock);
    if (tile.accesses.count > 0) this.#inVain++;
    this.#settleTile(tile, clock);
  }

  /** The block's shared memory no longer fits the packed numbers: defers none from now on. True where some were. */
  strange(clock: BlockClock): boolean {
    const tile = this.#tile(clock);
    const some = tile.accesses.count > 0;
    tile.strange = true;
    this.#settleTile(tile, clock);
    return some;
  }

  /** Whether accesses to the block's shared memory since its last barrier were loads, and none was checked. */
  hasLoaded(clock: BlockClock): boolean {
    const tile = this.#tile(clock);
    return this.#isOpen(clock, tile) && (tile.done & ~doings.load) === 0;
  }

  /** All threads of the block have met at a barrier: what they do to its shared memory races with nothing before it. */
  met(clock: BlockClock): void {
    const tile = this.#tiles.get(clock);
    if (tile === undefined || tile.done === 0) return;
    this.#inVain = Math.max(this.#inVain - 1, -64);
    this.#drop(clock, tile.accesses);
    if (!harmless(tile.done)) tile.interval.begin();
    tile.done = 0;
  }

  /** A block has ended. */
  end(clock: BlockClock): void {
    const tile = this.#tiles.get(clock);
    if (tile === undefined) return;
    this.#drop(clock, tile.accesses);
    this.#intervals.push(tile.interval);
    this.#tiles.delete(clock);
    this.#last = {};
  }

  /** Checks all deferred accesses. */
  settle(): void {
    for (const { loads } of this.#known) this.#replay(loads, false);
    for (const [clock, tile] of this.#tiles) this.#settleTile(tile, clock);
    this.#log.clear();
    this.patterns.clear();
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
    this.#pages = [];
    this.#known = [];
    for (const number of stored) this.#page(number).stored = true;
    this.#tiles.clear();
    this.#last = {};
    for (const { clock, checkedAt, strange } of tiles) Object.assign(this.#tile(clock), { checkedAt, strange });
    this.#count = 0;
    this.#log.clear();
    this.patterns.clear();
  }

  #page(number: number): Page {
    let page = this.#pages[number];
    if (page === undefined) {
      page = { number, loads: emptyList(), stored: false };
      this.#pages[number] = page;
      this.#known.push(page);
    }
    return page;
  }

  #tile(clock: BlockClock): Tile {
    if (clock === this.#last.clock) return this.#last.tile!;
    let tile = this.#tiles.get(clock);
    if (tile === undefined) {
      const interval = this.#intervals.pop() ?? new SharedInterval();
      interval.begin();
      tile = { accesses: emptyList(), interval, done: 0, checkedAt: -1, strange: false };
      this.#tiles.set(clock, tile);
    }
    this.#last = { clock, tile };
    return tile;
  }

  #put(
    list: AccessList,
    clock: BlockClock,
    warp: number,
    pattern: AccessPattern,
    lanes: number,
    start: number,
    turn: number,
  ): void {
    this.patterns.keep(pattern);
    this.#log.add(list, clock, warp, lanes, pattern, start, turn);
    clock.deferred++;
    this.#count++;
  }

  #drop(clock: BlockClock, list: AccessList): void {
    clock.deferred -= list.count;
    this.#count -= list.count;
    this.#log.drop(list);
  }

  #settleTile(tile: Tile, clock: BlockClock): void {
    tile.checkedAt = clock.barriers;
    if (tile.done === 0) return;
    tile.interval.begin();
    tile.done = 0;
    this.#replay(tile.accesses, true, tile);
  }

  /** Checks accesses in order, except loads of words that were stored to since. */
  #replay(list: AccessList, shared: boolean, tile?: Tile): void {
    const packed = this.#packed;
    this.#log.each(list, (access) => {
      const { pattern, lanes, start, turn } = access;
      const clock = packed.actAgain(access);
      clock.deferred--;
      const { how, bytes, isRow, offsets } = pattern;
      const row = isRow && clock.isPlain && lanes === pattern.lanes && (start & 127) === 0 && how !== "atomic";
      if (row && this.#replayRow(access, shared)) return;
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
          if (tile !== undefined) tile.strange = true;
          this.#recorded.again(clock, access, lane, from, base, shared, touched);
        }
      }
    });
    this.#count -= list.count;
    this.#log.drop(list);
  }

  /** Checks an access to a row of words at once; false where each has to be checked. */
  #replayRow({ start, turn, pattern }: LoggedAccess, shared: boolean): boolean {
    const packed = this.#packed;
    const base = packed.row(start, shared);
    if (base < 0) return false;
    if (pattern.how === "store") return packed.store(base, 0, 15, turn, unlike);
    return packed.isStoredAfter(base, turn) || packed.load(base, 0, 15);
  }
}

/** Lanes of a store that is deferred access no byte together. */
const unlike = (): boolean => false;

/** What a snapshot keeps. */
export interface DeferredImage {
  readonly stored: readonly number[];
  readonly tiles: readonly { readonly clock: BlockClock; readonly checkedAt: number; readonly strange: boolean }[];
}

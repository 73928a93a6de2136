import { LANES } from "../../contract/launch/lane-mask.ts";
import type { WarpAccess } from "../../contract/observer.ts";
import { type DeferredLoad, LOAD_FIELDS, LoadLog, type LoadPattern, LoadPatterns } from "./loads.ts";
import type { PackedRaces } from "./packed.ts";
import type { RecordedRaces } from "./recorded.ts";
import { NOBODY, WRITE_TURN, WRITER } from "./shadow.ts";
import type { BlockClock } from "./vector-clock.ts";

/** Log2 of the bytes of global memory whose loads are deferred together. */
const PAGE_BITS = 12;

/** Pages on each side of a load of which it is said at once that loads may be late. */
const MOST_SAID = 64;

/** A load that may be notified of late: all but its warp and address. */
interface NotedLoad {
  readonly pc: number;
  readonly pattern: LoadPattern;
  readonly shared: boolean;
}

/** How much may be deferred: bytes in all, and loads of warps in the shared memory of one block. */
export interface DeferredLimits {
  readonly global: number;
  readonly shared: number;
}

/** A page of global memory. */
interface Page {
  readonly number: number;
  readonly loads: LoadLog;
  /** Set once a thread has stored to it: from then on each load is checked at once. */
  stored: boolean;
}

/** The shared memory of a block. */
interface Tile {
  readonly loads: LoadLog;
  /** The number of barriers before the last store to it. */
  storedAt: number;
  /** Its state does not fit into the packed numbers alone. */
  strange: boolean;
}

/**
 * Plain loads of whole warps, deferred until a check is needed: a load races with nothing while no thread stores to
 * the page, or while all stores lie before the block's last barrier. Most are never checked: the page is not stored
 * to, or the block comes to a barrier, behind which a store races with no load before it. Otherwise they are checked
 * in order, as if they happened then: blocks with deferred loads know only counts of barriers and warp synchronisations
 * (`isPlain`).
 */
export class DeferredLoads {
  readonly #packed: PackedRaces;
  readonly #recorded: RecordedRaces;
  readonly #limits: DeferredLimits;
  readonly #patterns = new LoadPatterns();
  /** By number, and in the order in which they were first accessed. */
  #pages: (Page | undefined)[] = [];
  #known: Page[] = [];
  readonly #tiles = new Map<BlockClock, Tile>();
  /** The tile that was last needed. */
  #last: { readonly clock?: BlockClock; readonly tile?: Tile } = {};
  /** Deferred loads on pages, once for each page. */
  #count = 0;
  /** Loads that may be notified of late, and by pc the last of them. */
  readonly #noted: NotedLoad[] = [];
  readonly #lastNoted = new Map<number, number>();
  /** The pages, from the first to the last, of which it was said that loads may be late; see `LateLoads.version`. */
  #said = { first: 0, end: 0 };
  version = 0;
  /** How often deferring loads of shared memory saved nothing, less how often it saved the check. */
  #inVain = 0;

  constructor(packed: PackedRaces, recorded: RecordedRaces, limits: DeferredLimits) {
    this.#packed = packed;
    this.#recorded = recorded;
    this.#limits = limits;
  }

  /** Bytes in use, about. */
  get bytes(): number {
    return 4 * LOAD_FIELDS * this.#count + this.#patterns.bytes;
  }

  /** A plain load of global memory by some lanes, of a row of words or not: returns those whose loads must be checked now. */
  load(clock: BlockClock, access: WarpAccess, turn: number, row: boolean): number {
    if (!clock.isPlain) return this.look(access, false, row);
    const { lanes, where, warp, pc } = access;
    if (row && this.#page(where[0]! >> PAGE_BITS).stored) return lanes;
    return this.#load(clock, warp, pc, this.#patterns.of(access), where[31 - Math.clz32(lanes & -lanes)]!, turn);
  }

  /** Whether a block's loads may be late. */
  isOpen(clock: BlockClock, shared: boolean): boolean {
    if (!shared) return clock.isPlain;
    return this.#isOpen(clock, this.#tile(clock));
  }

  /** As `LateLoads.within`. */
  within(at: number): readonly [start: number, end: number] {
    const pages = this.#pages;
    const page = at >> PAGE_BITS;
    if (pages[page]?.stored) return [0, 0];
    let [first, end] = [page, page + 1];
    while (first > 0 && page - first < MOST_SAID && !pages[first - 1]?.stored) first--;
    while (end - page < MOST_SAID && !pages[end]?.stored) end++;
    const said = this.#said;
    this.#said = said.end === 0 ? { first, end } : { first: Math.min(first, said.first), end: Math.max(end, said.end) };
    return [first << PAGE_BITS, end * (1 << PAGE_BITS)];
  }

  /** As `LateLoads.note`, for a plain load of all lanes. */
  note(access: WarpAccess): number {
    const { pc, space } = access;
    const pattern = this.#patterns.of(access);
    const last = this.#lastNoted.get(pc);
    if (last !== undefined && this.#noted[last]!.pattern === pattern) return last;
    const number = this.#noted.push({ pc, pattern, shared: space === "shared" }) - 1;
    this.#lastNoted.set(pc, number);
    return number;
  }

  /** A load like one that was noted, which nothing has changed since that would have it checked at once. */
  loadNoted(number: number, clock: BlockClock, warp: number, start: number, turn: number): void {
    const { pc, pattern, shared } = this.#noted[number]!;
    this.#patterns.keep(pattern);
    if (shared) this.#loadShared(clock, this.#tile(clock), warp, pc, pattern, start, turn);
    else this.#load(clock, warp, pc, pattern, start, turn);
  }

  /** Returns the lanes whose loads must be checked now. */
  #load(clock: BlockClock, warp: number, pc: number, pattern: LoadPattern, start: number, turn: number): number {
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
      else this.#put(page.loads, clock, warp, pc, here, pattern.number, start, turn);
    }
    if (this.bytes > this.#limits.global) this.settle();
    return rest;
  }

  /** The same for the block's shared memory. */
  loadShared(clock: BlockClock, access: WarpAccess, turn: number): number {
    const tile = this.#tile(clock);
    const { lanes, where, warp, pc } = access;
    if (!this.#isOpen(clock, tile)) {
      this.#settleTile(tile);
      return lanes;
    }
    const start = where[31 - Math.clz32(lanes & -lanes)]!;
    this.#loadShared(clock, tile, warp, pc, this.#patterns.of(access), start, turn);
    return 0;
  }

  #isOpen(clock: BlockClock, { strange, storedAt }: Tile): boolean {
    return clock.isPlain && !strange && storedAt < clock.barriers && this.#inVain <= 64;
  }

  #loadShared(
    clock: BlockClock,
    tile: Tile,
    warp: number,
    pc: number,
    { lanes, number }: LoadPattern,
    start: number,
    turn: number,
  ): void {
    this.#put(tile.loads, clock, warp, pc, lanes, number, start, turn);
    if (tile.loads.count >= this.#limits.shared) this.#settleTile(tile);
    if (this.bytes > this.#limits.global) this.settle();
  }

  /** Before other accesses to global memory: checks the deferred loads of their pages. Returns the lanes. */
  look({ lanes, where }: WarpAccess, stores: boolean, row: boolean): number {
    if (row) {
      this.lookAt(where[0]!, stores);
      return lanes;
    }
    let last = -1;
    for (let lane = 0; lane < LANES; lane++) {
      const at = where[lane]!;
      if (!((lanes >>> lane) & 1) || at < 0 || at >> PAGE_BITS === last) continue;
      last = at >> PAGE_BITS;
      this.lookAt(at, stores);
    }
    return lanes;
  }

  /** The same for one address. */
  lookAt(at: number, stores: boolean): void {
    const page = this.#page(at >> PAGE_BITS);
    if (page.loads.count > 0) this.#settlePage(page);
    if (stores && !page.stored) {
      page.stored = true;
      const { first, end } = this.#said;
      if (at >> PAGE_BITS >= first && at >> PAGE_BITS < end) this.#unsay();
    }
  }

  /** The same for the block's shared memory. */
  lookShared(clock: BlockClock, stores: boolean): void {
    const tile = this.#tile(clock);
    if (tile.loads.count > 0) {
      this.#inVain++;
      this.#settleTile(tile);
    }
    if (stores) tile.storedAt = clock.barriers;
  }

  /** The block's shared memory no longer fits the packed numbers: defers none from now on. True where some were. */
  strange(clock: BlockClock): boolean {
    const tile = this.#tile(clock);
    const some = tile.loads.count > 0;
    this.#settleTile(tile);
    tile.strange = true;
    return some;
  }

  #unsay(): void {
    this.#said = { first: 0, end: 0 };
    this.version++;
  }

  /** Loads of shared memory were dropped before they were noted here, as `met` does. */
  skip(clock: BlockClock): void {
    if (this.#tile(clock).loads.count === 0) this.#inVain = Math.max(this.#inVain - 1, -64);
  }

  /** All threads of the block have met at a barrier: nobody else reaches the shared memory that they loaded before. */
  met(clock: BlockClock): void {
    const tile = this.#tiles.get(clock);
    if (tile === undefined || tile.loads.count === 0) return;
    this.#inVain = Math.max(this.#inVain - 1, -64);
    this.#drop(clock, tile);
  }

  /** A block has ended: its deferred loads of shared memory need no check. */
  end(clock: BlockClock): void {
    const tile = this.#tiles.get(clock);
    if (tile === undefined) return;
    this.#drop(clock, tile);
    this.#tiles.delete(clock);
    this.#last = {};
  }

  /** Checks all deferred loads. */
  settle(): void {
    for (const page of this.#known) this.#settlePage(page);
    for (const tile of this.#tiles.values()) this.#settleTile(tile);
    this.#patterns.clear();
  }

  /** The pages that were stored to, and for each block the barrier count of its last store to shared memory. */
  save(): DeferredImage {
    this.settle();
    return {
      stored: this.#known.flatMap(({ number, stored }) => (stored ? number : [])),
      tiles: [...this.#tiles].map(([clock, { storedAt, strange }]) => ({ clock, storedAt, strange })),
    };
  }

  /** Drops the deferred loads, which belong to another trace. */
  restore({ stored, tiles }: DeferredImage): void {
    this.#pages = [];
    this.#known = [];
    for (const number of stored) this.#page(number).stored = true;
    this.#unsay();
    this.#tiles.clear();
    this.#last = {};
    for (const { clock, storedAt, strange } of tiles)
      this.#tiles.set(clock, { loads: new LoadLog(), storedAt, strange });
    this.#count = 0;
    this.#patterns.clear();
  }

  #page(number: number): Page {
    let page = this.#pages[number];
    if (page === undefined) {
      page = { number, loads: new LoadLog(), stored: false };
      this.#pages[number] = page;
      this.#known.push(page);
    }
    return page;
  }

  #tile(clock: BlockClock): Tile {
    if (clock === this.#last.clock) return this.#last.tile!;
    let tile = this.#tiles.get(clock);
    if (tile === undefined) {
      tile = { loads: new LoadLog(), storedAt: -1, strange: false };
      this.#tiles.set(clock, tile);
    }
    this.#last = { clock, tile };
    return tile;
  }

  #put(
    loads: LoadLog,
    clock: BlockClock,
    warp: number,
    pc: number,
    lanes: number,
    pattern: number,
    start: number,
    turn: number,
  ): void {
    loads.add(clock, warp, pc, lanes, pattern, start, turn);
    clock.deferred++;
    this.#count++;
  }

  #drop(clock: BlockClock, { loads }: Tile): void {
    clock.deferred -= loads.count;
    this.#count -= loads.count;
    loads.clear();
  }

  #settlePage(page: Page): void {
    this.#replay(page.loads, false);
  }

  #settleTile({ loads }: Tile): void {
    if (loads.count > 0) this.#replay(loads, true);
  }

  /** Checks loads in order, except those of words that were stored to since. */
  #replay(loads: LoadLog, shared: boolean): void {
    const packed = this.#packed;
    for (let at = 0; at < loads.count; at++) {
      const load = loads.at(at);
      const clock = packed.actAgain(load);
      clock.deferred--;
      const { bytes, isRow } = this.#patterns.at(load.pattern);
      const row = isRow && load.lanes === -1 && clock.isPlain && (load.start & 127) === 0;
      if (row && this.#replayRow(load, shared)) continue;
      for (let lane = 0; lane < LANES; lane++) {
        if (!((load.lanes >>> lane) & 1)) continue;
        const where = this.#patterns.where(load, lane);
        for (let from = where & ~3; from < where + bytes; from += 4) {
          const first = Math.max(where - from, 0);
          const last = Math.min(where + bytes - from, 4);
          const base = packed.word(from, shared);
          const { words } = packed.shadow;
          if (words[base + WRITER] !== NOBODY && words[base + WRITE_TURN]! > load.turn) continue;
          const touched = ((1 << last) - 1) & ~((1 << first) - 1);
          if (!packed.load(base, lane, touched)) this.#recorded.again(clock, load, lane, from, base, shared, touched);
        }
      }
    }
    this.#count -= loads.count;
    loads.clear();
  }

  /** Checks a load of a row of words at once; false where each has to be checked. */
  #replayRow({ start, turn }: DeferredLoad, shared: boolean): boolean {
    const base = this.#packed.row(start, shared);
    if (base < 0) return false;
    const { words } = this.#packed.shadow;
    return (words[base + WRITER] !== NOBODY && words[base + WRITE_TURN]! > turn) || this.#packed.load(base, 0, 15);
  }
}

/** What a snapshot keeps. */
export interface DeferredImage {
  readonly stored: readonly number[];
  readonly tiles: readonly { readonly clock: BlockClock; readonly storedAt: number; readonly strange: boolean }[];
}

import type { Allocation } from "./allocation.ts";
import { commitPage } from "./commit.ts";
import { type Ledger, MAPPED, REDUCED, STORED_TO, WHOLE } from "./ledger.ts";
import type { Linear } from "./linear.ts";
import { type Marks, marksOf, STRIDE } from "./marks.ts";
import { Memory, PAGE, PAGE_BITS } from "./memory.ts";
import { ReducedCells } from "./reduced-cells.ts";
import { isMarked } from "./reduction-mark.ts";
import { fourfold, INITIALISED, MBARRIER, STORED } from "./shadow.ts";

/** Pages of an allocation read one by one before read-ahead begins, and the most that it maps at a time. */
const EXACT = 4;
const MAX_PAGES_AHEAD = 256;

/** The access history of one allocation. */
interface Habit {
  /** Pages that have been read, and the index of the first that has not been checked for stores since. */
  readonly pages: number[];
  looked: number;
  stored: boolean;
}

/**
 * Finds allocations that a launch seems only to read. An overlay maps their pages as a whole, and as many pages ahead
 * as have been read: other workers are unlikely to store to them, and each page would otherwise take the slow path
 * twice. These pages count as read, so if a worker does store there, blocks run again.
 */
class ReadAhead {
  readonly #habits: Map<number, Habit> = new Map();
  readonly #isStored: (page: number) => boolean;

  /** `isStored`: whether a mapped page holds stored bytes. */
  constructor(isStored: (page: number) => boolean) {
    this.#isStored = isStored;
  }

  /** At the first read of a page: how many pages from there on to map as a whole, 0 for exact records. */
  pages(owner: Allocation, page: number): number {
    const habit = this.#habit(owner);
    if (habit.stored) return 0;
    const { pages } = habit;
    pages.push(page);
    if (pages.length < EXACT) return 0;
    habit.stored = pages.slice(habit.looked).some(this.#isStored);
    if (habit.stored) return 0;
    habit.looked = pages.length;
    const count = Math.min(pages.length, MAX_PAGES_AHEAD, ((owner.end - 1) >>> PAGE_BITS) - page + 1);
    for (let next = page + 1; next < page + count; next++) pages.push(next);
    return count;
  }

  /** An allocation has been stored to. */
  stored(owner: Allocation): void {
    this.#habit(owner).stored = true;
  }

  /** Other workers have stored to the pages with a flag in `changed`. */
  heed(owners: readonly Allocation[], changed: Uint8Array): void {
    for (const owner of owners) {
      const habit = this.#habits.get(owner.start);
      if (habit === undefined || habit.stored) continue;
      habit.stored = changed.subarray(owner.start >>> PAGE_BITS, ((owner.end - 1) >>> PAGE_BITS) + 1).includes(1);
    }
  }

  /** Another launch begins. */
  forget(): void {
    this.#habits.clear();
  }

  #habit({ start }: Allocation): Habit {
    const known = this.#habits.get(start);
    if (known !== undefined) return known;
    const habit = { pages: [], looked: 0, stored: false };
    this.#habits.set(start, habit);
    return habit;
  }
}

const WORDS = PAGE >>> 2;
const [EACH_INITIALISED, EACH_STORED] = [fourfold(INITIALISED), fourfold(STORED)];

/**
 * A worker's copy-on-write memory over another one, the base memory, which it leaves unchanged. A page of global or
 * constant memory is mapped when it is first touched.
 *
 * At first accesses are recorded exactly. The page's bytes are marked unread (not initialised), so that a load of bytes
 * that this worker has not stored takes the slow path once, and stores mark their bytes (`STORED`). That is for pages
 * that workers may share, where their parts of a grid adjoin. Allocations that seem only to be read are mapped by whole
 * pages (`ReadAhead`), unless that has led to a conflict (`careful`); reductions are kept apart (`ReducedCells`). Later
 * (`whole`) pages are mapped as a whole: a page counts as read, and after a store to it, as stored. `commit` writes the
 * stored bytes to the base memory.
 */
export class Overlay extends Memory {
  override readonly storing: number = INITIALISED | STORED;
  /** Whether pages touched from now on are mapped as a whole. */
  whole = false;
  /** Whether only bytes actually read count as read, as long as pages are not mapped as a whole. */
  careful = false;
  readonly #base: Linear;
  readonly #baseMarks: Marks;
  readonly #ledger: Ledger;
  /** Mapped pages, and those of them with stored bytes. */
  readonly #pages: Set<number> = new Set();
  #stored: readonly number[] = [];
  readonly #reduced: ReducedCells;
  readonly #ahead: ReadAhead = new ReadAhead((page) => (this.#marks(page) & EACH_STORED) !== 0);

  constructor(options: {
    readonly limit: number;
    readonly linear: Linear;
    readonly base: Linear;
    readonly ledger: Ledger;
  }) {
    super(options);
    this.#base = options.base;
    this.#baseMarks = marksOf(options.base);
    this.#ledger = options.ledger;
    this.#reduced = new ReducedCells(this, this.#base, this.allocations);
  }

  override know(at: number, bytes: number, reads = true): void {
    for (let page = at >>> PAGE_BITS; page << PAGE_BITS < at + bytes; page++) {
      const start = page << PAGE_BITS;
      const from = Math.max(at, start);
      const to = Math.min(at + bytes, start + PAGE);
      if (!this.#pages.has(page) && !this.#enter(page, reads)) super.know(from, to - from);
      else if (this.#reduced.has(page)) this.#applyReductions(page, from, to, reads);
      else if (this.#ledger.flags[page]! & WHOLE) {
        if (!reads) this.noteStore(start);
      } else if (reads) this.#copyRead(page, from - start, to - start);
    }
  }

  override reduces(at: number, bytes: number, mark: number): boolean {
    const page = at >>> PAGE_BITS;
    if (!this.#pages.has(page) && !this.#enter(page, false, false)) return false;
    const { flags } = this.#ledger;
    if (flags[page]! & WHOLE || !this.#reduced.take(at, bytes, mark)) return false;
    flags[page]! |= REDUCED;
    return true;
  }

  /** A store to a page mapped as a whole: all its initialised bytes count as stored. */
  override noteStore(at: number): void {
    const page = at >>> PAGE_BITS;
    const { flags } = this.#ledger;
    if ((flags[page]! & (WHOLE | STORED_TO)) !== WHOLE) return;
    flags[page]! |= STORED_TO;
    const { s32 } = this.shadow;
    for (let word = page * WORDS; word < (page + 1) * WORDS; word++)
      s32[word]! |= (s32[word]! & EACH_INITIALISED) * (STORED / INITIALISED);
  }

  /** Collects the pages with stored bytes; everything else about pages is in the ledger already. */
  sweep(): void {
    const { flags } = this.#ledger;
    const found: number[] = [];
    for (const page of this.#pages) {
      if ((flags[page]! & STORED_TO) === 0) {
        if ((this.#marks(page) & EACH_STORED) === 0) continue;
        flags[page]! |= STORED_TO;
      }
      found.push(page);
    }
    this.#stored = found;
  }

  /** Commits stored bytes to the base memory, whose pages must be known; after `sweep`. */
  commit(): void {
    for (const page of this.#stored) if (!this.#commitWhole(page)) commitPage(this, this.#base, page);
  }

  /** Commits a page of which each byte is stored, and none reduced; false where it is none. */
  #commitWhole(page: number): boolean {
    const at = page << PAGE_BITS;
    const stored = this.marks.above(this.linear.distance + at, PAGE, EACH_STORED, EACH_STORED);
    if (stored < PAGE || this.#reduced.has(page)) return false;
    this.#base.data.u8.set(this.data.u8.subarray(at, at + PAGE), at);
    this.#baseMarks.mark(this.#base.distance + at, PAGE, EACH_INITIALISED);
    return true;
  }

  /**
   * Unmaps the pages that were stored to, here or by others (flags in `changed`); or all pages. Pages that
   * were only read become fully readable: other workers are unlikely to store to them, and a walk through memory by
   * columns does not take the slow path in each row.
   */
  refresh(changed?: Uint8Array): void {
    const { flags, low, high } = this.#ledger;
    for (const page of this.#pages) {
      if (changed !== undefined && (flags[page]! & STORED_TO) === 0 && changed[page] === 0) {
        if (flags[page] !== MAPPED || high[page] === 0) continue;
        this.#copyRead(page, 0, PAGE);
        continue;
      }
      this.#pages.delete(page);
      this.#reduced.forget(page);
      flags[page] = 0;
      low[page] = 0;
      high[page] = 0;
      this.shadow.s32.fill(0, page * WORDS, (page + 1) * WORDS);
    }
    this.#stored = [];
    if (changed === undefined) this.#ahead.forget();
    else this.#ahead.heed(this.allocations.live, changed);
    this.worsened.global++;
  }

  /** Maps a page of the base memory; false for a page of the launch itself, or without an allocation. */
  #enter(page: number, reads: boolean, whole: boolean = this.whole): boolean {
    const start = page << PAGE_BITS;
    // Allocations lie so far apart that no two share a page.
    const [owner] = this.allocations.overlapping(start, start + PAGE);
    if (owner === undefined || owner.kind === "window" || owner.kind === "state") return false;
    if (whole) this.#mapWhole(page, owner, MAPPED | WHOLE);
    else {
      if (!reads) this.#ahead.stored(owner);
      const count = reads && !this.careful ? this.#ahead.pages(owner, page) : 0;
      for (let next = page; next < page + count; next++)
        if (!this.#pages.has(next)) this.#mapWhole(next, owner, MAPPED);
      if (count === 0) this.#mapUnread(page, owner);
    }
    return true;
  }

  /** Maps a page with all its contents, so that all of it counts as read. */
  #mapWhole(page: number, owner: Allocation, flags: number): void {
    const start = page << PAGE_BITS;
    this.#take(page, owner, flags);
    this.data.u8.set(this.#base.data.u8.subarray(start, start + PAGE), start);
    this.#ledger.high[page] = PAGE;
  }

  /** Maps a page with all bytes marked unread. */
  #mapUnread(page: number, owner: Allocation): void {
    this.#take(page, owner, MAPPED);
    this.marks.keep(this.linear.distance + (page << PAGE_BITS), PAGE, ~EACH_INITIALISED);
  }

  #take(page: number, owner: Allocation, flags: number): void {
    const start = page << PAGE_BITS;
    const [first, last] = [Math.max(start, owner.start), Math.min(start + PAGE, owner.end)];
    const { u8 } = this.#base.shadow;
    // An untouched page of the base memory has the shadow of its allocation.
    if (u8[first] === 0) this.shadow.u8.fill(owner.shadow, first, last);
    else {
      this.shadow.u8.set(u8.subarray(start, start + PAGE), start);
      // What launches have stored to a base memory with a supplier is nothing that this worker has stored.
      this.marks.keep(this.linear.distance + start, PAGE, ~EACH_STORED);
    }
    this.#pages.add(page);
    this.#ledger.flags[page] = flags;
  }

  /** The union, by words, of the marks of a page. */
  #marks(page: number): number {
    return this.marks.union(this.linear.distance + (page << PAGE_BITS), PAGE);
  }

  /**
   * Makes bytes of a page readable before their first read. The first time exactly these bytes; after that everything
   * from there to the end of the page, or to its beginning. A walk through memory in one direction, the usual case,
   * thus takes the slow path twice a page, and never counts as reading bytes before its start.
   */
  #copyRead(page: number, from: number, to: number): void {
    const { low, high } = this.#ledger;
    const [begin, end] = [low[page]!, high[page]!];
    if (end === 0) {
      this.#copy(page);
      this.#show(page, from, to);
      [low[page], high[page]] = [from, to];
      return;
    }
    if (to > end) {
      this.#show(page, end, PAGE);
      high[page] = PAGE;
    }
    if (from < begin) {
      this.#show(page, 0, begin);
      low[page] = 0;
    }
  }

  /** The same on a page with reductions: cells outside the range keep theirs. */
  #applyReductions(page: number, from: number, to: number, reads: boolean): void {
    const { low, high } = this.#ledger;
    const start = page << PAGE_BITS;
    const known = this.#reduced.settle(from, to);
    if (reads) this.#show(page, from - start, to - start);
    const [begin, end] = known ?? [from, to];
    if (known === undefined && !reads) return;
    if (high[page] === 0) {
      this.#copy(page);
      [low[page], high[page]] = [begin - start, end - start];
    }
    low[page] = Math.min(low[page]!, begin - start, reads ? from - start : PAGE);
    high[page] = Math.max(high[page]!, end - start, reads ? to - start : 0);
  }

  /** Copies the base memory's bytes, wherever nothing has been stored. */
  #copy(page: number): void {
    const [to, marks, from] = [this.data, this.shadow, this.#base.data];
    if (!this.#reduced.has(page) && (this.#marks(page) & EACH_STORED) === 0) {
      const start = page << PAGE_BITS;
      to.u8.set(from.u8.subarray(start, start + PAGE), start);
      return;
    }
    for (let word = page * WORDS; word < (page + 1) * WORDS; word++) {
      if (isMarked(marks.s32[word]!)) continue;
      if ((marks.s32[word]! & EACH_STORED) === 0) to.s32[word] = from.s32[word]!;
      else
        for (let byte = 4 * word; byte < 4 * word + 4; byte++)
          if ((marks.u8[byte]! & STORED) === 0) to.u8[byte] = from.u8[byte]!;
    }
  }

  /** Makes the first of the words between `at` and `end` readable whose base memory has one shadow; returns their bytes. */
  #showAlike(page: number, at: number, end: number): number {
    const most = end - at - ((end - at) % STRIDE);
    const word = this.#base.shadow.s32[at >>> 2]!;
    if (most <= 0 || word === 0 || this.#reduced.has(page)) return 0;
    const alike = this.#baseMarks.above(this.#base.distance + at, most, -1, word);
    const bytes = alike - (alike % STRIDE);
    if (bytes > 0) this.marks.mark(this.linear.distance + at, bytes, word & EACH_INITIALISED);
    return bytes;
  }

  /** Makes the initialised bytes of a range of a page readable. */
  #show(page: number, from: number, to: number): void {
    const start = page << PAGE_BITS;
    const { u8, s32 } = this.#base.shadow;
    const owner = this.allocations.overlapping(start, start + PAGE)[0]!;
    const show = (at: number): void => {
      if (this.shadow.u8[at]! & MBARRIER) return;
      const untouched = u8[at] === 0 && owner.start <= at && at < owner.end;
      this.shadow.u8[at]! |= (untouched ? owner.shadow : u8[at]!) & INITIALISED;
    };
    let at = start + from;
    for (; at < start + to && (at & 3) !== 0; at++) show(at);
    at += this.#showAlike(page, at, start + to);
    for (; at + 4 <= start + to; at += 4) {
      if (isMarked(this.shadow.s32[at >>> 2]!)) continue;
      const word = s32[at >>> 2]!;
      if (word !== 0) this.shadow.s32[at >>> 2]! |= word & EACH_INITIALISED;
      else for (let byte = at; byte < at + 4; byte++) show(byte);
    }
    for (; at < start + to; at++) show(at);
  }
}

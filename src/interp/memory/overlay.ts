import { BORROWED, type Ledger, STORED_TO, WHOLE } from "./ledger.ts";
import type { Linear, Views } from "./linear.ts";
import { Memory, PAGE, PAGE_BITS } from "./memory.ts";
import { fourfold, INITIALISED, STORED } from "./shadow.ts";

/** The memory that an overlay lies over. */
export interface Ground {
  readonly data: Views;
  readonly shadow: Views;
}

const WORDS = PAGE >>> 2;
const [EACH_INITIALISED, EACH_STORED] = [fourfold(INITIALISED), fourfold(STORED)];

/**
 * A memory of a worker's own over another one, the ground, which stays as it is. A page of global or constant memory is
 * borrowed when it is first touched.
 *
 * At first it is noted exactly what happens to it. The page's bytes count as not initialised, so that a load of what this
 * worker has not stored takes the slow way once, and stores mark their bytes (`STORED`). That is for pages that workers
 * may share, where their pieces of a grid meet. Later (`whole`) pages are borrowed whole: a page counts as read, and once
 * something is stored to it, as stored, which costs next to nothing. `commit` puts what was stored into the ground.
 */
export class Overlay extends Memory {
  override readonly storing: number = INITIALISED | STORED;
  /** Whether pages that are touched from now on are borrowed whole. */
  whole = false;
  readonly #ground: Ground;
  readonly #ledger: Ledger;
  /** Pages that are borrowed, and those of them that hold something stored. */
  readonly #pages: Set<number> = new Set();
  #stored: readonly number[] = [];

  constructor(options: {
    readonly limit: number;
    readonly linear: Linear;
    readonly ground: Ground;
    readonly ledger: Ledger;
  }) {
    super(options);
    this.#ground = options.ground;
    this.#ledger = options.ledger;
  }

  override know(at: number, bytes: number, reads = true): void {
    for (let page = at >>> PAGE_BITS; page << PAGE_BITS < at + bytes; page++) {
      const start = page << PAGE_BITS;
      const from = Math.max(at, start);
      const to = Math.min(at + bytes, start + PAGE);
      if (!this.#pages.has(page) && !this.#borrow(page)) super.know(from, to - from);
      else if (this.#ledger.flags[page]! & WHOLE) {
        if (!reads) this.noteStore(start);
      } else if (reads) this.#reveal(page, from - start, to - start);
    }
  }

  /** A page that was borrowed whole and is stored to counts as stored wherever it is initialised. */
  override noteStore(at: number): void {
    const page = at >>> PAGE_BITS;
    const { flags } = this.#ledger;
    if ((flags[page]! & (WHOLE | STORED_TO)) !== WHOLE) return;
    flags[page]! |= STORED_TO;
    const { s32 } = this.shadow;
    for (let word = page * WORDS; word < (page + 1) * WORDS; word++)
      s32[word]! |= (s32[word]! & EACH_INITIALISED) * (STORED / INITIALISED);
  }

  /** Finds the pages that hold something stored; what else is to be said of pages stands in the ledger already. */
  sweep(): void {
    const { s32 } = this.shadow;
    const { flags } = this.#ledger;
    const found: number[] = [];
    for (const page of this.#pages) {
      if ((flags[page]! & STORED_TO) === 0) {
        let marks = 0;
        for (let word = page * WORDS; word < (page + 1) * WORDS; word++) marks |= s32[word]!;
        if ((marks & EACH_STORED) === 0) continue;
        flags[page]! |= STORED_TO;
      }
      found.push(page);
    }
    this.#stored = found;
  }

  /** Puts what has been stored into the ground, whose pages must be known; after `sweep`. */
  commit(): void {
    for (const page of this.#stored) this.#put(page);
  }

  /** Gives back the pages that were stored to, here or by others, as the flags in `changed` say; or all of them. */
  refresh(changed?: Uint8Array): void {
    const { flags, low, high } = this.#ledger;
    for (const page of this.#pages) {
      if (changed !== undefined && (flags[page]! & STORED_TO) === 0 && changed[page] === 0) continue;
      this.#pages.delete(page);
      flags[page] = 0;
      low[page] = 0;
      high[page] = 0;
      this.shadow.s32.fill(0, page * WORDS, (page + 1) * WORDS);
    }
    this.#stored = [];
    this.worsened.global++;
  }

  /** Begins to use a page of the ground; false for one that belongs to the launch itself, or to nobody. */
  #borrow(page: number): boolean {
    const start = page << PAGE_BITS;
    // Allocations lie so far apart that no two share a page.
    const [owner] = this.allocations.overlapping(start, start + PAGE);
    if (owner === undefined || owner.kind === "window" || owner.kind === "state") return false;
    const { s32 } = this.#ground.shadow;
    const shown = this.whole ? -1 : ~EACH_INITIALISED;
    let known = 0;
    for (let word = page * WORDS; word < (page + 1) * WORDS; word++) {
      known |= s32[word]!;
      this.shadow.s32[word] = s32[word]! & shown;
    }
    // The ground has not been touched there: it is as it was allocated.
    if (known === 0) {
      const [from, to] = [Math.max(start, owner.start), Math.min(start + PAGE, owner.end)];
      this.shadow.u8.fill(owner.shadow & shown, from, to);
    }
    this.#pages.add(page);
    this.#ledger.flags[page] = this.whole ? BORROWED | WHOLE : BORROWED;
    if (!this.whole) return true;
    this.data.u8.set(this.#ground.data.u8.subarray(start, start + PAGE), start);
    this.#ledger.high[page] = PAGE;
    return true;
  }

  /**
   * Bytes of a page are about to be read that are not known to have been read before. The first time exactly they are shown;
   * then all from there to the end of the page, or to its beginning. Whoever goes through memory in one direction, as
   * most do, so takes the slow way twice a page, and never counts as a reader of bytes behind the place where it began.
   */
  #reveal(page: number, from: number, to: number): void {
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

  /** The ground's bytes, wherever nothing has been stored. */
  #copy(page: number): void {
    const [to, marks, from] = [this.data, this.shadow, this.#ground.data];
    for (let word = page * WORDS; word < (page + 1) * WORDS; word++) {
      if ((marks.s32[word]! & EACH_STORED) === 0) to.s32[word] = from.s32[word]!;
      else
        for (let byte = 4 * word; byte < 4 * word + 4; byte++)
          if ((marks.u8[byte]! & STORED) === 0) to.u8[byte] = from.u8[byte]!;
    }
  }

  /** Bytes of a page may be loaded from now on, where they are initialised. */
  #show(page: number, from: number, to: number): void {
    const start = page << PAGE_BITS;
    const { u8, s32 } = this.#ground.shadow;
    const owner = this.allocations.overlapping(start, start + PAGE)[0]!;
    const show = (at: number): void => {
      const untouched = u8[at] === 0 && owner.start <= at && at < owner.end;
      this.shadow.u8[at]! |= (untouched ? owner.shadow : u8[at]!) & INITIALISED;
    };
    let at = start + from;
    for (; at < start + to && (at & 3) !== 0; at++) show(at);
    for (; at + 4 <= start + to; at += 4) {
      const word = s32[at >>> 2]!;
      if (word !== 0) this.shadow.s32[at >>> 2]! |= word & EACH_INITIALISED;
      else for (let byte = at; byte < at + 4; byte++) show(byte);
    }
    for (; at < start + to; at++) show(at);
  }

  #put(page: number): void {
    const [from, marks] = [this.data, this.shadow];
    const { data, shadow } = this.#ground;
    for (let word = page * WORDS; word < (page + 1) * WORDS; word++) {
      const mark = marks.s32[word]! & EACH_STORED;
      if (mark === 0) continue;
      if (mark === EACH_STORED) {
        data.s32[word] = from.s32[word]!;
        shadow.s32[word]! |= EACH_INITIALISED;
        continue;
      }
      for (let byte = 4 * word; byte < 4 * word + 4; byte++) {
        if ((marks.u8[byte]! & STORED) === 0) continue;
        data.u8[byte] = from.u8[byte]!;
        shadow.u8[byte]! |= INITIALISED;
      }
    }
  }
}

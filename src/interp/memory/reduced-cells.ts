import type { Allocation, Allocations } from "./allocation.ts";
import { type BaseMemory, baseShadow } from "./base-memory.ts";
import { PAGE, PAGE_BITS } from "./memory.ts";
import { cellBytes, combine, hasHappened, isMarked, neutral } from "./reduction-mark.ts";
import { ALLOCATED, fourfold, INITIALISED, STORED } from "./shadow.ts";

const WORDS = PAGE >>> 2;
const [EACH_ALLOCATED, EACH_STORED] = [fourfold(ALLOCATED), fourfold(STORED)];
const GOOD = fourfold(ALLOCATED | INITIALISED);

/**
 * Cells of an overlay that only reductions have touched. A cell holds the pending operand for the base memory, not a
 * value, so that the operands of several workers can be combined in any order, and no worker depends on the value.
 */
export class ReducedCells {
  readonly #own: BaseMemory;
  readonly #base: BaseMemory;
  readonly #allocations: Allocations;
  /** Pages that have marks. */
  readonly #pages: Set<number> = new Set();
  readonly #result: Int32Array = new Int32Array(2);

  constructor(own: BaseMemory, base: BaseMemory, allocations: Allocations) {
    this.#own = own;
    this.#base = base;
    this.#allocations = allocations;
  }

  has(page: number): boolean {
    return this.#pages.has(page);
  }

  forget(page: number): void {
    this.#pages.delete(page);
  }

  /** Records a reduction of aligned bytes on a page with exact records; false where their value is needed or known. */
  take(at: number, bytes: number, marks: number): boolean {
    const page = at >>> PAGE_BITS;
    const [word, count] = [at >>> 2, bytes >>> 2];
    const { s32 } = this.#own.shadow;
    const [owner] = this.#allocations.overlapping(page << PAGE_BITS, (page + 1) << PAGE_BITS);
    if (owner?.kind !== "global") return false;
    for (let each = word; each < word + count; each++)
      if (isMarked(s32[each]!) && (s32[each]! & ~EACH_STORED) !== marks) {
        if (hasHappened(s32[each]!)) return false;
        this.#withdraw(each);
      }
    const step = cellBytes(marks) >>> 2;
    if (!this.#pages.has(page)) {
      this.#pages.add(page);
      // More reductions will follow on this page.
      for (let each = page * WORDS; each < (page + 1) * WORDS; each += step) this.#prepare(each, step, marks, owner);
    }
    for (let each = word; each < word + count; each += step) if (!this.#prepare(each, step, marks, owner)) return false;
    for (let each = word; each < word + count; each++) s32[each]! |= EACH_STORED;
    return true;
  }

  /**
   * Applies reductions before another kind of access to bytes of a page: their cells then hold values. Returns the
   * range of the cells where a reduction had happened.
   */
  settle(from: number, to: number): readonly [number, number] | undefined {
    const { data, shadow } = this.#own;
    let known: [number, number] | undefined;
    for (let word = from >>> 2; word << 2 < to; word++) {
      const mark = shadow.s32[word]!;
      if (!isMarked(mark)) continue;
      if (!hasHappened(mark)) {
        this.#withdraw(word);
        continue;
      }
      const bytes = cellBytes(mark);
      const first = bytes === 8 ? word & ~1 : word;
      combine(mark, first, this.#base.data, data, this.#result);
      for (let each = 0; each < bytes >>> 2; each++) {
        data.s32[first + each] = this.#result[each]!;
        shadow.s32[first + each] = GOOD | EACH_STORED;
      }
      const [begin, end] = known ?? [4 * first, 4 * first];
      known = [Math.min(begin, 4 * first), Math.max(end, 4 * first + bytes)];
    }
    return known;
  }

  /** Prepares a cell for reductions; true if it is prepared. */
  #prepare(word: number, step: number, marks: number, owner: Allocation): boolean {
    const { data, shadow } = this.#own;
    if ((shadow.s32[word]! & ~EACH_STORED) === marks) return true;
    for (let each = word; each < word + step; each++) {
      if (shadow.s32[each] !== EACH_ALLOCATED) return false;
      if ((baseShadow(this.#base, each, owner) & ~EACH_STORED) !== GOOD) return false;
    }
    for (const [at, value] of neutral(marks).entries()) {
      data.s32[word + at] = value;
      shadow.s32[word + at] = marks;
    }
    return true;
  }

  /** Turns a prepared cell without reductions back into ordinary bytes. */
  #withdraw(word: number): void {
    const { data, shadow } = this.#own;
    const bytes = cellBytes(shadow.s32[word]!);
    const first = bytes === 8 ? word & ~1 : word;
    for (let each = first; each < first + (bytes >>> 2); each++) {
      data.s32[each] = this.#base.data.s32[each]!;
      shadow.s32[each] = EACH_ALLOCATED;
    }
  }
}

import type { Allocation } from "./allocation.ts";
import { PAGE_BITS } from "./memory.ts";

/** Pages of an allocation that have been read exactly before more is shown than was asked for, and the most at a time. */
const EXACT = 4;
const MOST = 256;

/** What is known of one allocation. */
interface Habit {
  /** Pages that have been read, and where those begin at which nobody has looked since. */
  readonly pages: number[];
  looked: number;
  stored: boolean;
}

/**
 * Which allocations a launch seems only to read. Of those an overlay shows whole pages, and pages ahead, as many again as
 * have been read: nobody else is likely to store to them, and each page would otherwise take the slow way twice. That
 * counts as reading them, so where somebody does store there, blocks run again.
 */
export class ReadAhead {
  readonly #habits: Map<number, Habit> = new Map();
  readonly #isStored: (page: number) => boolean;

  /** `isStored`: whether a page that is borrowed holds something stored. */
  constructor(isStored: (page: number) => boolean) {
    this.#isStored = isStored;
  }

  /** A page is read for the first time: how many from there on may be shown whole, 0 where it must be told exactly. */
  pages(owner: Allocation, page: number): number {
    const habit = this.#habit(owner);
    if (habit.stored) return 0;
    const { pages } = habit;
    pages.push(page);
    if (pages.length < EXACT) return 0;
    habit.stored = pages.slice(habit.looked).some(this.#isStored);
    if (habit.stored) return 0;
    habit.looked = pages.length;
    const count = Math.min(pages.length, MOST, ((owner.end - 1) >>> PAGE_BITS) - page + 1);
    for (let next = page + 1; next < page + count; next++) pages.push(next);
    return count;
  }

  /** An allocation has been stored to. */
  stored(owner: Allocation): void {
    this.#habit(owner).stored = true;
  }

  /** Others have stored to the pages with a flag in `changed`. */
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

import { changes } from "../memory/commit.ts";
import { type Ledger, STORED_TO } from "../memory/ledger.ts";
import type { Views } from "../memory/linear.ts";
import { PAGE_BITS } from "../memory/memory.ts";
import { isMarked } from "../memory/reduction-mark.ts";
import { fourfold, STORED } from "../memory/shadow.ts";

/** One worker's changes: its ledger, and its memory, whose shadow marks what it has stored. */
export interface PageChanges {
  readonly ledger: Ledger;
  readonly data: Views;
  readonly shadow: Views;
  /** Pages that it has stored to. */
  readonly stored: readonly number[];
}

/** Pages below `pages` that a worker has stored to. */
export function* storedPages({ flags }: Ledger, pages: number): Iterable<number> {
  const words = new Uint32Array(flags.buffer, flags.byteOffset, pages >>> 2);
  const marks = STORED_TO * 0x0101_0101;
  for (let word = 0; word <= words.length; word++) {
    if (word < words.length && (words[word]! & marks) === 0) continue;
    for (let page = 4 * word; page < Math.min(4 * word + 4, pages); page++) if (flags[page]! & STORED_TO) yield page;
  }
}

/**
 * Whether the later of two workers may have read a byte that the earlier one has changed; where `inOrder` is false, a
 * byte that the other has stored to at all, since it may have held another value in between. A cell that the later
 * worker has only reduced does not count as read, since the worker has not seen its value. `stored`: the pages that
 * the earlier one has stored to.
 */
export function conflict(
  earlier: PageChanges,
  later: PageChanges,
  stored: readonly number[],
  base: Views,
  inOrder: boolean,
): boolean {
  const { low, high } = later.ledger;
  const { data, shadow } = earlier;
  const changed = (at: number): boolean => {
    if (!inOrder) return true;
    return isMarked(shadow.s32[at >>> 2]!) ? changes(earlier, { data: base }, at >>> 2) : data.u8[at] !== base.u8[at];
  };
  for (const page of stored) {
    const start = page << PAGE_BITS;
    for (let at = start + low[page]!; at < start + high[page]!; at++)
      if (shadow.u8[at]! & STORED && !isMarked(later.shadow.s32[at >>> 2]!) && changed(at)) return true;
  }
  return false;
}

/** Whether two workers that ran blocks in any order conflict in any way, including stores to the same byte. */
export function collision(one: PageChanges, other: PageChanges, base: Views): boolean {
  if (conflict(one, other, one.stored, base, false)) return true;
  if (conflict(other, one, other.stored, base, false)) return true;
  return one.stored.some((page) => (other.ledger.flags[page]! & STORED_TO) !== 0 && overlap(one, other, page));
}

/** Whether both have stored to one byte, other than by the same reduction. */
function overlap(
  { shadow: { s32: one } }: PageChanges,
  { shadow: { s32: other } }: PageChanges,
  page: number,
): boolean {
  const marks = fourfold(STORED);
  for (let word = (page << PAGE_BITS) >>> 2; word < ((page + 1) << PAGE_BITS) >>> 2; word++) {
    if ((one[word]! & other[word]! & marks) === 0) continue;
    if (one[word] !== other[word] || !isMarked(one[word]!)) return true;
  }
  return false;
}

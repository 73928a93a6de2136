import { type Ledger, STORED_TO } from "../memory/ledger.ts";
import type { Views } from "../memory/linear.ts";
import { PAGE_BITS } from "../memory/memory.ts";
import { fourfold, STORED } from "../memory/shadow.ts";

/** What one worker has done: its ledger, and its own memory, whose shadow marks what it has stored. */
export interface Deeds {
  readonly ledger: Ledger;
  readonly data: Views;
  readonly shadow: Views;
  /** Pages that it has stored to. */
  readonly stored: readonly number[];
}

/** Pages of one worker that it has stored to, below `pages`. */
export function* storedPages({ flags }: Ledger, pages: number): Iterable<number> {
  const words = new Uint32Array(flags.buffer, flags.byteOffset, pages >>> 2);
  const marks = STORED_TO * 0x0101_0101;
  for (let word = 0; word <= words.length; word++) {
    if (word < words.length && (words[word]! & marks) === 0) continue;
    for (let page = 4 * word; page < Math.min(4 * word + 4, pages); page++) if (flags[page]! & STORED_TO) yield page;
  }
}

/**
 * The first byte that the later of two workers may have read and that is another one since the earlier one has stored it, by
 * its offset. `stored`: the pages that the earlier one has stored to.
 */
export function conflict(earlier: Deeds, later: Deeds, stored: readonly number[], ground: Views): number | undefined {
  const { low, high } = later.ledger;
  const { data, shadow } = earlier;
  for (const page of stored) {
    const start = page << PAGE_BITS;
    for (let at = start + low[page]!; at < start + high[page]!; at++)
      if (shadow.u8[at]! & STORED && data.u8[at] !== ground.u8[at]) return at;
  }
  return undefined;
}

/** Whether two workers who have run blocks in any order got into each other's way at all, be it by storing to one byte. */
export function collision(one: Deeds, other: Deeds, ground: Views): boolean {
  if (conflict(one, other, one.stored, ground) !== undefined) return true;
  if (conflict(other, one, other.stored, ground) !== undefined) return true;
  return one.stored.some((page) => (other.ledger.flags[page]! & STORED_TO) !== 0 && overlap(one, other, page));
}

function overlap({ shadow: { s32: one } }: Deeds, { shadow: { s32: other } }: Deeds, page: number): boolean {
  const marks = fourfold(STORED);
  for (let word = (page << PAGE_BITS) >>> 2; word < ((page + 1) << PAGE_BITS) >>> 2; word++)
    if (one[word]! & other[word]! & marks) return true;
  return false;
}

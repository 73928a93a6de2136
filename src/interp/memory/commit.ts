import type { BaseMemory } from "./base-memory.ts";
import { PAGE } from "./memory.ts";
import { cellBytes, combine, hasHappened, isMarked } from "./reduction-mark.ts";
import { ALLOCATED, fourfold, INITIALISED, STORED } from "./shadow.ts";

const WORDS = PAGE >>> 2;
const [EACH_INITIALISED, EACH_STORED] = [fourfold(INITIALISED), fourfold(STORED)];

/**
 * Commits a page of an overlay to the base memory, whose page must be known: stored bytes, and the results of
 * reductions. If a worker is lost halfway, another call continues from there.
 */
export function commitPage(own: BaseMemory, base: BaseMemory, page: number): void {
  const marks = own.shadow.s32;
  const result = new Int32Array(2);
  for (let word = page * WORDS; word < (page + 1) * WORDS; word++) {
    const mark = marks[word]! & EACH_STORED;
    if (mark === 0) continue;
    if (isMarked(marks[word]!)) word += reduce(own, base, word, result);
    else if (mark === EACH_STORED) {
      base.data.s32[word] = own.data.s32[word]!;
      base.shadow.s32[word]! |= EACH_INITIALISED;
    } else
      for (let byte = 4 * word; byte < 4 * word + 4; byte++) {
        if ((own.shadow.u8[byte]! & STORED) === 0) continue;
        base.data.u8[byte] = own.data.u8[byte]!;
        base.shadow.u8[byte]! |= INITIALISED;
      }
  }
}

/** Commits one cell exactly once: nothing can come between store and mark. Returns how many more words the cell has. */
function reduce(own: BaseMemory, base: BaseMemory, word: number, result: Int32Array): number {
  const marks = own.shadow.s32;
  const mark = marks[word]!;
  const done = fourfold(ALLOCATED);
  combine(mark, word, base.data, own.data, result);
  const [low, high] = [result[0]!, result[1]!];
  const { s32 } = base.data;
  if (cellBytes(mark) === 4) {
    s32[word] = low;
    marks[word] = done;
    return 0;
  }
  s32[word] = low;
  s32[word + 1] = high;
  marks[word] = done;
  marks[word + 1] = done;
  return 1;
}

/** Whether the reduction held in the cell at a marked word changes the value in the base memory. */
export function changes(own: BaseMemory, base: Pick<BaseMemory, "data">, word: number): boolean {
  const mark = own.shadow.s32[word]!;
  if (!hasHappened(mark)) return false;
  const first = cellBytes(mark) === 8 ? word & ~1 : word;
  const result = new Int32Array(2);
  combine(mark, first, base.data, own.data, result);
  return result.subarray(0, cellBytes(mark) >>> 2).some((each, at) => each !== base.data.s32[first + at]);
}

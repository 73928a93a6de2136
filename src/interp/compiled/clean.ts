import type { Memory } from "../memory/memory.ts";
import { ALLOCATED, fourfold, INITIALISED, READ_ONLY, STORED, WINDOWED } from "../memory/shadow.ts";
import { CONSTANT_RANGE } from "./places.ts";

/** Bytes that are looked at around an access that nobody knew to be clean. */
const LEAST = 4096;

/** What does not matter to who only loads, or where nobody asks who has stored. */
const MATTERS = ~fourfold(STORED);

/**
 * Grows ranges of memory that are clean: allocated, initialised, and nothing more. An access to such bytes is right, and
 * changes nothing of their shadow; for stores that means that they have all marks that stores make (`Memory.storing`).
 */
export class CleanRanges {
  readonly #shadow: Int32Array;
  readonly #state: Int32Array;

  readonly #storing: number;
  readonly #stored: ReadonlySet<number>;

  /** `state`: where ranges stand, as words; `stored`: the ranges that stores are checked against, by their bytes. */
  constructor({ shadow, storing }: Memory, state: Int32Array, stored: ReadonlySet<number>) {
    this.#shadow = shadow.s32;
    this.#storing = storing;
    this.#stored = stored;
    this.#state = state;
  }

  /** Grows the range at word `range` of the state so that it has the byte at `at` in it, where that is clean. */
  grow(range: number, at: number): void {
    const state = this.#state;
    const stores = this.#stored.has(range << 2);
    const fixed = range << 2 === CONSTANT_RANGE ? READ_ONLY : 0;
    const clean = fourfold(ALLOCATED | fixed | (stores ? this.#storing : INITIALISED));
    const matters = stores ? -1 : MATTERS;
    const word = at >>> 2;
    const shadow = this.#shadow;
    if ((shadow[word]! & matters) !== clean) return;
    const [start, length] = [state[range]! >>> 2, state[range + 1]! >>> 2];
    const end = start + length;
    // It grows by as much again each time, so that few calls suffice and none of them looks at much in vain.
    const most = Math.max(LEAST, 2 * length) >>> 2;
    let low = word >= start && word <= end ? start : word;
    let high = word >= start && word <= end ? end : word;
    for (let left = most; left > 0 && low > 0 && (shadow[low - 1]! & matters) === clean; left--)
      low = low === end ? start : low - 1;
    for (let left = most; left > 0 && (shadow[high]! & matters) === clean; left--)
      high = high === start ? end : high + 1;
    state[range] = low * 4;
    state[range + 1] = (high - low) * 4;
  }

  /** How many bytes of a block's shared memory are clean from its start on, given how many were. */
  shared(start: number, known: number, bytes: number): number {
    const clean = fourfold(ALLOCATED | INITIALISED | WINDOWED);
    const shadow = this.#shadow;
    let at = known >>> 2;
    const end = bytes >>> 2;
    const first = start >>> 2;
    while (at < end && (shadow[first + at]! & MATTERS) === clean) at++;
    return at * 4;
  }
}

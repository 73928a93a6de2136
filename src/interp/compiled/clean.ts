import type { Memory } from "../memory/memory.ts";
import { ALLOCATED, fourfold, INITIALISED, WINDOWED } from "../memory/shadow.ts";

/** Bytes that are looked at around an access that nobody knew to be clean. */
const LEAST = 4096;

/**
 * Grows ranges of memory that are clean: allocated, initialised, and nothing more. An access to such bytes is right
 * whether it loads or stores, and changes nothing of their shadow.
 */
export class CleanRanges {
  readonly #shadow: Int32Array;
  readonly #state: Int32Array;

  /** `state`: where ranges stand, as words. */
  constructor({ shadow }: Memory, state: Int32Array) {
    this.#shadow = shadow.s32;
    this.#state = state;
  }

  /** Grows the global range at word `range` of the state so that it has the byte at `at` in it, where that is clean. */
  grow(range: number, at: number): void {
    const state = this.#state;
    const clean = fourfold(ALLOCATED | INITIALISED);
    const word = at >>> 2;
    const shadow = this.#shadow;
    if (shadow[word] !== clean) return;
    const [start, length] = [state[range]! >>> 2, state[range + 1]! >>> 2];
    const end = start + length;
    // It grows by as much again each time, so that few calls suffice and none of them looks at much in vain.
    const most = Math.max(LEAST, 2 * length) >>> 2;
    let low = word >= start && word <= end ? start : word;
    let high = word >= start && word <= end ? end : word;
    for (let left = most; left > 0 && low > 0 && shadow[low - 1] === clean; left--) low = low === end ? start : low - 1;
    for (let left = most; left > 0 && shadow[high] === clean; left--) high = high === start ? end : high + 1;
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
    while (at < end && shadow[first + at] === clean) at++;
    return at * 4;
  }
}

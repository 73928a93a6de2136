import { LANES } from "../../contract/launch/lane-mask.ts";
import type { WarpAccess } from "../../contract/observer.ts";
import type { BlockClock } from "./vector-clock.ts";

/** Numbers of one warp's load in a log. */
export const LOAD_FIELDS = 8;

/** A load of some lanes of a warp; each call returns the same object. */
export interface DeferredLoad {
  /** The block's number, and its warp. */
  block: number;
  warp: number;
  pc: number;
  /** How often the warp and the block had synchronised before it. */
  warpSync: number;
  barrier: number;
  turn: number;
  lanes: number;
  pattern: number;
  /** Address of the first lane of the pattern. */
  start: number;
}

/** Loads of warps, in order. */
export class LoadLog {
  count = 0;
  #numbers = new Int32Array(4 * LOAD_FIELDS);

  /** Adds a load of some lanes; `start`: of the first lane of the pattern. */
  add(clock: BlockClock, warp: number, pc: number, lanes: number, pattern: number, start: number, turn: number): void {
    const at = LOAD_FIELDS * this.count++;
    if (at === this.#numbers.length) {
      const more = new Int32Array(2 * at);
      more.set(this.#numbers);
      this.#numbers = more;
    }
    const numbers = this.#numbers;
    numbers[at] = (clock.number << 5) | warp;
    numbers[at + 1] = pc;
    numbers[at + 2] = clock.warpSyncs[warp] ?? 0;
    numbers[at + 3] = clock.barriers;
    numbers[at + 4] = turn;
    numbers[at + 5] = lanes;
    numbers[at + 6] = pattern;
    numbers[at + 7] = start;
  }

  at(index: number): DeferredLoad {
    const numbers = this.#numbers;
    const at = LOAD_FIELDS * index;
    shown.block = numbers[at]! >>> 5;
    shown.warp = numbers[at]! & 31;
    shown.pc = numbers[at + 1]!;
    shown.warpSync = numbers[at + 2]!;
    shown.barrier = numbers[at + 3]!;
    shown.turn = numbers[at + 4]! >>> 0;
    shown.lanes = numbers[at + 5]!;
    shown.pattern = numbers[at + 6]!;
    shown.start = numbers[at + 7]!;
    return shown;
  }

  clear(): void {
    this.count = 0;
    if (this.#numbers.length > 1024) this.#numbers = new Int32Array(4 * LOAD_FIELDS);
  }
}

const shown: DeferredLoad = {
  block: 0,
  warp: 0,
  pc: 0,
  warpSync: 0,
  barrier: 0,
  turn: 0,
  lanes: 0,
  pattern: 0,
  start: 0,
};

/** Offsets of the lanes of a load, relative to the first of them. */
export class LoadPattern {
  number: number;
  readonly lanes: number;
  readonly bytes: number;
  readonly offsets: Int32Array = new Int32Array(LANES);
  /** The lowest and the highest offset. */
  readonly #low: number;
  readonly #high: number;
  /** Whether all lanes load consecutive words. */
  readonly isRow: boolean;

  constructor(number: number, { lanes, bytes, where }: WarpAccess) {
    this.number = number;
    this.lanes = lanes;
    this.bytes = bytes;
    const start = where[31 - Math.clz32(lanes & -lanes)]!;
    let [low, high] = [0, 0];
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      const offset = where[lane]! - start;
      this.offsets[lane] = offset;
      low = Math.min(low, offset);
      high = Math.max(high, offset);
    }
    this.#low = low;
    this.#high = high;
    this.isRow = lanes >>> 0 === 0xffff_ffff && bytes === 4 && this.offsets.every((at, lane) => at === 4 * lane);
  }

  isOnePage(start: number, bits: number): boolean {
    return (start + this.#low) >> bits === (start + this.#high) >> bits;
  }

  isOf({ lanes, bytes, where }: WarpAccess): boolean {
    if (lanes !== this.lanes || bytes !== this.bytes) return false;
    const { offsets } = this;
    const start = where[31 - Math.clz32(lanes & -lanes)]!;
    if (lanes === 0xffff_ffff) {
      for (let lane = 1; lane < LANES; lane++) if (where[lane]! - start !== offsets[lane]) return false;
      return true;
    }
    for (let lane = 0; lane < LANES; lane++)
      if ((lanes >>> lane) & 1 && where[lane]! - start !== offsets[lane]) return false;
    return true;
  }
}

/** The patterns of all deferred loads. */
export class LoadPatterns {
  #known: LoadPattern[] = [];
  /** By pc: the last pattern used. */
  #last: (LoadPattern | undefined)[] = [];

  get bytes(): number {
    return 256 * this.#known.length;
  }

  of(access: WarpAccess): LoadPattern {
    const last = this.#last[access.pc];
    if (last?.isOf(access)) return last;
    const made = new LoadPattern(this.#known.length, access);
    this.#known.push(made);
    this.#last[access.pc] = made;
    return made;
  }

  /** Takes a pattern up again that `clear` may have dropped. */
  keep(pattern: LoadPattern): void {
    if (this.#known[pattern.number] === pattern) return;
    pattern.number = this.#known.length;
    this.#known.push(pattern);
  }

  at(number: number): LoadPattern {
    return this.#known[number]!;
  }

  /** Where a lane of a load has touched memory. */
  where({ pattern, start }: DeferredLoad, lane: number): number {
    return start + this.#known[pattern]!.offsets[lane]!;
  }

  clear(): void {
    this.#known = [];
    this.#last = [];
  }
}

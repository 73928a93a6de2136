import { FULL, firstLane, LANES } from "../../contract/launch/lane-mask.ts";
import { type Reach, reachOfAccess } from "../../contract/memory-consistency.ts";
import type { WarpAccess } from "../../contract/observer.ts";

/** Numbers of one warp's access in a log, and bytes of a pattern. */
const LOG_FIELDS = 8;
const PATTERN_BYTES = 416;

/** An access of some lanes of a warp; each call returns the same object. */
export interface LoggedAccess {
  /** The block's number, and its warp. */
  block: number;
  warp: number;
  /** How often the warp and the block had synchronised before it. */
  warpSync: number;
  barrier: number;
  turn: number;
  lanes: number;
  pattern: AccessPattern;
  /** Address of the first lane of the pattern. */
  start: number;
}

/** Accesses in a log, in order: the places of the first and the last. */
export interface AccessList {
  first: number;
  last: number;
  count: number;
}

export const emptyList = (): AccessList => ({ first: -1, last: -1, count: 0 });

/** Accesses of warps, in lists: one array for all of them, since there is a list for each page of memory. */
export class AccessLog {
  #numbers: Int32Array = new Int32Array(64 * LOG_FIELDS);
  #used = 0;
  /** The first of the free places, each of which has the next one. */
  #free = -1;
  #patterns: AccessPattern[] = [];
  /** Accesses in all lists. */
  #count = 0;

  /** Bytes in use, about. */
  get bytes(): number {
    return 4 * LOG_FIELDS * this.#count + PATTERN_BYTES * this.#patterns.length;
  }

  /** The number of a pattern, in this log. */
  numberOf(pattern: AccessPattern): number {
    // One that other logs have had since may be there twice.
    if (this.#patterns[pattern.number] !== pattern) pattern.number = this.#patterns.push(pattern) - 1;
    return pattern.number;
  }

  pattern(number: number): AccessPattern {
    return this.#patterns[number]!;
  }

  /** Adds an access of some lanes to a list; `start`: of the first lane of the pattern. */
  add(
    list: AccessList,
    block: number,
    warp: number,
    lanes: number,
    pattern: AccessPattern,
    start: number,
    turn: number,
    warpSync: number,
    barrier: number,
  ): void {
    this.#count++;
    let at = this.#free;
    if (at >= 0) this.#free = this.#numbers[at + 1]!;
    else {
      at = this.#used;
      this.#used += LOG_FIELDS;
      if (at === this.#numbers.length) {
        const more = new Int32Array(2 * at);
        more.set(this.#numbers);
        this.#numbers = more;
      }
    }
    const numbers = this.#numbers;
    numbers[at] = (block << 5) | warp;
    numbers[at + 1] = -1;
    numbers[at + 2] = warpSync;
    numbers[at + 3] = barrier;
    numbers[at + 4] = turn;
    numbers[at + 5] = lanes;
    numbers[at + 6] = this.numberOf(pattern);
    numbers[at + 7] = start;
    if (list.count++ === 0) list.first = at;
    else numbers[list.last + 1] = at;
    list.last = at;
  }

  /** Calls `each` for the accesses of a list. */
  each({ first }: AccessList, each: (access: LoggedAccess) => void): void {
    for (let at = first; at >= 0; at = this.#numbers[at + 1]!) {
      const numbers = this.#numbers;
      shown.block = numbers[at]! >>> 5;
      shown.warp = numbers[at]! & 31;
      shown.warpSync = numbers[at + 2]!;
      shown.barrier = numbers[at + 3]!;
      shown.turn = numbers[at + 4]! >>> 0;
      shown.lanes = numbers[at + 5]! >>> 0;
      shown.pattern = this.#patterns[numbers[at + 6]!]!;
      shown.start = numbers[at + 7]!;
      each(shown);
    }
  }

  /** Empties a list. */
  drop(list: AccessList): void {
    if (list.count === 0) return;
    this.#numbers[list.last + 1] = this.#free;
    this.#free = list.first;
    this.#count -= list.count;
    list.count = 0;
    list.first = -1;
    list.last = -1;
  }

  /** Forgets all, whose lists are empty. */
  clear(): void {
    this.#used = 0;
    this.#free = -1;
    this.#count = 0;
    if (this.#patterns.length > 0) this.#patterns = [];
    if (this.#numbers.length > 65536) this.#numbers = new Int32Array(64 * LOG_FIELDS);
  }
}

/** What lanes of a warp do by one instruction: all of an access but who makes it, when, and where the first of them does. */
export class AccessPattern {
  /** In the log that has last asked for it. */
  number = -1;
  readonly how: WarpAccess["how"];
  readonly pc: number;
  readonly space: WarpAccess["space"];
  readonly sem: WarpAccess["sem"];
  readonly scope: WarpAccess["scope"];
  readonly reach: Reach;
  readonly bytes: number;
  readonly lanes: number;
  readonly firstLane: number;
  /** By lane, relative to the first of them. */
  readonly offsets: readonly number[];
  /** The lowest and the highest offset. */
  readonly low: number;
  readonly high: number;
  /** Whether the lanes access words as far apart as themselves, and all of them do. */
  readonly isInRow: boolean;
  readonly isRow: boolean;
  /** Whether no two lanes store to the same byte. */
  readonly isApart: boolean;

  constructor({ how, pc, space, sem, scope, lanes, bytes, where }: WarpAccess) {
    this.how = how;
    this.pc = pc;
    this.space = space;
    this.sem = sem;
    this.scope = scope;
    this.reach = reachOfAccess(how, sem, scope);
    this.lanes = lanes;
    this.bytes = bytes;
    this.firstLane = firstLane(lanes);
    const start = where[this.firstLane]!;
    const offsets = new Array<number>(LANES).fill(0);
    this.offsets = offsets;
    let [low, high, last, row, ascending] = [0, 0, -bytes, bytes === 4, true];
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      const offset = where[lane]! - start;
      offsets[lane] = offset;
      if (offset < low) low = offset;
      else if (offset > high) high = offset;
      if (offset !== 4 * (lane - this.firstLane)) row = false;
      if (offset < last + bytes) ascending = false;
      last = offset;
    }
    this.low = low;
    this.high = high;
    this.isInRow = row;
    this.isRow = row && lanes === FULL;
    this.isApart = how === "store" && (ascending || areApart(offsets, lanes, bytes));
  }

  isOnePage(start: number, bits: number): boolean {
    return (start + this.low) >> bits === (start + this.high) >> bits;
  }

  isOf({ lanes, bytes, where }: WarpAccess): boolean {
    if (lanes !== this.lanes || bytes !== this.bytes) return false;
    const { offsets } = this;
    const start = where[this.firstLane]!;
    if (lanes === FULL) {
      for (let lane = 1; lane < LANES; lane++) if (where[lane]! - start !== offsets[lane]) return false;
      return true;
    }
    for (let lane = 0; lane < LANES; lane++)
      if ((lanes >>> lane) & 1 && where[lane]! - start !== offsets[lane]) return false;
    return true;
  }
}

/** Whether lanes access bytes of their own. */
function areApart(offsets: readonly number[], lanes: number, bytes: number): boolean {
  const sorted = offsets.filter((_, lane) => (lanes >>> lane) & 1).sort((a, b) => a - b);
  return sorted.every((offset, at) => at === 0 || offset >= sorted[at - 1]! + bytes);
}

/** Patterns of an instruction that are remembered: a power of two. */
const MOST_RECENT = 8;

/** The last patterns of each instruction. */
export class RecentPatterns {
  /** By pc. */
  readonly #of: (AccessPattern[] | undefined)[] = [];
  #made = 0;

  of(access: WarpAccess): AccessPattern {
    const recent = this.#of[access.pc] ?? [];
    for (const pattern of recent) if (pattern.isOf(access)) return pattern;
    const made = new AccessPattern(access);
    recent[recent.length < MOST_RECENT ? recent.length : this.#made++ & (MOST_RECENT - 1)] = made;
    this.#of[access.pc] = recent;
    return made;
  }
}

const shown: { -readonly [Name in keyof LoggedAccess]: LoggedAccess[Name] } = {
  block: 0,
  warp: 0,
  warpSync: 0,
  barrier: 0,
  turn: 0,
  lanes: 0,
  pattern: undefined as unknown as AccessPattern,
  start: 0,
};

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
  /** By access: the offsets of its lanes, where no pattern keeps them. */
  #offsets: Int32Array = new Int32Array(0);
  #used = 0;
  /** The first of the free places, each of which has the next one. */
  #free = -1;
  #patterns: AccessPattern[] = [];
  readonly #made = new Map<AccessPattern, number>();
  /** Accesses in all lists. */
  #count = 0;

  /** Bytes in use, about. */
  get bytes(): number {
    return 4 * LOG_FIELDS * this.#count + PATTERN_BYTES * this.#patterns.length + this.#offsets.byteLength;
  }

  /** The number of a pattern, in this log, which has those that become others for itself. */
  numberOf(pattern: AccessPattern): number {
    if (pattern.isMade) {
      const known = this.#made.get(pattern);
      if (known !== undefined) return known;
      const copy = new AccessPattern({ ...pattern, where: Int32Array.from(pattern.offsets) }, true);
      this.#made.set(pattern, this.#patterns.push(copy) - 1);
      return this.#patterns.length - 1;
    }
    if (this.#patterns[pattern.number] !== pattern) {
      const known = this.#patterns.indexOf(pattern);
      pattern.number = known >= 0 ? known : this.#patterns.push(pattern) - 1;
    }
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
    if (pattern.isMade) this.#keepOffsets(at, pattern);
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
      if (shown.pattern.isMade) shown.pattern.set(shown.lanes, this.#offsets, (at / LOG_FIELDS) * LANES);
      each(shown);
    }
  }

  #keepOffsets(at: number, { offsets }: AccessPattern): void {
    const from = (at / LOG_FIELDS) * LANES;
    if (from >= this.#offsets.length) {
      const more = new Int32Array((this.#numbers.length / LOG_FIELDS) * LANES);
      more.set(this.#offsets);
      this.#offsets = more;
    }
    for (let lane = 0; lane < LANES; lane++) this.#offsets[from + lane] = offsets[lane]!;
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
    this.#made.clear();
    if (this.#numbers.length <= 65536) return;
    this.#numbers = new Int32Array(64 * LOG_FIELDS);
    this.#offsets = new Int32Array(0);
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
  /** Whether `set` may make it another one: logs then keep the offsets of each access. */
  readonly isMade: boolean;
  lanes = 0;
  firstLane = 0;
  /** By lane, relative to the first of them. */
  readonly offsets: number[] = new Array<number>(LANES).fill(0);
  /** The lowest and the highest offset. */
  low = 0;
  high = 0;
  /** Whether the lanes access words as far apart as themselves, and all of them do. */
  isInRow = false;
  isRow = false;
  /** Whether no two lanes store to the same byte. */
  isApart = false;

  constructor(
    { how, pc, space, sem, scope, lanes, bytes, where }: Omit<WarpAccess, "block" | "warp" | "addresses" | "value">,
    isMade = false,
  ) {
    this.how = how;
    this.pc = pc;
    this.space = space;
    this.sem = sem;
    this.scope = scope;
    this.reach = reachOfAccess(how, sem, scope);
    this.bytes = bytes;
    this.isMade = isMade;
    this.set(lanes, where, 0);
  }

  /** Sets where lanes access memory, by what is in an array from an index on. */
  set(lanes: number, where: Int32Array, from: number): void {
    const { bytes, offsets } = this;
    this.lanes = lanes;
    this.firstLane = firstLane(lanes);
    const start = where[from + this.firstLane]!;
    let low = 0;
    let high = 0;
    let last = -bytes;
    let row = bytes === 4;
    let ascending = true;
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      const offset = where[from + lane]! - start;
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
    this.isApart = this.how === "store" && (ascending || areApart(offsets, lanes, bytes));
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

/** Patterns of an instruction that are remembered, a power of two; and how many are made for it in vain. */
const MOST_RECENT = 8;
const MOST_MADE = 256;

/** The last patterns of each instruction. */
export class RecentPatterns {
  /** By pc: some patterns, how many have been made since one was used again, and the one for all others. */
  readonly #of: ({ readonly patterns: AccessPattern[]; made: number; other?: AccessPattern } | undefined)[] = [];

  of(access: WarpAccess): AccessPattern {
    const recent = this.#of[access.pc] ?? { patterns: [], made: 0 };
    this.#of[access.pc] = recent;
    const { patterns } = recent;
    if (recent.made < MOST_MADE)
      for (const pattern of patterns) {
        if (!pattern.isOf(access)) continue;
        recent.made = 0;
        return pattern;
      }
    if (recent.made >= MOST_MADE) {
      recent.other ??= new AccessPattern(access, true);
      recent.other.set(access.lanes, access.where, 0);
      return recent.other;
    }
    const made = new AccessPattern(access);
    patterns[recent.made++ & (MOST_RECENT - 1)] = made;
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

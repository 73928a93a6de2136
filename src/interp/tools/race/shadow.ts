/** No thread. */
export const NOBODY = 0xffff_ffff;

/** Loads kept for one word. */
export const MOST_READS = 64;

// The state of a word of memory, or of a row of words: eight consecutive numbers.
/** The thread that stored last, its stamp, and its turn. */
export const WRITER = 0;
export const WRITE_STAMP = 1;
export const WRITE_TURN = 2;
/** The thread that has loaded and its stamp, while there is one; afterwards the start of the list of loads. */
export const READER = 3;
export const READ_STAMP = 4;
export const READ_LIST = 5;
/** How many loads are kept, and what the word is. */
export const READS = 6;
export const KIND = 7;
const FIELDS = 8;

/** Bits of `KIND`. */
export const KNOWN = 1;
export const SHARED = 2;
/** Its state does not fit here: the caller keeps it. */
export const ELSEWHERE = 4;

/** Words are looked up by the line of memory that they lie in, as many words as a warp has lanes; lines by the region. */
const LINE_BITS = 7;
const LINE_WORDS = 1 << (LINE_BITS - 2);
const REGION_BITS = 20;
const REGION_LINES = 1 << (REGION_BITS - LINE_BITS);

/** Capacity of a list of loads, by how many it has had: 4, 16, then all that are kept. */
const ROOMS = [4, 16, MOST_READS] as const;
/** In a list of full capacity, behind its loads: how many each kind of load has, a byte each, then what follows. */
const COUNTS = 2 * MOST_READS;
const MAX_LIST_WORDS = COUNTS + MOST_READS / 4;
const HAVE_MOST = MAX_LIST_WORDS + 1;
const COUNTED = MAX_LIST_WORDS + 2;
const FULL_SIZE = MAX_LIST_WORDS + 4;
/** A load in a list is a thread and a stamp; above the stamp, in a full list, its kind: those of one warp have one. */
const STAMP_BITS = 26;
const STAMP = (1 << STAMP_BITS) - 1;

/**
 * The last accesses to words of memory, as numbers in two arrays: 32 bytes for a word stored to once and loaded by
 * one thread, 8 more for each other thread that has loaded it since. A thread is a number; a stamp is when it did
 * something.
 *
 * A row is a line whose words have had the same accesses, by consecutive lanes of a warp: it has the state of one word,
 * the first, and each thread in it is one that accessed that. The first other access to a word of it makes it words.
 */
export class RaceShadow {
  words: Uint32Array = new Uint32Array(FIELDS * LINE_WORDS * 64);
  lists: Uint32Array = new Uint32Array(1024);
  #counts: Uint8Array = new Uint8Array(this.lists.buffer);
  /** Number of words in use. */
  count = 0;
  #regions: (Int32Array | undefined)[] = [];
  #lines = 0;
  #used = 0;
  /** Free lists, by their capacity. */
  #free: number[][] = ROOMS.map(() => []);
  /** Free places for the state of a row, and free lines. */
  #freeRows: number[] = [];
  #freeLines: number[] = [];

  /** Bytes in use, about: lines, lists and the tables that lead to them. */
  get bytes(): number {
    const lines = this.#lines * LINE_WORDS * FIELDS * 4;
    return lines + 4 * this.#used + 4 * this.#lines;
  }

  /** The numbers of the word at an offset in the memory. */
  find(from: number): number {
    const at = from >>> 0;
    const region = this.#regions[at >>> REGION_BITS];
    const line = region === undefined ? 0 : region[(at >>> LINE_BITS) & (REGION_LINES - 1)]!;
    const base = line > 0 ? (line - 1) * LINE_WORDS : this.#makeWords(at, line);
    return (base + ((at >>> 2) & (LINE_WORDS - 1))) * FIELDS;
  }

  /** The numbers of the row at an offset in the memory; -1 where its words have states of their own. */
  findRow(from: number): number {
    const at = from >>> 0;
    const region = this.#region(at);
    const index = (at >>> LINE_BITS) & (REGION_LINES - 1);
    const line = region[index]!;
    if (line > 0) return -1;
    if (line < 0) return ~line * FIELDS;
    if (this.#freeRows.length === 0) {
      const first = this.#addLine();
      for (let row = LINE_WORDS - 1; row >= 0; row--) this.#freeRows.push(first + row);
    }
    const row = this.#freeRows.pop()!;
    region[index] = ~row;
    return row * FIELDS;
  }

  /** Makes a row of a line again: consecutive lanes of a warp have just stored to its words, whole and in one instruction. */
  join(from: number): void {
    const at = from >>> 0;
    const region = this.#region(at);
    const index = (at >>> LINE_BITS) & (REGION_LINES - 1);
    const line = region[index]! - 1;
    region[index] = 0;
    const row = this.findRow(from);
    const { words } = this;
    const first = line * LINE_WORDS * FIELDS;
    words.copyWithin(row, first, first + FIELDS);
    for (let word = 0; word < LINE_WORDS; word++) words[first + word * FIELDS + KIND] = 0;
    this.#freeLines.push(line);
  }

  /** Resets the state of a word, or of a row of as many words, except its address. */
  begin(base: number, shared: boolean, count = 1): void {
    const { words } = this;
    if ((words[base + KIND]! & KNOWN) === 0) this.count += count;
    else this.dropReads(base);
    words[base + WRITER] = NOBODY;
    words[base + WRITE_TURN] = 0;
    words[base + READS] = 0;
    words[base + KIND] = KNOWN | (shared ? SHARED : 0);
  }

  dropReads(base: number): void {
    const { words } = this;
    const reads = words[base + READS]!;
    if (reads > 1) this.#free[roomFor(reads)]!.push(words[base + READ_LIST]!);
    words[base + READS] = 0;
  }

  /** Adds a load behind the others; there must be fewer than `MOST_READS`. */
  addRead(base: number, thread: number, stamp: number): void {
    const { words } = this;
    const reads = words[base + READS]!;
    words[base + READS] = reads + 1;
    if (reads === 0) {
      words[base + READER] = thread;
      words[base + READ_STAMP] = stamp;
      return;
    }
    const before = reads === 1 ? -1 : roomFor(reads);
    const now = roomFor(reads + 1);
    if (before !== now) this.#move(base, reads, before, now);
    const list = words[base + READ_LIST]!;
    this.lists[list + 2 * reads] = thread;
    this.lists[list + 2 * reads + 1] = stamp;
  }

  /**
   * Chooses which load of a full list to drop: one of the warp that has the most, that of `thread` first; `own` is
   * the index of another load of its warp, or -1. Most full lists stay full, so the counts by warp are kept with
   * them.
   */
  crowd(list: number, own: number): number {
    const { lists } = this;
    if (lists[list + COUNTED] === 0) this.#countKinds(list);
    const most = lists[list + MAX_LIST_WORDS]!;
    const owned = own < 0 ? 0 : this.#counts[4 * (list + COUNTS) + this.#kind(list, own)]!;
    if (owned + 1 >= most) return Math.max(own, 0);
    for (let at = 0; ; at++) if (this.#counts[4 * (list + COUNTS) + this.#kind(list, at)] === most) return at;
  }

  /** Drops a load of a full list and appends another; `own` is the index of another load of its warp, or -1. */
  replaceRead(list: number, gone: number, own: number, thread: number, stamp: number): void {
    const { lists } = this;
    let kind = 0;
    if (lists[list + COUNTED] !== 0) {
      this.#change(list, this.#kind(list, gone), -1);
      const counts = 4 * (list + COUNTS);
      if (own >= 0) kind = this.#kind(list, own);
      else while (this.#counts[counts + kind] !== 0) kind++;
      this.#change(list, kind, 1);
    }
    lists.copyWithin(list + 2 * gone, list + 2 * (gone + 1), list + 2 * MOST_READS);
    lists[list + 2 * (MOST_READS - 1)] = thread;
    lists[list + 2 * MOST_READS - 1] = ((kind << STAMP_BITS) | stamp) >>> 0;
  }

  setReadStamp(list: number, index: number, stamp: number): void {
    const at = list + 2 * index + 1;
    this.lists[at] = ((this.lists[at]! & ~STAMP) | stamp) >>> 0;
  }

  /** A load of the word, by its place in the order of arrival. */
  reader(base: number, index: number): number {
    const { words } = this;
    return words[base + READS] === 1 ? words[base + READER]! : this.lists[words[base + READ_LIST]! + 2 * index]!;
  }

  readStamp(base: number, index: number): number {
    const { words } = this;
    return words[base + READS] === 1
      ? words[base + READ_STAMP]!
      : this.lists[words[base + READ_LIST]! + 2 * index + 1]! & STAMP;
  }

  /** Calls `each` for the numbers of every known word and row. */
  each(call: (base: number) => void): void {
    const end = this.#lines * LINE_WORDS * FIELDS;
    for (let base = 0; base < end; base += FIELDS) if ((this.words[base + KIND]! & KNOWN) !== 0) call(base);
  }

  save(): RaceShadowImage {
    return {
      words: this.words.slice(0, this.#lines * LINE_WORDS * FIELDS),
      lists: this.lists.slice(0, this.#used),
      regions: this.#regions.map((region) => region?.slice()),
      counts: [this.count, this.#lines, this.#used],
      free: [...this.#free, this.#freeRows, this.#freeLines].map((each) => [...each]),
    };
  }

  restore({ words, lists, regions, counts, free }: RaceShadowImage): void {
    this.words = words.length < FIELDS * LINE_WORDS * 64 ? copy(words, FIELDS * LINE_WORDS * 64) : words.slice();
    this.lists = lists.length < 1024 ? copy(lists, 1024) : lists.slice();
    this.#counts = new Uint8Array(this.lists.buffer);
    this.#regions = regions.map((region) => region?.slice());
    [this.count, this.#lines, this.#used] = counts;
    this.#free = free.map((each) => [...each]);
    this.#freeLines = this.#free.pop()!;
    this.#freeRows = this.#free.pop()!;
  }

  /** The lines of a region: 0 for one that was never touched, the complement of a row's place, or one more than a line. */
  #region(at: number): Int32Array {
    const region = this.#regions[at >>> REGION_BITS] ?? new Int32Array(REGION_LINES);
    this.#regions[at >>> REGION_BITS] = region;
    return region;
  }

  /** Gives each word of a line a state: that of the row which it was, if `line` is one. */
  #makeWords(at: number, line: number): number {
    const first = this.#addLine();
    this.#region(at)[(at >>> LINE_BITS) & (REGION_LINES - 1)] = first / LINE_WORDS + 1;
    const row = ~line * FIELDS;
    const { words } = this;
    if (line === 0) return first;
    for (let lane = 0; lane < LINE_WORDS && (words[row + KIND]! & KNOWN) !== 0; lane++) {
      const base = (first + lane) * FIELDS;
      const writer = words[row + WRITER]!;
      words[base + WRITER] = writer === NOBODY ? NOBODY : writer + lane;
      words[base + WRITE_STAMP] = words[row + WRITE_STAMP]!;
      words[base + WRITE_TURN] = words[row + WRITE_TURN]!;
      words[base + KIND] = words[row + KIND]!;
      for (let at = 0; at < words[row + READS]!; at++)
        this.addRead(base, this.reader(row, at) + lane, this.readStamp(row, at));
    }
    this.dropReads(row);
    words[row + KIND] = 0;
    this.#freeRows.push(~line);
    return first;
  }

  /** Adds room for a line; returns the place of its first state. */
  #addLine(): number {
    const free = this.#freeLines.pop();
    if (free !== undefined) return free * LINE_WORDS;
    const line = this.#lines++;
    const end = this.#lines * LINE_WORDS * FIELDS;
    if (end > this.words.length) this.words = copy(this.words, 2 * this.words.length);
    return line * LINE_WORDS;
  }

  /** The kind of a load in a list: loads of one warp have the same. */
  #kind(list: number, index: number): number {
    return this.lists[list + 2 * index + 1]! >>> STAMP_BITS;
  }

  #countKinds(list: number): void {
    const { lists } = this;
    this.#counts.fill(0, 4 * (list + COUNTS), 4 * (list + COUNTS) + MOST_READS);
    lists[list + MAX_LIST_WORDS] = 0;
    lists[list + HAVE_MOST] = 0;
    lists[list + COUNTED] = 1;
    let kinds = 0;
    for (let at = 0; at < MOST_READS; at++) {
      const warp = lists[list + 2 * at]! >>> 5;
      let before = 0;
      while (before < at && lists[list + 2 * before]! >>> 5 !== warp) before++;
      const kind = before < at ? this.#kind(list, before) : kinds++;
      lists[list + 2 * at + 1] = ((kind << STAMP_BITS) | (lists[list + 2 * at + 1]! & STAMP)) >>> 0;
      this.#change(list, kind, 1);
    }
  }

  /** Adds one to or subtracts one from the count of a kind. */
  #change(list: number, kind: number, by: 1 | -1): void {
    const { lists } = this;
    const at = 4 * (list + COUNTS) + kind;
    const before = this.#counts[at]!;
    this.#counts[at] = before + by;
    const most = lists[list + MAX_LIST_WORDS]!;
    if (by === 1) {
      if (before === most) {
        lists[list + MAX_LIST_WORDS] = before + 1;
        lists[list + HAVE_MOST] = 1;
      } else if (before + 1 === most) lists[list + HAVE_MOST]!++;
      return;
    }
    if (before !== most) return;
    const left = lists[list + HAVE_MOST]! - 1;
    lists[list + HAVE_MOST] = left;
    if (left > 0) return;
    // No kind has so many any more: kinds with one less, this one among them, now have the most.
    lists[list + MAX_LIST_WORDS] = most - 1;
    let have = 0;
    for (let other = 0; other < MOST_READS; other++) if (this.#counts[4 * (list + COUNTS) + other] === most - 1) have++;
    lists[list + HAVE_MOST] = have;
  }

  /** Moves the loads of a word to a list with more room. */
  #move(base: number, reads: number, before: number, now: number): void {
    const size = now === 2 ? FULL_SIZE : 2 * ROOMS[now]!;
    let list = this.#free[now]!.pop();
    if (list === undefined) {
      list = this.#used;
      this.#used += size;
      if (this.#used > this.lists.length) {
        this.lists = copy(this.lists, 2 * this.lists.length);
        this.#counts = new Uint8Array(this.lists.buffer);
      }
    }
    if (now === 2) this.lists[list + COUNTED] = 0;
    const { words, lists } = this;
    if (before < 0) {
      lists[list] = words[base + READER]!;
      lists[list + 1] = words[base + READ_STAMP]!;
    } else {
      const from = words[base + READ_LIST]!;
      for (let at = 0; at < 2 * reads; at++) lists[list + at] = lists[from + at]!;
      this.#free[before]!.push(from);
    }
    words[base + READ_LIST] = list;
  }
}

/** What a snapshot keeps. */
export interface RaceShadowImage {
  readonly words: Uint32Array;
  readonly lists: Uint32Array;
  readonly regions: readonly (Int32Array | undefined)[];
  readonly counts: readonly [words: number, lines: number, used: number];
  readonly free: readonly (readonly number[])[];
}

const roomFor = (reads: number): 0 | 1 | 2 => (reads <= ROOMS[0] ? 0 : reads <= ROOMS[1] ? 1 : 2);

function copy(from: Uint32Array, length: number): Uint32Array {
  const made = new Uint32Array(length);
  made.set(from);
  return made;
}

import { LANES } from "../../contract/launch/lane-mask.ts";
import { type AccessList, AccessLog, type AccessPattern, emptyList } from "./access-log.ts";

/** An access is a number: what its warp did, times this, and the lane; or this lane for several of them. */
const LANES_OF_ACCESS = 64;
const SOME_LANES = LANES;

/** Numbers of accesses are less, so that they fit into 32 bits. */
const MOST = 2 ** 30;

/** Words that there are arrays for at first; a line of words is as many as a warp has lanes. */
const FEW_WORDS = 1024;

/**
 * What a block has done to its shared memory since its last barrier, as far as it takes to say of an access that it
 * races with none before it. What it cannot say that of may be right, too.
 */
export class SharedInterval {
  /** All accesses, in order. */
  readonly log: AccessLog = new AccessLog();
  readonly accesses: AccessList = emptyList();
  // By word, modulo their number: the last access that stored, and the last that loaded. Numbers below `first` are those of
  // an earlier interval; `first` itself stands for warps that are not ordered, and the one behind it for atomic operations.
  #writers: Int32Array = new Int32Array(FEW_WORDS);
  #readers: Int32Array = new Int32Array(FEW_WORDS);
  // By line: the last access of the only warp that has accessed it, each lane the word in its place; or `first` where its
  // words have what they had. And which lanes of it have stored, and loaded.
  #lines: Int32Array = new Int32Array(FEW_WORDS / LANES);
  #stored: Int32Array = new Int32Array(FEW_WORDS / LANES);
  #loaded: Int32Array = new Int32Array(FEW_WORDS / LANES);
  #first = LANES_OF_ACCESS;
  #count = 1;
  /** By access: its warp, and how often that had synchronised. */
  readonly #warps: number[] = [0];
  readonly #warpSyncs: number[] = [0];
  /** The bytes that were accessed. */
  #low = MOST;
  #high = 0;

  /** Bytes in use. */
  get bytes(): number {
    return 4 * (2 * this.#writers.length + 3 * this.#lines.length);
  }

  /** All threads of the block have met. */
  begin(): void {
    this.log.drop(this.accesses);
    this.log.clear();
    this.again();
  }

  /** All that is logged has to be added anew. */
  again(): void {
    this.#first += LANES_OF_ACCESS * this.#count;
    this.#count = 1;
    this.#low = MOST;
    this.#high = 0;
    if (this.#first > MOST) this.#clear(this.#writers.length);
  }

  #clear(words: number): void {
    this.#writers = new Int32Array(words);
    this.#readers = new Int32Array(words);
    this.#lines = new Int32Array(words / LANES);
    this.#stored = new Int32Array(words / LANES);
    this.#loaded = new Int32Array(words / LANES);
    this.#first = LANES_OF_ACCESS;
    this.#count = 1;
  }

  /** Makes room for an access; false where there was too little: then all of the interval has to be added anew. */
  reach({ low, high, bytes }: AccessPattern, start: number): boolean {
    const first = (start + low) & ~3;
    const end = start + high + bytes;
    if (first < this.#low) this.#low = first;
    if (end > this.#high) this.#high = end;
    const words = (this.#high - this.#low + 3) >> 2;
    let size = this.#writers.length;
    if (words <= size) return true;
    while (size < words) size *= 2;
    this.#clear(size);
    return false;
  }

  /** Adds an access, for which there is room; false where it may race with one before it. */
  add(pattern: AccessPattern, start: number, warp: number, warpSync: number): boolean {
    const { how, offsets, lanes, bytes } = pattern;
    const first = this.#first;
    const at = this.#count++;
    this.#warps[at] = warp;
    this.#warpSyncs[at] = warpSync;
    const number = first + LANES_OF_ACCESS * at;
    if (pattern.isInRow && how !== "atomic" && ((start >> 2) & (LANES - 1)) === pattern.firstLane)
      if (this.#addLine(start, how === "load", lanes, number, warp)) return true;
    const writers = this.#writers;
    const readers = this.#readers;
    const mask = writers.length - 1;
    let line = -1;
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      const from = start + offsets[lane]!;
      for (let word = from >> 2; 4 * word < from + bytes; word++) {
        const place = word & mask;
        if (place >> 5 !== line) {
          line = place >> 5;
          if (this.#lines[line] !== first) this.#part(line);
        }
        const writer = writers[place]!;
        const reader = readers[place]!;
        if (how === "load") {
          if (writer >= first && !this.#follows(writer, warp, lane, warpSync)) return false;
          readers[place] = reader < first ? number + lane : this.#readBy(reader, number, warp, lane, warpSync);
          continue;
        }
        if (reader >= first && !this.#follows(reader, warp, lane, warpSync)) return false;
        const atomic = how === "atomic";
        if (writer >= first && !(atomic && writer === first + 1) && !this.#follows(writer, warp, lane, warpSync))
          return false;
        writers[place] = atomic ? first + 1 : number + lane;
      }
    }
    return true;
  }

  /** Adds an access to a line, each lane to the word in its place; false where that has words for itself. */
  #addLine(start: number, loads: boolean, lanes: number, number: number, warp: number): boolean {
    const line = (start >> 7) & (this.#lines.length - 1);
    const before = this.#lines[line]!;
    const first = this.#first;
    if (before < first) {
      this.#stored[line] = 0;
      this.#loaded[line] = 0;
    } else if (before === first || this.#warps[(before - first) >>> 6] !== warp) return false;
    this.#lines[line] = number;
    if (loads) this.#loaded[line]! |= lanes;
    else this.#stored[line]! |= lanes;
    return true;
  }

  /** Gives each word of a line what the line had. */
  #part(line: number): void {
    const before = this.#lines[line]!;
    this.#lines[line] = this.#first;
    if (before < this.#first) return;
    for (let lane = 0; lane < LANES; lane++) {
      if ((this.#stored[line]! >>> lane) & 1) this.#writers[LANES * line + lane] = before + lane;
      if ((this.#loaded[line]! >>> lane) & 1) this.#readers[LANES * line + lane] = before + lane;
    }
  }

  /** The last that has loaded a word, when a lane does that others have loaded. */
  #readBy(other: number, number: number, warp: number, lane: number, warpSync: number): number {
    if (this.#follows(other, warp, lane, warpSync)) return number + lane;
    const at = (other - this.#first) >>> 6;
    return at > 0 && this.#warps[at] === warp ? number + SOME_LANES : this.#first;
  }

  /** Whether a lane's access is ordered behind an earlier one. */
  #follows(other: number, warp: number, lane: number, warpSync: number): boolean {
    const at = (other - this.#first) >>> 6;
    if (at === 0 || this.#warps[at] !== warp) return false;
    return (other & (LANES_OF_ACCESS - 1)) === lane || this.#warpSyncs[at]! < warpSync;
  }
}

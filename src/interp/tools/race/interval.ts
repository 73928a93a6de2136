import { LANES } from "../../contract/launch/lane-mask.ts";
import type { AccessPattern } from "./access-log.ts";

/** An access is a number: what its warp did, times this, and the lane; or this lane for several of them. */
const LANES_OF_ACCESS = 64;
const SOME_LANES = LANES;

/** Numbers of accesses are less, so that they fit into 32 bits. */
const MOST = 2 ** 30;

/** Words that there are arrays for at first. */
const FEW_WORDS = 1024;

/**
 * What a block has done to its shared memory since its last barrier, as far as it takes to say of an access that it
 * races with none before it. What it cannot say that of may be right, too.
 */
export class SharedInterval {
  // By word, modulo their number: the last access that stored, and the last that loaded. Numbers below `first` are those of
  // an earlier interval; `first` itself stands for warps that are not ordered, and the one behind it for atomic operations.
  #writers = new Int32Array(FEW_WORDS);
  #readers = new Int32Array(FEW_WORDS);
  #first = LANES_OF_ACCESS;
  #count = 1;
  /** By access: its warp, and how often that had synchronised. */
  #warps: number[] = [];
  #warpSyncs: number[] = [];
  /** The bytes that were accessed. */
  #low = Number.POSITIVE_INFINITY;
  #high = 0;

  /** Bytes in use. */
  get bytes(): number {
    return 8 * this.#writers.length;
  }

  /** All threads of the block have met. */
  begin(): void {
    this.#first += LANES_OF_ACCESS * this.#count;
    this.#count = 1;
    if (this.#first < MOST) return;
    this.#first = LANES_OF_ACCESS;
    this.#writers.fill(0);
    this.#readers.fill(0);
  }

  /** Makes room for an access; false where there was too little: then all of the interval has to be added anew. */
  reach({ low, high, bytes }: AccessPattern, start: number): boolean {
    this.#low = Math.min(this.#low, (start + low) & ~3);
    this.#high = Math.max(this.#high, start + high + bytes);
    const words = (this.#high - this.#low + 3) >> 2;
    let size = this.#writers.length;
    if (words <= size) return true;
    while (size < words) size *= 2;
    this.#writers = new Int32Array(size);
    this.#readers = new Int32Array(size);
    this.#first = LANES_OF_ACCESS;
    this.#count = 1;
    return false;
  }

  /** Adds an access, for which there is room; false where it may race with one before it. */
  add({ how, offsets, lanes, bytes }: AccessPattern, start: number, warp: number, warpSync: number): boolean {
    const [first, several, atomic] = [this.#first, this.#first, this.#first + 1];
    const [writers, readers] = [this.#writers, this.#readers];
    const mask = writers.length - 1;
    const at = this.#count++;
    this.#warps[at] = warp;
    this.#warpSyncs[at] = warpSync;
    const number = first + LANES_OF_ACCESS * at;
    for (let lane = 0; lane < LANES; lane++) {
      if (!((lanes >>> lane) & 1)) continue;
      const from = start + offsets[lane]!;
      for (let word = from >> 2; 4 * word < from + bytes; word++) {
        const place = word & mask;
        const writer = writers[place]!;
        const reader = readers[place]!;
        if (writer >= first && !(writer === atomic && how === "atomic") && !this.#follows(writer, warp, lane, warpSync))
          return false;
        if (how === "load") {
          if (reader < first || this.#follows(reader, warp, lane, warpSync)) readers[place] = number + lane;
          else if (reader === several || this.#warps[(reader - first) >>> 6] !== warp) readers[place] = several;
          else readers[place] = number + SOME_LANES;
          continue;
        }
        if (reader >= first && !this.#follows(reader, warp, lane, warpSync)) return false;
        writers[place] = how === "atomic" ? atomic : number + lane;
      }
    }
    return true;
  }

  /** Whether a lane's access is ordered behind an earlier one. */
  #follows(other: number, warp: number, lane: number, warpSync: number): boolean {
    const at = (other - this.#first) >>> 6;
    if (at === 0 || this.#warps[at] !== warp) return false;
    return (other & (LANES_OF_ACCESS - 1)) === lane || this.#warpSyncs[at]! < warpSync;
  }
}

import type { Release } from "./scope.ts";
import type { BlockClock, ByReach, VectorClock } from "./vector-clock.ts";
import type { MemoryWord } from "./word.ts";

/** Bytes of each kept thing, with its place in a map or an array (measured with Node 20). */
const BYTES = { word: 128, access: 184, thread: 160, block: 256, clock: 96, entry: 48, release: 320 } as const;

/** Instructions between two counts of clocks at least; more when there is much to count. */
const DISTANCE = 16384;
const WORDS_PER_INSTRUCTION = 0.5;

/** The most that a device can have, bytes: `--max-mem` is cut to it. */
const LARGEST = 0x7fff_0000;

/** A device limit of a few pages is not meant to forbid race detection. */
const MIN_RACE_BYTES = 4 << 20;

/**
 * The approximate memory of a race detector. Words and accesses are counted as they come; clocks, which share
 * parts, are counted together now and then.
 */
export class RaceWeight {
  readonly #most: number;
  #accesses = 0;
  #clockBytes = 0;
  /** The turn of the next count of clocks. */
  #due = DISTANCE;

  /** `limit`: bytes of the device's memory; the detector may use as much besides. */
  constructor(limit: number) {
    this.#most = Math.max(limit, MIN_RACE_BYTES);
  }

  /** Notes so many more kept accesses. */
  note(accesses: number): void {
    this.#accesses += accesses;
  }

  /** `packed`: bytes of the packed state; `words`: words kept as objects. */
  bytes(packed: number, words: number): number {
    return packed + words * BYTES.word + this.#accesses * BYTES.access + this.#clockBytes;
  }

  /** What exceeds the limit, and the way out, for a message; undefined where all has room. */
  excess(bytes: number, words: number): string | undefined {
    if (bytes <= this.#most) return undefined;
    const more = Math.min(2 * this.#most, LARGEST) >>> 20;
    const out = more > this.#most >>> 20 ? `--max-mem ${more}M allows more` : "launch fewer threads on less memory";
    return `${words} words of memory take ${bytes} bytes, and ${this.#most} are allowed (${out})`;
  }

  /** Whether there is room for so many more bytes. */
  hasRoom(bytes: number, more: number): boolean {
    return bytes + more <= this.#most;
  }

  isDue(turn: number): boolean {
    return turn >= this.#due;
  }

  /** Counts what `words` and `blocks` hold, from scratch; `known` is the number of words examined in all. */
  count(
    turn: number,
    known: number,
    words: ReadonlyMap<number, MemoryWord>,
    blocks: ReadonlyMap<number, BlockClock>,
  ): void {
    const seen = new Set<object>();
    let bytes = 0;
    const once = (each: object, cost: number): void => {
      if (seen.has(each)) return;
      seen.add(each);
      bytes += cost;
    };
    const weigh = (clock: VectorClock): void => {
      if (seen.has(clock)) return;
      once(clock, BYTES.clock);
      for (const part of [clock.threads, clock.warps, clock.blocks]) once(part, BYTES.entry * part.size);
    };
    const weighAll = (clocks: ByReach): void => clocks.forEach(weigh);
    const weighRelease = (release: Release): void => {
      if (seen.has(release)) return;
      once(release, BYTES.release);
      release.clocks(weigh);
    };
    let accesses = 0;
    for (const { writes, reads } of words.values()) {
      accesses += writes.length + reads.length;
      for (const { thread } of reads) once(thread, BYTES.thread);
      for (const { thread, release, own } of writes) {
        once(thread, BYTES.thread);
        weighAll(own);
        if (release !== undefined) weighRelease(release);
      }
    }
    for (const block of blocks.values()) {
      once(block, BYTES.block);
      weigh(block.known);
      for (const thread of block.threads) {
        once(thread, BYTES.thread);
        weigh(thread.known);
        weighAll(thread.pending);
        weighAll(thread.fenced);
      }
    }
    this.#accesses = accesses;
    this.#clockBytes = bytes;
    this.#due = turn + DISTANCE + Math.floor((known + seen.size) / WORDS_PER_INSTRUCTION);
  }

  /** A copy, for `restore`. */
  save(): readonly number[] {
    return [this.#accesses, this.#clockBytes, this.#due];
  }

  restore([accesses, clockBytes, due]: readonly number[]): void {
    this.#accesses = accesses!;
    this.#clockBytes = clockBytes!;
    this.#due = due!;
  }
}

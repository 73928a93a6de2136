import type { Reach } from "../contract/memory-consistency.ts";
import type { Agent, Released } from "./released.ts";

/** The thread of a write, and what it releases to a reader. */
export interface Origin {
  readonly by: Agent;
  readonly reach: Reach;
  readonly message: Released;
}

/** A write of some bytes of a word. */
export interface Written {
  /** Its place in the coherence order of its word (PTX ISA 8.9.6). */
  readonly time: number;
  /** A set bit for each of its four bytes that it writes. */
  readonly mask: number;
  /** Only the bytes in `mask` have a meaning. */
  readonly value: number;
  /**
   * The thread that wrote it. Two where it is unknown whether a compare and swap has written anything: then also the
   * thread of the write that it read.
   */
  readonly origins: readonly Origin[];
  /** True for the write of an atomic operation: no write comes between its read and this one (8.10.3). */
  readonly joined: boolean;
}

/** Writes kept of a word: older ones can no longer be read. */
const MAX_KEPT_WRITES = 24;

/** The writes of one word of memory in their coherence order; the first one writes all of it. */
export class History {
  #writes: readonly Written[];

  constructor(value: number) {
    this.#writes = [{ time: 0, mask: 0xf, value, origins: [], joined: false }];
  }

  get writes(): readonly Written[] {
    return this.#writes;
  }

  copy(): History {
    const copied = new History(0);
    copied.#writes = this.#writes;
    return copied;
  }

  /** What a reader at a time sees: for each byte of `mask` the newest write until then, without duplicates. */
  found(time: number, mask: number): readonly Written[] {
    const found: Written[] = [];
    let left = mask;
    for (let at = this.#writes.length - 1; at >= 0 && left !== 0; at--) {
      const write = this.#writes[at]!;
      if ((write.time > time && at > 0) || (write.mask & left) === 0) continue;
      found.push(write);
      left &= ~write.mask;
    }
    return found;
  }

  /** The word at a time, unsigned. */
  value(time: number): number {
    let value = 0;
    for (const [at, write] of this.#writes.entries()) {
      if (at > 0 && write.time > time) break;
      const bits = bitsOf(write.mask);
      value = (value & ~bits) | (write.value & bits);
    }
    return value >>> 0;
  }

  /** Adds a write at its time. */
  add(write: Written): void {
    const later = this.#writes.findIndex(({ time }) => time > write.time);
    const at = later < 0 ? this.#writes.length : later;
    this.#writes = [...this.#writes.slice(0, at), write, ...this.#writes.slice(at)];
    if (this.#writes.length <= MAX_KEPT_WRITES) return;
    const [, second] = this.#writes;
    const first: Written = { ...second!, mask: 0xf, value: this.value(second!.time) };
    this.#writes = [first, ...this.#writes.slice(2)];
  }

  /** Whether a write of `mask` may come between others at this time: writes of other bytes would split it. */
  takes(time: number, mask: number): boolean {
    const [, ...rest] = this.#writes;
    return rest.every((write) => write.mask === mask) && !rest.find((write) => write.time > time)?.joined;
  }
}

/** A set byte for each set bit. */
const bitsOf = (mask: number): number =>
  (mask & 1 ? 0xff : 0) | (mask & 2 ? 0xff00 : 0) | (mask & 4 ? 0xff_0000 : 0) | (mask & 8 ? 0xff00_0000 : 0);

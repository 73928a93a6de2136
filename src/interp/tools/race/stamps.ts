import type { Reach } from "../../contract/memory-consistency.ts";

/** When and how something was accessed, but not by whom. Many accesses share a stamp, which is a single number. */
export class RaceStamps {
  readonly count: number[] = [];
  readonly warpSync: number[] = [];
  readonly barrier: number[] = [];
  readonly pc: number[] = [];
  /** Which of the word's four bytes, a bit each. */
  readonly bytes: number[] = [];
  readonly reach: Reach[] = [];
  /** The last stamp of each hash, and of each stamp the one before it with the same hash. */
  #heads: Int32Array = new Int32Array(1024).fill(-1);
  readonly #before: number[] = [];
  /** By instruction and bytes: the last stamp used, and likely the next. */
  #last: number[] = [];

  get size(): number {
    return this.pc.length;
  }

  of(count: number, warpSync: number, barrier: number, pc: number, bytes: number, reach: Reach): number {
    const last = this.#last[16 * pc + bytes];
    if (
      last !== undefined &&
      this.count[last] === count &&
      this.warpSync[last] === warpSync &&
      this.barrier[last] === barrier &&
      this.reach[last] === reach
    )
      return last;
    const hash = hashOf(count, warpSync, barrier, pc, bytes, reach);
    let stamp = this.#heads[hash & (this.#heads.length - 1)]!;
    while (stamp >= 0 && !this.#is(stamp, count, warpSync, barrier, pc, bytes, reach)) stamp = this.#before[stamp]!;
    if (stamp < 0) {
      stamp = this.size;
      this.count.push(count);
      this.warpSync.push(warpSync);
      this.barrier.push(barrier);
      this.pc.push(pc);
      this.bytes.push(bytes);
      this.reach.push(reach);
      if (stamp >= this.#heads.length) this.#rehash();
      else this.#put(stamp, hash);
    }
    this.#last[16 * pc + bytes] = stamp;
    return stamp;
  }

  #is(
    stamp: number,
    count: number,
    warpSync: number,
    barrier: number,
    pc: number,
    bytes: number,
    reach: Reach,
  ): boolean {
    return (
      this.pc[stamp] === pc &&
      this.barrier[stamp] === barrier &&
      this.warpSync[stamp] === warpSync &&
      this.count[stamp] === count &&
      this.bytes[stamp] === bytes &&
      this.reach[stamp] === reach
    );
  }

  #put(stamp: number, hash: number): void {
    const at = hash & (this.#heads.length - 1);
    this.#before[stamp] = this.#heads[at]!;
    this.#heads[at] = stamp;
  }

  #rehash(): void {
    this.#heads = new Int32Array(4 * this.#heads.length).fill(-1);
    const { count, warpSync, barrier, pc, bytes, reach } = this;
    for (let at = 0; at < this.size; at++)
      this.#put(at, hashOf(count[at]!, warpSync[at]!, barrier[at]!, pc[at]!, bytes[at]!, reach[at]!));
  }

  /** The same stamp in another table. */
  copyTo(others: RaceStamps, stamp: number): number {
    const { count, warpSync, barrier, pc, bytes, reach } = this;
    return others.of(count[stamp]!, warpSync[stamp]!, barrier[stamp]!, pc[stamp]!, bytes[stamp]!, reach[stamp]!);
  }

  copy(): RaceStamps {
    const made = new RaceStamps();
    for (let stamp = 0; stamp < this.size; stamp++) this.copyTo(made, stamp);
    return made;
  }
}

function hashOf(count: number, warpSync: number, barrier: number, pc: number, bytes: number, reach: Reach): number {
  let hash = Math.imul(barrier + 31 * warpSync + 1021 * count, 0x9e37_79b1);
  hash = Math.imul(hash ^ (hash >>> 15) ^ (64 * pc + 4 * bytes + reach), 0x85eb_ca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

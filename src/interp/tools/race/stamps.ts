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
  #known: Map<string, number> = new Map();
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
    const key = `${count} ${warpSync} ${barrier} ${pc} ${bytes} ${reach}`;
    let stamp = this.#known.get(key);
    if (stamp === undefined) {
      stamp = this.size;
      this.count.push(count);
      this.warpSync.push(warpSync);
      this.barrier.push(barrier);
      this.pc.push(pc);
      this.bytes.push(bytes);
      this.reach.push(reach);
      this.#known.set(key, stamp);
    }
    this.#last[16 * pc + bytes] = stamp;
    return stamp;
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

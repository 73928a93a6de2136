import {
  BlockClock,
  type Epoch,
  joined,
  nothing,
  ThreadClock,
  type VectorClock,
} from "../../src/interp/tools/race/vector-clock.ts";

/**
 * A thread that knows of each other thread by itself up to which moment of its it comes after: no count of barriers or of
 * meetings of warps says it for many at once.
 */
class ReferenceThread extends ThreadClock {
  override publish(): VectorClock {
    const own: VectorClock = { ...nothing, threads: new Map([[this.id, this.count]]) };
    this.count++;
    return joined(this.known, own);
  }

  override stamp(): Epoch {
    return { thread: this, count: this.count, warpSync: 0, barrier: 0 };
  }

  override follows({ thread, count }: Epoch): boolean {
    return thread === this || (this.known.threads.get(thread.id) ?? -1) >= count;
  }
}

/** The threads of a block, all from the beginning. */
export class ReferenceBlock extends BlockClock {
  readonly #all: readonly ReferenceThread[];

  constructor(block: number, cluster: number, threads: number) {
    super(block, cluster);
    this.#all = Array.from({ length: threads }, (_, at) => new ReferenceThread(this, at >> 5, at & 31));
  }

  override thread(warp: number, lane: number): ThreadClock {
    return this.#all[warp * 32 + lane]!;
  }

  override get threads(): readonly ThreadClock[] {
    return this.#all;
  }
}

/** These have met: each knows what any of them knew and has done. */
export function meet(threads: readonly ThreadClock[]): void {
  const all = threads.map((thread) => thread.publish()).reduce(joined, nothing);
  for (const thread of threads) thread.known = all;
}

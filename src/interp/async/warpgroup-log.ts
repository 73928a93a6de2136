import type { ThreadId } from "../contract/thread-id.ts";
import type { Site } from "./operation.ts";

/** What one warp of a warpgroup has executed, for the others to execute too. */
interface Entry {
  readonly site: Site;
  readonly thread: ThreadId;
  /** What all four have to give alike: descriptors, scale-d. */
  readonly given: string;
}

interface Group {
  /** Entries that all four have come to are forgotten. */
  readonly first: number;
  readonly entries: readonly Entry[];
  /** How many each warp has executed. */
  readonly counts: readonly number[];
}

/** Two warps of a warpgroup that do not do the same. */
export interface Apart {
  readonly entry: Entry;
  /** Warps of the block that have not executed it; none where one gives something else. */
  readonly missing: readonly number[];
}

const none: readonly Apart[] = [];
const fresh: Group = { first: 0, entries: [], counts: [0, 0, 0, 0] };

/** Whether the four warps of each warpgroup execute the same wgmma instructions, as `.aligned` promises (PTX ISA 9.7.16.1). */
export class WarpgroupLog {
  #groups: Map<number, Group> = new Map();

  /** A warp executes one. Gives what another warp of its group has executed in its place, or with what else. */
  step(entry: Entry): Apart | undefined {
    const { block, warp } = entry.thread;
    const key = block * 8 + (warp >>> 2);
    const { first, entries, counts } = this.#groups.get(key) ?? fresh;
    const at = counts[warp & 3]!;
    const there = entries[at - first];
    const all = there === undefined ? [...entries, entry] : entries;
    const now = counts.map((count, index) => (index === (warp & 3) ? count + 1 : count));
    const done = Math.min(...now);
    this.#groups.set(key, { first: done, entries: all.slice(done - first), counts: now });
    if (there === undefined || (there.site.pc === entry.site.pc && there.given === entry.given)) return undefined;
    return { entry: there, missing: [] };
  }

  /** A block has ended: what some warps of a group have executed and others have not. */
  end(block: number): readonly Apart[] {
    if (this.#groups.size === 0) return none;
    const found: Apart[] = [];
    for (let group = 0; group < 8; group++) {
      const there = this.#groups.get(block * 8 + group);
      if (there === undefined) continue;
      const [entry] = there.entries;
      const missing = there.counts.flatMap((count, warp) => (count === there.first ? [4 * group + warp] : []));
      if (entry !== undefined) found.push({ entry, missing });
      this.#groups.delete(block * 8 + group);
    }
    return found;
  }

  save(): ReadonlyMap<number, Group> {
    return new Map(this.#groups);
  }

  restore(image: ReadonlyMap<number, Group>): void {
    this.#groups = new Map(image);
  }
}

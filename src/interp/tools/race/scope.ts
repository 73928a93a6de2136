import {
  acquires,
  type FenceOrder,
  includeEachOther,
  type Reach,
  releases,
} from "../../contract/memory-consistency.ts";
import { type ByReach, joined, nothing, type ThreadClock, untold, type VectorClock } from "./vector-clock.ts";

/** The properties of an operation that decide moral strength. */
export interface Scoped {
  readonly thread: ThreadClock;
  readonly reach: Reach;
}

/** True when each of two operations has a scope, and that includes the other's thread (PTX ISA 8.7). */
export const morallyStrong = (a: Scoped, b: Scoped): boolean =>
  includeEachOther(a.reach, a.thread.blockClock, b.reach, b.thread.blockClock);

/** What a store releases: what its thread released, and the releases of the stores that it carries on. */
export class Release {
  readonly #published: readonly Map<number, VectorClock>[] = [new Map(), new Map(), new Map()];

  /** Adds what `thread` releases to its block, its cluster and all. */
  publish(thread: ThreadClock, clocks: ByReach): void {
    for (const [reach, clock] of clocks.entries()) {
      const published = this.#published[reach]!;
      const to = groupOf(thread, reach);
      if (clock !== nothing) published.set(to, joined(published.get(to) ?? nothing, clock));
    }
  }

  /** What a thread may acquire from it: everything from its own block, from others what their scope includes. */
  acquiredBy(thread: ThreadClock): ByReach {
    const acquired = (reach: number): VectorClock => this.#published[reach]!.get(groupOf(thread, reach)) ?? nothing;
    return [acquired(0), acquired(1), acquired(2)];
  }

  /** Calls `each` for every clock in it. */
  clocks(each: (clock: VectorClock) => void): void {
    for (const published of this.#published) for (const clock of published.values()) each(clock);
  }

  /** The union of these releases. */
  static of(releases: readonly Release[]): Release {
    const all = new Release();
    for (const release of releases)
      for (const [reach, groups] of release.#published.entries()) {
        const published = all.#published[reach]!;
        for (const [to, clock] of groups) published.set(to, joined(published.get(to) ?? nothing, clock));
      }
    return all;
  }
}

/** The number of the block, the cluster or the launch that a thread belongs to. */
const groupOf = ({ blockClock: { block, cluster } }: ThreadClock, reach: number): number =>
  reach === 0 ? block : reach === 1 ? cluster : 0;

export const both = (a: ByReach, b: ByReach): ByReach =>
  a === untold ? b : b === untold ? a : [joined(a[0], b[0]), joined(a[1], b[1]), joined(a[2], b[2])];

/** `clock` for the scopes that `reach` includes, `before` for wider ones. */
const upTo = (reach: Reach, clock: VectorClock, before: ByReach): ByReach => [
  reach >= 0 ? clock : before[0],
  reach >= 1 ? clock : before[1],
  reach >= 2 ? clock : before[2],
];

/** What a thread's store with `.release` and this reach releases, beside the releases of its fences. */
export const released = (thread: ThreadClock, reach: Reach): ByReach => upTo(reach, thread.publish(), thread.fenced);

/** An acquire takes effect at once in its scope; the rest, as all of a relaxed read, waits for a fence. */
export function acquire(thread: ThreadClock, acquired: ByReach, reach: Reach): void {
  for (let at = 0; at <= reach; at++) thread.known = joined(thread.known, acquired[at]!);
  thread.pending = both(thread.pending, upTo(reach, nothing, acquired));
}

/**
 * A fence acquires for the reads before it, and releases for the stores behind it, both in its scope; with
 * .acquire or .release it does only one of them.
 */
export function fence(thread: ThreadClock, reach: Reach, sem: FenceOrder): void {
  if (acquires(sem)) {
    for (let at = 0; at <= reach; at++) thread.known = joined(thread.known, thread.pending[at]!);
    thread.pending = upTo(reach, nothing, thread.pending);
  }
  if (releases(sem)) thread.fenced = upTo(reach, thread.publish(), thread.fenced);
}

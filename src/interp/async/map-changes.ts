import type { ThreadId } from "../contract/launch/thread-id.ts";
import type { Site } from "./operation.ts";

/** The last change of a tensor map, and whether it has been released. */
export interface MapChange {
  readonly site: Site;
  readonly thread: ThreadId;
  readonly released: boolean;
}

/**
 * Tensor maps in global memory, by offset in the buffer, that were changed and not acquired since: tensor copies read
 * them through a separate proxy (PTX ISA 8.6).
 */
export class MapChanges {
  #changes: ReadonlyMap<number, MapChange> = new Map();

  /** `released`: the instruction itself releases the change, as tensormap.cp_fenceproxy does. */
  change(at: number, change: MapChange): void {
    this.#changes = new Map(this.#changes).set(at, change);
  }

  /** A thread releases all its changes. */
  release({ block, warp, lane }: ThreadId): void {
    this.#changes = new Map(
      [...this.#changes].map(([at, change]) => {
        const { thread } = change;
        const own = thread.block === block && thread.warp === warp && thread.lane === lane;
        return [at, own ? { ...change, released: true } : change];
      }),
    );
  }

  /** A thread acquires the map at this place; false where its change was never released. */
  acquire(at: number): boolean {
    const change = this.#changes.get(at);
    if (change === undefined) return true;
    if (!change.released) return false;
    const left = new Map(this.#changes);
    left.delete(at);
    this.#changes = left;
    return true;
  }

  /** A change that has not been acquired. */
  at(at: number): MapChange | undefined {
    return this.#changes.get(at);
  }

  save(): MapChangesImage {
    return this.#changes;
  }

  restore(image: MapChangesImage): void {
    this.#changes = image;
  }
}

/** What a snapshot keeps; it never changes. */
export type MapChangesImage = ReadonlyMap<number, MapChange>;

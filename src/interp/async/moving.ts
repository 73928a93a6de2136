import { Random } from "../contract/launch/random.ts";

/**
 * When the data of asynchronous operations move: as late as the program allows, at issue, or at a moment
 * that a seed draws. The choice changes no finding, since the waits alone decide the order.
 */
export type Moving =
  | { readonly when: "late" | "early" }
  /** `seed`: 32 bits. */
  | { readonly when: "random"; readonly seed: number };

/** Draws moments: half of the operations move at once or soon, the others wait long. */
export class Moments {
  readonly #when: Moving["when"];
  readonly #random: Random | undefined;

  constructor(moving: Moving) {
    this.#when = moving.when;
    this.#random = moving.when === "random" ? new Random(moving.seed) : undefined;
  }

  /** The state of the generator, for snapshots. */
  get state(): number | undefined {
    return this.#random?.state;
  }

  set state(state: number | undefined) {
    if (this.#random !== undefined && state !== undefined) this.#random.state = state;
  }

  /** The moment at which an operation issued at `now` moves; infinite for one that only a wait moves. */
  draw(now: number): number {
    if (this.#when === "early") return now;
    if (this.#random === undefined) return Number.POSITIVE_INFINITY;
    const reach = this.#random.below(10);
    return reach === 9 ? Number.POSITIVE_INFINITY : now + this.#random.below(1 << reach);
  }

  /** The order in which operations without a drawn moment move, when all of them have to. */
  shuffle<T>(items: readonly T[]): readonly T[] {
    const random = this.#random;
    if (random === undefined) return items;
    const left = [...items];
    return items.map(() => left.splice(random.below(left.length), 1)[0]!);
  }
}

import type { ByReach } from "./vector-clock.ts";
import type { Manner } from "./word.ts";

/** A strong access, through which threads may have communicated. */
export interface StrongAccess extends Manner {
  /** `id` of the thread. */
  readonly thread: number;
  /** The word. */
  readonly from: number;
  /** The later access has the greater number. */
  readonly turn: number;
  /** What a store releases to those who acquire it. */
  readonly released: ByReach;
}

/** Accesses kept of a block, one an instruction; blocks with kept accesses. */
const MAX_KEPT_ACCESSES = 8;
const MOST_BLOCKS = 4096;

/**
 * The last strong accesses of each block. They find no race: the report uses them to say
 * by what flag threads were to be ordered, and what it lacks.
 */
export class StrongLog {
  #blocks: Map<number, StrongAccess[]> = new Map();

  note(block: number, access: StrongAccess): void {
    const before = this.#blocks.get(block);
    if (before !== undefined) {
      for (let at = 0; at < before.length; at++)
        if (before[at]!.pc === access.pc) {
          before[at] = access;
          return;
        }
      if (before.push(access) > MAX_KEPT_ACCESSES) before.shift();
      return;
    }
    this.#blocks.set(block, [access]);
    if (this.#blocks.size <= MOST_BLOCKS) return;
    for (const first of this.#blocks.keys()) {
      this.#blocks.delete(first);
      return;
    }
  }

  of(block: number): readonly StrongAccess[] {
    return this.#blocks.get(block) ?? [];
  }

  save(): ReadonlyMap<number, readonly StrongAccess[]> {
    return copied(this.#blocks);
  }

  restore(image: ReadonlyMap<number, readonly StrongAccess[]>): void {
    this.#blocks = copied(image);
  }
}

const copied = (blocks: ReadonlyMap<number, readonly StrongAccess[]>): Map<number, StrongAccess[]> =>
  new Map([...blocks].map(([block, accesses]) => [block, [...accesses]]));

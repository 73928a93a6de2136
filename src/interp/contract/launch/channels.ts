import type { SlotOperand } from "../operand.ts";
import type { Cell } from "../space.ts";

/**
 * Lanes as the channels of one SIMD thread: `count` of them from lane `first` on. Which are enabled is decided a whole
 * warp at a time: predicates are combined over all channels, active or not.
 */
export interface Channels {
  readonly first: number;
  readonly count: number;
  /** Channels are enabled whether the execution mask has them or not. */
  readonly all: boolean;
  /** Bank p: the lanes that the thread began with. No other is ever in the execution mask. */
  readonly dispatch: number;
  readonly predicate?: {
    readonly slot: number;
    /** Applied before the inversion: all channels get the same answer. */
    readonly combine?: "any" | "all";
    readonly inverted: boolean;
  };
}

/**
 * One element of memory a channel. Channel i of the instruction lies at row i div width, column i mod width; strides are
 * in bytes.
 */
export interface ElementAccess {
  /** The slot that takes the elements, or has them. */
  readonly slot: SlotOperand;
  readonly cell: Cell;
  /** A slot with a 64-bit global address, the same in all lanes. */
  readonly base: SlotOperand;
  /** The base is where such addresses stand, the low word of each: one for all channels, or one a row. */
  readonly pointers?: "one" | "rows";
  /** Bytes behind the address. */
  readonly offset: number;
  readonly width: number;
  readonly rowStride: number;
  readonly columnStride: number;
}

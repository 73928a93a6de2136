import type { SlotOperand } from "../operand.ts";
import type { Cell } from "../space.ts";

/**
 * Lanes as the channels of one SIMD thread: `count` of them from lane `first` on. The enabled ones are computed for a
 * whole warp at a time: predicates are combined over all channels, active or not.
 */
export interface Channels {
  readonly first: number;
  readonly count: number;
  /** Channels are enabled regardless of the execution mask. */
  readonly all: boolean;
  /** Bank p: the lanes that the thread began with. The execution mask never has others. */
  readonly dispatch: number;
  readonly predicate?: {
    readonly slot: number;
    /** Applied before the inversion: all channels get the same answer. */
    readonly combine?: "any" | "all";
    readonly inverted: boolean;
  };
}

/**
 * One element of memory a channel. Channel i of the instruction lies at row i div width, column i mod width; strides
 * are in bytes.
 */
export interface ElementAccess {
  /** The slot that receives or supplies the elements. */
  readonly slot: SlotOperand;
  readonly cell: Cell;
  /** A slot with a 64-bit global address, the same in all lanes. */
  readonly base: SlotOperand;
  /** The base points to a table of addresses, the low word of each: one for all channels, or one a row. */
  readonly pointers?: "one" | "rows";
  /** Offset from the address, bytes. */
  readonly offset: number;
  readonly width: number;
  readonly rowStride: number;
  readonly columnStride: number;
}

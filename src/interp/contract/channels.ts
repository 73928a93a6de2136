import { lowest, type Warp } from "../state/warp.ts";
import type { Slot } from "./operand.ts";
import type { Cell, Plan } from "./plan.ts";
import type { Operand } from "./program.ts";

/**
 * Lanes as the channels of one SIMD thread: `count` of them from lane `first` on. Which are enabled is decided a whole
 * warp at a time: predicates are combined over all channels, active or not.
 */
export interface Channels {
  readonly first: number;
  readonly count: number;
  /** Channels are enabled whether the execution mask has them or not. */
  readonly all: boolean;
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
  readonly slot: Slot;
  readonly cell: Cell;
  /** A slot with a 64-bit global address, the same in all lanes. */
  readonly base: Slot;
  /** The base is where such addresses stand, the low word of each: one for all channels, or one a row. */
  readonly pointers?: "one" | "rows";
  /** Bytes behind the address. */
  readonly offset: number;
  readonly width: number;
  readonly rowStride: number;
  readonly columnStride: number;
}

/** A step on slots within an instruction of channels. */
export interface Inner {
  readonly plan: Plan;
  readonly operands: readonly (Operand | undefined)[];
}

/** The lanes for which an instruction with these channels is enabled, as a function of the warp. */
export function enabled({ first, count, all, predicate }: Channels): (warp: Warp) => number {
  const range = (lowest(count) << first) >>> 0;
  const base = (warp: Warp): number => (all ? range : (range & warp.active) >>> 0);
  if (predicate === undefined) return base;
  const { slot, combine, inverted } = predicate;
  const flip = inverted ? -1 : 0;
  return (warp) => {
    const set = (warp.p[slot]! & range) >>> 0;
    const bits = combine === undefined ? set : (combine === "any" ? set !== 0 : set === range) ? range : 0;
    return (base(warp) & (bits ^ flip)) >>> 0;
  };
}

import type { Operation } from "../../../numeric/operation/operation.ts";
import type { IntegerWidth } from "../../../numeric/operation/type.ts";
import type { MemoryOrder, MemoryScope } from "../memory-consistency.ts";
import type { Space } from "../space.ts";

/** A reduction of one element: `op` on the value in memory and the operand, each of `bits`. */
export interface Update {
  readonly op: Operation;
  readonly bits: 16 | 32 | 64;
}

/**
 * What a copy looks for in the data that it moves: found, it reports to its mbarrier object. It looks at each byte, or
 * at an element of each 16.
 */
export interface Inspection {
  readonly every: 1 | 16;
  /** Of an element; four have a byte of their own. */
  readonly bits: 4 | 8 | 16 | 32;
  readonly pattern: number;
}

/** How a tensor copy names its elements (PTX ISA 5.5.3 to 5.5.5). */
export type TensorMode =
  | "tile"
  | "tile::gather4"
  | "tile::scatter4"
  | "im2col"
  | "im2col::w"
  | "im2col::w::128"
  | "im2col_no_offs"
  | "im2col_no_offs::w";

/** A field of a tensor map, as tensormap.replace names it. */
export type MapField =
  | "global_address" | "rank" | "box_dim" | "global_dim" | "element_stride" | "global_stride"
  | "elemtype" | "interleave_layout" | "swizzle_mode" | "fill_mode" | "swizzle_atomicity"; // biome-ignore format: one list

/** Plans of bulk and tensor copies and what belongs to them. */
export type BulkPlan =
  /**
   * `[d], [a], n{, [mbar]}{, policy}`, `[d], [a], n, [mbar]{, mask}{, policy}`, `[d], [a], n{, policy}{, bytes}`,
   * `[d], [a], n, left, right, [mbar]{, policy}`, or to multimem memory `[d], [a], n{, bytes}`.
   */
  | {
      readonly shape: "bulk copy";
      readonly from: "global" | "shared";
      readonly to: "global" | "shared";
      /** Shared memory of the thread's own block, of any block of the cluster, or of another one. */
      readonly whose?: "own" | "any" | "other";
      /** With a mask of cluster ranks, of so many bits, that each receive a copy. */
      readonly multicast?: 16 | 32 | undefined;
      /** With a mask of the bytes of 16 that are written. */
      readonly masked?: true;
      /** Operands 3 and 4 are numbers of bytes at both ends that the copy may leave out. */
      readonly ignores?: true;
      /** The destination is a multimem address: it happens at each replica. */
      readonly multimem?: true;
      readonly inspects?: Inspection | undefined;
      readonly update?: Update;
      /** The scope of strong accesses: to both places by a copy, to the destination by a reduction. */
      readonly scope?: MemoryScope;
    }
  /**
   * `[d], [map, {..}], [mbar]{, {..}}{, mask}{, policy}`, or `[map, {..}], [a]{, policy}`; behind the map stands what
   * overrides it.
   */
  | {
      readonly shape: "tensor copy";
      readonly dim: 1 | 2 | 3 | 4 | 5;
      readonly mode: TensorMode;
      readonly direction: "load" | "store";
      readonly whose?: "own" | "any";
      /** Operand 4 is a mask of ranks, of so many bits. */
      readonly multicast?: 16 | 32 | undefined;
      /** Operands replace the map's address, or also its sizes and strides. */
      readonly override?: "address" | "all" | undefined;
      readonly inspects?: Inspection | undefined;
      /** The mbarrier object may lie in the peer block. */
      readonly pair?: boolean;
      /** The reduction, by the element type of the map; undefined for other types. */
      readonly updates?: Readonly<Record<string, Update>>;
    }
  /** `[a]{, ord}, v`. */
  | { readonly shape: "map field"; readonly field: MapField; readonly space: Space }
  /** `[d], [a], n`: copies a tensor map from shared to global memory and releases it. */
  | { readonly shape: "map copy"; readonly scope: MemoryScope }
  /** No operands, or `[a], n`: orders a changed tensor map before the copies that use it. */
  | { readonly shape: "map fence"; readonly act: "release" | "acquire" }
  /** `[a], [mbar]`: cancels a cluster that has not begun, and writes which; `all`: to all blocks of the cluster. */
  | { readonly shape: "cancel cluster"; readonly space: Space; readonly all: boolean }
  /** `p, r`, `d, r` or `{x, y, z, _}, r`: decodes such an answer. */
  | { readonly shape: "cancel answer"; readonly what: "is_canceled" | "x" | "y" | "z" | "xyz" }
  /** `d, [a]`: by number, `fold` over all replicas, between `begin` and `end`; `[a], b`: to each replica. */
  | {
      readonly shape: "multimem";
      readonly space: Space;
      readonly act: "load" | "store" | "update";
      /** Of one number in memory, and how many a register packs. */
      readonly bits: IntegerWidth;
      readonly packed: 1 | 2 | 4;
      readonly sem: MemoryOrder;
      readonly scope: MemoryScope;
      /** Combines the accumulated value with one more replica `b`; for an update, the value in memory with `b`. */
      readonly fold?: Operation;
      /** For an accumulator of another type: converts the first element `b`, and the result `held` back. */
      readonly begin?: Operation;
      readonly end?: Operation;
    }
  /** `[a], n, 0`: zeros. */
  | { readonly shape: "zero fill"; readonly space: Space };

import type { TileSpec } from "../../../numeric/tensor/spec.ts";

/** Plans of wgmma, and the fence between the proxies, without which wgmma may miss generic writes. */
export type WarpgroupPlan =
  /** `d, a, b ...`: D = A * B + D, issued by four warps, each for 16 rows of A and D. */
  | WarpgroupMultiply
  /** No operands: wgmma may use registers that the warp has touched from here on. */
  | { readonly shape: "wgmma fence" }
  /** No operands: the operations that the warp has issued since the last commit become a group. */
  | { readonly shape: "wgmma commit" }
  /** `n`: waits for all groups of the warp but the last n. */
  | { readonly shape: "wgmma wait" }
  /** No operands: the async proxy may read what the generic proxy has written from here on. */
  /** `inits`: only of the mbarrier objects that the thread has initialised. */
  | { readonly shape: "proxy fence"; readonly inits?: true; readonly fencedSpace?: "shared" };

/** wgmma.mma_async. A lies in registers where its operand is a vector, else in shared memory, as B does. */
export interface WarpgroupMultiply {
  readonly shape: "wgmma";
  /** Of all four warps. With a sparse A, `k` counts the elements that are selected. */
  readonly tile: TileSpec;
  /** With a sparse A: elements of a chunk, half of which are stored. */
  readonly sparse?: 2 | 4;
  /** The operands present, in order. */
  readonly operands: readonly WarpgroupOperand[];
}

/**
 * `e` is the metadata of a sparse A and `selector` the threads that hold it; `scale` is false where D counts as zero;
 * `negate` is 1 or -1; `turn` is 1 for a matrix in shared memory whose elements are adjacent along M or N, not K.
 */
export type WarpgroupOperand =
  | "d" | "a" | "b" | "e" | "selector" | "scale" | "negate a" | "negate b" | "turn a" | "turn b"; // biome-ignore format: in their order

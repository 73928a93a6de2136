import type { TileSpec } from "../../../numeric/tensor/spec.ts";

/** Plans of wgmma, and the fence between the proxies, without which wgmma reads what nobody has written. */
export type WarpgroupPlan =
  /** `d, a, b ...`: D = A * B + D, asked for by four warps, each for 16 rows of A and D. */
  | WarpgroupMultiply
  /** No operands: registers that the warp has touched may be given to wgmma from here on. */
  | { readonly shape: "wgmma fence" }
  /** No operands: what the warp has asked for since the last time becomes a group. */
  | { readonly shape: "wgmma commit" }
  /** `n`: waits for all groups of the warp but the last n. */
  | { readonly shape: "wgmma wait" }
  /** No operands: what has been written by the generic proxy may be read by the async proxy from here on. */
  /** `inits`: only of the mbarrier objects that the thread has initialised. */
  | { readonly shape: "proxy fence"; readonly inits?: true };

/** wgmma.mma_async. A lies in registers where its operand is a vector, else in shared memory, as B does. */
export interface WarpgroupMultiply {
  readonly shape: "wgmma";
  /** Of all four warps. With a sparse A, `k` counts the elements that are selected. */
  readonly tile: TileSpec;
  /** Of a sparse A: elements of a chunk, half of which are stored. */
  readonly sparse?: 2 | 4;
  /** What the operands are, in their order. */
  readonly operands: readonly WarpgroupOperand[];
}

/**
 * `e` is the metadata of a sparse A and `selector` says who holds it; `scale` is false where D counts as zero; `negate` is 1
 * or -1; `turn` is 1 for a matrix in shared memory whose elements lie side by side along M or N, not K.
 */
export type WarpgroupOperand =
  | "d" | "a" | "b" | "e" | "selector" | "scale" | "negate a" | "negate b" | "turn a" | "turn b"; // biome-ignore format: in their order

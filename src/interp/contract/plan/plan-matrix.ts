import type { MatrixOperation } from "../../../numeric/operation/matrix.ts";

/** Plans of matrix instructions (PTX ISA, wmma, mma, wgmma, tcgen05). */
export type MatrixPlan =
  /** `d, a`: movmatrix, an 8x8 matrix of 16-bit elements, a row in four lanes, transposed. */
  | { readonly shape: "transpose" }
  /** `d, a, b, c{, e, f}{, sa, {ia, ta}, sb, {ib, tb}}`: mma and wmma.mma, fragments in vectors of registers. */
  | { readonly shape: "multiply"; readonly op: MatrixOperation };

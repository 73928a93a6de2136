/** Plans of matrix instructions (PTX ISA 9.7.15 to 9.7.17). */
export type MatrixPlan =
  /** `d, a`: movmatrix, an 8x8 matrix of 16-bit elements, a row in four lanes, transposed. */
  { readonly shape: "transpose" };

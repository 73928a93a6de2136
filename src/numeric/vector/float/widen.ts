import type { VectorMaker } from "../maker.ts";
import type { Vector, Wide } from "../vector.ts";

/** Four numbers of f32 as f64: exactly. */
export const promoted = (of: Vector, make: VectorMaker): Wide => [
  make.op("f64x2.promote_low_f32x4", of),
  make.op("f64x2.promote_low_f32x4", make.pick(of, of, 2, 3, 2, 3)),
];

/** Four numbers of f64 rounded to the nearest of f32, ties to even. */
export const demoted = ([first, second]: Wide, make: VectorMaker): Vector =>
  make.pick(make.op("f32x4.demote_f64x2_zero", first), make.op("f32x4.demote_f64x2_zero", second), 0, 1, 4, 5);

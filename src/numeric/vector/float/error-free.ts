import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";

/** a + b - sum for sum = a + b rounded to nearest, on f64: exact where nothing overflows (`binary64/error-free.ts`). */
export function sumError(a: Vector, b: Vector, sum: Vector, make: VectorMaker): Vector {
  const shift = make.op("f64x2.sub", sum, a);
  return make.op(
    "f64x2.add",
    make.op("f64x2.sub", a, make.op("f64x2.sub", sum, shift)),
    make.op("f64x2.sub", b, shift),
  );
}

/**
 * A sum of f64 with its error, rounded to odd: where the error is not 0, the neighbour whose last bit is 1. A rounding
 * into 51 bits or fewer is then the only one that shows (`binary64/double.ts`).
 */
export function oddOf(sum: Vector, error: Vector, make: VectorMaker): Vector {
  const zero = make.all64(0n);
  const [below, above] = [make.op("f64x2.lt", error, zero), make.op("f64x2.gt", error, zero)];
  // -1 where the error points toward zero: an even number becomes the odd one below it, an odd one the even one below,
  // and the last bit makes it odd again.
  const toward = make.choose(make.op("f64x2.lt", sum, zero), above, below);
  const moved = make.op("i64x2.add", sum, toward);
  return make.or(moved, make.shift("i64x2.shr_u", make.or(below, above), 63));
}

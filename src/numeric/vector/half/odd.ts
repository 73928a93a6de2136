import type { VectorMaker } from "../maker.ts";
import type { Vector, Wide } from "../vector.ts";

/**
 * Rounding to odd: a number that is not exact becomes the one of its two neighbours whose last bit is 1. Rounded once
 * more into at least two bits fewer, it gives what the exact number gives, in any direction.
 */

/** x + y in f32, to odd. Exact zeros have the sign that rounding to nearest gives. */
export function oddSumF32(x: Vector, y: Vector, make: VectorMaker): Vector {
  const sum = make.op("f32x4.add", x, y);
  return towardOdd(sum, sumErrorF32(x, y, sum, make), make);
}

/** x + y - sum for a sum in f32 that was rounded to nearest: exact, and NaN where the sum is not finite. */
export function sumErrorF32(x: Vector, y: Vector, sum: Vector, make: VectorMaker): Vector {
  const shift = make.op("f32x4.sub", sum, x);
  const lost = make.op("f32x4.sub", x, make.op("f32x4.sub", sum, shift));
  return make.op("f32x4.add", lost, make.op("f32x4.sub", y, shift));
}

/** A number of f32 that was rounded to nearest, rounded to odd; of the error the sign counts, and whether it is 0 or NaN. */
export function towardOdd(nearest: Vector, error: Vector, make: VectorMaker): Vector {
  const inexact = make.op("f32x4.gt", make.op("f32x4.abs", error), make.all32(0));
  // Cut toward zero, then the last bit says that there is more.
  const beyond = make.shift("i32x4.shr_s", make.xor(error, nearest), 31);
  const whole = make.op("i32x4.add", nearest, make.and(beyond, inexact));
  return make.or(whole, make.shift("i32x4.shr_u", inexact, 31));
}

/** Numbers of f64 in f32, rounded to nearest even, and each as a number of f64 again. */
export function demotedBoth(numbers: Wide, make: VectorMaker): { readonly nearest: Vector; readonly again: Wide } {
  const [first, second] = numbers.map((half) => make.op("f32x4.demote_f64x2_zero", half)) as [Vector, Vector];
  return {
    nearest: make.pick(first, second, 0, 1, 4, 5),
    again: [make.op("f64x2.promote_low_f32x4", first), make.op("f64x2.promote_low_f32x4", second)],
  };
}

/** Numbers of f64 in f32, rounded to odd. What is too large becomes the largest number. */
export function oddF32(numbers: Wide, make: VectorMaker): Vector {
  const { nearest, again } = demotedBoth(numbers, make);
  const mask = (of: (half: 0 | 1) => Vector): Vector => make.high([of(0), of(1)]);
  const beyond = mask((half) =>
    make.op("f64x2.gt", make.op("f64x2.abs", again[half]), make.op("f64x2.abs", numbers[half])),
  );
  // A NaN stays one with its last bit set.
  const inexact = mask((half) => make.op("f64x2.ne", again[half], numbers[half]));
  return make.or(make.op("i32x4.add", nearest, beyond), make.shift("i32x4.shr_u", inexact, 31));
}

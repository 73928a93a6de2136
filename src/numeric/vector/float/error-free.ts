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

/** Veltkamp's constant: splits 53 bits into 26 and 26 (`binary64/error-free.ts`). */
const SPLIT = 0x41a0_0000_0200_0000n; // 2^27 + 1

/**
 * a * b - product for product = a * b rounded to nearest, on f64: exact where |product| is at least 2^-960 and nothing
 * overflows; what overflows makes it NaN.
 */
export function productError(a: Vector, b: Vector, product: Vector, make: VectorMaker): Vector {
  const mul = (x: Vector, y: Vector): Vector => make.op("f64x2.mul", x, y);
  const sub = (x: Vector, y: Vector): Vector => make.op("f64x2.sub", x, y);
  if (make.fused) return make.op("f64x2.relaxed_madd", a, b, make.op("f64x2.neg", product));
  const split = (x: Vector): readonly [Vector, Vector] => {
    const times = mul(make.all64(SPLIT), x);
    const high = sub(times, sub(times, x));
    return [high, sub(x, high)];
  };
  const [aHigh, aLow] = split(a);
  const [bHigh, bLow] = split(b);
  const rest = sub(sub(sub(product, mul(aHigh, bHigh)), mul(aLow, bHigh)), mul(aHigh, bLow));
  return sub(mul(aLow, bLow), rest);
}

import { add, type Exact, mul, type Rounding, round, unpack } from "../exact/exact.ts";
import { f64 } from "../format/format.ts";
import { addIn, stepOf } from "./directed.ts";
import { fromF64, oddSum, toF64 } from "./double.ts";
import { GREATEST, LEAST, productError, sumError } from "./error-free.ts";

/**
 * a * b + c in binary64, rounded once to nearest even (fma.rn.f64).
 *
 * Product and sum are kept exact as a sum of three doubles, of which the lower two are rounded to odd and then added
 * (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). Where a step could overflow or lose bits
 * below 2^-1074 the exact reference takes over.
 */
export function fmaDouble(a: number, b: number, c: number): number {
  const product = a * b;
  const size = Math.abs(product);
  // NaN and infinity fail one of these.
  if (
    !(
      size >= LEAST &&
      size <= GREATEST &&
      Math.abs(a) <= GREATEST &&
      Math.abs(b) <= GREATEST &&
      Math.abs(c) <= GREATEST
    )
  )
    return unusual(a, b, c, "rn");
  const error = productError(a, b, product);
  const low = c + error;
  const lowest = sumError(c, error, low);
  const high = product + low;
  // Two doubles are left, and `high` is their sum, rounded.
  if (lowest === 0) return high;
  return high + oddSum(sumError(product, low, high), lowest);
}

/** The same in any rounding that arithmetic has. */
export function fmaIn(rnd: Rounding): (a: number, b: number, c: number) => number {
  if (rnd === "rn") return fmaDouble;
  const step = stepOf(rnd);
  return (a, b, c) => {
    const product = a * b;
    const size = Math.abs(product);
    if (
      !(
        size >= LEAST &&
        size <= GREATEST &&
        Math.abs(a) <= GREATEST &&
        Math.abs(b) <= GREATEST &&
        Math.abs(c) <= GREATEST
      )
    )
      return unusual(a, b, c, rnd);
    const error = productError(a, b, product);
    const low = c + error;
    const high = product + low;
    const rest = oddSum(sumError(product, low, high), sumError(c, error, low));
    const sum = high + rest;
    // Both addends were not zero: the sign of an exact zero is that of the direction (IEEE 754, 6.3).
    if (sum === 0) return rnd === "rm" ? -0 : 0;
    return step(sum, sumError(high, rest, sum));
  };
}

function unusual(a: number, b: number, c: number, rnd: Rounding): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return a * b + c;
  if (!Number.isFinite(c)) return c;
  if (a === 0 || b === 0) return addIn(rnd)(a * b, c);
  const [x, y, z] = [a, b, c].map((value) => unpack(f64, toF64(value, f64.nan))) as [Exact, Exact, Exact];
  return fromF64(round(f64, rnd, add(mul(x, y), z, rnd)));
}

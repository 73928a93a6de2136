/**
 * Rounding errors as binary64 numbers (error-free transformations of Dekker and Knuth). Each result is exact under the
 * conditions in its comment, which callers ensure.
 */

/** a + b - sum for sum = a + b rounded to nearest: exact as long as nothing overflows. */
export function sumError(a: number, b: number, sum: number): number {
  const shift = sum - a;
  return a - (sum - shift) + (b - shift);
}

/** Veltkamp's constant: splits 53 bits into 26 and 26 (the sign of the lower half is the missing one). */
const SPLIT = 2 ** 27 + 1;

/** Beyond this the split may overflow. */
export const GREATEST = 2 ** 990;
/** From here on the error of a product is a multiple of 2^-1074. */
export const LEAST = 2 ** -960;

/**
 * a * b - product for product = a * b rounded to nearest: exact where |a|, |b| and |product| are at most GREATEST and
 * |product| is at least LEAST.
 */
export function productError(a: number, b: number, product: number): number {
  const aTimes = SPLIT * a;
  const aHigh = aTimes - (aTimes - a);
  const aLow = a - aHigh;
  const bTimes = SPLIT * b;
  const bHigh = bTimes - (bTimes - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}

import { exponentOf, powerOfTwo } from "./double.ts";

/**
 * 2^x, log2 x and tanh x of numbers that f32 holds, in plain binary64: within 2^-44 of the true value, relatively. Nothing
 * but + - * / is used, so that every engine gives the same bits. The polynomials are Taylor's: their remainder is below
 * 2^-52, and their evaluation adds a few units of 2^-53.
 */

/** 1 / n! for n = 13 down to 0. */
const exponential = [
  1 / 6227020800,
  1 / 479001600,
  1 / 39916800,
  1 / 3628800,
  1 / 362880,
  1 / 40320,
  1 / 5040,
  1 / 720,
  1 / 120,
  1 / 24,
  1 / 6,
  1 / 2,
  1,
  1,
] as const;

/** 2^x; infinity from 128, 0 below -150, where f32 rounds to them. */
export function exp2(x: number): number {
  if (!(x < 128)) return x >= 128 ? Number.POSITIVE_INFINITY : x;
  if (x < -150) return 0;
  const whole = Math.round(x);
  // Exact for every double: both have the units of x.
  const t = (x - whole) * Math.LN2;
  let sum = 0;
  for (let at = 0; at < exponential.length; at++) sum = sum * t + exponential[at]!;
  return sum * powerOfTwo(whole);
}

/** log2 x; NaN below 0. */
export function log2(x: number): number {
  if (!(x > 0)) return x === 0 ? Number.NEGATIVE_INFINITY : Number.NaN;
  if (x === Number.POSITIVE_INFINITY) return x;
  let exponent = exponentOf(x);
  let m = x * powerOfTwo(-exponent);
  if (m > Math.SQRT2) {
    m /= 2;
    exponent += 1;
  }
  // ln m = 2 (s + s^3/3 + s^5/5 + ...), |s| < 0.172; the last term left out is below 2^-60 of the first.
  const s = (m - 1) / (m + 1);
  const square = s * s;
  let sum = 1 / 21;
  for (let n = 19; n > 0; n -= 2) sum = sum * square + 1 / n;
  return exponent + s * sum * (2 * Math.LOG2E);
}

/** tanh x. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (!(size > 1)) {
    // Lambert's continued fraction x / (1 + x^2 / (3 + x^2 / (5 + ...))), cut off where it is below 2^-60.
    const square = x * x;
    let rest = 23;
    for (let n = 21; n > 0; n -= 2) rest = n + square / rest;
    return x / rest;
  }
  // From 32 on f32 has only 1.
  const power = exp2(2 * Math.LOG2E * Math.min(size, 32));
  const result = 1 - 2 / (power + 1);
  return x < 0 ? -result : result;
}

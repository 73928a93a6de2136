import { exponentOf, powerOfTwo } from "./double.ts";
import { sumError } from "./error-free.ts";

/**
 * Sine and cosine of numbers that f32 holds, in plain binary64: within 2^-41 of the true value, relatively, whatever
 * the size of the angle.
 *
 * The angle in quarter turns is x * 2/pi, of which only the part modulo 4 matters. x is a 24-bit integer m times 2^e, so
 * that its products with the 24-bit digits of 2/pi are exact doubles; those that are multiples of 4 are left out, and
 * six more digits are enough (Payne and Hanek): no multiple of pi/2 is closer to a number of f32 than 2^-29.9 quarter
 * turns (all of them were tried), and the digits that are left out are below 2^-94.
 */

/** 2/pi = 0.digits in base 2^24. The greatest number of f32 needs ten of them. */
export const digitsOfTwoOverPi = [
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
] as const;

const QUARTER = Math.PI / 4;
const HALF = Math.PI / 2;

/** sin x. */
export function sin(x: number): number {
  const size = Math.abs(x);
  if (!(size < Number.POSITIVE_INFINITY)) return Number.NaN;
  const result = size <= QUARTER ? sine(size) : turned(size, 0);
  return x < 0 || Object.is(x, -0) ? -result : result;
}

/** cos x. */
export function cos(x: number): number {
  const size = Math.abs(x);
  if (!(size < Number.POSITIVE_INFINITY)) return Number.NaN;
  return size <= QUARTER ? cosine(size) : turned(size, 1);
}

/** sin(x + quarters * pi/2) for x > pi/4. */
function turned(x: number, quarters: 0 | 1): number {
  const e = exponentOf(x) - 23;
  const m = x * powerOfTwo(-e);
  const first = Math.max(0, Math.floor((e - 2) / 24));
  let unit = powerOfTwo(e - 24 * (first + 1));
  let high = 0;
  let low = 0;
  for (let at = first; at < first + 6 && at < digitsOfTwoOverPi.length; at++) {
    const product = m * digitsOfTwoOverPi[at]! * unit;
    const part = product - 4 * Math.floor(product / 4);
    const sum = high + part;
    low += sumError(high, part, sum);
    high = sum;
    unit *= 2 ** -24;
  }
  const whole = Math.round(high);
  const angle = (high - whole + low) * HALF;
  const quadrant = (whole + quarters) & 3;
  const result = quadrant & 1 ? cosine(angle) : sine(angle);
  return quadrant & 2 ? -result : result;
}

/** 1/17!, -1/15!, ... -1/3!, 1: the next term is below 2^-62 of the first for |x| up to pi/4 and a little. */
const sines = [
  1 / 355687428096000,
  -1 / 1307674368000,
  1 / 6227020800,
  -1 / 39916800,
  1 / 362880,
  -1 / 5040,
  1 / 120,
  -1 / 6,
  1,
] as const;

function sine(x: number): number {
  const square = x * x;
  let sum = 0;
  for (let at = 0; at < sines.length; at++) sum = sum * square + sines[at]!;
  return sum * x;
}

/** 1/16!, -1/14!, ... -1/2!, 1. */
const cosines = [
  1 / 20922789888000,
  -1 / 87178291200,
  1 / 479001600,
  -1 / 3628800,
  1 / 40320,
  -1 / 720,
  1 / 24,
  -1 / 2,
  1,
] as const;

function cosine(x: number): number {
  const square = x * x;
  let sum = 0;
  for (let at = 0; at < cosines.length; at++) sum = sum * square + cosines[at]!;
  return sum;
}

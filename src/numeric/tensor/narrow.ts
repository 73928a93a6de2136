import { exponentOf } from "../binary64/double.ts";
import type { SumRounding } from "./rules.ts";

/** 2^n is at OFFSET + n. */
export const OFFSET = 1022;
export const powers = Float64Array.from({ length: 2 * OFFSET + 1 }, (_, at) => 2 ** (at - OFFSET));

/** From a sum that is not 0 to a value that D's type has. */
export type Narrow = (sum: number) => number;

const single = new Float32Array(1);
const singleBits = new Uint32Array(single.buffer);
const TOO_LARGE = 2 ** 128;

/** To f32, toward zero, with `bits` fraction bits. */
export function cutterOf(bits: number): Narrow {
  return (sum) => {
    const size = Math.abs(sum);
    if (size >= TOO_LARGE) return sum * Number.POSITIVE_INFINITY;
    const unit = OFFSET + bits - Math.max(exponentOf(size), -126);
    return Math.trunc(sum * powers[unit]!) * powers[2 * OFFSET - unit]!;
  };
}

// Adding it leaves no bit below 1, and the host rounds to nearest even.
const ROUNDING = 1.5 * 2 ** 52;

/** To f16, to nearest even; what rounds to 0 keeps its sign. */
function toHalf(sum: number): number {
  const unit = OFFSET + 10 - Math.max(exponentOf(sum), -14);
  const whole = sum * powers[unit]! + ROUNDING - ROUNDING;
  const value = whole * powers[2 * OFFSET - unit]!;
  if (value === 0) return sum < 0 ? -0 : 0;
  return Math.abs(value) >= 65536 ? value * Number.POSITIVE_INFINITY : value;
}

export const narrowOf: Readonly<Record<SumRounding, Narrow>> = { rn: toHalf, rz: cutterOf(23), e8m13: cutterOf(13) };

export function singleOf(value: number): number {
  single[0] = value;
  return singleBits[0]!;
}

/** NaN or an infinity if a product or C is one, else 0: the host's arithmetic on them agrees with the rule. */
export function specialSum(va: Float64Array, p: number, vb: Float64Array, q: number, k: number, c: number): number {
  let special = Number.isFinite(c) ? 0 : c;
  for (let x = 0; x < k; x++) {
    const product = va[p + x]! * vb[q + x]!;
    if (!Number.isFinite(product)) special += product;
  }
  return special;
}

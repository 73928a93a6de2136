import { exponentOf, powerOfTwo } from "./double.ts";
import { productError } from "./error-free.ts";

/** More than the relative error of a correction that brings the result near a tie: by a half, in units of its last place. */
const TOLERANCE = 2 ** -45;

/**
 * 1 / sqrt x, rounded to nearest even; undefined where two numbers of binary64 do not decide how. For y next to it, r = 1 - x y^2 is known
 * to 2^-103, since both products are exact in two numbers, and y + y r / 2 is off by less than r^2.
 */
export function reciprocalRoot(x: number): number | undefined {
  if (!(x > 0) || x === Number.POSITIVE_INFINITY) return 1 / Math.sqrt(x);
  const half = Math.floor(exponentOf(x) / 2);
  // From 1 to 4, of a subnormal down to 2^-50: nothing overflows, and no error of a product is lost.
  const m = x * powerOfTwo(-half) * powerOfTwo(-half);
  const y = 1 / Math.sqrt(m);
  const square = y * y;
  const whole = m * square;
  const r = 1 - whole - (productError(m, square, whole) + m * productError(y, y, square));
  const correction = (y * r) / 2;
  const result = y + correction * (1 + TOLERANCE);
  return result === y + correction * (1 - TOLERANCE) ? result * powerOfTwo(-half) : undefined;
}

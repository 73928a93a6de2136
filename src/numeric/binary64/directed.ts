import { add, div, type Exact, mul, type Rounding, round, sqrt, unpack } from "../exact/exact.ts";
import { f64 } from "../format/format.ts";
import { above, below, fromF64, toF64 } from "./double.ts";
import { GREATEST, LEAST, productError, sumError } from "./error-free.ts";

/**
 * binary64 arithmetic in the roundings that the host does not have (.rz .rm .rp). The host rounds to nearest;
 * the sign of what that took away tells whether the result must move to a neighbour. Where that residual cannot be had
 * exactly (near overflow, or where the result has bits below 2^-1074) the exact reference takes over.
 */

/** Moves a finite number that was rounded to nearest to where `rnd` wants it; `error` has the sign of exact - nearest. */
type Step = (nearest: number, error: number) => number;

const toward = {
  rn: (nearest) => nearest,
  rz: (nearest, error) => (nearest > 0 ? (error < 0 ? below(nearest) : nearest) : error > 0 ? above(nearest) : nearest),
  rm: (nearest, error) => (error < 0 ? below(nearest) : nearest),
  rp: (nearest, error) => (error > 0 ? above(nearest) : nearest),
} satisfies Readonly<Record<string, Step>>;

export function stepOf(rnd: Rounding): Step {
  if (rnd === "rna") throw new Error("no arithmetic rounds to nearest with ties away");
  return toward[rnd];
}

const exactOf = (value: number): Exact => unpack(f64, toF64(value, f64.nan));
const rounded = (rnd: Rounding, x: Exact): number => fromF64(round(f64, rnd, x));

/** a + b. */
export function addIn(rnd: Rounding): (a: number, b: number) => number {
  if (rnd === "rn") return (a, b) => a + b;
  const step = stepOf(rnd);
  return (a, b) => {
    const sum = a + b;
    // Toward -inf an exact zero is -0 unless both addends are +0 (IEEE 754, 6.3).
    if (sum === 0) return rnd !== "rm" || (1 / a > 0 && 1 / b > 0) ? sum : -0;
    if (Math.abs(sum) <= GREATEST) return step(sum, sumError(a, b, sum));
    return Number.isFinite(a) && Number.isFinite(b) ? rounded(rnd, add(exactOf(a), exactOf(b), rnd)) : sum;
  };
}

/** a * b. */
export function mulIn(rnd: Rounding): (a: number, b: number) => number {
  if (rnd === "rn") return (a, b) => a * b;
  const step = stepOf(rnd);
  return (a, b) => {
    const product = a * b;
    const size = Math.abs(product);
    if (size >= LEAST && size <= GREATEST && Math.abs(a) <= GREATEST && Math.abs(b) <= GREATEST)
      return step(product, productError(a, b, product));
    if (a === 0 || b === 0 || !Number.isFinite(a) || !Number.isFinite(b)) return product;
    return rounded(rnd, mul(exactOf(a), exactOf(b)));
  };
}

/** a / b. */
export function divIn(rnd: Rounding): (a: number, b: number) => number {
  if (rnd === "rn") return (a, b) => a / b;
  const step = stepOf(rnd);
  return (a, b) => {
    const quotient = a / b;
    const size = Math.abs(quotient);
    const top = Math.abs(a);
    if (size >= LEAST && size <= GREATEST && top >= LEAST && top <= GREATEST && Math.abs(b) <= GREATEST) {
      const product = quotient * b;
      // Both differences are exact: the product lies within a few units of a, and the remainder is a double.
      const remainder = a - product - productError(quotient, b, product);
      return step(quotient, b < 0 ? -remainder : remainder);
    }
    if (a === 0 || b === 0 || !Number.isFinite(a) || !Number.isFinite(b)) return quotient;
    return rounded(rnd, div(exactOf(a), exactOf(b)));
  };
}

/** The square root of a; -0 gives -0. */
export function sqrtIn(rnd: Rounding): (a: number) => number {
  if (rnd === "rn") return Math.sqrt;
  const step = stepOf(rnd);
  return (a) => {
    const root = Math.sqrt(a);
    if (!(a > 0 && a < Number.POSITIVE_INFINITY)) return root;
    if (a < LEAST * 4 || a > GREATEST) return rounded(rnd, sqrt(exactOf(a)));
    const square = root * root;
    return step(root, a - square - productError(root, root, square));
  };
}

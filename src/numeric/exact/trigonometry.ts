import { bitLength, type Exact, finite, NAN } from "./exact.ts";
import { beside, between, fixed } from "./transcendental.ts";

/**
 * Sine and cosine to as many bits as rounding needs. Both are irrational wherever x is not 0, so that the search for
 * enough bits ends.
 */

/** sin x. */
export function exactSin(x: Exact): Exact {
  if (x.kind !== "finite") return NAN;
  if (x.sig === 0n) return x;
  // sin x = x - x^3/6 + ...: just below x in size.
  if (x.exp + bitLength(x.sig) < -32) return beside(x, -1);
  const size = circular(x.sig, x.exp, 0);
  return { ...size, neg: size.neg !== x.neg };
}

/** cos x. */
export function exactCos(x: Exact): Exact {
  if (x.kind !== "finite") return NAN;
  if (x.sig === 0n) return finite(false, 1n, 0);
  // cos x = 1 - x^2/2 + ...: just below 1.
  if (x.exp + bitLength(x.sig) < -32) return beside(finite(false, 1n, 0), -1);
  return circular(x.sig, x.exp, 1);
}

/** sin(sig * 2^exp + quarters * pi/2). */
function circular(sig: bigint, exp: number, quarters: 0 | 1) {
  // A few bits determine the quadrant: no number of a format is that close to a multiple of pi/2.
  const quadrant = (reduced(sig, exp, 128).quadrant + quarters) & 3;
  const size = between(0, (bits) => {
    const { rest } = reduced(sig, exp, bits);
    return quadrant & 1 ? cosine(rest, bits) : sine(rest, bits);
  });
  return { ...size, neg: quadrant > 1 };
}

/** x modulo pi/2 in units of 2^-bits, and how often pi/2 fits into it, modulo 4. */
function reduced(sig: bigint, exp: number, bits: number): { quadrant: number; rest: bigint } {
  // The error of pi is multiplied by the quotient: as many bits more as x has before its point.
  const more = Math.max(0, exp + bitLength(sig)) + 8;
  const angle = fixed(sig, exp, bits + more);
  const right = pi(bits + more) >> 1n;
  const count = angle / right;
  return { quadrant: Number(count & 3n), rest: (angle - count * right) >> BigInt(more) };
}

/** sin x for 0 <= x < 2 in units of 2^-bits, by its Taylor series. */
const sine = (x: bigint, bits: number): bigint => alternating(x, x, 2n, bits);

/** cos x for 0 <= x < 2 in units of 2^-bits, by its Taylor series. */
const cosine = (x: bigint, bits: number): bigint => alternating(1n << BigInt(bits), x, 1n, bits);

/** first - first x^2/(n(n+1)) + ... */
function alternating(first: bigint, x: bigint, start: bigint, bits: number): bigint {
  const square = (x * x) >> BigInt(bits);
  let term = first;
  let sum = first;
  for (let n = start; term > 0n; n += 4n) {
    term = ((term * square) >> BigInt(bits)) / (n * (n + 1n));
    sum -= term;
    term = ((term * square) >> BigInt(bits)) / ((n + 2n) * (n + 3n));
    sum += term;
  }
  return sum;
}

const known = new Map<number, bigint>();

/** pi = 16 arctan(1/5) - 4 arctan(1/239) (Machin) in units of 2^-bits. */
function pi(bits: number): bigint {
  const value = known.get(bits);
  if (value !== undefined) return value;
  const guard = 16;
  const sum = (16n * arctangent(5n, bits + guard) - 4n * arctangent(239n, bits + guard)) >> BigInt(guard);
  known.set(bits, sum);
  return sum;
}

/** arctan(1/n) in units of 2^-bits. */
function arctangent(n: bigint, bits: number): bigint {
  let power = (1n << BigInt(bits)) / n;
  let sum = power;
  for (let k = 3n, sign = -1n; power > 0n; k += 2n, sign = -sign) {
    power /= n * n;
    sum += sign * (power / k);
  }
  return sum;
}

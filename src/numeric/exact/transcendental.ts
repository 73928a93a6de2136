import { bitLength, type Exact, type Finite, finite, NAN } from "./exact.ts";

/**
 * 2^x and tanh x to as many bits as rounding needs, in integers alone. The results are irrational unless the arguments
 * are 0 or, for 2^x, an integer, so the true value lies strictly between two neighbouring integers of some scale. The
 * bits are doubled until these are known (Ziv's method).
 */

/** Bits of fraction at the first attempt: for 16-bit formats almost always enough. */
const FIRST_BITS = 128;
/** Bits below those that are returned; the rounding errors of all steps add up to far less than ERROR. */
const GUARD = 24n;
const ERROR = 1n << 14n;

/** 2^x. */
export function exactExp2(x: Exact): Exact {
  if (x.kind === "nan") return NAN;
  if (x.kind === "inf") return x.neg ? finite(false, 0n, 0) : x;
  if (x.sig === 0n) return finite(false, 1n, 0);
  const leading = x.exp + bitLength(x.sig);
  if (leading < -64) return beside(finite(false, 1n, 0), x.neg ? -1 : 1);
  // Past 2^12 every format overflows or vanishes; the exponent alone says so.
  if (leading > 12) return finite(false, 1n, x.neg ? -4096 : 4096);
  const scale = BigInt(Math.max(0, -x.exp));
  const units = signed(x) << BigInt(Math.max(0, x.exp));
  const whole = units >> scale;
  if (whole << scale === units) return finite(false, 1n, Number(whole));
  return between(Number(whole), (bits) => {
    const rest = fixed(signed(x), x.exp, bits) - (whole << BigInt(bits));
    return exponential((rest * ln2(bits)) >> BigInt(bits), bits);
  });
}

/** tanh x. */
export function exactTanh(x: Exact): Exact {
  if (x.kind === "nan") return NAN;
  if (x.kind === "inf") return finite(x.neg, 1n, 0);
  if (x.sig === 0n) return x;
  const leading = x.exp + bitLength(x.sig);
  // tanh x = x - x^3/3 + ...: just below x. 1 - tanh x = 2/(e^2x + 1): below 2^-90 from x = 32.
  if (leading < -32) return beside(x, -1);
  if (leading > 5) return beside(finite(x.neg, 1n, 0), -1);
  const result = between(0, (bits) => {
    const twice = fixed(x.sig, x.exp + 1, bits);
    const log = ln2(bits);
    const halvings = twice / log;
    const power = exponential(twice - halvings * log, bits) << halvings;
    const one = 1n << BigInt(bits);
    return ((power - one) << BigInt(bits)) / (power + one);
  });
  return { ...result, neg: x.neg };
}

/** The number strictly beside x, closer than any format can tell: away from 0 for 1, toward it for -1. */
export function beside(x: Finite, direction: 1 | -1): Finite {
  const sig = x.sig << 64n;
  return { ...finite(x.neg, direction > 0 ? sig : sig - 1n, x.exp - 64), inexact: true };
}

/** The value that `compute` approximates to ERROR units of 2^-bits, times 2^exp. */
export function between(exp: number, compute: (bits: number) => bigint): Finite {
  for (let bits = FIRST_BITS; ; bits *= 2) {
    const value = compute(bits);
    const low = (value - ERROR) >> GUARD;
    if (low === (value + ERROR) >> GUARD) {
      return { ...finite(false, low, exp + Number(GUARD) - bits), inexact: true };
    }
  }
}

const signed = (x: Finite): bigint => (x.neg ? -x.sig : x.sig);

/** sig * 2^exp in units of 2^-bits, rounded down. */
export function fixed(sig: bigint, exp: number, bits: number): bigint {
  const shift = exp + bits;
  return shift >= 0 ? sig << BigInt(shift) : sig >> BigInt(-shift);
}

/** e^x for 0 <= x < 1 in units of 2^-bits, by its Taylor series. */
function exponential(x: bigint, bits: number): bigint {
  let term = 1n << BigInt(bits);
  let sum = term;
  for (let n = 1n; term > 0n; n += 1n) {
    term = ((term * x) >> BigInt(bits)) / n;
    sum += term;
  }
  return sum;
}

const logarithms = new Map<number, bigint>();

/** ln 2 = 2 artanh(1/3) in units of 2^-bits. */
export function ln2(bits: number): bigint {
  const known = logarithms.get(bits);
  if (known !== undefined) return known;
  let power = (2n << BigInt(bits)) / 3n;
  let sum = 0n;
  for (let n = 1n; power > 0n; n += 2n) {
    sum += power / n;
    power /= 9n;
  }
  logarithms.set(bits, sum);
  return sum;
}

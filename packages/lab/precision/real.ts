import { type Exact, finite, isZero, magnitude, type Rounding, unpack } from "../../../src/numeric/exact/exact.ts";
import { exactLog2 } from "../../../src/numeric/exact/logarithm.ts";
import { exactExp2, exactTanh } from "../../../src/numeric/exact/transcendental.ts";
import { exactCos, exactSin } from "../../../src/numeric/exact/trigonometry.ts";
import type { Format } from "../../../src/numeric/format/format.ts";
import type { FunctionName } from "../../../src/numeric/operation/expression.ts";

/**
 * A real in far more digits than any format has, and an exponent without bounds: `sig * 2^exp`. Sums and products are
 * exact as long as they fit; what is longer is cut to KEPT bits. Zeros have no sign.
 */
export type Real =
  | { readonly kind: "finite"; readonly sig: bigint; readonly exp: number }
  | { readonly kind: "inf"; readonly neg: boolean }
  | typeof nan;

type Finite = Real & { kind: "finite" };

const nan = { kind: "nan" } as const;
const real = (sig: bigint, exp: number): Finite => ({ kind: "finite", sig, exp });
const infinity = (neg: boolean): Real => ({ kind: "inf", neg });

/** Bits that a cut number keeps, and from how many on it is cut: cutting takes longer than some more bits do. */
const KEPT = 192;
const LONGEST = 320n;
const LIMIT = 1n << LONGEST;
/** Numbers whose highest bits are so far apart do not change each other. */
const APART = 512;

export const ZERO: Finite = real(0n, 0);
export const ONE: Finite = real(1n, 0);

export const isNothing = (x: Real): boolean => x.kind === "finite" && x.sig === 0n;
export const isNegative = (x: Real): boolean => (x.kind === "finite" ? x.sig < 0n : x.kind === "inf" && x.neg);

/** A whole number. */
export const ofInteger = (x: bigint): Real => cut(x, 0);

/** What the bits of a format mean, low word first. */
export function ofBits(format: Format, low: number, high: number): Real {
  const { width, exp, frac, bias, pad, specials, sign } = format;
  if (width === 64) return ofExact(unpack(format, (BigInt(high) << 32n) | BigInt(low)));
  const field = (low >>> (frac + pad)) & (2 ** exp - 1);
  if (specials !== "ieee" || sign !== 1 || frac === 0 || field === 2 ** exp - 1)
    return ofExact(unpack(format, BigInt(low)));
  const fraction = (low >>> pad) & (2 ** frac - 1);
  const sig = field === 0 ? fraction : fraction + 2 ** frac;
  const negative = (low >>> (width - 1)) & 1;
  return real(BigInt(negative ? -sig : sig), Math.max(field, 1) - bias - frac);
}

const ofExact = (x: Exact): Real =>
  x.kind === "nan" ? nan : x.kind === "inf" ? infinity(x.neg) : cut(x.neg ? -x.sig : x.sig, x.exp);

const toExact = (x: Real): Exact =>
  x.kind === "finite" ? finite(x.sig < 0n, magnitude(x.sig), x.exp) : x.kind === "inf" ? { ...x } : { ...x };

/** Bits of a number that is not 0, up to its highest one. */
function lengthOf(sig: bigint): number {
  const size = sig < 0n ? -sig : sig;
  const about = Number(size);
  if (about < 2 ** 1000) return Math.floor(Math.log2(about)) + 1;
  return size.toString(2).length;
}

function cut(sig: bigint, exp: number): Finite {
  if (sig < LIMIT && sig > -LIMIT) return real(sig, exp);
  const more = lengthOf(sig) - KEPT;
  return real(sig >> BigInt(more), exp + more);
}

/** The power of two of its highest bit, or one more; of a number that is neither 0 nor without bounds. */
export const exponentOf = (x: Real): number =>
  x.kind === "finite" && x.sig !== 0n ? x.exp + lengthOf(x.sig) - 1 : Number.NEGATIVE_INFINITY;

export function plus(a: Real, b: Real): Real {
  if (a.kind !== "finite" || b.kind !== "finite") {
    if (a.kind === "nan" || b.kind === "nan") return nan;
    if (a.kind === "inf") return b.kind === "inf" && a.neg !== b.neg ? nan : a;
    return b;
  }
  if (a.sig === 0n) return b;
  if (b.sig === 0n) return a;
  const apart = a.exp - b.exp;
  if (apart === 0) return cut(a.sig + b.sig, a.exp);
  if (apart > APART || apart < -APART) {
    const between = exponentOf(a) - exponentOf(b);
    if (between > APART) return a;
    if (between < -APART) return b;
  }
  if (apart > 0) return cut((a.sig << BigInt(apart)) + b.sig, b.exp);
  return cut(a.sig + (b.sig << BigInt(-apart)), a.exp);
}

export const negated = (a: Real): Real =>
  a.kind === "finite" ? real(-a.sig, a.exp) : a.kind === "inf" ? infinity(!a.neg) : a;

export const minus = (a: Real, b: Real): Real => plus(a, negated(b));

export const absolute = (a: Real): Real => (isNegative(a) ? negated(a) : a);

export function times(a: Real, b: Real): Real {
  if (a.kind === "finite" && b.kind === "finite") return cut(a.sig * b.sig, a.exp + b.exp);
  if (a.kind === "nan" || b.kind === "nan" || isNothing(a) || isNothing(b)) return nan;
  return infinity(isNegative(a) !== isNegative(b));
}

export function over(a: Real, b: Real): Real {
  if (a.kind === "nan" || b.kind === "nan") return nan;
  if (a.kind === "inf") return b.kind === "inf" ? nan : infinity(a.neg !== isNegative(b));
  if (b.kind === "inf") return ZERO;
  if (b.sig === 0n) return a.sig === 0n ? nan : infinity(a.sig < 0n);
  if (a.sig === 0n) return ZERO;
  const shift = Math.max(0, KEPT + lengthOf(b.sig) - lengthOf(a.sig));
  return real((a.sig << BigInt(shift)) / b.sig, a.exp - b.exp - shift);
}

export function root(a: Real): Real {
  if (a.kind === "nan" || (isNegative(a) && !isNothing(a))) return nan;
  if (a.kind === "inf" || a.sig === 0n) return a;
  let shift = Math.max(0, 2 * KEPT - lengthOf(a.sig));
  if ((a.exp - shift) % 2 !== 0) shift += 1;
  return real(wholeRoot(a.sig << BigInt(shift)), (a.exp - shift) / 2);
}

function wholeRoot(square: bigint): bigint {
  // Doubles give the first 50 bits; each step of Newton's doubles them.
  const length = lengthOf(square);
  const more = Math.max(0, length - 100 + (length % 2));
  const even = more + (more % 2);
  let x = (BigInt(Math.floor(Math.sqrt(Number(square >> BigInt(even))))) + 1n) << BigInt(even / 2);
  for (;;) {
    const next = (x + square / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** Below 0 where a is less, above where it is greater; 0 where they are equal, or one is no number. */
export function compare(a: Real, b: Real): number {
  if (a.kind === "inf" && b.kind === "inf") return Number(b.neg) - Number(a.neg);
  const difference = minus(a, b);
  return difference.kind === "nan" || isNothing(difference) ? 0 : isNegative(difference) ? -1 : 1;
}

/** Rounded toward -infinity. */
export const floor = (a: Finite): bigint => (a.exp >= 0 ? a.sig << BigInt(a.exp) : a.sig >> BigInt(-a.exp));

/** The whole number that a real is rounded to; undefined for one without bounds, and for no number. */
export function wholeOf(a: Real, rnd: Rounding): bigint | undefined {
  if (a.kind !== "finite" || a.exp > 4096) return undefined;
  if (a.exp >= 0) return a.sig << BigInt(a.exp);
  const below = floor(a);
  const shift = BigInt(-a.exp);
  const rest = a.sig - (below << shift);
  if (rest === 0n) return below;
  const half = 1n << (shift - 1n);
  switch (rnd) {
    case "rm":
      return below;
    case "rp":
      return below + 1n;
    case "rz":
      return a.sig < 0n ? below + 1n : below;
    case "rna":
      return rest > half || (rest === half && a.sig > 0n) ? below + 1n : below;
    case "rn":
      return rest > half || (rest === half && (below & 1n) === 1n) ? below + 1n : below;
  }
}

/** The largest exponent of a power of two: beyond it everything is infinite, or nothing. */
const FARTHEST = 2 ** 40;

/** 2^a, however large. */
function power(a: Real): Real {
  if (a.kind !== "finite") return a.kind === "nan" ? a : a.neg ? ZERO : a;
  if (a.sig === 0n) return ONE;
  if (exponentOf(a) > 40) return a.sig < 0n ? ZERO : infinity(false);
  const whole = Number(floor(a));
  const rest = ofExact(exactExp2(toExact(minus(a, real(BigInt(whole), 0)))));
  return rest.kind === "finite" && Math.abs(whole) < FARTHEST ? real(rest.sig, rest.exp + whole) : rest;
}

const ofExactly =
  (exactly: (x: Exact) => Exact) =>
  (a: Real): Real =>
    ofExact(exactly(toExact(a)));

/** No format has an angle so large, of which it would take thousands of digits of pi to know more. */
const circular = (exactly: (x: Exact) => Exact): ((a: Real) => Real) => {
  const known = ofExactly(exactly);
  return (a) => (exponentOf(a) > 1100 ? nan : known(a));
};

/** The functions of PTX, to some hundred bits. */
export const functions: Readonly<Record<FunctionName, (x: Real) => Real>> = {
  rsqrt: (a) => (isZero(toExact(a)) ? infinity(false) : over(ONE, root(a))),
  sin: circular(exactSin),
  cos: circular(exactCos),
  lg2: ofExactly(exactLog2),
  ex2: power,
  tanh: ofExactly(exactTanh),
};

/** The double nearest to it, or nearly. */
export function toNumber(x: Real): number {
  if (x.kind === "nan") return Number.NaN;
  if (x.kind === "inf") return x.neg ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const { sig, exp } = x;
  const about = Number(sig);
  if (exp > -900 && exp < 600) return about * 2 ** exp;
  const half = Math.trunc(Math.max(-2000, Math.min(2000, exp)) / 2);
  return about * 2 ** half * 2 ** (Math.max(-2000, Math.min(2000, exp)) - half);
}

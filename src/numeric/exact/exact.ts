import type { Format } from "../format/format.ts";

/**
 * The reference: values are exact, every operation is exact, and `round` rounds once. Fast paths must agree with it
 * bit for bit.
 */

/** To nearest even, toward zero, toward -inf, toward +inf, to nearest with ties away: the manual's letters. */
export type Rounding = "rn" | "rz" | "rm" | "rp" | "rna";

/**
 * A real number with nothing lost: (-1)^neg * sig * 2^exp. `sig` is 0 for zero. `inexact` says that the number lies
 * strictly between sig and sig + 1 (quotients and roots); such a `sig` has at least two bits more than any format.
 */
export interface Finite {
  readonly kind: "finite";
  readonly neg: boolean;
  readonly exp: number;
  readonly sig: bigint;
  readonly inexact?: boolean;
}
export type Exact = Finite | { readonly kind: "inf"; readonly neg: boolean } | { readonly kind: "nan" };

export const NAN: Exact = { kind: "nan" };
export const finite = (neg: boolean, sig: bigint, exp: number): Finite => ({ kind: "finite", neg, exp, sig });

/** What the bits of a format mean; bits above its width are not looked at. */
export function unpack(f: Format, bits: bigint): Exact {
  const code = bits >> BigInt(f.pad);
  const ones = (1n << BigInt(f.frac)) - 1n;
  const frac = code & ones;
  const top = 2 ** f.exp - 1;
  const e = Number((code >> BigInt(f.frac)) & BigInt(top));
  const neg = f.sign === 1 && ((code >> BigInt(f.exp + f.frac)) & 1n) === 1n;
  if (e === top && f.specials === "ieee") return frac === 0n ? { kind: "inf", neg } : NAN;
  if (e === top && f.specials === "nan-only" && frac === ones) return NAN;
  // A format without a fraction (ue8m0) has no subnormals: code 0 is its smallest power of two.
  const hidden = e === 0 && f.frac > 0 ? 0n : 1n << BigInt(f.frac);
  return finite(neg, frac | hidden, (f.frac > 0 ? Math.max(e, 1) : e) - f.bias - f.frac);
}

/** a + b. The sign of an exact zero depends on the rounding mode alone (IEEE 754, 6.3). */
export function add(a: Exact, b: Exact, rnd: Rounding): Exact {
  if (a.kind === "nan" || b.kind === "nan") return NAN;
  if (a.kind === "inf") return b.kind === "inf" && a.neg !== b.neg ? NAN : a;
  if (b.kind === "inf") return b;
  const exp = Math.min(a.exp, b.exp);
  const sum = scaled(a, exp) + scaled(b, exp);
  if (sum !== 0n) return finite(sum < 0n, magnitude(sum), exp);
  return finite(a.neg === b.neg ? a.neg : rnd === "rm", 0n, exp);
}

/** a * b; with `add` it makes fma, rounded once. */
export function mul(a: Exact, b: Exact): Exact {
  if (a.kind === "nan" || b.kind === "nan") return NAN;
  const neg = a.neg !== b.neg;
  if (a.kind === "inf" || b.kind === "inf") return isZero(a) || isZero(b) ? NAN : { kind: "inf", neg };
  return finite(neg, a.sig * b.sig, a.exp + b.exp);
}

/** Bits that a quotient or root carries: more than any format's significand plus two. */
const QUOTIENT_BITS = 64;

/** a / b. */
export function div(a: Exact, b: Exact): Exact {
  if (a.kind === "nan" || b.kind === "nan") return NAN;
  const neg = a.neg !== b.neg;
  if (a.kind === "inf") return b.kind === "inf" ? NAN : { kind: "inf", neg };
  if (b.kind === "inf") return finite(neg, 0n, 0);
  if (b.sig === 0n) return a.sig === 0n ? NAN : { kind: "inf", neg };
  const shift = Math.max(0, QUOTIENT_BITS + bitLength(b.sig) - bitLength(a.sig));
  const numerator = a.sig << BigInt(shift);
  const sig = numerator / b.sig;
  return { ...finite(neg, sig, a.exp - b.exp - shift), inexact: sig * b.sig !== numerator };
}

/** The square root of a; -0 gives -0. */
export function sqrt(a: Exact): Exact {
  if (a.kind === "nan" || (a.neg && !isZero(a))) return NAN;
  if (a.kind === "inf" || a.sig === 0n) return a;
  let shift = Math.max(0, 2 * QUOTIENT_BITS - bitLength(a.sig));
  if ((a.exp - shift) % 2 !== 0) shift += 1;
  const square = a.sig << BigInt(shift);
  const sig = rootOf(square);
  return { ...finite(false, sig, (a.exp - shift) / 2), inexact: sig * sig !== square };
}

/** 1 / the square root of a; a zero gives an infinity of its sign. */
export function rsqrt(a: Exact): Exact {
  if (a.kind === "nan") return NAN;
  if (isZero(a)) return { kind: "inf", neg: a.neg };
  if (a.neg) return NAN;
  if (a.kind === "inf") return finite(false, 0n, 0);
  // The root of 2^shift / sig; the quotient's own rest only adds to what lies beyond the root's last bit.
  let shift = 2 * QUOTIENT_BITS + 2 * bitLength(a.sig);
  if ((a.exp + shift) % 2 !== 0) shift += 1;
  const square = (1n << BigInt(shift)) / a.sig;
  const sig = rootOf(square);
  return { ...finite(false, sig, -(a.exp + shift) / 2), inexact: sig * sig * a.sig !== 1n << BigInt(shift) };
}

/** -a. */
export const negate = (a: Exact): Exact => (a.kind === "nan" ? a : { ...a, neg: !a.neg });

/** The integer nearest to a in direction `rnd`; infinities and NaNs stay, a zero keeps its sign. */
export function integral(a: Exact, rnd: Rounding): Exact {
  if (a.kind !== "finite" || a.exp >= 0) return a;
  return finite(a.neg, cut(a, rnd, -a.exp), 0);
}

/** The one place where anything is rounded. With `ftz` a tiny result is a zero of its sign. */
export function round(f: Format, rnd: Rounding, x: Exact, ftz = false): bigint {
  if (x.kind === "nan") return f.nan;
  const sign = x.neg && f.sign === 1 ? 1n << BigInt(f.exp + f.frac + f.pad) : 0n;
  if (x.kind === "inf") return f.specials === "ieee" && !f.finite ? sign | infinity(f) : overflow(f, "rn", x.neg, sign);
  if (x.sig === 0n) return sign;
  if (ftz && isTiny(f, rnd, x)) return sign;
  const exp = unitExponent(f, x);
  return encode(f, rnd, x.neg, cut(x, rnd, exp - x.exp), exp);
}

/**
 * x into a format by chance (cvt.rs): `chance`, an unsigned number of `bits` bits, is added below the last place that
 * is kept, and what is then below it is cut. What is too large becomes an infinity whatever the chance (grade unspecified).
 */
export function roundByChance(f: Format, x: Exact, chance: bigint, bits: number): bigint {
  if (x.kind !== "finite" || x.sig === 0n) return round(f, "rn", x);
  const exp = unitExponent(f, x);
  // In units of 2^lowest both the number and what is added are integers.
  const lowest = Math.min(x.exp, exp - bits);
  const sum = (x.sig << BigInt(x.exp - lowest)) + (chance << BigInt(exp - bits - lowest));
  return encode(f, "rn", x.neg, sum >> BigInt(exp - lowest), exp);
}

/** The exponent of one unit of the last place that x keeps in a format. */
const unitExponent = (f: Format, x: Finite): number =>
  Math.max(x.exp + bitLength(x.sig) - 1 - f.frac, lowestExponent(f));

/** The bits of sig * 2^exp, a number that needs no more rounding; `rnd` decides what becomes of one that is too large. */
function encode(f: Format, rnd: Rounding, neg: boolean, sig: bigint, exp: number): bigint {
  const sign = neg && f.sign === 1 ? 1n << BigInt(f.exp + f.frac + f.pad) : 0n;
  // Adding the significand into the exponent field carries 1.111..1 over to the next binade by itself.
  const code = ((BigInt(exp - lowestExponent(f)) << BigInt(f.frac)) + sig) << BigInt(f.pad);
  if (f.frac === 0) return powerOfTwo(f, code, rnd);
  return code > largest(f) ? overflow(f, rnd, neg, sign) : sign | code;
}

/** Below 0 where a is the lesser, above where b is, 0 where they are equal: both zeros are. Neither is NaN, nor inexact. */
export function compare(a: Exact, b: Exact): number {
  const difference = add(a, negate(b), "rn");
  // Two infinities of one sign are equal; their difference is no number.
  if (difference.kind === "nan" || isZero(difference)) return 0;
  return difference.neg ? -1 : 1;
}

export const isZero = (x: Exact): boolean => x.kind === "finite" && x.sig === 0n;
export const magnitude = (x: bigint): bigint => (x < 0n ? -x : x);
/** Bits of a positive number up to its highest one. */
export const bitLength = (x: bigint): number => {
  const hex = x.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex[0]!, 16)) + 28;
};

/** The largest finite code. */
export function largest(f: Format): bigint {
  const all = (1n << BigInt(f.exp + f.frac)) - 1n;
  const code = f.specials === "ieee" ? (infinity(f) >> BigInt(f.pad)) - 1n : f.specials === "nan-only" ? all - 1n : all;
  return code << BigInt(f.pad);
}

const infinity = (f: Format): bigint => ((1n << BigInt(f.exp)) - 1n) << BigInt(f.frac + f.pad);
const lowestExponent = (f: Format): number => (f.frac > 0 ? 1 : 0) - f.bias - f.frac;

/** A format without fraction and subnormals (ue8m0): every code has its hidden bit, and what vanishes is the least. */
function powerOfTwo(f: Format, code: bigint, rnd: Rounding): bigint {
  if (code === 0n) return 0n;
  return code - 1n > largest(f) ? overflow(f, rnd, false, 0n) : code - 1n;
}
const scaled = (x: Finite, exp: number): bigint => (x.neg ? -x.sig : x.sig) << BigInt(x.exp - exp);

/** x / 2^shift as an integer, rounded. */
function cut(x: Finite, rnd: Rounding, shift: number): bigint {
  if (shift <= 0) return x.sig << BigInt(-shift);
  const sig = x.sig >> BigInt(shift);
  const rest = x.sig - (sig << BigInt(shift));
  // One more bit below makes room for "strictly above `rest`" without a case of its own.
  const below = rest * 2n + (x.inexact ? 1n : 0n);
  return roundsUp(rnd, x.neg, sig, below, 1n << BigInt(shift)) ? sig + 1n : sig;
}

function roundsUp(rnd: Rounding, neg: boolean, sig: bigint, below: bigint, half: bigint): boolean {
  switch (rnd) {
    case "rn":
      return below > half || (below === half && (sig & 1n) === 1n);
    case "rna":
      return below >= half;
    case "rz":
      return false;
    case "rm":
      return neg && below > 0n;
    case "rp":
      return !neg && below > 0n;
  }
}

function isTiny(f: Format, rnd: Rounding, x: Finite): boolean {
  const length = bitLength(x.sig);
  const leading = x.exp + length - 1;
  if (leading >= 1 - f.bias) return false;
  if (f.tininess === "before" || leading < -f.bias) return true;
  return bitLength(cut(x, rnd, length - 1 - f.frac)) <= f.frac + 1;
}

function overflow(f: Format, rnd: Rounding, neg: boolean, sign: bigint): bigint {
  const away = rnd === "rn" || rnd === "rna" || rnd === (neg ? "rm" : "rp");
  if (!away || f.specials === "none" || f.finite) return sign | largest(f);
  return f.specials === "ieee" ? sign | infinity(f) : f.nan;
}

function rootOf(square: bigint): bigint {
  let x = 1n << BigInt(Math.ceil(bitLength(square) / 2));
  for (;;) {
    const next = (x + square / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

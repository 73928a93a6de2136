/**
 * An oracle for the 16-bit formats that shares nothing with `src/numeric`: a value is an integer count of the format's
 * smallest subnormal, so sums are integer sums, products integer products, and rounding is one integer division.
 */
export interface Half {
  readonly exponentBits: number;
  readonly fractionBits: number;
}
export const formats: Readonly<Record<string, Half>> = {
  f16: { exponentBits: 5, fractionBits: 10 },
  bf16: { exponentBits: 8, fractionBits: 7 },
};
const NAN = 0x7fff;

export interface Effects {
  readonly ftz?: boolean;
  readonly sat?: boolean;
  readonly relu?: boolean;
  readonly oob?: boolean;
  readonly NaN?: boolean;
  readonly xorsign?: boolean;
}

const infinityOf = ({ fractionBits }: Half): number => 0x8000 - (1 << fractionBits);
const isNan = (f: Half, x: number): boolean => (x & 0x7fff) > infinityOf(f);
const isInfinite = (f: Half, x: number): boolean => (x & 0x7fff) === infinityOf(f);
const isNegative = (x: number): boolean => x >= 0x8000;

/** A finite code in units of the smallest subnormal. */
function units(f: Half, x: number): bigint {
  const exponent = (x & 0x7fff) >> f.fractionBits;
  const fraction = x & ((1 << f.fractionBits) - 1);
  const size = exponent === 0 ? BigInt(fraction) : BigInt(fraction + (1 << f.fractionBits)) << BigInt(exponent - 1);
  return isNegative(x) ? -size : size;
}

/** sign * size / 2^below units, rounded to nearest even; a zero takes `zeroSign`. */
function round(f: Half, value: bigint, below: number, zeroNegative: boolean, ftz: boolean): number {
  const negative = value === 0n ? zeroNegative : value < 0n;
  const sign = negative ? 0x8000 : 0;
  const size = value < 0n ? -value : value;
  // Tininess before rounding: less than the smallest normal number, 2^fractionBits units.
  if (ftz && size < 1n << BigInt(f.fractionBits + below)) return sign;
  let drop = below;
  while (size >> BigInt(drop + f.fractionBits + 1) > 0n) drop++;
  const low = 1n << BigInt(drop);
  let kept = size / low;
  const twice = (size % low) * 2n;
  if (twice > low || (twice === low && kept % 2n === 1n)) kept++;
  const code = (drop - below) * (1 << f.fractionBits) + Number(kept);
  return sign | Math.min(code, infinityOf(f));
}

const flush = (f: Half, x: number): number => ((x & 0x7fff) >> f.fractionBits === 0 ? x & 0x8000 : x);

function clamp(f: Half, d: number, { sat, relu }: Effects): number {
  const one = ((1 << (f.exponentBits - 1)) - 1) << f.fractionBits;
  if (sat) return isNan(f, d) || isNegative(d) ? 0 : Math.min(d, one);
  if (relu && !isNan(f, d) && isNegative(d)) return 0;
  return d;
}

/** a * b + c, once rounded; add and mul are special cases of it that differ only in the sign of zeros. */
function fused(f: Half, a: number, b: number, c: number, ftz: boolean): number {
  if ([a, b, c].some((x) => isNan(f, x))) return NAN;
  const productNegative = isNegative(a) !== isNegative(b);
  if (isInfinite(f, a) || isInfinite(f, b)) {
    if (units0(f, a) || units0(f, b)) return NAN;
    if (isInfinite(f, c) && isNegative(c) !== productNegative) return NAN;
    return (productNegative ? 0x8000 : 0) | infinityOf(f);
  }
  if (isInfinite(f, c)) return c;
  // One unit is 2^-(bias - 1 + fractionBits), so a product of two counts has that many bits below the unit.
  const below = (1 << (f.exponentBits - 1)) - 2 + f.fractionBits;
  const product = units(f, a) * units(f, b);
  const sum = product + (units(f, c) << BigInt(below));
  return round(f, sum, below, productNegative && isNegative(c), ftz);
}
const units0 = (f: Half, x: number): boolean => !isInfinite(f, x) && units(f, x) === 0n;

function sum(f: Half, a: number, b: number, ftz: boolean): number {
  if (isNan(f, a) || isNan(f, b)) return NAN;
  if (isInfinite(f, a)) return isInfinite(f, b) && isNegative(a) !== isNegative(b) ? NAN : a;
  if (isInfinite(f, b)) return b;
  return round(f, units(f, a) + units(f, b), 0, isNegative(a) && isNegative(b), ftz);
}

function product(f: Half, a: number, b: number, ftz: boolean): number {
  const negativeZero = isNegative(a) !== isNegative(b) ? 0x8000 : 0;
  return fused(f, a, b, negativeZero, ftz);
}

/** A total order of numbers in which -0 is below +0. */
const above = (f: Half, a: number, b: number): boolean => {
  const key = (x: number): bigint => (isInfinite(f, x) ? (isNegative(x) ? -1n : 1n) << 300n : units(f, x));
  return key(a) > key(b) || (key(a) === key(b) && !isNegative(a) && isNegative(b));
};

function extremum(f: Half, x: number, y: number, least: boolean, { NaN: strict, xorsign }: Effects): number {
  const [a, b] = xorsign ? [x & 0x7fff, y & 0x7fff] : [x, y];
  const nans = [a, b].filter((each) => isNan(f, each)).length;
  if (nans === 2 || (strict && nans === 1)) return NAN;
  const d = isNan(f, a) ? b : isNan(f, b) ? a : above(f, a, b) === least ? b : a;
  return xorsign ? (d & 0x7fff) | ((x ^ y) & 0x8000) : d;
}

/** What `mnemonic` gives for these operands, each 16 bits wide. */
export function expected(mnemonic: string, f: Half, given: readonly number[], effects: Effects): number {
  const ftz = effects.ftz === true;
  const [a = 0, b = 0, c = 0] = ftz ? given.map((x) => flush(f, x)) : given;
  if (effects.oob && given.slice(0, 2).some((x) => (x & 0x7fff) === 0x7ff7)) return 0;
  switch (mnemonic) {
    case "neg":
      return isNan(f, a) ? NAN : a ^ 0x8000;
    case "abs":
      return isNan(f, a) ? NAN : a & 0x7fff;
    case "add":
      return clamp(f, sum(f, a, b, ftz), effects);
    case "sub":
      return clamp(f, sum(f, a, isNan(f, b) ? b : b ^ 0x8000, ftz), effects);
    case "mul":
      return clamp(f, product(f, a, b, ftz), effects);
    case "fma":
      return clamp(f, fused(f, a, b, c, ftz), effects);
    case "min":
    case "max":
      return extremum(f, a, b, mnemonic === "min", effects);
    default:
      throw new Error(`no oracle for ${mnemonic}`);
  }
}

/** A code as a number of the host's. */
export function numberOf(f: Half, x: number): number {
  if (isNan(f, x)) return Number.NaN;
  if (isInfinite(f, x)) return isNegative(x) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const size = Number(units(f, x & 0x7fff)) * 2 ** -((1 << (f.exponentBits - 1)) - 2 + f.fractionBits);
  return isNegative(x) ? -size : size;
}

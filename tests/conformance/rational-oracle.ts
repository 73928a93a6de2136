/**
 * Binary formats judged by rationals: a number is numerator / denominator, and rounding is one integer division. Shares
 * nothing with `src/numeric`; used by the oracles of arithmetic and of conversions.
 */
export interface Binary {
  readonly bits: number;
  readonly fraction: number;
}
export const formats: ReadonlyMap<string, Binary> = new Map([
  ["f16", { bits: 16, fraction: 10 }],
  ["bf16", { bits: 16, fraction: 7 }],
  ["f32", { bits: 32, fraction: 23 }],
  ["f64", { bits: 64, fraction: 52 }],
]);

/** num / den; `negative` is what sign a zero has. */
export interface Rational {
  readonly num: bigint;
  readonly den: bigint;
  readonly negative: boolean;
}
export type Value = Rational | "nan" | { readonly infinite: "-" | "+" };
export type Direction = "rn" | "rz" | "rm" | "rp";

const bias = ({ bits, fraction }: Binary): number => 2 ** (bits - fraction - 2) - 1;
/** The smallest subnormal is 2^-this. */
const depth = (f: Binary): number => bias(f) - 1 + f.fraction;
export const signOf = (f: Binary): bigint => 1n << BigInt(f.bits - 1);
export const infinityOf = (f: Binary): bigint => (2n ** BigInt(f.bits - f.fraction - 1) - 1n) << BigInt(f.fraction);
export const oneOf = (f: Binary): bigint => BigInt(bias(f)) << BigInt(f.fraction);
/** Every NaN that f16, bf16 and f32 arithmetic makes; that of f64 is any NaN. */
export const nanOf = (f: Binary): bigint => signOf(f) - 1n;
export const isNan = (f: Binary, code: bigint): boolean => (code & (signOf(f) - 1n)) > infinityOf(f);
export const isSubnormal = (f: Binary, code: bigint): boolean => {
  const size = code & (signOf(f) - 1n);
  return size > 0n && size < 1n << BigInt(f.fraction);
};
/** A subnormal as the zero of its sign. */
export const flush = (f: Binary, code: bigint): bigint => (isSubnormal(f, code) ? code & signOf(f) : code);

export function decode(f: Binary, code: bigint): Value {
  if (isNan(f, code)) return "nan";
  const negative = (code & signOf(f)) !== 0n;
  const size = code & (signOf(f) - 1n);
  if (size === infinityOf(f)) return { infinite: negative ? "-" : "+" };
  const exponent = size >> BigInt(f.fraction);
  const hidden = exponent === 0n ? 0n : 1n << BigInt(f.fraction);
  const units = (hidden + (size & ((1n << BigInt(f.fraction)) - 1n))) << (exponent === 0n ? 0n : exponent - 1n);
  return { num: negative ? -units : units, den: 1n << BigInt(depth(f)), negative };
}

/** Half, rounded or not: does what was cut off count? */
function up(direction: Direction, negative: boolean, odd: boolean, twice: bigint, whole: bigint): boolean {
  if (twice === 0n) return false;
  if (direction === "rn") return twice > whole || (twice === whole && odd);
  return direction === (negative ? "rm" : "rp");
}

/** The code of a rational in a format, rounded once. */
export function encode(f: Binary, { num, den, negative }: Rational, direction: Direction): bigint {
  const below = num === 0n ? negative : num < 0n;
  const sign = below ? signOf(f) : 0n;
  const top = (num < 0n ? -num : num) << BigInt(depth(f));
  const length = (x: bigint): number => x.toString(2).length;
  let drop = Math.max(0, length(top) - length(den) - f.fraction - 2);
  while ((top / (den << BigInt(drop))) >> BigInt(f.fraction + 1) > 0n) drop++;
  const unit = den << BigInt(drop);
  let kept = top / unit;
  if (up(direction, below, (kept & 1n) === 1n, (top % unit) * 2n, unit)) kept++;
  const code = (BigInt(drop) << BigInt(f.fraction)) + kept;
  if (code < infinityOf(f)) return sign | code;
  const away = direction === "rn" || direction === (below ? "rm" : "rp");
  return sign | (away ? infinityOf(f) : infinityOf(f) - 1n);
}

/** A rational as an integer. */
export function integral({ num, den }: Rational, direction: Direction): bigint {
  const size = num < 0n ? -num : num;
  const kept = size / den;
  const more = up(direction, num < 0n, (kept & 1n) === 1n, (size % den) * 2n, den) ? 1n : 0n;
  return num < 0n ? -(kept + more) : kept + more;
}

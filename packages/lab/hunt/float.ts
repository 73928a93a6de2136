import type { FloatType } from "./type.ts";

/**
 * Floating point for the judge of compilers: bits of a format to a double, which is exact, and back with one rounding to
 * nearest even. It shares nothing with what executes PTX.
 */
const word = new DataView(new ArrayBuffer(8));

const fieldOf = ({ precision }: FloatType): bigint => BigInt(precision - 1);
const exponents = ({ bits, precision }: FloatType): bigint => (1n << BigInt(bits - precision)) - 1n;
const infinity = (type: FloatType): bigint => exponents(type) << fieldOf(type);
const signOf = ({ bits }: FloatType): bigint => 1n << BigInt(bits - 1);

export const isNaNIn = (type: FloatType, bits: bigint): boolean => (bits & (signOf(type) - 1n)) > infinity(type);

/** The one NaN that all count as. */
export const nanOf = (type: FloatType): bigint => infinity(type) | (1n << (fieldOf(type) - 1n));

export const negated = (type: FloatType, bits: bigint): bigint => bits ^ signOf(type);
export const absolute = (type: FloatType, bits: bigint): bigint => bits & (signOf(type) - 1n);

/** A finite number as `sign * significand * 2^exponent`. */
interface Exact {
  readonly negative: boolean;
  readonly significand: bigint;
  readonly exponent: number;
}

function exactOf(type: FloatType, bits: bigint): Exact {
  const field = Number((bits & (signOf(type) - 1n)) >> fieldOf(type));
  const fraction = bits & ((1n << fieldOf(type)) - 1n);
  return {
    negative: (bits & signOf(type)) !== 0n,
    significand: field === 0 ? fraction : fraction | (1n << fieldOf(type)),
    exponent: Math.max(field, 1) - type.bias - (type.precision - 1),
  };
}

/** The nearest number of the format, ties to even. */
export function rounded(type: FloatType, { negative, significand, exponent }: Exact): bigint {
  const sign = negative ? signOf(type) : 0n;
  if (significand === 0n) return sign;
  const length = significand.toString(2).length;
  const least = 2 - type.bias - type.precision;
  const to = Math.max(exponent + length - type.precision, least);
  let whole = significand;
  if (to > exponent) {
    const shift = BigInt(to - exponent);
    const rest = whole & ((1n << shift) - 1n);
    const half = 1n << (shift - 1n);
    whole >>= shift;
    if (rest > half || (rest === half && (whole & 1n) === 1n)) whole += 1n;
  } else whole <<= BigInt(exponent - to);
  // A carry out of the significand moves into the exponent by itself, and a subnormal number has the field 0.
  const normal = whole >= 1n << fieldOf(type);
  const magnitude = normal ? (BigInt(to - least) << fieldOf(type)) + whole : whole;
  return sign | (magnitude < infinity(type) ? magnitude : infinity(type));
}

export function toNumber(type: FloatType, bits: bigint): number {
  if (type.text === "double") {
    word.setBigUint64(0, bits);
    return word.getFloat64(0);
  }
  if (type.text === "bfloat" || type.text === "float") {
    word.setUint32(0, Number(type.text === "bfloat" ? bits << 16n : bits));
    return word.getFloat32(0);
  }
  if (isNaNIn(type, bits)) return Number.NaN;
  if (absolute(type, bits) === infinity(type)) return bits === infinity(type) ? Infinity : -Infinity;
  const { negative, significand, exponent } = exactOf(type, bits);
  return (negative ? -1 : 1) * Number(significand) * 2 ** exponent;
}

export function fromNumber(type: FloatType, value: number): bigint {
  if (Number.isNaN(value)) return nanOf(type);
  word.setFloat64(0, value);
  const bits = word.getBigUint64(0);
  if (type.text === "double") return bits;
  if (!Number.isFinite(value)) return value > 0 ? infinity(type) : infinity(type) | signOf(type);
  return rounded(type, exactOf(binary64, bits));
}

const binary64: FloatType = { kind: "float", text: "double", bits: 64, precision: 53, bias: 1023 };

/** An integer, rounded once. */
export const fromInteger = (type: FloatType, value: bigint): bigint =>
  rounded(type, { negative: value < 0n, significand: value < 0n ? -value : value, exponent: 0 });

/** `a * b + c`, rounded once. */
export function fused(type: FloatType, a: bigint, b: bigint, c: bigint): bigint {
  const numbers = [a, b, c].map((bits) => toNumber(type, bits));
  const [x = 0, y = 0, z = 0] = numbers;
  if (!numbers.every(Number.isFinite)) {
    // The sign of an infinite product is that of the factors; a finite product must not become infinite here.
    const product = Number.isFinite(x) && Number.isFinite(y) ? 0 : x * y;
    return fromNumber(type, product + z);
  }
  const [one, other, third] = [a, b, c].map((bits) => exactOf(type, bits)) as [Exact, Exact, Exact];
  const negative = one.negative !== other.negative;
  const exponent = Math.min(one.exponent + other.exponent, third.exponent);
  const product = (one.significand * other.significand) << BigInt(one.exponent + other.exponent - exponent);
  const addend = third.significand << BigInt(third.exponent - exponent);
  const sum = (negative ? -product : product) + (third.negative ? -addend : addend);
  if (sum === 0n) return negative && third.negative ? signOf(type) : 0n;
  return rounded(type, { negative: sum < 0n, significand: sum < 0n ? -sum : sum, exponent });
}

import type { Rounding } from "../exact/exact.ts";
import { bf16, type Format, f16, f32 } from "../format/format.ts";
import { sumError } from "./error-free.ts";

/**
 * Bits to binary64 and back. A float lives inside one function: it is written into one of these arrays, and its bits
 * are read from the other view of the same bytes.
 */
const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const long = new BigUint64Array(double.buffer);
const single = new Float32Array(1);
const word = new Uint32Array(single.buffer);
const LITTLE = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;
const HIGH = LITTLE ? 1 : 0;
const LOW = 1 - HIGH;

/** The value of f32 bits. */
export function fromF32(bits: number): number {
  word[0] = bits;
  return single[0]!;
}

/** The value of f64 bits. */
export function fromF64(bits: bigint): number {
  long[0] = bits;
  return double[0]!;
}

/** f64 bits; a NaN comes out as `nan`, since the payload of a JS number is not to be relied on. */
export function toF64(value: number, nan: bigint): bigint {
  if (Number.isNaN(value)) return nan;
  double[0] = value;
  return long[0]!;
}

/** The next greater double; of the greatest one, infinity. */
export function above(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  return value > 0 ? outward(value) : inward(value);
}

/** The next smaller double; of the smallest one, -infinity. */
export const below = (value: number): number => -above(-value);

function outward(value: number): number {
  double[0] = value;
  const low = words[LOW]!;
  words[LOW] = low + 1;
  if (low === 0xffff_ffff) words[HIGH] = words[HIGH]! + 1;
  return double[0]!;
}

function inward(value: number): number {
  double[0] = value;
  const low = words[LOW]!;
  words[LOW] = low - 1;
  if (low === 0) words[HIGH] = words[HIGH]! - 1;
  return double[0]!;
}

/** The power of two of a normal number's leading bit, whatever its sign. */
export function exponentOf(value: number): number {
  double[0] = value;
  return ((words[HIGH]! >>> 20) & 0x7ff) - 1023;
}

/** 2^exponent for exponents of normal numbers, -1022 to 1023. */
export function powerOfTwo(exponent: number): number {
  words[LOW] = 0;
  words[HIGH] = (exponent + 1023) << 20;
  return double[0]!;
}

const tables = new Map<Format, Float64Array>();

/** The values of all 65,536 codes of a 16-bit format. */
export function valuesOf(f: Format): Float64Array {
  const known = tables.get(f);
  if (known) return known;
  const table = new Float64Array(0x10000);
  const top = 2 ** f.exp - 1;
  const implicit = 2 ** f.frac;
  // Even a program of one instruction waits for this table, so nothing is computed twice.
  for (let e = 0; e < top; e++) {
    const unit = 2 ** (Math.max(e, 1) - f.bias - f.frac);
    const first = e << f.frac;
    const least = e === 0 ? 0 : implicit;
    for (let fraction = 0; fraction < implicit; fraction++) table[first + fraction] = (least + fraction) * unit;
  }
  table.fill(Number.NaN, top << f.frac, 0x8000);
  table[top << f.frac] = Number.POSITIVE_INFINITY;
  for (let code = 0; code < 0x8000; code++) table[code + 0x8000] = -table[code]!;
  tables.set(f, table);
  return table;
}

/** From a value to f32 bits, rounded to nearest even. */
export function toF32(value: number): number {
  single[0] = value;
  return Number.isNaN(value) ? 0x7fff_ffff : word[0]!;
}

/** From a value to f32 bits, rounded once; undefined for rna, which no arithmetic has. */
export function rounderToF32(rnd: Rounding): ((value: number) => number) | undefined {
  if (rnd === "rn") return toF32;
  if (rnd === "rna") return undefined;
  // The nearest number is either right or one step beyond; a step toward zero is one code less, whatever the sign.
  return (value) => {
    const code = toF32(value);
    const got = single[0]!;
    if (got === value || Number.isNaN(value)) return code;
    const towardZero = rnd === "rz" || (rnd === "rm") === value > 0;
    if (towardZero) return Math.abs(got) > Math.abs(value) ? code - 1 : code;
    return Math.abs(got) < Math.abs(value) ? code + 1 : code;
  };
}

/**
 * From a value to the bits of a 16-bit format, rounded once to nearest even. The high word of a binary64 holds 20
 * bits of its fraction; whatever lies in the low word only matters by not being 0.
 */
function rounderTo16(f: Format): (value: number) => number {
  const { frac, bias } = f;
  const drop = 20 - frac;
  const rebias = (1023 - bias) << 20;
  const half = 2 ** (drop - 1) - 1;
  const smallestNormal = (1024 - bias) << 20;
  const overflow = (1024 + bias) << 20;
  const infinity = (2 ** f.exp - 1) << frac;
  const nan = Number(f.nan);
  // Added to a subnormal, this makes the low word count units of the format's last place.
  const unit = 2 ** (1 - bias - frac + 52);
  return (value) => {
    double[0] = value;
    const high = words[HIGH]!;
    const low = words[LOW]!;
    const sign = (high >>> 16) & 0x8000;
    const magnitude = (high & 0x7fff_ffff) | (low === 0 ? 0 : 1);
    if (magnitude >= overflow) return magnitude > 0x7ff0_0000 ? nan : sign | infinity;
    if (magnitude < smallestNormal) {
      double[0] = Math.abs(value) + unit;
      return sign | words[LOW]!;
    }
    return sign | ((magnitude - rebias + half + ((magnitude >>> drop) & 1)) >>> drop);
  };
}

export const toF16 = rounderTo16(f16);
export const toBf16 = rounderTo16(bf16);

/**
 * x + y in binary64, rounded to odd: an inexact sum takes the neighbour whose last bit is 1. A second rounding to
 * nearest, or in any direction, into 51 bits or fewer is then the only one that shows (Boldo and Melquiond).
 */
export function oddSum(x: number, y: number): number {
  const sum = x + y;
  const error = sumError(x, y, sum);
  // An error of NaN comes with an infinite or NaN sum, which is exact enough.
  if (!(error < 0 || error > 0)) return sum;
  double[0] = sum;
  if (words[LOW]! & 1) return sum;
  return error > 0 === sum > 0 ? outward(sum) : inward(sum);
}

/** The value of a format's bits, for formats of 16 and 32 bits that binary64 holds. */
export function readerOf(f: Format): ((bits: number) => number) | undefined {
  if (f === f32) return fromF32;
  if (f !== f16 && f !== bf16) return undefined;
  const table = valuesOf(f);
  return (bits) => table[bits]!;
}

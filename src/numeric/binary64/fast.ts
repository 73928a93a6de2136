import type { Rounding } from "../exact/exact.ts";
import { bf16, type Format, f16, f32, f64 } from "../format/format.ts";
import { addIn, divIn, mulIn, sqrtIn } from "./directed.ts";
import { fromF64, oddSum, readerOf, rounderToF32, toBf16, toF16, toF64, valuesOf } from "./double.ts";
import { fmaIn } from "./double-fma.ts";

/**
 * Fast paths: the operation in binary64, then one rounding into the format. Each is exact for the reason given in its
 * comment, and tests show it equal to the reference bit for bit. If a format and a rounding have none, the result is
 * undefined and the reference runs.
 */

/** An operation of up to three operands on bits of up to 32; those beyond its arity are not looked at. */
export type Fast = (a: number, b: number, c: number) => number;
export type FastFor = (from: Format, to: Format, rnd: Rounding) => Fast | undefined;

/** Under rn, 53 >= 2p + 2 bits make the first of two roundings harmless; otherwise the first rounds to odd. */
export const fastAdd: FastFor = (from, to, rnd) => {
  if (to === f64) return rnd === "rna" ? undefined : large(addIn(rnd));
  if (to === f32) return sumToF32(from, rnd, (b) => b);
  return nearest16(to, rnd, (v, round) => (a, b) => round(v[a]! + v[b]!));
};

/** a + (-b). */
export const fastSub: FastFor = (from, to, rnd) => {
  if (to === f64) {
    if (rnd === "rna") return undefined;
    const sum = addIn(rnd);
    return large((a, b) => sum(a, -b));
  }
  if (to === f32) return sumToF32(from, rnd, (b) => (b ^ 0x8000_0000) >>> 0);
  return nearest16(to, rnd, (v, round) => (a, b) => round(v[a]! - v[b]!));
};

/** A product of two 24-bit significands is exact in 53 bits, and so are its exponents. */
export const fastMul: FastFor = (from, to, rnd) => {
  if (to === f64) return rnd === "rna" ? undefined : large(mulIn(rnd));
  if (to !== f32) return nearest16(to, rnd, (v, round) => (a, b) => round(v[a]! * v[b]!));
  const value = readerOf(from);
  const round = rounderToF32(rnd);
  return value && round && ((a, b) => round(value(a) * value(b)));
};

/**
 * The product is exact. For f16 the rounding of the sum to binary64 is harmless; for bf16 and f32 it is not
 * (0x72c0 * 0x1f8d + 0xac72 in bf16), and the sum is rounded to odd.
 */
export const fastFma: FastFor = (from, to, rnd) => {
  if (to === f16) return nearest16(to, rnd, (v, round) => (a, b, c) => round(v[a]! * v[b]! + v[c]!));
  if (to === bf16) return nearest16(to, rnd, (v, round) => (a, b, c) => round(oddSum(v[a]! * v[b]!, v[c]!)));
  if (to === f64) return rnd === "rna" ? undefined : large(fmaIn(rnd));
  const factor = readerOf(from);
  const addend = to === f32 ? readerOf(f32) : undefined;
  const round = rounderOfSums(rnd);
  return factor && addend && round && ((a, b, c) => round(factor(a) * factor(b), addend(c)));
};

/**
 * A quotient of p-bit numbers is no closer than 2^(-2p-1) to a number or midpoint of p bits that it does not equal: the
 * first rounding crosses neither.
 */
export const fastDiv: FastFor = (from, to, rnd) => {
  if (to === f64) return rnd === "rna" ? undefined : large(divIn(rnd));
  const value = to === f32 ? readerOf(from) : undefined;
  const round = rounderToF32(rnd);
  return value && round && ((a, b) => round(value(a) / value(b)));
};

export const fastRcp: FastFor = (from, to, rnd) => {
  const quotient = fastDiv(from, to, rnd);
  const one = to === f64 ? 0x3ff0_0000_0000_0000n : 0x3f80_0000;
  return quotient && ((a) => quotient(one as number, a, 0));
};

/**
 * IEEE 754 demands that square roots be rounded correctly, and so does ECMAScript's Math.sqrt in all engines. A root
 * of a p-bit number is no closer than 2^(-2p-2) to a number or midpoint of p bits.
 */
export const fastSqrt: FastFor = (from, to, rnd) => {
  if (to === f64) return rnd === "rna" ? undefined : large(sqrtIn(rnd));
  const value = to === f32 ? readerOf(from) : undefined;
  const round = rounderToF32(rnd);
  return value && round && ((a) => round(Math.sqrt(value(a))));
};

function nearest16(
  to: Format,
  rnd: Rounding,
  make: (values: Float64Array, round: (value: number) => number) => Fast,
): Fast | undefined {
  if (rnd !== "rn" || (to !== f16 && to !== bf16)) return undefined;
  return make(valuesOf(to), to === f16 ? toF16 : toBf16);
}

function sumToF32(from: Format, rnd: Rounding, second: (bits: number) => number): Fast | undefined {
  const left = readerOf(from);
  const right = readerOf(f32);
  const round = rounderOfSums(rnd);
  return left && right && round && ((a, b) => round(left(a), right(second(b))));
}

/** Two addends that binary64 holds to the f32 bits of their sum. */
function rounderOfSums(rnd: Rounding): ((x: number, y: number) => number) | undefined {
  const round = rounderToF32(rnd);
  if (!round) return undefined;
  if (rnd !== "rm") return (x, y) => round(oddSum(x, y));
  return (x, y) => {
    const sum = oddSum(x, y);
    // Toward -inf an exact zero is -0 unless both addends are +0 (IEEE 754, 6.3).
    if (sum === 0) return 1 / x > 0 && 1 / y > 0 ? 0 : 0x8000_0000;
    return round(sum);
  };
}

/** An operation on doubles; its values are bigints here, while `Fast` is typed for the others. */
const large = (compute: (a: number, b: number, c: number) => number): Fast => {
  const read = (bits: bigint | undefined): number => (typeof bits === "bigint" ? fromF64(bits) : 0);
  return ((a: bigint, b: bigint, c: bigint) => toF64(compute(read(a), read(b), read(c)), f64.nan)) as unknown as Fast;
};

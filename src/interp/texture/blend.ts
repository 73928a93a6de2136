import { add, type Exact, finite, magnitude, mul, round } from "../../numeric/exact/exact.ts";
import { f16, f32 } from "../../numeric/format/format.ts";
import { toF32 } from "./texel.ts";

/**
 * The weighted sum of texels, rounded once: sum(weight * numerator) / (unit * whole), where `whole` is what the weights
 * come to. Weights are integers below 2^33; numerators are integers of up to 17 bits where `unit` is not 1, else f32s.
 */
export function blend(weights: readonly number[], numerators: readonly number[], unit: number, whole: number): number {
  const sum = exactSum(weights, numerators);
  if (sum !== undefined) return toF32(sum / unit / whole);
  return Number(round(f32, "rn", shared(weights, numerators, whole)));
}

/** The same as bits of an f16. */
export function blendHalf(
  weights: readonly number[],
  numerators: readonly number[],
  unit: number,
  whole: number,
): number {
  const sum = exactSum(weights, numerators);
  // The quotient of a short numerator lies too far from where f16 rounds for binary64 to change which side it is on.
  if (sum !== undefined && unit !== 1) return halfOf(ofDouble(sum / unit / whole), sum);
  if (sum !== undefined && !Number.isFinite(sum)) return Number.isNaN(sum) ? 0x7fff : sum < 0 ? 0xfc00 : 0x7c00;
  return halfOf(shared(weights, numerators, whole), numerators[0] ?? 0);
}

const halfOf = (value: Exact, like: number): number =>
  Number(round(f16, "rn", value)) | (value.kind === "finite" && value.sig === 0n && Object.is(like, -0) ? 0x8000 : 0);

/** The sum as a double where it is one, undefined where binary64 would have to round. */
function exactSum(weights: readonly number[], numerators: readonly number[]): number | undefined {
  let sum = 0;
  let first = true;
  for (let index = 0; index < weights.length; index++) {
    const [weight, value] = [weights[index]!, numerators[index]!];
    const product = weight * value;
    if (first) {
      first = false;
      if (weight > MOST_EXACT && !isShort(value)) return undefined;
      sum = product;
      continue;
    }
    if (weight > MOST_EXACT && !isShort(value)) return undefined;
    const next = sum + product;
    const back = next - sum;
    if (Number.isFinite(next) && sum - (next - back) + (product - back) !== 0) return undefined;
    sum = next;
  }
  return sum;
}

/** A weight of 29 bits times an f32 fits into binary64. */
const MOST_EXACT = 2 ** 29;
const isShort = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 20;

/** The sum over `whole`, a power of two, with nothing lost. */
function shared(weights: readonly number[], numerators: readonly number[], whole: number): Exact {
  const sum = weights.reduce<Exact>(
    (all, weight, index) => add(all, mul(ofDouble(weight), ofDouble(numerators[index]!)), "rn"),
    finite(Object.is(numerators[0], -0), 0n, 0),
  );
  return mul(sum, finite(false, 1n, -Math.log2(whole)));
}

const double = new Float64Array(1);
const halves = new BigUint64Array(double.buffer);

/** What a double stands for, exactly. */
function ofDouble(value: number): Exact {
  if (Number.isNaN(value)) return { kind: "nan" };
  if (!Number.isFinite(value)) return { kind: "inf", neg: value < 0 };
  if (Number.isInteger(value)) return finite(value < 0 || Object.is(value, -0), magnitude(BigInt(value)), 0);
  double[0] = value;
  const bits = halves[0]!;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return exponent === 0
    ? finite(value < 0, fraction, -1074)
    : finite(value < 0, fraction | (1n << 52n), exponent - 1075);
}

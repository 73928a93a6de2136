import { fromF32, fromF64, toF32, toF64 } from "../../binary64/double.ts";
import { exp2, log2, tanh } from "../../binary64/elementary.ts";
import { reciprocalRoot } from "../../binary64/reciprocal-root.ts";
import { cos, sin } from "../../binary64/sincos-reduction.ts";
import type { Bits } from "../../bits.ts";
import { clampOf, flushOf, same } from "../../format/effects.ts";
import { codes, f32, f64, f64Upper } from "../../format/format.ts";
import type { Expression, FunctionName } from "../../operation/expression.ts";
import { formatOf, widthOf } from "../../operation/type.ts";
import { before, floatOperand, isPlain, placed } from "../operand.ts";
import { byReference, type Scalar, type ScalarRule } from "../rule.ts";

/** A function on doubles that hold a number of f32, within 2^-41 of the true value, relatively. */
type Quick = (x: number) => number;

const quick: Readonly<Record<FunctionName, Quick>> = {
  rsqrt: (x) => 1 / Math.sqrt(x),
  sin,
  cos,
  lg2: log2,
  ex2: exp2,
  tanh,
};

/** A function of one f32, rounded to nearest even: in binary64 where its error cannot matter. */
export const functionOfF32: ScalarRule = (operation) => {
  const { takes, result } = operation;
  if (result.into !== "round" || result.of.node !== "function" || result.rnd !== "rn" || result.satfinite || result.pzo)
    return undefined;
  const operand = floatOperand(result.of.a, takes);
  if (operand?.format !== f32 || formatOf(result.format) !== f32) return undefined;
  const exact = byReference(operation);
  return placed(
    settled(quick[result.of.name], before(operand), (bits) => callAt(exact, operand.at, bits), result),
    [operand.at],
  );
};

/** The reference on one operand; the others do not matter. */
const callAt = (exact: Scalar, at: number, bits: number): number =>
  exact(...Array.from({ length: at + 1 }, (_, index) => (index === at ? bits : 0))) as number;

/** More than the relative error of a `Quick`. */
const TOLERANCE = 2 ** -40;

/**
 * Rounds the result of `compute` to f32 if its error cannot matter: if both ends of the interval that holds the true
 * value have the same code. Otherwise, about once in 2^15 values, the exact function decides.
 */
function settled(
  compute: Quick,
  given: (bits: number) => number,
  exact: (a: number) => number,
  effects: { readonly ftz?: true; readonly sat?: true; readonly relu?: true },
): (a: number) => number {
  const ftz = effects.ftz === true;
  const flush = ftz ? flushOf(f32) : same;
  const after = clampOf(f32, effects);
  const { signBit, normal } = codes(f32);
  return (a) => {
    const value = compute(fromF32(given(a)));
    const margin = value * TOLERANCE;
    const d = toF32(value);
    // 0, infinity and NaN are exact.
    if (!(margin > 0 || margin < 0) || !Number.isFinite(margin)) return after(d);
    if (toF32(value - margin) !== toF32(value + margin)) return exact(a);
    if (!ftz) return after(d);
    // Whether a result is subnormal is decided before the exponent has a bound (see `arithmetic.ts`).
    return (d & (signBit - 1)) === normal ? exact(a) : after(flush(d));
  };
}

const EXPONENT = 0x7ff0_0000_0000_0000n;
const SIGN = 0x8000_0000_0000_0000n;
const HALF = 0x8000_0000;

/**
 * 1 / a and 1 / sqrt a of the upper word of an f64 (rcp.approx.ftz.f64, rsqrt.approx.ftz.f64): binary64 is off by a unit
 * or two of its last place, and only near a tie does that decide.
 */
export const ofUpperWord: ScalarRule = (operation) => {
  const { takes, result } = operation;
  if (result.into !== "round" || formatOf(result.format) !== f64Upper || result.rnd !== "rn") return undefined;
  if (!result.ftz || result.sat || result.relu || result.satfinite || result.pzo) return undefined;
  const [compute, x] = reciprocalOf(result.of) ?? [];
  const operand = x && floatOperand(x, takes);
  if (!compute || operand?.format !== f64Upper || operand.at !== 0 || !operand.flush || operand.sign !== "kept")
    return undefined;
  const exact = byReference(operation);
  const flush = (bits: bigint): bigint => ((bits & EXPONENT) === 0n ? bits & SIGN : bits & ~0xffff_ffffn);
  const js = (a: bigint): Bits => {
    const bits = toF64(compute(fromF64(flush(a))), f64.nan);
    const rest = Number(bits & 0xffff_ffffn);
    if (Math.abs(rest - HALF) < 8) return exact(a);
    return flush(rest > HALF ? bits + 0xffff_ffffn : bits);
  };
  return js as Scalar;
};

/** 1 / sqrt a of an f64, rounded to nearest even. */
export const rootOfF64: ScalarRule = (operation) => {
  const { takes, result } = operation;
  if (result.into !== "round" || formatOf(result.format) !== f64 || result.rnd !== "rn") return undefined;
  if (result.ftz || result.sat || result.relu || result.satfinite || result.pzo) return undefined;
  if (result.of.node !== "function" || result.of.name !== "rsqrt") return undefined;
  const operand = floatOperand(result.of.a, takes);
  if (operand?.format !== f64 || operand.at !== 0 || !isPlain(operand)) return undefined;
  const exact = byReference(operation);
  const js = (a: bigint): Bits => {
    const root = reciprocalRoot(fromF64(a));
    return root === undefined ? exact(a) : toF64(root, f64.nan);
  };
  return js as Scalar;
};

function reciprocalOf(x: Expression): readonly [Quick, Expression] | undefined {
  if (x.node === "div" && x.a.node === "integer" && x.a.value === 1n) return [(value) => 1 / value, x.b];
  return x.node === "function" && x.name === "rsqrt" ? [quick.rsqrt, x.a] : undefined;
}

/** Operations that round from one operand of up to 16 bits and have no faster rule: results are cached by input. */
export const remembered: ScalarRule = (operation) => {
  const [taken, ...others] = operation.takes;
  if (operation.result.into !== "round" || taken === undefined || others.length > 0) return undefined;
  if (widthOf(taken.type) > 16 || widthOf(operation.gives) > 16) return undefined;
  const exact = byReference(operation);
  // Stores the code plus 1, since 0 means not computed yet.
  const results = new Uint32Array(2 ** widthOf(taken.type));
  const js = (a: number): number => {
    const known = results[a]!;
    if (known) return known - 1;
    const result = exact(a) as number;
    results[a] = result + 1;
    return result;
  };
  return js as Scalar;
};

import { clampOf, type Effect, flushOf, same } from "../format/effects.ts";
import { codes, type Format, f64 } from "../format/format.ts";
import type { Expression, RoundResult } from "../operation/expression.ts";
import type { Argument } from "../operation/operation.ts";
import { formatOf } from "../operation/type.ts";
import { before, type FloatOperand, floatOperand, isPlain, placed } from "./operand.ts";
import type { Scalar, ScalarRule } from "./rule.ts";

/** A code of a format up to 32 bits wide, from the codes of the operands. */
type Code = (a: number, b: number, c: number) => number;
type Pick = (a: number, b: number) => number;

/** neg, abs and what only flushes or clamps: the format stays, so that nothing is rounded. A NaN is the canonical one. */
export const changedSign: ScalarRule = ({ takes, result }) => {
  const f = plainFormat(result.into === "round" ? result : undefined);
  if (f === undefined || result.into !== "round") return undefined;
  const operand = floatOperand(result.of, takes);
  if (operand?.format !== f) return undefined;
  const { signBit, infinity, nan } = codes(f);
  const change = before(operand);
  const after = effectsOf(result, f, operand.flush);
  const ofNan = after(nan);
  const js =
    after === same
      ? (a: number): number => ((a & (signBit - 1)) > infinity ? nan : change(a))
      : (a: number): number => ((a & (signBit - 1)) > infinity ? ofNan : after(change(a)));
  return placed(js, [operand.at]);
};

/** min and max, and those of magnitudes that get a sign: one of the operands' codes. */
export const extremum: ScalarRule = ({ takes, result }) => {
  if (result.into !== "round") return undefined;
  if (formatOf(result.format) === f64) return extremumOfF64(result, takes);
  const f = plainFormat(result);
  if (f === undefined) return undefined;
  const signed = result.of.node === "signed" ? result.of : undefined;
  const [code, flushed] = codeOf(signed?.a ?? result.of, f, takes) ?? [];
  if (code === undefined) return undefined;
  const chosen = signed ? withSign(code, signed.negative, f, takes) : code;
  const after = effectsOf(result, f, flushed === true);
  return (after === same || !chosen ? chosen : (a: number, b: number, c: number) => after(chosen(a, b, c))) as Scalar;
};

/** The format of a result whose codes are in the order of their values, with NaNs above. */
function plainFormat(result: RoundResult | undefined): Format | undefined {
  if (result === undefined || result.rnd === "rs" || result.satfinite) return undefined;
  const f = formatOf(result.format);
  return f.specials === "ieee" && f.width <= 32 && f.pad === 0 ? f : undefined;
}

function effectsOf(result: RoundResult, f: Format, flushed: boolean): Effect {
  const clamp = clampOf(f, result);
  if (!result.ftz || flushed) return clamp;
  const flush = flushOf(f);
  return (bits) => clamp(flush(bits));
}

/** Which operand's code it is, and whether all of them are flushed. Both NaN, or `.NaN`: the canonical one. */
function codeOf(x: Expression, f: Format, takes: readonly Argument[]): readonly [Code, boolean] | undefined {
  if (x.node === "label") return codeOf(x.a, f, takes);
  if (x.node !== "min" && x.node !== "max") return undefined;
  const pick = pickOf(f, x.node === "min", x.propagate === true);
  const right = floatOperand(x.b, takes);
  if (right?.format !== f) return undefined;
  const second = before(right);
  const left = floatOperand(x.a, takes);
  if (left !== undefined) {
    if (left.format !== f || left.at !== 0 || right.at !== 1) return undefined;
    const first = before(left);
    const plain = isPlain(left) && isPlain(right);
    return [plain ? pick : (a, b) => pick(first(a), second(b)), left.flush && right.flush];
  }
  const [inner, flushed] = codeOf(x.a, f, takes) ?? [];
  if (inner === undefined || right.at !== 2) return undefined;
  return [(a, b, c) => pick(inner(a, b, c), second(c)), flushed === true && right.flush];
}

/** A magnitude with the XOR of the signs of a and b. */
function withSign(size: Code, negative: Expression, f: Format, takes: readonly Argument[]): Code | undefined {
  if (negative.node !== "xor" || !isSignOf(negative.a, f, takes[0]) || !isSignOf(negative.b, f, takes[1]))
    return undefined;
  const { signBit, infinity, nan } = codes(f);
  return (a, b, c) => {
    const d = size(a, b, c) & (signBit - 1);
    return d > infinity ? nan : (d | ((a ^ b) & signBit)) >>> 0;
  };
}

const isSignOf = (x: Expression, f: Format, taken: Argument | undefined): boolean =>
  x.node === "slice" &&
  x.a.node === "bits" &&
  x.a.name === taken?.name &&
  x.low.node === "integer" &&
  x.low.value === BigInt(f.width - 1) &&
  x.bits.node === "integer" &&
  x.bits.value === 1n;

function pickOf(f: Format, least: boolean, propagate: boolean): Pick {
  const { signBit, infinity, nan } = codes(f);
  const magnitude = signBit - 1;
  // Sign and magnitude to an integer in the order of the values, with -0 just below +0.
  const rank = (x: number): number => (x >= signBit ? -1 - (x & magnitude) : x);
  return (a, b) => {
    const aNan = (a & magnitude) > infinity;
    const bNan = (b & magnitude) > infinity;
    if (aNan || bNan) return propagate || (aNan && bNan) ? nan : aNan ? b : a;
    return rank(a) < rank(b) === least ? a : b;
  };
}

/** min and max of two f64, which have no modifier. */
function extremumOfF64({ of: x, ftz, sat, relu, pzo }: RoundResult, takes: readonly Argument[]): Scalar | undefined {
  if (ftz || sat || relu || pzo || (x.node !== "min" && x.node !== "max") || x.propagate) return undefined;
  const isOperand = (operand: FloatOperand | undefined, at: number): boolean =>
    operand?.format === f64 && operand.at === at && isPlain(operand);
  if (!isOperand(floatOperand(x.a, takes), 0) || !isOperand(floatOperand(x.b, takes), 1)) return undefined;
  const least = x.node === "min";
  const signBit = 1n << 63n;
  const infinity = 0x7ff0_0000_0000_0000n;
  const rank = (code: bigint): bigint => (code >= signBit ? signBit - 1n - code : code);
  const js = (a: bigint, b: bigint): bigint => {
    const aNan = (a & (signBit - 1n)) > infinity;
    const bNan = (b & (signBit - 1n)) > infinity;
    if (aNan || bNan) return aNan && bNan ? f64.nan : aNan ? b : a;
    return rank(a) < rank(b) === least ? a : b;
  };
  return js as unknown as Scalar;
}

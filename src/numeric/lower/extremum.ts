import { clampOf, flushOf, same } from "../format/effects.ts";
import { codes, type Format, f64 } from "../format/format.ts";
import type { Expression, RoundResult } from "../operation/expression.ts";
import type { Argument } from "../operation/operation.ts";
import { formatOf } from "../operation/type.ts";
import { before, floatOperand, isPlain } from "./operand.ts";
import type { Scalar, ScalarRule } from "./rule.ts";

/** A code of a format up to 32 bits wide, from the codes of the operands. */
type Code = (a: number, b: number, c: number) => number;

/**
 * min, max, neg and abs, rounded into the format that they are of already: nothing is rounded, so that codes are
 * chosen and signs are set. A NaN is the canonical one.
 */
export const chosenCode: ScalarRule = ({ takes, result }) => {
  if (result.into !== "round" || result.rnd === "rs" || result.satfinite) return undefined;
  const f = formatOf(result.format);
  if (f === f64) return extremumOfF64(result, takes);
  if (f.specials !== "ieee" || f.width > 32 || f.pad > 0) return undefined;
  const code = codeOf(result.of, f, takes);
  if (code === undefined) return undefined;
  const { signBit, infinity, nan } = codes(f);
  const magnitude = signBit - 1;
  const flush = result.ftz ? flushOf(f) : same;
  const clamp = clampOf(f, result);
  const ofNan = clamp(nan);
  const js: Code = (a, b, c) => {
    const d = code(a, b, c);
    return (d & magnitude) > infinity ? ofNan : clamp(flush(d));
  };
  return js as Scalar;
};

/** The code of an expression that is one of its operands, but for the sign; a NaN may have any payload. */
function codeOf(x: Expression, f: Format, takes: readonly Argument[]): Code | undefined {
  const operand = floatOperand(x, takes);
  if (operand !== undefined) {
    if (operand.format !== f || operand.at > 2) return undefined;
    const change = before(operand);
    if (operand.at === 0) return (a) => change(a);
    return operand.at === 1 ? (_, b) => change(b) : (_, _b, c) => change(c);
  }
  switch (x.node) {
    case "min":
    case "max": {
      const left = codeOf(x.a, f, takes);
      const right = codeOf(x.b, f, takes);
      const pick = pickOf(f, x.node === "min", x.propagate === true);
      return left && right && ((a, b, c) => pick(left(a, b, c), right(a, b, c)));
    }
    case "signed": {
      const size = codeOf(x.a, f, takes);
      const negative = signsOf(x.negative, f, takes);
      const { signBit } = codes(f);
      return size && negative && ((a, b, c) => ((size(a, b, c) & (signBit - 1)) | (negative(a, b, c) & signBit)) >>> 0);
    }
    case "label":
      return codeOf(x.a, f, takes);
    default:
      return undefined;
  }
}

/** What an XOR of operands' sign bits is, at the place of the sign bit. */
function signsOf(x: Expression, f: Format, takes: readonly Argument[]): Code | undefined {
  if (x.node === "xor") {
    const left = signsOf(x.a, f, takes);
    const right = signsOf(x.b, f, takes);
    return left && right && ((a, b, c) => left(a, b, c) ^ right(a, b, c));
  }
  if (x.node !== "slice" || x.a.node !== "bits" || x.bits.node !== "integer" || x.bits.value !== 1n) return undefined;
  if (x.low.node !== "integer" || x.low.value !== BigInt(f.width - 1)) return undefined;
  return codeOf({ node: "argument", name: x.a.name }, f, takes);
}

function pickOf(f: Format, least: boolean, propagate: boolean): (a: number, b: number) => number {
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
function extremumOfF64({ of: x, ftz, sat, relu }: RoundResult, takes: readonly Argument[]): Scalar | undefined {
  if (ftz || sat || relu || (x.node !== "min" && x.node !== "max") || x.propagate) return undefined;
  const [left, right] = [floatOperand(x.a, takes), floatOperand(x.b, takes)];
  if (left?.format !== f64 || right?.format !== f64 || left.at !== 0 || right.at !== 1) return undefined;
  if (!isPlain(left) || !isPlain(right)) return undefined;
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

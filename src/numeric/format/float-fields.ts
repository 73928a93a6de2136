import { checkGiven } from "../../source/given.ts";
import { withoutZeros } from "../../source/suffix.ts";
import { type Exact, unpack } from "../exact/exact.ts";
import type { Format } from "./format.ts";

/** The fields of a value, as unsigned numbers; `exponent` is the true one of the significand's leading bit. */
export interface FloatFields {
  readonly kind: "zero" | "subnormal" | "normal" | "infinity" | "nan";
  readonly negative: boolean;
  readonly exponentField: number;
  readonly fractionField: bigint;
  /** The power of two of the unit before the point; a subnormal's is that of the smallest normal number. */
  readonly exponent: number;
}

/** What the bits of a format are made of. */
export function floatFields(f: Format, bits: bigint): FloatFields {
  checkBits("floatFields", f, bits);
  const code = bits >> BigInt(f.pad);
  const exponentField = Number((code >> BigInt(f.frac)) & ((1n << BigInt(f.exp)) - 1n));
  const fractionField = code & ((1n << BigInt(f.frac)) - 1n);
  const x = unpack(f, bits);
  const negative = f.sign === 1 && (code >> BigInt(f.exp + f.frac)) % 2n === 1n;
  const exponent = (f.frac > 0 ? Math.max(exponentField, 1) : exponentField) - f.bias;
  return { kind: kindOf(f, x, exponentField), negative, exponentField, fractionField, exponent };
}

/** The exact decimal expansion, every digit: `0.0999755859375`; `inf`, `-inf` and `nan` for what is no number. */
export function exactDecimal(f: Format, bits: bigint): string {
  checkBits("exactDecimal", f, bits);
  const x = unpack(f, bits);
  if (x.kind === "nan") return "nan";
  const sign = x.neg ? "-" : "";
  if (x.kind === "inf") return `${sign}inf`;
  if (x.exp >= 0) return `${sign}${x.sig << BigInt(x.exp)}.0`;
  // sig / 2^n is sig * 5^n / 10^n.
  const digits = (x.sig * 5n ** BigInt(-x.exp)).toString().padStart(1 - x.exp, "0");
  const fraction = withoutZeros(digits.slice(x.exp));
  return `${sign}${digits.slice(0, x.exp)}.${fraction || "0"}`;
}

/**
 * The codes of the next lower and next higher value, infinities included; undefined beyond them and for NaN. The
 * zeros are one value: below them lies the least subnormal with a minus, above them the one without.
 */
export function neighbours(
  f: Format,
  bits: bigint,
): { readonly below: bigint | undefined; readonly above: bigint | undefined } {
  checkBits("neighbours", f, bits);
  const x = unpack(f, bits);
  if (x.kind === "nan") return { below: undefined, above: undefined };
  const unit = 1n << BigInt(f.pad);
  const signBit = f.sign === 1 ? 1n << BigInt(f.exp + f.frac + f.pad) : 0n;
  const away = beyond(f, bits, unit);
  if (x.kind === "finite" && x.sig === 0n) return { below: signBit ? signBit | unit : undefined, above: unit };
  const toward = bits === 0n ? undefined : bits - unit;
  return x.neg ? { below: away, above: toward } : { below: toward, above: away };
}

function checkBits(of: string, f: Format, bits: bigint): void {
  checkGiven(of, "format", f, "format");
  checkGiven(of, "bits", bits, "bigint");
}

/** One step away from zero. */
function beyond(f: Format, bits: bigint, unit: bigint): bigint | undefined {
  const ones = (1n << BigInt(f.exp + f.frac + f.pad)) - 1n;
  if (((bits & ones) >> BigInt(f.pad)) + 1n > ones >> BigInt(f.pad)) return undefined;
  const next = bits + unit;
  const infinite = unpack(f, bits).kind === "inf";
  return infinite || unpack(f, next).kind === "nan" ? undefined : next;
}

function kindOf(f: Format, x: Exact, exponentField: number): FloatFields["kind"] {
  if (x.kind === "nan") return "nan";
  if (x.kind === "inf") return "infinity";
  if (x.sig === 0n) return "zero";
  return exponentField === 0 && f.frac > 0 ? "subnormal" : "normal";
}

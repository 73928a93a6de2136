import { bitLength, type Exact, type Finite, unpack } from "../../numeric/exact/exact.ts";
import { type Format, floatFields } from "../../numeric/index.ts";
import { withoutZeros } from "../../source/suffix.ts";
import { hex } from "../value.ts";
import { type Row, row } from "./row.ts";

/** Digits of a decimal before it is cut, and how many of them are then left. */
const MOST_DIGITS = 40;
const CUT_DIGITS = 20;

/** Bits of a format as its fields: `0|01111|1010010100`. */
export function fields(f: Format, bits: bigint): string {
  const { negative, exponentField, fractionField } = floatFields(f, bits);
  return [
    ...(f.sign === 1 ? [negative ? "1" : "0"] : []),
    exponentField.toString(2).padStart(f.exp, "0"),
    ...(f.frac === 0 ? [] : [fractionField.toString(2).padStart(f.frac, "0")]),
  ].join("|");
}

/** A value of a format: its fields, then its significand with the hidden bit, as a dyadic and as a decimal number. */
export function valueRows(label: string, f: Format, bits: bigint): Row[] {
  const value = { type: f.name, bits };
  return [row(label, `${f.name} ${hex(bits, f.width)}  ${fields(f, bits)}`, value), row("", meaning(f, bits))];
}

function meaning(f: Format, bits: bigint): string {
  const { kind, negative, exponent, fractionField } = floatFields(f, bits);
  const sign = negative ? "-" : "";
  if (kind === "nan") return "NaN";
  if (kind === "infinity") return `${sign}infinity`;
  if (kind === "zero") return `${sign}0`;
  const fraction = withoutZeros(fractionField.toString(2).padStart(f.frac, "0"));
  const significand = `${kind === "subnormal" ? "0" : "1"}.${f.frac === 0 || fraction === "" ? "0" : fraction}`;
  const x = unpack(f, bits);
  return `${sign}0b${significand} x 2^${exponent}${kind === "subnormal" ? " (subnormal)" : ""} = ${numbers(x)}`;
}

/** `421 x 2^-8 = 1.64453125`; only one of the two where they are the same. */
export function numbers(x: Exact): string {
  const decimal = decimalOf(x);
  if (x.kind !== "finite" || x.inexact) return decimal;
  const dyadic = dyadicOf(x);
  return dyadic === decimal ? decimal : `${dyadic} = ${decimal}`;
}

/** An odd integer times a power of two. */
export function dyadicOf(x: Finite): string {
  if (x.sig === 0n) return x.neg ? "-0" : "0";
  let [sig, exp] = [x.sig, x.exp];
  const zeros = bitLength(sig & -sig) - 1;
  sig >>= BigInt(zeros);
  exp += zeros;
  const sign = x.neg ? "-" : "";
  if (exp === 0) return sign + wholeOf(sig);
  return `${sign}${sig === 1n ? "" : `${wholeOf(sig)} x `}2^${exp}`;
}

/** A whole number: in decimal if that is short, else in hexadecimal, long runs of a digit as `[0 x 36]`. */
function wholeOf(sig: bigint): string {
  const digits = sig.toString();
  return digits.length <= MOST_DIGITS ? digits : `0x${runs(sig.toString(16))}`;
}

/** Digits with each long run of one of them shortened to `[0 x 125]`. */
export const runs = (digits: string): string =>
  digits.replace(/(.)\1{20,}/g, (run: string, digit: string) => `[${digit} x ${run.length}]`);

/** The decimal expansion: every digit if they are few, else as many as are certain and `...`. */
export function decimalOf(x: Exact): string {
  if (x.kind === "nan") return "NaN";
  const sign = x.neg ? "-" : "";
  if (x.kind === "inf") return `${sign}infinity`;
  if (x.sig === 0n) return `${sign}0`;
  const { digits, power } = decimal(x.sig, x.exp);
  if (!x.inexact && digits.length <= MOST_DIGITS) return sign + pointed(digits, power, "");
  const certain = x.inexact ? inCommon(digits, decimal(x.sig + 1n, x.exp).digits) : CUT_DIGITS;
  return sign + pointed(digits.padEnd(certain, "0").slice(0, certain), power, "...");
}

/** How many leading digits two neighbours share: those of every number between them. */
function inCommon(low: string, high: string): number {
  let at = 0;
  while (at < CUT_DIGITS && (low[at] ?? "0") === (high[at] ?? "0")) at += 1;
  return Math.max(at, 1);
}

/** sig * 2^exp as 0.digits * 10^power, without zeros at the end. */
function decimal(sig: bigint, exp: number): { readonly digits: string; readonly power: number } {
  const whole = exp >= 0 ? sig << BigInt(exp) : sig * 5n ** BigInt(-exp);
  const text = whole.toString();
  return { digits: withoutZeros(text), power: text.length - (exp < 0 ? -exp : 0) };
}

function pointed(digits: string, power: number, more: string): string {
  if (power > 21 || power < -6) {
    const [first = "0", rest] = [digits[0], digits.slice(1)];
    return `${first}${rest === "" ? "" : `.${rest}`}${more}e${power - 1}`;
  }
  if (power <= 0) return `0.${"0".repeat(-power)}${digits}${more}`;
  if (digits.length <= power && more === "") return digits.padEnd(power, "0");
  const full = digits.padEnd(power, "0");
  return `${full.slice(0, power)}.${full.slice(power) || "0"}${more}`;
}

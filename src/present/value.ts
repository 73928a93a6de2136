import { doubleOf, isElementType, roundedTo, toValue } from "../host/memory/element.ts";
import { type Format, f64 } from "../numeric/format/format.ts";
import { formatNamed, lanesOf } from "../numeric/format/value-type.ts";

/** Bits as `0x` and all digits of their width; a predicate as 0 or 1. */
export const hex = (bits: bigint, width: number): string =>
  width === 1 ? bits.toString() : `0x${bits.toString(16).padStart(width / 4, "0")}`;

/** The lanes of a value of a type, low bits first: two for `.f16x2`, one for a scalar. */
export function lanes(bits: bigint, type: string): { readonly type: string; readonly bits: bigint }[] {
  const packed = lanesOf(type);
  if (packed === undefined) return [{ type, bits }];
  const { count, width } = packed;
  return Array.from({ length: count }, (_, at) => ({
    type: packed.type,
    bits: BigInt.asUintN(width, bits >> BigInt(at * width)),
  }));
}

/**
 * The number that bits stand for in a type: exactly where that takes few digits, else in the shortest form that reads
 * back to the same bits. Lanes are in the order in which a VALUE takes them, and every NaN is `nan`. `.bN` is shown
 * unsigned.
 */
export function number(bits: bigint, type: string): string {
  const format = formatNamed(type);
  if (format !== undefined) return shortest(bits, format);
  const all = lanes(bits, type);
  if (all.length > 1) return all.map((lane) => number(lane.bits, lane.type)).join(", ");
  return isElementType(type) ? String(toValue(bits, type)) : bits.toString();
}

/** Digits that an exact value may have: 3.140625 says more of a bf16 than 3.14 does, and 0.10009765625 less than 0.1. */
const MOST_EXACT = 8;

function shortest(bits: bigint, format: Format): string {
  const value = doubleOf(bits, format);
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const digits = value.toExponential().replace(/e.*|[-.]/g, "").length;
  if (format === f64 || digits <= MOST_EXACT) return decimal(value);
  for (let digits = 1; digits < 17; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (roundedTo(rounded, format) === bits) return decimal(rounded);
  }
  return decimal(value);
}

/** A float always shows a point or an exponent. */
const decimal = (value: number): string => {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
};

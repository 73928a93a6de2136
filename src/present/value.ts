import { bytesOf, type ElementType, formatOf, fromValue, isElementType, toValue } from "../host/memory/element.ts";

/** Bits as `0x` and all digits of their width; a predicate as 0 or 1. */
export const hex = (bits: bigint, width: number): string =>
  width === 1 ? bits.toString() : `0x${bits.toString(16).padStart(width / 4, "0")}`;

/** The lanes of a value of a type, low bits first: two for `.f16x2`, one for a scalar. */
export function lanes(bits: bigint, type: string): { readonly type: string; readonly bits: bigint }[] {
  const packed = /^(.*)x(\d)$/.exec(type);
  const lane = packed?.[1] ?? "";
  if (packed === null || !isElementType(lane)) return [{ type, bits }];
  const width = bytesOf(lane) * 8;
  return Array.from({ length: Number(packed[2]) }, (_, index) => ({
    type: lane,
    bits: BigInt.asUintN(width, bits >> BigInt(index * width)),
  }));
}

/**
 * The number that bits stand for in a type, in the shortest form that reads back to the same bits: lanes in the order
 * in which a VALUE takes them, `nan` for every NaN. `.bN` is shown unsigned.
 */
export function number(bits: bigint, type: string): string {
  const all = lanes(bits, type);
  if (all.length > 1) return all.map((lane) => number(lane.bits, lane.type)).join(", ");
  if (!isElementType(type)) return bits.toString();
  const value = toValue(bits, type);
  const format = formatOf(type);
  if (format === undefined || typeof value === "bigint") return String(value);
  return shortest(value, bits, type);
}

/** The fewest digits that read back to the same bits. */
function shortest(value: number, bits: bigint, type: ElementType): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  if (type === "f64") return decimal(value);
  for (let digits = 1; digits < 17; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (roundTrips(rounded, bits, type)) return decimal(rounded);
  }
  return decimal(value);
}

const roundTrips = (value: number, bits: bigint, type: ElementType): boolean => fromValue(value, type) === bits;

/** A float always shows a point or an exponent. */
const decimal = (value: number): string => {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
};

import type { ConvertMode } from "./convert-mode.ts";
import { clampTo, type IntType, intWidth, isSigned, rangeOf, reader, reader64 } from "./integer.ts";
import type { Bits, Op } from "./op.ts";

/** An integer as another: extended by the sign of its own type, cut, or with `.sat` clamped. */
export function betweenIntegers(from: IntType, to: IntType, { sat }: ConvertMode): Op["js"] {
  const [wide, width] = [intWidth(from), intWidth(to)];
  if (wide < 64 && width < 64) {
    const read = reader(from);
    const up = 32 - width;
    const cut = (value: number): number => (value << up) >>> up;
    if (!sat) return (a: number) => cut(read(a));
    const [least, most] = rangeOf(to).map(Number) as [number, number];
    return (a: number) => cut(Math.min(Math.max(read(a), least), most));
  }
  if (wide < 64) {
    const read = reader(from);
    const least = sat && !isSigned(to) ? 0 : -(2 ** 31);
    return (a: number) => BigInt.asUintN(64, BigInt(Math.max(read(a), least)));
  }
  const clamp = sat ? clampTo(to) : undefined;
  const read = reader64(from);
  const cut = (a: bigint): bigint => BigInt.asUintN(width, clamp ? clamp(read(a)) : a);
  return width === 64 ? cut : (a: bigint) => Number(cut(a));
}

/** A whole number, or an infinity, as an integer of a type: clamped to its range. */
export function toInteger(to: IntType): (value: number) => Bits {
  const width = intWidth(to);
  const [least, most] = rangeOf(to);
  if (width < 64) {
    const [low, high] = [Number(least), Number(most)];
    const up = 32 - width;
    return (value) => (Math.min(Math.max(value, low), high) << up) >>> up;
  }
  const [low, end] = [Number(least), Number(most + 1n)];
  const lowest = BigInt.asUintN(64, least);
  return (value) => {
    if (value <= low) return lowest;
    return value >= end ? most : BigInt.asUintN(64, BigInt(value));
  };
}

/** A 64-bit integer as a double, rounded to odd: the last of 53 bits is 1 when any below it is. */
export function oddReader(from: IntType): (bits: bigint) => number {
  const unsigned = (bits: bigint): number => {
    const high = Number(bits >> 32n);
    const low = Number(bits & 0xffff_ffffn);
    if (high < 2 ** 21 || (low & 0x7ff) === 0) return high * 2 ** 32 + low;
    return high * 2 ** 32 + (((low & ~0x7ff) | 0x800) >>> 0);
  };
  if (!isSigned(from)) return unsigned;
  return (bits) => (bits >> 63n ? -unsigned((1n << 64n) - bits) : unsigned(bits));
}

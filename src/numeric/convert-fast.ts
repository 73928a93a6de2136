import { fromF64, readerOf, rounderToF32, toBf16, toF16, toF64 } from "./binary64/double.ts";
import { rounderTo } from "./binary64/narrow.ts";
import { betweenIntegers, oddReader, toInteger } from "./convert-integer.ts";
import { type ConvertMode, formatNamed, type NumberType } from "./convert-mode.ts";
import type { Rounding } from "./exact/exact.ts";
import { clampOf, flushOf } from "./format/effects.ts";
import { bf16, type Format, f16, f32, f64 } from "./format/format.ts";
import { nanAsF64, nanAsInteger } from "./format/nan.ts";
import { type IntType, intWidth, reader, reader64 } from "./integer.ts";
import type { Bits, Op } from "./op.ts";

type Take = (bits: Bits) => number;
type Put = (value: number) => Bits;

/**
 * Conversions by way of binary64, which holds every source but 64-bit integers; those come rounded to odd, after which
 * one more rounding into fewer than 52 bits is the only one that shows. Undefined where that does not do.
 */
export function fastConversion(from: NumberType, to: NumberType, mode: ConvertMode): Op["js"] | undefined {
  const source = formatNamed(from);
  const target = formatNamed(to);
  if (!source && !target) return betweenIntegers(from as IntType, to as IntType, mode);
  const { rnd, ftz, sat, relu } = mode;
  const bare = !ftz && !sat && !relu;
  if (source && source === target && bare && rnd === undefined) return (a: Bits) => a;
  if (source === bf16 && target === f32 && bare) return (a: number) => (a << 16) >>> 0;
  const take = source ? floatReader(source, ftz === true) : intReader(from as IntType, target!, rnd);
  const put = target ? floatWriter(target, mode) : toInteger(to as IntType);
  if (!take || !put) return undefined;
  const whole = source && wholes.get(rnd ?? (target ? "" : "rzi"));
  const clamp = target && clamped(mode);
  const nan = nanOf(source, to, target, mode);
  return (a: Bits) => {
    let value = take(a);
    if (Number.isNaN(value)) return nan(a);
    if (whole) value = whole(value);
    return put(clamp ? clamp(value) : value);
  };
}

function nanOf(source: Format | undefined, to: NumberType, target: Format | undefined, mode: ConvertMode) {
  if (!source) return () => 0;
  if (!target) {
    const nan = nanAsInteger(source, to as IntType);
    return () => (intWidth(to as IntType) === 64 ? nan : Number(nan));
  }
  if (target === f64) return mode.sat ? () => 0n : nanAsF64(source);
  const nan = clampOf(target, mode)(Number(target.nan));
  return () => nan;
}

function floatReader(f: Format, ftz: boolean): Take | undefined {
  if (f === f64) return fromF64 as Take;
  const read = readerOf(f);
  if (!read || !ftz || f !== f32) return read as Take | undefined;
  const flush = flushOf(f32);
  return (bits) => read(flush(bits as number));
}

function intReader(from: IntType, to: Format, rnd: ConvertMode["rnd"]): Take | undefined {
  if (intWidth(from) < 64) return reader(from) as Take;
  if (to !== f64) return oddReader(from) as Take;
  if (rnd !== "rn") return undefined;
  const read = reader64(from) as (bits: Bits) => bigint;
  return (bits) => Number(read(bits));
}

/** `.sat` and `.relu` on the value: no rounding crosses 0 or 1, since both are numbers of every format. */
function clamped({ sat, relu }: ConvertMode): ((value: number) => number) | undefined {
  if (sat) return (value) => (value > 0 ? Math.min(value, 1) : 0);
  return relu ? (value) => Math.max(value, 0) : undefined;
}

/** Values of 2^52 and more are whole; adding 2^52 rounds all others there. A zero keeps the sign of what it was. */
const nearest = (value: number): number => {
  if (!(Math.abs(value) < 2 ** 52)) return value;
  const rounded = value < 0 ? value - 2 ** 52 + 2 ** 52 : value + 2 ** 52 - 2 ** 52;
  return rounded === 0 ? value * 0 : rounded;
};
const wholes: ReadonlyMap<string, (value: number) => number> = new Map([
  ["rni", nearest],
  ["rzi", Math.trunc],
  ["rmi", Math.floor],
  ["rpi", Math.ceil],
]);

function floatWriter(to: Format, { rnd = "rn", ftz, satfinite }: ConvertMode): Put | undefined {
  const direction = (rnd === "rna" ? rnd : rnd.slice(0, 2)) as Rounding;
  if (to === f64) return (value) => toF64(value, f64.nan);
  if (to !== f32) {
    if (direction === "rn" && !satfinite && to === f16) return toF16;
    if (direction === "rn" && !satfinite && to === bf16) return toBf16;
    return direction === "rna" ? undefined : rounderTo(to, direction, satfinite);
  }
  const round = rounderToF32(direction);
  return round && ftz ? flushing(round) : round;
}

const SMALLEST_NORMAL = 2 ** -126;

/** Tiny is what would be below the smallest normal number if exponents had no end: 2^64 times it is asked (asm). */
function flushing(round: (value: number) => number): Put {
  const smallest = round(SMALLEST_NORMAL * 2 ** 64);
  return (value) => {
    if (Math.abs(value) >= SMALLEST_NORMAL) return round(value);
    const code = round(value * 2 ** 64);
    if ((code & 0x7fff_ffff) >= smallest) return round(value);
    return value < 0 || Object.is(value, -0) ? 0x8000_0000 : 0;
  };
}

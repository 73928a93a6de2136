import { rounderToF32, toBf16, toF16, toF64 } from "../binary64/double.ts";
import { rounderTo } from "../binary64/narrow.ts";
import type { Bits } from "../bits.ts";
import { clampOf } from "../format/effects.ts";
import { bf16, type Format, f16, f32, f64 } from "../format/format.ts";
import type { Expression, RoundResult } from "../operation/expression.ts";
import type { Argument, Operation, Result } from "../operation/operation.ts";
import { formatOf, numberOf, rangeOf, type TypeName, widthOf } from "../operation/type.ts";
import { type FloatOperand, floatOperand, placed, valueReader } from "./operand.ts";
import type { Scalar, ScalarRule } from "./rule.ts";

/**
 * Conversions by way of binary64, which holds every source but 64-bit integers; those are first rounded to odd, so that
 * one more rounding into fewer than 52 bits gives the right result. Undefined where that does not suffice.
 */

type Take = (bits: Bits) => number;
type Put = (value: number) => Bits;

/** A float, or a float rounded to an integer, or an integer, into a float format. */
export const toFloat: ScalarRule = ({ takes, result }) => {
  if (result.into !== "round" || result.rnd === "rs") return undefined;
  const source = sourceOf(result.of, takes);
  if (source === undefined) return undefined;
  const format = formatOf(result.format);
  const take = source.operand ? valueReader(source.operand) : integerReader(source.type, format, result.rnd);
  const put = floatWriter(format, result);
  if (!take || !put) return undefined;
  const clamp = clamped(result);
  const { whole } = source;
  const nan = format === f64 ? (result.sat ? 0n : f64.nan) : clampOf(format, result)(Number(format.nan));
  const js = (a: Bits): Bits => {
    let value = take(a);
    if (Number.isNaN(value)) return nan;
    if (whole) value = whole(value);
    return put(clamp ? clamp(value) : value);
  };
  if (!result.pzo) return placed(js, [source.at]);
  const positive = clampOf(format, { pzo: true });
  return format === f64 ? undefined : placed((a: Bits): Bits => positive(js(a) as number), [source.at]);
};

/** An integer as another: extended by the sign of its own type, cut, or clamped. */
export const betweenIntegers: ScalarRule = ({ takes, result }) => {
  if ((result.into !== "wrap" && result.into !== "clamp") || result.of.node !== "argument") return undefined;
  const source = sourceOf(result.of, takes);
  if (source === undefined || source.operand) return undefined;
  const width = widthOf(result.type);
  const wide = widthOf(source.type);
  if (width > 64 || wide > 64) return undefined;
  const [least, most] = rangeOf(result.type);
  const clamps = result.into === "clamp";
  if (wide < 64) {
    const read = integerReader(source.type, f32, "rn") as Take;
    const [low, high] = clamps ? [Number(least), Number(most)] : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
    const up = 32 - width;
    if (width === 64) return placed((a: Bits): Bits => BigInt.asUintN(64, BigInt(Math.max(read(a), low))), [source.at]);
    if (!clamps) return placed((a: Bits): Bits => (read(a) << up) >>> up, [source.at]);
    return placed((a: Bits): Bits => (Math.min(Math.max(read(a), low), high) << up) >>> up, [source.at]);
  }
  const signed = source.type.startsWith("s");
  const read = signed ? (a: bigint): bigint => BigInt.asIntN(64, a) : (a: bigint): bigint => a;
  const cut = (a: bigint): bigint => BigInt.asUintN(width, a);
  const clamp = (a: bigint): bigint => (a < least ? least : a > most ? most : a);
  const whole = clamps ? (a: bigint): bigint => cut(clamp(read(a))) : cut;
  return placed(width === 64 ? whole : (a: bigint): Bits => Number(whole(a)), [source.at]);
};

/** A float rounded to an integer, into an integer type; never used on a NaN. */
export const toInteger: ScalarRule = ({ takes, result }) => {
  const [take, whole, put, at] = integerParts(result, takes) ?? [];
  if (!take || !whole || !put) return undefined;
  return placed((a: Bits): Bits => put(whole(take(a))), [at!]);
};

/** The same with a choice for NaN: both share one test of the operand. */
export const toIntegerOrNan: ScalarRule = ({ takes, result, gives }, lower) => {
  if (result.into !== "choose" || result.when.node !== "is" || result.when.property !== "notanumber") return undefined;
  const asked = floatOperand(result.when.a, takes);
  const [take, whole, put, at] = integerParts(result.no, takes) ?? [];
  if (!take || !whole || !put || asked?.at !== at) return undefined;
  const ofNan = lower({ takes, gives, result: result.yes });
  const js = (a: Bits, b: Bits, c: Bits): Bits => {
    const value = take(at === 0 ? a : at === 1 ? b : c);
    return Number.isNaN(value) ? ofNan(a, b, c) : put(whole(value));
  };
  return (at ?? 3) < 3 ? (js as Scalar) : undefined;
};

function integerParts(result: Result, takes: readonly Argument[]): readonly [Take, Whole, Put, number] | undefined {
  if (result.into !== "clamp") return undefined;
  const source = sourceOf(result.of, takes);
  if (source?.operand === undefined || source.whole === undefined) return undefined;
  const take = valueReader(source.operand);
  return take && [take, source.whole, integerWriter(result.type), source.at];
}

interface Source {
  readonly at: number;
  readonly type: TypeName;
  /** Of a float. */
  readonly operand?: FloatOperand;
  /** What rounds it to an integer first. */
  readonly whole?: Whole | undefined;
}

function sourceOf(x: Expression, takes: readonly Argument[]): Source | undefined {
  if (x.node === "label") return sourceOf(x.a, takes);
  const rounded = x.node === "integral" ? x : undefined;
  const whole = rounded && wholes.get(rounded.rnd);
  if (rounded && !whole) return undefined;
  const operand = floatOperand(rounded?.a ?? x, takes);
  if (operand !== undefined) return { at: operand.at, type: operand.type, operand, whole };
  if (x.node !== "argument") return undefined;
  const at = takes.findIndex(({ name }) => name === x.name);
  const type = takes[at]?.type;
  return type === undefined || type === "pred" || widthOf(type) > 64 ? undefined : { at, type };
}

function integerReader(from: TypeName, to: Format, rnd: RoundResult["rnd"]): Take | undefined {
  const width = widthOf(from);
  const signed = from.startsWith("s");
  if (width < 64) {
    const up = 32 - width;
    return (signed ? (bits: number) => (bits << up) >> up : (bits: number) => (bits << up) >>> up) as Take;
  }
  if (to !== f64) return oddReader(signed) as Take;
  if (rnd !== "rn") return undefined;
  return (bits) => Number(numberOf(from, bits as bigint));
}

/** A 64-bit integer as a double, rounded to odd: the last of 53 bits is 1 when any below it is. */
function oddReader(signed: boolean): (bits: bigint) => number {
  const unsigned = (bits: bigint): number => {
    const high = Number(bits >> 32n);
    const low = Number(bits & 0xffff_ffffn);
    if (high < 2 ** 21 || (low & 0x7ff) === 0) return high * 2 ** 32 + low;
    return high * 2 ** 32 + (((low & ~0x7ff) | 0x800) >>> 0);
  };
  if (!signed) return unsigned;
  return (bits) => (bits >> 63n ? -unsigned((1n << 64n) - bits) : unsigned(bits));
}

/** `.sat` and `.relu` on the value: no rounding crosses 0 or 1, since both are numbers of every format. */
function clamped({ sat, relu }: RoundResult): ((value: number) => number) | undefined {
  if (sat) return (value) => (value > 0 ? Math.min(value, 1) : 0);
  return relu ? (value) => Math.max(value, 0) : undefined;
}

type Whole = (value: number) => number;

/** Values of 2^52 and more are whole; adding 2^52 rounds all others there. A zero keeps the sign of what it was. */
const nearest: Whole = (value) => {
  if (!(Math.abs(value) < 2 ** 52)) return value;
  const rounded = value < 0 ? value - 2 ** 52 + 2 ** 52 : value + 2 ** 52 - 2 ** 52;
  return rounded === 0 ? value * 0 : rounded;
};
const wholes: ReadonlyMap<string, Whole> = new Map([
  ["rn", nearest],
  ["rz", Math.trunc],
  ["rm", Math.floor],
  ["rp", Math.ceil],
]);

function floatWriter(to: Format, { rnd, ftz, satfinite }: RoundResult): Put | undefined {
  if (rnd === "rs") return undefined;
  if (to === f64) return ftz || satfinite || rnd !== "rn" ? undefined : (value) => toF64(value, f64.nan);
  if (to !== f32) {
    if (ftz) return undefined;
    if (rnd === "rn" && !satfinite && to === f16) return toF16;
    if (rnd === "rn" && !satfinite && to === bf16) return toBf16;
    return rnd === "rna" || to.frac > 20 ? undefined : rounderTo(to, rnd, satfinite);
  }
  if (satfinite) return undefined;
  const round = rounderToF32(rnd);
  return round && ftz ? flushing(round) : round;
}

const SMALLEST_NORMAL = 2 ** -126;

/** Tiny: below the smallest normal number with unbounded exponents, tested at 2^64 times it (grade ptxas). */
function flushing(round: (value: number) => number): Put {
  const smallest = round(SMALLEST_NORMAL * 2 ** 64);
  return (value) => {
    if (Math.abs(value) >= SMALLEST_NORMAL) return round(value);
    const code = round(value * 2 ** 64);
    if ((code & 0x7fff_ffff) >= smallest) return round(value);
    return value < 0 || Object.is(value, -0) ? 0x8000_0000 : 0;
  };
}

/** A whole number, or an infinity, as an integer of a type: clamped to its range. */
function integerWriter(to: TypeName): Put {
  const width = widthOf(to);
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

/** cvt.rs: `chance` is added below the last place, and what is then below it is cut. */
export const byChance: ScalarRule = (operation, lower) => {
  const { takes, result } = operation;
  if (result.into !== "round" || result.rnd !== "rs" || result.ftz || result.sat || !result.chance) return undefined;
  const operand = floatOperand(result.of, takes);
  const format = formatOf(result.format);
  const value = operand?.format === f32 ? valueReader(operand) : undefined;
  if (!operand || !value || format.frac > 10 || result.chance.bits > 16) return undefined;
  const drawn = lower(chanceOf(takes, result.chance.of));
  const unit = 2 ** -result.chance.bits;
  const round = rounderTo(format, "rs", result.satfinite);
  const clamp = clampOf(format, result);
  const nan = clamp(Number(format.nan));
  if (operand.at !== 0) return undefined;
  return (a, b, c) => {
    const x = value(a!);
    return Number.isNaN(x) ? nan : clamp(round(x, (drawn(a!, b!, c!) as number) * unit));
  };
};

/** The chance alone, a number of up to 16 bits. */
const chanceOf = (takes: readonly Argument[], of: Expression): Operation => ({
  takes,
  gives: "u16",
  result: { into: "wrap", type: "u16", of },
});

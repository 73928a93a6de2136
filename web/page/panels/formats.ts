import { fromBits, toBits } from "../../../src/numeric/format/convert-number.ts";
import { exactDecimal, floatFields, neighbours } from "../../../src/numeric/format/float-fields.ts";
import type { Format } from "../../../src/numeric/format/format.ts";
import { formatNamed, lanesOf, widthOf } from "../../../src/numeric/format/value-type.ts";
import { hex, number } from "../../../src/present/value.ts";

/** A way to read bits: numbers of one kind beside each other, the first in the lowest bits. */
export interface Reading {
  readonly name: string;
  /** Of each number, bits. */
  readonly width: number;
  readonly count: number;
  /** Undefined for integers. */
  readonly format: Format | undefined;
  readonly signed: boolean;
}

/** By width, the readings of a register. */
const names: Readonly<Record<number, string>> = {
  8: "u8 s8 e4m3 e5m2 e2m1x2",
  16: "u16 s16 f16 bf16 e4m3x2 e5m2x2 u8x2",
  32: "u32 s32 f32 tf32 f16x2 bf16x2 u16x2 e4m3x4 e5m2x4 u8x4",
  64: "u64 s64 f64 f32x2 u32x2 f16x4 bf16x4",
  128: "u128 s128 f64x2 u64x2 f32x4 u32x4",
};

/** All readings of a width. */
export const readings = (width: number): readonly Reading[] => (names[width] ?? `u${width}`).split(" ").map(readingOf);

function readingOf(name: string): Reading {
  const { type, count, width } = lanesOf(name) ?? { type: name, count: 1, width: widthOf(name) };
  return { name, width, count, format: formatNamed(type), signed: type.startsWith("s") };
}

/** The bits of one of the numbers. */
export const laneOf = ({ width }: Reading, bits: bigint, lane: number): bigint =>
  BigInt.asUintN(width, bits >> BigInt(lane * width));

/** Other bits in place of one of the numbers. */
export function withLane({ width }: Reading, bits: bigint, lane: number, own: bigint): bigint {
  const shift = BigInt(lane * width);
  return (bits & ~(((1n << BigInt(width)) - 1n) << shift)) | (BigInt.asUintN(width, own) << shift);
}

/** One number in few digits that read back to the same bits. */
export function short({ format, signed, width }: Reading, bits: bigint): string {
  if (format === undefined) return String(signed ? BigInt.asIntN(width, bits) : bits);
  return number(bits, format.name);
}

/** All numbers, as an input takes them: the one in the lowest bits first. */
export const texts = (reading: Reading, bits: bigint): string =>
  Array.from({ length: reading.count }, (_, lane) => short(reading, laneOf(reading, bits, lane))).join(", ");

/** Bits of numbers as somebody has typed them; undefined where one is none, or an integer is too large. */
export function parsed(reading: Reading, text: string): bigint | undefined {
  const each = text.split(",").map((part) => part.trim());
  if (each.length !== reading.count) return undefined;
  let bits = 0n;
  for (const [lane, part] of each.entries()) {
    const own = parsedLane(reading, part);
    if (own === undefined) return undefined;
    bits = withLane(reading, bits, lane, own);
  }
  return bits;
}

function parsedLane({ format, width }: Reading, text: string): bigint | undefined {
  try {
    if (format !== undefined) return toBits(format, text);
    const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text);
    const least = -(1n << BigInt(width - 1));
    return text === "" || value < least || value >> BigInt(width) > 0n ? undefined : BigInt.asUintN(width, value);
  } catch {
    return undefined;
  }
}

/** What there is to say of a number of a floating-point format. */
export interface FloatFacts {
  readonly exact: string;
  /** `-0x1.8p+3`; undefined for what is no number. */
  readonly hex: string | undefined;
  /** `normal`, `quiet NaN, payload 0x1`. */
  readonly kind: string;
  /** What each field means: `-`, `128 - 127 = 1`, `1.5`. */
  readonly sign: string;
  readonly exponent: string;
  readonly significand: string;
  readonly below: bigint | undefined;
  readonly above: bigint | undefined;
  /** From here to the neighbours, as powers of two. */
  readonly down: string | undefined;
  readonly up: string | undefined;
}

/** Everything about a number of a format. */
export function factsOf(format: Format, bits: bigint): FloatFacts {
  const { kind, negative, exponent, exponentField, fractionField } = floatFields(format, bits);
  const sign = negative ? "-" : "+";
  const { below, above } = neighbours(format, bits);
  const isNumber = kind !== "nan" && kind !== "infinity";
  const digits = Math.ceil(format.frac / 4);
  const nibbles = (fractionField << BigInt(digits * 4 - format.frac)).toString(16).padStart(digits, "0");
  const fraction = digits === 0 ? "" : nibbles.replace(/0+$/, "");
  const lead = kind === "normal" ? "1" : "0";
  const power = kind === "zero" ? 0 : exponent;
  const significand = Number(fractionField) / 2 ** format.frac + Number(lead);
  return {
    exact: exactDecimal(format, bits),
    hex: isNumber
      ? `${negative ? "-" : ""}0x${lead}${fraction === "" ? "" : `.${fraction}`}p${power < 0 ? "" : "+"}${power}`
      : undefined,
    kind: kind === "nan" ? nanOf(format, fractionField) : kind,
    sign,
    exponent: isNumber
      ? `2^${exponent}${kind === "normal" ? ` (${exponentField} − ${format.bias})` : ""}`
      : `${exponentField}, all ones`,
    significand: isNumber ? `${significand}` : hex(fractionField, digits * 4),
    below,
    above,
    down: distance(format, below, bits),
    up: distance(format, bits, above),
  };
}

function nanOf({ specials, frac }: Format, fraction: bigint): string {
  if (specials !== "ieee") return "NaN";
  const quiet = 1n << BigInt(frac - 1);
  const payload = fraction & (quiet - 1n);
  return `${fraction & quiet ? "quiet" : "signaling"} NaN, payload 0x${payload.toString(16)}`;
}

/** The difference of neighbours is a power of two, and one of double precision. */
function distance(format: Format, low: bigint | undefined, high: bigint | undefined): string | undefined {
  if (low === undefined || high === undefined) return undefined;
  const between = fromBits(format, high) - fromBits(format, low);
  return Number.isFinite(between) && between > 0 ? `2^${Math.round(Math.log2(between))}` : undefined;
}

import type { HostSpace } from "../../../../src/interp/contract/space.ts";
import { readNumber } from "../../../../src/launch/value/number.ts";
import { type Exact, round, unpack } from "../../../../src/numeric/exact/exact.ts";
import type { Format } from "../../../../src/numeric/format/format.ts";
import { formatNamed, widthOf } from "../../../../src/numeric/format/value-type.ts";

/** The result of an expression: bits, and the type that says what they mean. */
export interface ExpressionValue {
  readonly bits: bigint;
  readonly type: string;
  /** A vISA variable: so many elements of the type, the first one lowest. */
  readonly elements?: number;
  /** A literal as it was written; it adopts the float type of the other operand. */
  readonly literal?: string;
  /** Computed, without a register's width: shown without leading zeros. */
  readonly calculated?: true;
  /** The address of something in this space. */
  readonly space?: HostSpace;
  /** The type of what lies at the address. */
  readonly of?: string;
}

/**
 * The floating-point format of a type; undefined for integers, and for packed floats, which expressions treat as bits.
 */
export const floatOf = (type: string): Format | undefined => formatNamed(type);

/** The bits of each element. */
export const elementsIn = ({ bits, type, elements = 1 }: ExpressionValue): readonly bigint[] =>
  Array.from({ length: elements }, (_, at) => BigInt.asUintN(widthIn(type), bits >> BigInt(at * widthIn(type))));

export const widthIn = (type: string): number => widthOf(type);

const signed = (type: string): boolean => type.startsWith("s");

/** The integer that the bits of an integer type represent. */
export const integerOf = ({ bits, type }: ExpressionValue): bigint =>
  signed(type) ? BigInt.asIntN(widthIn(type), bits) : bits;

/** An integer as expressions compute with it: 64 bits that wrap. */
export const integer = (value: bigint, unsigned = false): ExpressionValue => ({
  bits: BigInt.asUintN(64, value),
  type: unsigned ? "u64" : "s64",
  calculated: true,
});

export const truth = (holds: boolean): ExpressionValue => ({ bits: holds ? 1n : 0n, type: "pred" });

/** As a condition: anything but zero holds, NaN included. */
export function holds(value: ExpressionValue): boolean {
  const format = floatOf(value.type);
  if (format === undefined) return value.bits !== 0n;
  const exact = unpack(format, value.bits);
  return exact.kind !== "finite" || exact.sig !== 0n;
}

/** The exact number. */
export function exactOf(value: ExpressionValue): Exact {
  const format = floatOf(value.type);
  if (format !== undefined) return unpack(format, value.bits);
  const whole = integerOf(value);
  return { kind: "finite", neg: whole < 0n, sig: whole < 0n ? -whole : whole, exp: 0 };
}

/**
 * The value in another type: floats rounded to nearest even, a float cut toward zero to an integer, and integers
 * wrapped to the width. Infinity and NaN become 0.
 */
export function convert(value: ExpressionValue, type: string): bigint {
  if (value.type === type) return value.bits;
  const width = widthIn(type);
  const to = floatOf(type);
  const from = floatOf(value.type);
  if (type === "pred") return holds(value) ? 1n : 0n;
  if (to === undefined && from === undefined) return BigInt.asUintN(width, integerOf(value));
  if (to !== undefined) return written(value, type) ?? round(to, "rn", exactOf(value));
  return BigInt.asUintN(width, whole(exactOf(value)));
}

/** A decimal literal in a narrower format, rounded once. */
function written({ literal, type: from }: ExpressionValue, type: string): bigint | undefined {
  if (literal === undefined || from !== "f64" || floatOf(type) === undefined) return undefined;
  const reading = readNumber(literal, type);
  return "bits" in reading ? reading.bits : undefined;
}

/** A number truncated to an integer. */
function whole(exact: Exact): bigint {
  if (exact.kind !== "finite") return 0n;
  const size = exact.exp >= 0 ? exact.sig << BigInt(exact.exp) : exact.sig >> BigInt(-exact.exp);
  return exact.neg ? -size : size;
}

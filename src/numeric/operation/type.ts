import { type Exact, unpack } from "../exact/exact.ts";
import type { Format } from "../format/format.ts";
import { formatsByType } from "../format/named.ts";

/** Bits that integers may have (5.2.1). A new width is one entry here (tests/unit/numeric/one-width.test.ts). */
export const integerWidths = [8, 16, 32, 64] as const;
export type IntegerWidth = (typeof integerWidths)[number];

/** Integers with sign (`s`) and without (`u`), bits without a meaning of their own (`b`). */
export type IntegerName = `${"u" | "s"}${IntegerWidth}`;
export type BitsName = `b${IntegerWidth | 128}`;
export type FloatName = keyof typeof formatsByType;

/** What the bits of an operand or of a result mean, by the manual's name; `pred` is a predicate, 0 or 1. */
export type TypeName = IntegerName | BitsName | FloatName | "pred";

/** The format that a float type names. */
export const formatOf = (type: FloatName): Format => formatsByType[type];

export const isFloat = (type: TypeName): type is FloatName => type in formatsByType;
export const isSignedType = (type: TypeName): boolean => !isFloat(type) && type.startsWith("s");

/** How wide a value is, in bits; 1 is a predicate. */
export type Width = 1 | IntegerWidth | 128;

/** The types of a width. */
export const integersOf = <W extends IntegerWidth>(width: W) => [`b${width}`, `u${width}`, `s${width}`] as const;

/** Bits of a value of the type, as a register holds it: 8 for the formats of 4 and 6 bits. */
export function widthOf(type: TypeName): Width {
  if (type === "pred") return 1;
  return isFloat(type) ? (formatOf(type).width as Width) : (Number(type.slice(1)) as Width);
}

/** A number with nothing lost: an integer without bounds, or a real with the infinities and NaN. */
export type Value = bigint | Exact;

/** What bits mean: a float is a real, everything else an integer. Bits above the type's width are not looked at. */
export function numberOf(type: TypeName, bits: bigint): Value {
  if (isFloat(type)) return unpack(formatOf(type), bits);
  const width = widthOf(type);
  return isSignedType(type) ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
}

/** The least and the greatest number of an integer or bits type. */
export function rangeOf(type: TypeName): readonly [least: bigint, greatest: bigint] {
  const width = BigInt(widthOf(type));
  return isSignedType(type) ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n];
}

import { type Exact, unpack } from "../exact/exact.ts";
import {
  bf16,
  e2m1,
  e2m3,
  e3m2,
  e4m3,
  e5m2,
  type Format,
  f16,
  f32,
  f64,
  f64Upper,
  tf32,
  ue8m0,
  visaFormats,
} from "../format/format.ts";

/** Integers with sign (`s`) and without (`u`), bits without a meaning of their own (`b`). */
export type IntegerName = `${"u" | "s"}${8 | 16 | 32 | 64}`;
export type BitsName = `b${8 | 16 | 32 | 64 | 128}`;
export type FloatName =
  | "f16" | "bf16" | "f32" | "f64" | "tf32"
  | "e5m2" | "e4m3" | "e3m2" | "e2m3" | "e2m1" | "ue8m0"
  | "f64.upper" | "visa.hf" | "visa.bf" | "visa.f" | "visa.df"; // biome-ignore format: by width

/** What the bits of an operand or of a result mean, by the manual's name; `pred` is a predicate, 0 or 1. */
export type TypeName = IntegerName | BitsName | FloatName | "pred";

const floats: Readonly<Record<FloatName, Format>> = {
  f16,
  bf16,
  f32,
  f64,
  tf32,
  e5m2,
  e4m3,
  e3m2,
  e2m3,
  e2m1,
  ue8m0,
  "f64.upper": f64Upper,
  "visa.hf": visaFormats.hf,
  "visa.bf": visaFormats.bf,
  "visa.f": visaFormats.f,
  "visa.df": visaFormats.df,
};

/** The format that a float type names. */
export const formatOf = (type: FloatName): Format => floats[type];

export const isFloat = (type: TypeName): type is FloatName => type in floats;
export const isSignedType = (type: TypeName): boolean => !isFloat(type) && type.startsWith("s");

/** How wide a value is, in bits; 1 is a predicate. */
export type Width = 1 | 8 | 16 | 32 | 64 | 128;

/** Bits of a value of the type, as a register holds it: 8 for the formats of 4 and 6 bits. */
export function widthOf(type: TypeName): Width {
  if (type === "pred") return 1;
  return isFloat(type) ? (floats[type].width as Width) : (Number(type.slice(1)) as Width);
}

/** A number with nothing lost: an integer without bounds, or a real with the infinities and NaN. */
export type Value = bigint | Exact;

/** What bits mean: a float is a real, everything else an integer. Bits above the type's width are not looked at. */
export function numberOf(type: TypeName, bits: bigint): Value {
  if (isFloat(type)) return unpack(floats[type], bits);
  const width = widthOf(type);
  return isSignedType(type) ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
}

/** The least and the greatest number of an integer or bits type. */
export function rangeOf(type: TypeName): readonly [least: bigint, greatest: bigint] {
  const width = BigInt(widthOf(type));
  return isSignedType(type) ? [-(1n << (width - 1n)), (1n << (width - 1n)) - 1n] : [0n, (1n << width) - 1n];
}

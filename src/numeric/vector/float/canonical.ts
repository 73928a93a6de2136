import { constant32, type VectorMaker } from "../maker.ts";
import type { Vector, Wide } from "../vector.ts";

// Arithmetic of PTX returns one NaN; that of WebAssembly may return any. Operations that read a number ignore the bits
// of a NaN, so they may read the value before it was made canonical.

const POSITIVE = 0x7fff_ffff;

/** Numbers of f32, with every NaN made 0x7fffffff. */
export function canonical32(of: Vector, make: VectorMaker): Vector {
  // The largest integer where it is a NaN, else the smallest.
  const floor = make.xor(make.op("f32x4.eq", of, of), make.all32(POSITIVE));
  return make.op("i32x4.max_s", of, floor);
}

/** `of` before it was made canonical, for uses in which the bits of a NaN do not matter. */
export function anyNan32(of: Vector): Vector {
  if (of.node !== "op" || of.name !== "i32x4.max_s") return of;
  const [inner, floor] = of.parts;
  if (inner === undefined || floor?.node !== "op" || floor.name !== "v128.xor") return of;
  const [same, mask] = floor.parts;
  if (mask === undefined || constant32(mask) !== POSITIVE || same?.node !== "op" || same.name !== "f32x4.eq") return of;
  return same.parts.every((part) => part === inner) ? inner : of;
}

/** Numbers of f64, with 0xfff8000000000000 for every NaN. */
export const canonical64 = ([first, second]: Wide, make: VectorMaker): Wide => [
  canonicalHalf(first, make),
  canonicalHalf(second, make),
];

function canonicalHalf(of: Vector, make: VectorMaker): Vector {
  const nan = make.op("f64x2.ne", of, of);
  return make.or(make.op("v128.andnot", of, nan), make.shift("i64x2.shl", nan, 51));
}

/** A value before it was made canonical, for uses in which the bits of a NaN do not matter. */
export const anyNan64 = ([first, second]: Wide): Wide => [anyNanHalf(first), anyNanHalf(second)];

function anyNanHalf(of: Vector): Vector {
  if (of.node !== "op" || of.name !== "v128.or") return of;
  const [kept, bits] = of.parts;
  if (kept?.node !== "op" || kept.name !== "v128.andnot" || bits?.node !== "shift" || bits.by !== 51) return of;
  const [inner, nan] = kept.parts;
  if (inner === undefined || nan?.node !== "op" || nan.name !== "f64x2.ne" || bits.of !== nan) return of;
  return nan.parts.every((part) => part === inner) ? inner : of;
}

import { largest, type Rounding } from "../../exact/exact.ts";
import { codes, type Format, f32 } from "../../format/format.ts";
import type { RoundResult } from "../../operation/expression.ts";
import { formatRoundedInto } from "../../operation/rounding.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";
import { flushedF32, normalAsF32 } from "./widen.ts";

/** In which direction sizes are rounded, or what is added below the last place before the rest is cut. */
interface Way {
  readonly rnd: Rounding | "rs";
  /** Of `rs`: a number of `bits` bits for each lane. */
  readonly chance?: { readonly of: Vector; readonly bits: number };
}

/** What is added to the bits of a size so that cutting the lowest of them rounds. */
function increment({ rnd, chance }: Way, below: number, number: Vector, size: Vector, make: VectorMaker): Vector {
  const all = make.all32(2 ** below - 1);
  switch (rnd) {
    case "rn": {
      const last = make.and(make.shift("i32x4.shr_u", size, below), make.all32(1));
      return make.op("i32x4.add", last, make.all32(2 ** (below - 1) - 1));
    }
    case "rna":
      return make.all32(2 ** (below - 1));
    case "rz":
      return make.all32(0);
    case "rm":
      return make.and(all, make.shift("i32x4.shr_s", number, 31));
    case "rp":
      return make.op("v128.andnot", all, make.shift("i32x4.shr_s", number, 31));
    case "rs":
      return chance ? make.shift("i32x4.shl", chance.of, below - chance.bits) : make.all32(0);
  }
}

const INFINITY = 0x7f80_0000;

/** Sizes of f32 as codes of a format with fewer exponents, whose subnormal numbers are steps of one size. */
function rebiased(f: Format, way: Way, number: Vector, size: Vector, make: VectorMaker): Vector | undefined {
  if (f.pad > 0 || way.rnd === "rna") return undefined;
  const below = 23 - f.frac;
  const rebias = (f32.bias - f.bias) * 2 ** 23;
  const sum = make.op("i32x4.add", size, increment(way, below, number, size, make));
  const normal = make.shift("i32x4.shr_u", make.op("i32x4.sub", sum, make.all32(rebias)), below);
  const isSmall = make.op("i32x4.lt_s", size, make.all32(rebias + 2 ** 23));
  const code = make.choose(isSmall, steps(f, way, number, size, make), normal);
  return make.op("i32x4.min_u", code, greatest(f, way, number, size, make));
}

/** How many of its smallest numbers a size of a format is. */
function steps(f: Format, { rnd, chance }: Way, number: Vector, size: Vector, make: VectorMaker): Vector {
  // A power of two, from its exponent.
  const power = (exponent: number): Vector => make.all32((f32.bias + exponent) * 2 ** 23);
  const times = (of: Vector, exponent: number): Vector => make.op("f32x4.mul", of, power(exponent));
  const exponent = f.bias - 1 + f.frac;
  // From 2^23 on the step of f32 is 1: a sum is rounded there, and its fraction counts.
  const counted = (whole: Vector, unit: Vector): Vector =>
    make.op("i32x4.sub", make.op("f32x4.add", whole, unit), unit);
  switch (rnd) {
    case "rn":
    case "rna":
      return counted(size, power(23 - exponent));
    case "rz":
      return counted(make.op("f32x4.trunc", times(size, exponent)), power(23));
    case "rm":
      return counted(make.op("f32x4.abs", make.op("f32x4.floor", times(number, exponent))), power(23));
    case "rp":
      return counted(make.op("f32x4.abs", make.op("f32x4.ceil", times(number, exponent))), power(23));
    case "rs": {
      // In units of the chance; what lies below them has no effect.
      const { of, bits } = chance ?? { of: make.all32(0), bits: 0 };
      const units = make.op("i32x4.trunc_sat_f32x4_s", times(size, exponent + bits));
      return make.shift("i32x4.shr_u", make.op("i32x4.add", units, of), bits);
    }
  }
}

/** The greatest code that a number may become, without sign: the infinity, or the NaN in its place, or what comes before. */
function greatest(f: Format, { rnd }: Way, number: Vector, size: Vector, make: VectorMaker): Vector {
  const most = make.all32(Number(largest(f)));
  if (f.finite || f.specials === "none") return most;
  if (rnd === "rn" || rnd === "rs") return make.all32(Number(largest(f)) + 1);
  const endless = make.op("i32x4.eq", size, make.all32(INFINITY));
  if (rnd === "rz") return make.op("i32x4.sub", most, endless);
  const negative = make.shift("i32x4.shr_s", number, 31);
  const away = rnd === "rm" ? negative : make.not(negative);
  return make.op("i32x4.sub", most, make.or(endless, away));
}

const SIZE = 0x7fff_ffff;
const ONE = 0x3f80_0000;

/**
 * Numbers of f32 as codes of a format with at most 10 bits of fraction, rounded once, with all that modifiers do. But for
 * `rs` the numbers may be rounded to odd before: then nothing but this rounding shows. Undefined where there is no way.
 */
export function narrowed(
  result: RoundResult,
  number: Vector,
  make: VectorMaker,
  chance?: Way["chance"],
): Vector | undefined {
  const { rnd, ftz, sat, relu, pzo } = result;
  const f = formatRoundedInto(result);
  if (f.frac > 10 || (rnd === "rs" && chance === undefined)) return undefined;
  if (ftz && f.tininess === "after" && (rnd !== "rn" || f.bias !== f32.bias)) return undefined;
  if (f.frac === 0) return powerOfTwo(result, f, number, make);
  // With a sign, a NaN in the place of an infinity would get that of the number.
  if (f.specials === "nan-only" && f.sign === 1 && !f.finite) return undefined;
  const flushed = ftz ? flushedF32(number, tinyBelow(f), make) : number;
  // No rounding crosses 0 or 1. `pmin` and `pmax` give the first where the second is a NaN, or as large.
  const positive = sat || relu;
  const bounded = positive ? make.op("f32x4.pmax", make.all32(0), flushed) : flushed;
  const kept = sat ? make.op("f32x4.pmin", make.all32(ONE), bounded) : bounded;
  const size = positive ? kept : make.and(kept, make.all32(SIZE));
  const way: Way = chance ? { rnd, chance } : { rnd };
  const code = f.bias === f32.bias ? cut(f, way, kept, size, make) : rebiased(f, way, kept, size, make);
  if (code === undefined) return undefined;
  const signed = positive || f.sign === 0 ? code : withSign(f, code, kept, pzo === true, make);
  return sat ? signed : make.choose(make.op("f32x4.ne", number, number), make.all32(codes(f).nan), signed);
}

/** A size with the sign of a number of f32; with `.pzo` a zero has none. */
function withSign(f: Format, size: Vector, number: Vector, pzo: boolean, make: VectorMaker): Vector {
  const { signBit } = codes(f);
  const sign = make.and(make.shift("i32x4.shr_u", number, 31 - Math.log2(signBit)), make.all32(signBit));
  return make.or(size, pzo ? make.and(sign, make.op("i32x4.ne", size, make.all32(0))) : sign);
}

/**
 * Below this size, as bits of f32, a number is tiny: below the smallest normal one, or if tininess is tested after
 * rounding, below what rounds up to that, where the last place is half as large as that of subnormal numbers.
 */
function tinyBelow(f: Format): number {
  const normal = normalAsF32(f);
  return f.tininess === "before" ? normal : normal - 2 ** (23 - f.frac - 2);
}

/** The exponents are those of f32: the code is cut out of its bits. */
function cut(f: Format, way: Way, number: Vector, size: Vector, make: VectorMaker): Vector {
  const below = 23 - f.frac;
  const sum = make.op("i32x4.add", size, increment(way, below, number, size, make));
  const code = f.pad > 0 ? make.and(sum, make.all32(-(2 ** below))) : make.shift("i32x4.shr_u", sum, below);
  return f.finite ? make.op("i32x4.min_u", code, make.all32(Number(largest(f)))) : code;
}

/** ue8m0, of a number without sign: its exponent, or the next one. What is too small is the least, 2^-127. */
function powerOfTwo(
  { rnd, ftz, sat, relu }: RoundResult,
  f: Format,
  number: Vector,
  make: VectorMaker,
): Vector | undefined {
  if ((rnd !== "rz" && rnd !== "rp") || ftz || sat || relu || f.bias !== f32.bias) return undefined;
  const size = make.and(number, make.all32(SIZE));
  const sum = rnd === "rp" ? make.op("i32x4.add", size, make.all32(0x007f_ffff)) : size;
  const exponent = make.shift("i32x4.shr_u", sum, 23);
  // All that is not above 2^-127 goes up to it.
  const isAbove = make.op("i32x4.gt_s", size, make.all32(0x0040_0000));
  const code = rnd === "rp" ? make.and(exponent, isAbove) : exponent;
  const bounded = f.finite ? make.op("i32x4.min_u", code, make.all32(Number(largest(f)))) : code;
  return make.choose(make.op("f32x4.ne", number, number), make.all32(Number(f.nan)), bounded);
}

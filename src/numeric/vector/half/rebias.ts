import { largest } from "../../exact/exact.ts";
import { codes, type Format, f32 } from "../../format/format.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";
import { increment, type Way } from "./way.ts";

const INFINITY = 0x7f80_0000;

/** Sizes of f32 as codes of a format with fewer exponents, whose subnormal numbers are steps of one size. */
export function rebiased(f: Format, way: Way, number: Vector, size: Vector, make: VectorMaker): Vector | undefined {
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

/** The greatest code that a number may become, without sign: the infinity, or what comes before it. */
function greatest(f: Format, { rnd }: Way, number: Vector, size: Vector, make: VectorMaker): Vector {
  const most = make.all32(Number(largest(f)));
  const { infinity } = codes(f);
  if (f.finite || f.specials === "none") return most;
  if (rnd === "rn" || rnd === "rs") return make.all32(infinity);
  const endless = make.op("i32x4.eq", size, make.all32(INFINITY));
  if (rnd === "rz") return make.op("i32x4.sub", most, endless);
  const negative = make.shift("i32x4.shr_s", number, 31);
  const away = rnd === "rm" ? negative : make.not(negative);
  return make.op("i32x4.sub", most, make.or(endless, away));
}

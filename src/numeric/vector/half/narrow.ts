import { largest, type Rounding } from "../../exact/exact.ts";
import { codes, type Format, f32 } from "../../format/format.ts";
import type { RoundResult } from "../../operation/expression.ts";
import { formatRoundedInto } from "../../operation/rounding.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";
import { flushedF32 } from "./widen.ts";

const SIZE = 0x7fff_ffff;
const INFINITY = 0x7f80_0000;
const ONE = 0x3f80_0000;

/**
 * Numbers of f32 as codes of a format with at most 10 bits of fraction, rounded once, with all that modifiers do. The
 * numbers may be rounded to odd before: then nothing but this rounding shows. Undefined where there is no way.
 */
export function narrowed(result: RoundResult, number: Vector, make: VectorMaker): Vector | undefined {
  const { rnd, ftz, sat, relu } = result;
  const f = formatRoundedInto(result);
  if (rnd === "rs" || f.frac > 10 || f.frac === 0 || f.sign === 0) return undefined;
  if (f.specials === "nan-only" && !f.finite) return undefined;
  if (ftz && f.tininess !== "before") return undefined;
  const flushed = ftz ? flushedF32(number, f.bias, make) : number;
  // No rounding crosses 0 or 1. `pmin` and `pmax` give the first where the second is a NaN, or as large.
  const positive = sat || relu;
  const bounded = positive ? make.op("f32x4.pmax", make.all32(0), flushed) : flushed;
  const kept = sat ? make.op("f32x4.pmin", make.all32(ONE), bounded) : bounded;
  const size = positive ? kept : make.and(kept, make.all32(SIZE));
  const code = f.bias === f32.bias ? cut(f, rnd, kept, size, make) : rebiased(f, rnd, kept, size, make);
  if (code === undefined) return undefined;
  const { signBit, nan } = codes(f);
  const down = 31 - Math.log2(signBit);
  const sign = make.and(make.shift("i32x4.shr_u", kept, down), make.all32(signBit));
  const signed = positive ? code : make.or(code, sign);
  return sat ? signed : make.choose(make.op("f32x4.ne", number, number), make.all32(nan), signed);
}

/** The exponents are those of f32: the code is cut out of its bits. */
function cut(f: Format, rnd: Rounding, number: Vector, size: Vector, make: VectorMaker): Vector {
  const below = 23 - f.frac;
  const sum = make.op("i32x4.add", size, increment(rnd, below, number, size, make));
  const code = f.pad > 0 ? make.and(sum, make.all32(-(2 ** below))) : make.shift("i32x4.shr_u", sum, below);
  return f.finite ? make.op("i32x4.min_u", code, make.all32(Number(largest(f)))) : code;
}

/** What is added to the bits of a size so that cutting the lowest of them rounds. */
function increment(rnd: Rounding, below: number, number: Vector, size: Vector, make: VectorMaker): Vector {
  const all = 2 ** below - 1;
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
      return make.and(make.shift("i32x4.shr_s", number, 31), make.all32(all));
    case "rp":
      return make.op("v128.andnot", make.all32(all), make.shift("i32x4.shr_s", number, 31));
  }
}

/** The exponents are fewer than those of f32: those below its own are steps of one size. */
function rebiased(f: Format, rnd: Rounding, number: Vector, size: Vector, make: VectorMaker): Vector | undefined {
  if (f.pad > 0 || rnd === "rna") return undefined;
  const below = 23 - f.frac;
  const rebias = (f32.bias - f.bias) * 2 ** 23;
  const sum = make.op("i32x4.add", size, increment(rnd, below, number, size, make));
  const normal = make.shift("i32x4.shr_u", make.op("i32x4.sub", sum, make.all32(rebias)), below);
  const isSmall = make.op("i32x4.lt_s", size, make.all32(rebias + 2 ** 23));
  const code = make.choose(isSmall, steps(f, rnd, number, size, make), normal);
  return make.op("i32x4.min_u", code, greatest(f, rnd, number, size, make));
}

/** How many of its smallest numbers a size of a format is. */
function steps(f: Format, rnd: Rounding, number: Vector, size: Vector, make: VectorMaker): Vector {
  // From 2^23 on the step of f32 is 1: a sum is rounded there, and its fraction counts.
  const exponent = f.bias - 1 + f.frac;
  if (rnd === "rn") {
    const unit = make.all32((f32.bias + 23 - exponent) * 2 ** 23);
    return make.op("i32x4.sub", make.op("f32x4.add", size, unit), unit);
  }
  const scale = make.all32((f32.bias + exponent) * 2 ** 23);
  const whole =
    rnd === "rz"
      ? make.op("f32x4.trunc", make.op("f32x4.mul", size, scale))
      : make.op("f32x4.abs", make.op(rnd === "rm" ? "f32x4.floor" : "f32x4.ceil", make.op("f32x4.mul", number, scale)));
  const unit = make.all32((f32.bias + 23) * 2 ** 23);
  return make.op("i32x4.sub", make.op("f32x4.add", whole, unit), unit);
}

/** The greatest code that a number may become, without sign: the infinity, or what comes before it. */
function greatest(f: Format, rnd: Rounding, number: Vector, size: Vector, make: VectorMaker): Vector {
  const most = make.all32(Number(largest(f)));
  const { infinity } = codes(f);
  if (f.finite || f.specials === "none") return most;
  if (rnd === "rn") return make.all32(infinity);
  const endless = make.op("i32x4.eq", size, make.all32(INFINITY));
  if (rnd === "rz") return make.op("i32x4.sub", most, endless);
  const negative = make.shift("i32x4.shr_s", number, 31);
  const away = rnd === "rm" ? negative : make.not(negative);
  return make.op("i32x4.sub", most, make.or(endless, away));
}

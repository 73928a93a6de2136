import { type Format, f32 } from "../../format/format.ts";
import type { FloatOperand } from "../../lower/operand.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";

const SIGN = 0x8000_0000;
const SIZE = 0x7fff_ffff;
const INFINITY = 0x7f80_0000;
const NAN = 0x7fc0_0000;

/** Codes of a format of up to 32 bits as numbers of f32, which holds all of them. A NaN becomes some NaN. */
export function widened(f: Format, code: Vector, make: VectorMaker): Vector {
  if (f.width === 64) throw new Error(`f32 does not hold ${f.name}`);
  if (f.frac === 0) return powerOfTwo(code, make);
  if (f.pad > 0) return make.and(code, make.all32(-(2 ** f.pad)));
  if (f.width === 32) return code;
  // The sign to the top, the exponent's last bit to where f32 has it.
  const bits = 1 + f.exp + f.frac;
  const top = upward(code, 32 - bits, make);
  const low = 23 - f.frac;
  const scale = f32.bias - f.bias;
  if (scale === 0) return top;
  const fields = (2 ** (f.exp + f.frac) - 1) * 2 ** low;
  const small = make.and(make.shift("i32x4.shr_s", top, f32.exp - f.exp), make.all32(SIGN | fields));
  // In f32 the code means its number times 2^-scale, a subnormal one too.
  const number = make.op("f32x4.mul", small, make.all32((f32.bias + scale) * 2 ** 23));
  switch (f.specials) {
    case "none":
      return number;
    case "nan-only": {
      const isNan = make.op("i32x4.eq", make.and(small, make.all32(fields)), make.all32(fields));
      return make.or(number, make.and(isNan, make.all32(NAN)));
    }
    case "ieee": {
      // With the top exponent, a fraction is what tells a NaN from an infinity: it stays.
      const special = make.op("i32x4.ge_s", make.and(small, make.all32(SIZE)), make.all32((2 ** f.exp - 1) * 2 ** 23));
      return make.or(number, make.and(special, make.all32(INFINITY)));
    }
  }
}

/** ue8m0: the exponent alone, 2^-127 where it is 0, and NaN where it is 255. */
function powerOfTwo(code: Vector, make: VectorMaker): Vector {
  const power = make.op("i32x4.max_s", make.shift("i32x4.shl", code, 23), make.all32(0x0040_0000));
  return make.or(power, make.and(make.op("i32x4.eq", code, make.all32(255)), make.all32(NAN)));
}

/** `of << by`, where what was cut off above or below need not be cut first. */
export function upward(of: Vector, by: number, make: VectorMaker): Vector {
  if (of.node === "shift" && of.name === "i32x4.shr_u" && of.by === by) return make.and(of.of, make.all32(-(2 ** by)));
  if (of.node === "op" && of.name === "v128.and") {
    const [inner, mask] = of.parts;
    if (inner && mask?.node === "constant" && mask.words.every((word) => word === 2 ** (32 - by) - 1))
      return make.shift("i32x4.shl", inner, by);
  }
  return make.shift("i32x4.shl", of, by);
}

/** An operand of up to 32 bits as a number of f32, flushed and with its sign as the expression wants it. */
export function readF32({ format, flush, sign }: FloatOperand, code: Vector, make: VectorMaker): Vector {
  const number = widened(format, code, make);
  const flushed = flush ? flushedF32(number, normalAsF32(format), make) : number;
  switch (sign) {
    case "kept":
      return flushed;
    case "turned":
      return make.xor(flushed, make.all32(SIGN));
    case "plus":
      return make.and(flushed, make.all32(SIZE));
    case "minus":
      return make.or(flushed, make.all32(SIGN));
  }
}

/** Makes numbers below a size, given as bits of f32, a zero of their sign. */
export function flushedF32(number: Vector, least: number, make: VectorMaker): Vector {
  const size = make.and(number, make.all32(SIZE));
  const isTiny = make.op("i32x4.lt_s", size, make.all32(least));
  return make.op("v128.andnot", number, make.and(isTiny, make.all32(SIZE)));
}

/** The smallest normal number of a format, as bits of f32. */
export const normalAsF32 = (f: Format): number => (f32.bias - f.bias + 1) * 2 ** 23;

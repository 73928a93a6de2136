import { bf16, type Format, f16 } from "../../format/format.ts";
import { floatOperand } from "../../lower/operand.ts";
import { arithmeticShape } from "../../lower/shape.ts";
import { formatOf } from "../../operation/type.ts";
import { oddOf, sumError } from "../float/error-free.ts";
import { promoted } from "../float/widen.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import { isWide, type Vector, type VectorFunction, type Wide } from "../vector.ts";
import { narrowed } from "./narrow.ts";
import { oddF32, oddSumF32 } from "./odd.ts";
import { readF32 } from "./widen.ts";

/**
 * add, sub, mul and fma of f16 and of bf16 to nearest even, by way of f32. For a sum or a product f32 has enough bits to
 * round to nearest twice (24 >= 2 * 11 + 2); where it is subnormal, or subnormal in f16, it is exact, or too small for
 * a half of the smallest number. A product of f16 is exact in f32, one of bf16 but for its exponent.
 */
export const halfArithmetic: VectorRule = ({ takes, result }, operands, make) => {
  if (result.into !== "round" || result.rnd !== "rn" || result.satfinite) return undefined;
  const f = formatOf(result.format);
  if (f !== f16 && f !== bf16) return undefined;
  const shape = arithmeticShape(result.of);
  const numbers = shape?.operands.map((x): Vector | undefined => {
    const operand = floatOperand(x, takes);
    const value = operand?.format === f ? operands[operand.at] : undefined;
    return operand && value && !isWide(value) ? readF32(operand, value, make) : undefined;
  });
  const [a, b, c] = numbers ?? [];
  if (shape === undefined || a === undefined || b === undefined) return undefined;
  switch (shape.does) {
    case "add":
    case "sub":
    case "mul":
      return narrowed(result, make.op(`f32x4.${shape.does}`, a, b), make);
    case "fma":
      return c && narrowed(result, fusedFor(f, a, b, c, make), make);
    default:
      return undefined;
  }
};

const SIZE = 0x7fff_ffff;
const INFINITY = 0x7f80_0000;
/** 2^-100, and 2^-14, the smallest normal number of f16. */
const LEAST = (127 - 100) * 2 ** 23;
const NORMAL16 = (127 - 14) * 2 ** 23;

/**
 * a * b + c of numbers of f32 that are of a format of 16 bits: a number that rounds into that format like the exact one.
 * The nearest of f32 does unless it is a midpoint of the format. Then, seldom enough for a function, f64 decides.
 */
function fusedFor(f: Format, a: Vector, b: Vector, c: Vector, make: VectorMaker): Vector {
  const product = make.op("f32x4.mul", a, b);
  if (f === f16 && !make.fused) return oddSumF32(product, c, make);
  const nearest = make.fused ? make.op("f32x4.relaxed_madd", a, b, c) : make.op("f32x4.add", product, c);
  const below = 23 - f.frac;
  const rest = make.and(nearest, make.all32(2 ** below - 1));
  const isMidpoint = make.op("i32x4.eq", rest, make.all32(2 ** (below - 1)));
  const inDoubt = f === f16 ? isSmall(nearest, make) : make.fused ? undefined : isInexact(product, a, b, make);
  const when = inDoubt ? make.or(isMidpoint, inDoubt) : isMidpoint;
  return make.rarely(when, nearest, fmaByF64(make), a, b, c);
}

/** Where f16 is subnormal, but not 0: its midpoints are others. */
function isSmall(number: Vector, make: VectorMaker): Vector {
  // One less than the size, with the top bit turned over: of 0 that is the greatest integer.
  const size = make.op("i32x4.add", make.and(number, make.all32(SIZE)), make.all32(SIZE));
  return make.op("i32x4.lt_s", size, make.all32(NORMAL16 + SIZE));
}

/** Where f32 has lost bits of a product of bf16, or would lose bits of a sum with it: by its exponent alone. */
function isInexact(product: Vector, a: Vector, b: Vector, make: VectorMaker): Vector {
  const size = make.and(product, make.all32(SIZE));
  const isTiny = make.op("i32x4.lt_s", size, make.all32(LEAST));
  // The product of a zero is one.
  const least = make.op("i32x4.min_u", make.and(a, make.all32(SIZE)), make.and(b, make.all32(SIZE)));
  const isLost = make.and(isTiny, make.op("i32x4.ne", least, make.all32(0)));
  return make.or(isLost, make.op("i32x4.eq", size, make.all32(INFINITY)));
}

/** a * b + c, rounded to odd in f64 and then in f32. */
function fmaByF64(make: VectorMaker): VectorFunction {
  const [a, b, c] = [0, 1, 2].map((at) => promoted(make.input(at), make)) as [Wide, Wide, Wide];
  const half = (at: 0 | 1): Vector => {
    const product = make.op("f64x2.mul", a[at], b[at]);
    const sum = make.op("f64x2.add", product, c[at]);
    return oddOf(sum, sumError(product, c[at], sum, make), make);
  };
  return { name: "fma of halves by f64", takes: 3, gives: oddF32([half(0), half(1)], make) };
}

import { bf16, f16 } from "../../format/format.ts";
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
      if (c === undefined) return undefined;
      return narrowed(result, f === f16 ? oddSumF32(make.op("f32x4.mul", a, b), c, make) : oddFma(a, b, c, make), make);
    default:
      return undefined;
  }
};

const LEAST = (127 - 100) * 2 ** 23;
const SIZE = 0x7fff_ffff;
const INFINITY = 0x7f80_0000;

/**
 * a * b + c of numbers of bf16 in f32, to odd. The product has 16 bits: f32 holds it unless its exponent is too large, or
 * so small that what a sum loses might be below f32's smallest number; then f64 computes all of it.
 */
function oddFma(a: Vector, b: Vector, c: Vector, make: VectorMaker): Vector {
  const product = make.op("f32x4.mul", a, b);
  const size = make.and(product, make.all32(SIZE));
  const isTiny = make.op("i32x4.lt_u", size, make.all32(LEAST));
  // The product of a zero is one.
  const least = make.op("i32x4.min_u", make.and(a, make.all32(SIZE)), make.and(b, make.all32(SIZE)));
  const isSeldom = make.or(
    make.and(isTiny, make.op("i32x4.ne", least, make.all32(0))),
    make.op("i32x4.eq", size, make.all32(INFINITY)),
  );
  return make.rarely(isSeldom, oddSumF32(product, c, make), fmaByF64(make), a, b, c);
}

/** a * b + c of numbers of bf16, rounded to odd in f64 and then in f32. */
function fmaByF64(make: VectorMaker): VectorFunction {
  const [a, b, c] = [0, 1, 2].map((at) => promoted(make.input(at), make)) as [Wide, Wide, Wide];
  const half = (at: 0 | 1): Vector => {
    const product = make.op("f64x2.mul", a[at], b[at]);
    const sum = make.op("f64x2.add", product, c[at]);
    return oddOf(sum, sumError(product, c[at], sum, make), make);
  };
  return { name: "fma.bf16 by f64", takes: 3, gives: oddF32([half(0), half(1)], make) };
}

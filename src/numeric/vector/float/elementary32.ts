import { f64 } from "../../format/format.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector, Wide } from "../vector.ts";
import { code64 } from "./constant.ts";
import { SIGN32 } from "./operand.ts";
import type { Split } from "./round32.ts";
import { promoted } from "./widen.ts";

/** tanh and log2 of four numbers of f32, each two of f64, to 50 bits or more. */

/** 2^f - 1 is f times the sum of these times powers of f, ln(2)^k / k!: the first that is left out is below 2^-60 of it. */
const powers = Array.from({ length: 15 }, (_, at) =>
  Array.from({ length: at + 1 }, (_, k) => Math.LN2 / (k + 1)).reduce((product, factor) => product * factor, 1),
);

/**
 * tanh x: (e^2x - 1) / (e^2x - 1 + 2) of its size, which from 20 on is 1 as far as f32 can see. Both parts of e^2x - 1 are
 * exact where the number is small, so that nothing cancels.
 */
export function tanh32(x: Vector, make: VectorMaker): Wide {
  const { add, sub, mul, number } = arithmeticOf(make);
  const size = make.op("v128.andnot", x, make.all32(SIGN32));
  return both(promoted(size, make), (each) => {
    const exponent = mul(make.op("f64x2.min", each, number(20)), number(2 * Math.LOG2E));
    const whole = make.op("f64x2.nearest", exponent);
    const rest = sub(exponent, whole);
    const lessOne = mul(polynomial(powers, rest, make), rest);
    // 2^52 + 2^51 more, and the whole number lies in the low bits.
    const bits = add(whole, number(2 ** 52 + 2 ** 51 + f64.bias));
    const power = make.shift("i64x2.shl", bits, f64.frac);
    const minusOne = add(mul(power, lessOne), sub(power, number(1)));
    return make.op("f64x2.div", minusOne, add(minusOne, number(2)));
  });
}

/** The bits of sqrt(1/2), rounded down to its high word: significands are taken from there to its double. */
const HALF_ROOT = 0x3fe6_a09e_0000_0000n;
const EXPONENT = 0xfff0_0000_0000_0000n;

/** 1, 1/3, 1/5 ... 1/21. */
const odd = Array.from({ length: 11 }, (_, at) => 1 / (2 * at + 1));

/**
 * log2 x of a positive number, as the exponent e and log2 m of a significand m next to 1: that is 2 log2(e) (s + s^3/3 + ...)
 * for s = (m - 1) / (m + 1), whose size is below 0.172. What their sum leaves is the error.
 */
export function log32(x: Vector, make: VectorMaker): Split {
  const { add, sub, mul, number } = arithmeticOf(make);
  const parts = promoted(x, make).map((each) => {
    const over = make.op("i64x2.sub", each, make.all64(HALF_ROOT));
    const m = make.op("i64x2.sub", each, make.and(over, make.all64(EXPONENT)));
    const magic = 2 ** 52 + 2 ** 51;
    const exponent = make.op("i64x2.add", make.shift("i64x2.shr_s", over, f64.frac), number(magic));
    const e = sub(exponent, number(magic));
    const s = make.op("f64x2.div", sub(m, number(1)), add(m, number(1)));
    const p = mul(mul(s, polynomial(odd, mul(s, s), make)), number(2 * Math.LOG2E));
    const sum = add(e, p);
    return { sum, error: sub(p, sub(sum, e)) };
  });
  return { sum: [parts[0]!.sum, parts[1]!.sum], error: [parts[0]!.error, parts[1]!.error] };
}

/** Coefficients of 1, x, x^2 ... */
export function polynomial(coefficients: readonly number[], x: Vector, make: VectorMaker): Vector {
  const { add, mul, number } = arithmeticOf(make);
  const [last, ...others] = [...coefficients].reverse();
  return others.reduce((sum, each) => add(mul(sum, x), number(each)), number(last!));
}

const both = (parts: Wide, of: (part: Vector) => Vector): Wide => [of(parts[0]), of(parts[1])];

/** Operations on two numbers of f64. */
export const arithmeticOf = (make: VectorMaker) => ({
  add: (a: Vector, b: Vector): Vector => make.op("f64x2.add", a, b),
  sub: (a: Vector, b: Vector): Vector => make.op("f64x2.sub", a, b),
  mul: (a: Vector, b: Vector): Vector => make.op("f64x2.mul", a, b),
  number: (value: number): Vector => make.all64(code64(value)),
});

import { digitsOfTwoOverPi } from "../../binary64/sincos-reduction.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector, Wide } from "../vector.ts";
import { arithmeticOf, polynomial } from "./elementary32.ts";
import { productError, sumError } from "./error-free.ts";
import { SIGN32 } from "./operand.ts";
import { rounded32, type Split } from "./round32.ts";
import { promoted } from "./widen.ts";

/** An angle in two numbers, from -pi/4 to pi/4, and the quarter turns that are left out, in the low bits of a word of 64. */
interface Turned {
  readonly high: Vector;
  readonly low: Vector;
  readonly quarters: Vector;
}

/** From here on a quarter turn as a sum of three numbers is not enough. */
const GREAT = 0x4980_0000; // 2^20

/** pi/2 in three numbers: products of the first two, of 33 bits, with numbers of quarter turns below 2^20 are exact. */
const QUARTER = [0x1_921f_b544 * 2 ** -32, 0x1_0b46_11a6 * 2 ** -66, 2.0222662487959506e-21] as const;
/** pi/2 as two numbers of 53 bits. */
const [HALF_PI, HALF_PI_REST] = [Math.PI / 2, 6.123233995736766e-17];
/** 2^52 + 2^51 more, and a whole number lies in the low bits. */
const MAGIC = 2 ** 52 + 2 ** 51;

/**
 * sin(x + quarters * pi/2) of four numbers of f32, rounded to nearest even. Two numbers of f64 hold the result to 54 bits or more, of
 * which f32 has 24: all numbers of f32 were tried, and those bits decide each of them.
 */
export function sine32(x: Vector, quarters: 0 | 1, ftz: boolean, make: VectorMaker): Vector {
  const size = make.op("v128.andnot", x, make.all32(SIGN32));
  const rounded = (angle: Vector, turned: typeof turnedByPi): Vector =>
    rounded32(sines(promoted(angle, make), quarters, turned, make), "rn", ftz, make);
  const great = make.function(`sin${quarters}${ftz ? ".ftz" : ""} of great angles`, 1, () =>
    rounded(make.input(0), turnedByDigits),
  );
  const isGreat = make.op("f32x4.ge", size, make.all32(GREAT));
  const result = make.rarely(isGreat, rounded(size, turnedByPi), great, size);
  return quarters === 0 ? make.xor(result, make.and(x, make.all32(SIGN32))) : result;
}

function sines(sizes: Wide, quarters: 0 | 1, turned: typeof turnedByPi, make: VectorMaker): Split {
  const parts = sizes.map((size) => sineOf(turned(size, make), quarters, make));
  return { sum: [parts[0]!.sum, parts[1]!.sum], error: [parts[0]!.error, parts[1]!.error] };
}

/** The angle less the nearest multiple of pi/2, where that is below 2^20 quarter turns. */
function turnedByPi(size: Vector, make: VectorMaker): Turned {
  const { add, sub, mul, number } = arithmeticOf(make);
  const quarters = add(mul(size, number(2 / Math.PI)), number(MAGIC));
  const k = sub(quarters, number(MAGIC));
  const near = sub(size, mul(k, number(QUARTER[0])));
  const less = mul(k, number(-QUARTER[1]));
  const high = add(near, less);
  const low = sub(sumError(near, less, high, make), mul(k, number(QUARTER[2])));
  return { high, low, quarters };
}

/**
 * The same of any size: products with the digits of 2/pi are exact, and modulo 4 what is left of each, so that those that are multiples
 * of 4 leave nothing (`binary64/sincos-reduction.ts`).
 */
function turnedByDigits(size: Vector, make: VectorMaker): Turned {
  const { add, sub, mul, number } = arithmeticOf(make);
  let [high, low] = [number(0), number(0)];
  for (const [at, digit] of digitsOfTwoOverPi.entries()) {
    const product = mul(size, number(digit * 2 ** (-24 * (at + 1))));
    const whole = mul(make.op("f64x2.floor", mul(product, number(0.25))), number(4));
    const part = sub(product, whole);
    const sum = add(high, part);
    low = add(low, sumError(high, part, sum, make));
    high = sum;
  }
  const quarters = add(high, number(MAGIC));
  const rest = sub(high, sub(quarters, number(MAGIC)));
  const turns = add(rest, low);
  const error = sub(low, sub(turns, rest));
  const angle = mul(turns, number(HALF_PI));
  const more = add(mul(turns, number(HALF_PI_REST)), mul(error, number(HALF_PI)));
  return { high: angle, low: add(productError(turns, number(HALF_PI), angle, make), more), quarters };
}

/** -1/3!, 1/5!, ... 1/17!; and 1/4!, -1/6!, ... 1/20!. What is left out is below 2^-62 of the first for angles up to pi/4. */
const seriesFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => {
    const n = first + 2 * at;
    const factorial = Array.from({ length: n }, (_, i) => i + 1).reduce((product, factor) => product * factor, 1);
    return (n % 4 < 2 ? 1 : -1) / factorial;
  });
const sineSeries = seriesFrom(3, 8);
const cosineSeries = seriesFrom(4, 9);

/** The sine of an angle and of so many quarter turns, in two numbers. */
function sineOf({ high, low, quarters }: Turned, more: 0 | 1, make: VectorMaker): { sum: Vector; error: Vector } {
  const { add, sub, mul, number } = arithmeticOf(make);
  const square = mul(high, high);
  const half = mul(square, number(0.5));
  const ofSine = add(mul(low, sub(number(1), half)), mul(high, mul(square, polynomial(sineSeries, square, make))));
  const sine = add(high, ofSine);
  const nearCosine = sub(number(1), half);
  const ofCosine = add(
    sub(mul(mul(square, square), polynomial(cosineSeries, square, make)), mul(high, low)),
    sub(sub(number(1), nearCosine), half),
  );
  const cosine = add(nearCosine, ofCosine);
  const turns = more === 0 ? quarters : make.op("i64x2.add", quarters, make.all64(1n));
  const isOdd = make.shift("i64x2.shr_s", make.shift("i64x2.shl", turns, 63), 63);
  const sign = make.and(make.shift("i64x2.shl", turns, 62), make.all64(1n << 63n));
  const signed = (ofOdd: Vector, ofEven: Vector): Vector => make.xor(make.choose(isOdd, ofOdd, ofEven), sign);
  return {
    sum: signed(cosine, sine),
    error: signed(sub(ofCosine, sub(cosine, nearCosine)), sub(ofSine, sub(sine, high))),
  };
}

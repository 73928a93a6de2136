import { f32 } from "../../format/format.ts";
import type { FunctionName } from "../../operation/expression.ts";
import { formatOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import type { VectorRule } from "../rule.ts";
import type { Vector, Wide } from "../vector.ts";
import { code64 } from "./constant.ts";
import { restricted32 } from "./effects.ts";
import { log32, tanh32 } from "./elementary32.ts";
import { operand32, SIGN32 } from "./operand.ts";
import { rounded32, type Split } from "./round32.ts";
import { demoted, promoted } from "./widen.ts";

/**
 * A function of one f32, rounded to nearest even: those for which f64, or two numbers of it, is
 * known to decide every case.
 */
export const functionOf32: VectorRule = ({ takes, result }, operands, make, lower) => {
  if (result.into !== "round" || result.of.node !== "function" || result.rnd !== "rn" || result.satfinite)
    return undefined;
  if (formatOf(result.format) !== f32) return undefined;
  const operand = operand32(result.of.a, { takes, operands, make, lower });
  const compute = known[result.of.name];
  return operand && compute && restricted32(compute(operand, result.ftz === true, make), result, make);
};

const known: Readonly<Partial<Record<FunctionName, (x: Vector, ftz: boolean, make: VectorMaker) => Vector>>> = {
  rsqrt: (x, _, make) => reciprocalRoot(x, make),
  ex2: (x, ftz, make) => rounded32(powerOfTwo(x, make), "rn", ftz, make),
  tanh: (x, ftz, make) => hyperbolicTangent(x, ftz, make),
  lg2: (x, ftz, make) => logarithm(x, ftz, make),
};

const both = (of: (at: 0 | 1) => Vector): Wide => [of(0), of(1)];

/**
 * 1 / sqrt x: in f64, where it is off by less than two units of the last place. All significands of f32 were tried, with
 * even and odd exponents: one of them has its result that close to a midpoint, and on the right side.
 */
function reciprocalRoot(x: Vector, make: VectorMaker): Vector {
  const wide = promoted(x, make);
  return demoted(
    both((at) => make.op("f64x2.div", make.all64(code64(1)), make.op("f64x2.sqrt", wide[at]))),
    make,
  );
}

const INFINITE = 0x7f80_0000;

/**
 * log2 x; minus infinity of a zero, NaN below. All numbers from 1/2 to 2 were tried; of the others all whose results lie within 5
 * units of f64's last place of a midpoint, 128 of them: what is known of the rest is off by less than 2.
 */
function logarithm(x: Vector, ftz: boolean, make: VectorMaker): Vector {
  const [zero, infinite] = [make.all32(0), make.all32(INFINITE)];
  const usual = rounded32(log32(x, make), "rn", ftz, make);
  const number = make.choose(make.op("f32x4.lt", zero, x), usual, make.all32(INFINITE | (1 << 22)));
  const positive = make.choose(make.op("f32x4.eq", x, zero), make.all32(INFINITE | SIGN32), number);
  // Infinity and NaN stay.
  return make.choose(make.op("f32x4.lt", x, infinite), positive, x);
}

/**
 * tanh x, which has the sign of x. All numbers from 2^-15 to 32 were tried: the bits that f64 has decide each of them. Below, it
 * is x less not a hundredth of a unit of f32's last place; above, 1.
 */
function hyperbolicTangent(x: Vector, ftz: boolean, make: VectorMaker): Vector {
  const size = rounded32({ sum: tanh32(x, make) }, "rn", ftz, make);
  return make.or(size, make.and(x, make.all32(SIGN32)));
}

/** ln 2 in two numbers, of which the first has 29 bits: its product with one of f32 is exact. */
const LN2_HIGH = 0x162e_42fe * 2 ** -29;
const LN2_LOW = code64(Math.LN2 - LN2_HIGH + 2.3190468138462996e-17);

/** 1 / n! for n = 15 down to 2. */
const exponential = Array.from({ length: 14 }, (_, at) => {
  let factorial = 1;
  for (let n = 2; n <= 15 - at; n++) factorial *= n;
  return code64(1 / factorial);
});

/**
 * 2^x as a power of two times 1 + r + r^2 / 2! + ..., r = t ln 2 for |t| <= 1/2: the polynomial from r^2 / 2! on in f64, the
 * rest in two numbers. It is within 2^-54.9 of the true value, and all numbers of f32 were tried: none is so close to where
 * rounding turns. Above 128 and below -150 it is as good as there.
 */
function powerOfTwo(x: Vector, make: VectorMaker): Split {
  // In this order a NaN stays one.
  const held = make.op("f32x4.pmax", make.op("f32x4.pmin", x, make.all32(0x4302_0000)), make.all32(0xc320_0000));
  const whole = make.op("f32x4.nearest", held);
  const t = promoted(make.op("f32x4.sub", held, whole), make);
  const biased = make.op("i32x4.add", make.op("i32x4.trunc_sat_f32x4_s", whole), make.all32(1023));
  // The high words of powers of two.
  const high = make.shift("i32x4.shl", biased, 20);
  const zero = make.all32(0);
  const powers: Wide = [make.pick(zero, high, 0, 4, 0, 5), make.pick(zero, high, 0, 6, 0, 7)];
  const parts = t.map((each, at) => {
    const { sum, error } = exponentialOf(each, make);
    const scaled = (part: Vector): Vector => make.op("f64x2.mul", part, powers[at as 0 | 1]);
    return { sum: scaled(sum), error: scaled(error) };
  });
  return { sum: both((at) => parts[at]!.sum), error: both((at) => parts[at]!.error) };
}

/** e^(t ln 2) in two numbers. */
function exponentialOf(t: Vector, make: VectorMaker): { readonly sum: Vector; readonly error: Vector } {
  const [add, sub, mul] = (["add", "sub", "mul"] as const).map(
    (name) => (a: Vector, b: Vector) => make.op(`f64x2.${name}`, a, b),
  ) as unknown as [
    (a: Vector, b: Vector) => Vector,
    (a: Vector, b: Vector) => Vector,
    (a: Vector, b: Vector) => Vector,
  ];
  const [large, small] = [mul(t, make.all64(code64(LN2_HIGH))), mul(t, make.all64(LN2_LOW))];
  const r = add(large, small);
  const series = exponential
    .map((each) => make.all64(each))
    .reduce((sum, each) => (make.fused ? make.op("f64x2.relaxed_madd", sum, r, each) : add(mul(sum, r), each)));
  const tail = add(small, mul(mul(r, r), series));
  const one = make.all64(code64(1));
  const above = add(large, tail);
  const sum = add(one, above);
  return { sum, error: add(sub(tail, sub(above, large)), sub(above, sub(sum, one))) };
}

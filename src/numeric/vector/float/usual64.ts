import type { ArithmeticShape } from "../../lower/shape.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";
import { code64 } from "./constant.ts";
import { productError } from "./error-free.ts";
import { extreme64, remainderOf, sumOfThree } from "./extreme64.ts";
import { SIGN64 } from "./operand.ts";
import type { Direction } from "./round32.ts";
import { zeroDown } from "./split.ts";
import { stepped } from "./step.ts";

type Does = ArithmeticShape["does"];
type Directed = "rz" | "rm" | "rp";

/** From here on the error of a product is a number of f64. */
const LEAST = 2 ** -960;

/** One operation on two lanes of f64, rounded once. */
export function arithmetic(does: Does, rnd: Direction, parts: readonly Vector[], make: VectorMaker): Vector {
  const [a, b, c] = parts as [Vector, Vector, Vector];
  if (does === "sub") return arithmetic("add", rnd, [a, make.xor(b, make.all64(SIGN64))], make);
  if (does === "rcp") return arithmetic("div", rnd, [make.all64(code64(1)), a], make);
  if (rnd === "rn") {
    if (does !== "fma") return make.op(`f64x2.${does}`, ...parts);
    return make.fused ? make.op("f64x2.relaxed_madd", a, b, c) : fusedToNearest(a, b, c, make);
  }
  switch (does) {
    case "add":
      return sumOf(a, b, rnd, make);
    case "mul": {
      const product = make.op("f64x2.mul", a, b);
      const small = make.and(isBelow(product, LEAST, make), make.and(isNotZero(a, make), isNotZero(b, make)));
      return moved(does, rnd, parts, product, productError(a, b, product, make), small, make);
    }
    case "div": {
      const quotient = make.op("f64x2.div", a, b);
      const rest = make.xor(remainderOf(a, quotient, b, make), make.and(b, make.all64(SIGN64)));
      const small = make.and(make.or(isBelow(quotient, LEAST, make), isBelow(a, LEAST, make)), isNotZero(a, make));
      return moved(does, rnd, parts, quotient, rest, small, make);
    }
    case "sqrt": {
      const root = make.op("f64x2.sqrt", a);
      const small = make.and(isBelow(a, 4 * LEAST, make), isNotZero(a, make));
      return moved(does, rnd, parts, root, remainderOf(a, root, root, make), small, make);
    }
    case "fma": {
      const product = make.op("f64x2.mul", a, b);
      const { high, low } = sumOfThree(product, productError(a, b, product, make), c, make);
      // Both addends are not 0: the sign of an exact zero is that of the direction (IEEE 754, 6.3).
      const zero = make.and(make.op("f64x2.eq", high, make.all64(0n)), make.all64(SIGN64));
      const signed = rnd === "rm" ? make.or(high, zero) : high;
      return moved(does, rnd, parts, signed, low, isBelow(product, LEAST, make), make);
    }
  }
}

const isBelow = (x: Vector, bound: number, make: VectorMaker): Vector =>
  make.op("f64x2.lt", make.op("f64x2.abs", x), make.all64(code64(bound)));
const isNotZero = (x: Vector, make: VectorMaker): Vector => make.op("f64x2.ne", x, make.all64(0n));
const isNotFinite = (x: Vector, make: VectorMaker): Vector =>
  make.not(make.op("f64x2.lt", make.op("f64x2.abs", x), make.all64(code64(Number.POSITIVE_INFINITY))));

/** The nearest number moved to where the direction wants it; where the error may be wrong, the way for all exponents. */
function moved(
  does: Does,
  rnd: Directed,
  parts: readonly Vector[],
  nearest: Vector,
  error: Vector,
  small: Vector,
  make: VectorMaker,
): Vector {
  const zero = make.all64(0n);
  const [less, more] = [make.op("f64x2.lt", error, zero), make.op("f64x2.gt", error, zero)];
  const usual = stepped("i64x2", nearest, less, more, rnd, make);
  const when = make.or(small, isNotFinite(error, make));
  return make.rarely(when, usual, extremes(does, rnd, parts.length, make), ...parts);
}

const extremes = (does: Does, rnd: Direction, takes: number, make: VectorMaker) =>
  make.function(`${does}.${rnd}.f64`, takes, () => {
    const inputs = Array.from({ length: takes }, (_, at) => make.input(at));
    return extreme64(does, rnd, inputs, make);
  });

/**
 * A sum in one direction. The number of the greater magnitude comes first: then the error is exact in three steps, and
 * where the sum overflows it has the sign that leads back to the greatest number.
 */
function sumOf(a: Vector, b: Vector, rnd: Directed, make: VectorMaker): Vector {
  const sum = make.op("f64x2.add", a, b);
  const smaller = make.op("f64x2.lt", make.op("f64x2.abs", a), make.op("f64x2.abs", b));
  const swap = make.and(make.xor(a, b), smaller);
  const [large, little] = [make.xor(a, swap), make.xor(b, swap)];
  const error = make.op("f64x2.sub", little, make.op("f64x2.sub", sum, large));
  const zero = make.all64(0n);
  const [less, more] = [make.op("f64x2.lt", error, zero), make.op("f64x2.gt", error, zero)];
  return stepped("i64x2", rnd === "rm" ? zeroDown(a, b, sum, make) : sum, less, more, rnd, make);
}

/** a * b + c to nearest even where the engine does not fuse (`binary64/double-fma.ts`). */
function fusedToNearest(a: Vector, b: Vector, c: Vector, make: VectorMaker): Vector {
  const product = make.op("f64x2.mul", a, b);
  const error = productError(a, b, product, make);
  const { high } = sumOfThree(product, error, c, make);
  // An exact product leaves one sum to round, whose zeros have their signs.
  const exact = make.op("f64x2.eq", error, make.all64(0n));
  const usual = make.choose(exact, make.op("f64x2.add", product, c), high);
  const small = make.and(isBelow(product, LEAST, make), make.and(isNotZero(a, make), isNotZero(b, make)));
  const when = make.or(small, isNotFinite(usual, make));
  return make.rarely(when, usual, extremes("fma", "rn", 3, make), a, b, c);
}

import type { ArithmeticShape } from "../../lower/shape.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";
import { code64 } from "./constant.ts";
import { oddOf, productError, sumError } from "./error-free.ts";
import { SIGN64 } from "./operand.ts";
import type { Direction } from "./round32.ts";
import { zeroDown } from "./split.ts";
import { stepped } from "./step.ts";

type Does = ArithmeticShape["does"];

/**
 * One operation on f64 for all exponents, rounded once; the usual exponents have faster code. The operands are scaled
 * to [1, 2), the result is a sum of two numbers, and `finished` scales it back with one rounding.
 */
export function extreme64(does: Does, rnd: Direction, parts: readonly Vector[], make: VectorMaker): Vector {
  const [a, b, c] = parts as [Vector, Vector, Vector];
  switch (does) {
    case "mul":
      return special(make.op("f64x2.mul", a, b), [a, b], finished(productOf(a, b, make), rnd, make), make);
    case "div":
      return special(make.op("f64x2.div", a, b), [a, b], finished(quotientOf(a, b, make), rnd, make), make);
    case "rcp":
      return extreme64("div", rnd, [make.all64(code64(1)), a], make);
    case "sqrt":
      return rootOf(a, rnd, make);
    case "fma":
      return fusedOf(a, b, c, rnd, make);
    case "add":
    case "sub":
      throw new Error(`${does} has no extremes`);
  }
}

/** (high + low) * 2^exponent, low being at most half a unit of high's last place. */
interface Scaled {
  readonly high: Vector;
  readonly low: Vector;
  /** Integers of 64 bits. */
  readonly exponent: Vector;
}

const EXPONENT = 0x7ff0_0000_0000_0000n;

/** A finite number other than 0 as m * 2^e, 1 <= |m| < 2; 0 keeps its sign, with any exponent below all others. */
function normalised(x: Vector, make: VectorMaker): { readonly m: Vector; readonly e: Vector } {
  const small = make.op("f64x2.lt", make.op("f64x2.abs", x), make.all64(code64(2 ** -1022)));
  const y = make.choose(small, make.op("f64x2.mul", x, make.all64(code64(2 ** 64))), x);
  const field = make.shift("i64x2.shr_u", make.shift("i64x2.shl", y, 1), 53);
  const bias = make.choose(small, make.all64(1023n + 64n), make.all64(1023n));
  const one = make.or(make.op("v128.andnot", y, make.all64(EXPONENT)), make.all64(code64(1)));
  return {
    m: make.choose(make.op("f64x2.eq", x, make.all64(0n)), x, one),
    e: make.op("i64x2.sub", field, bias),
  };
}

/** 2^e for exponents of normal numbers. */
const power = (e: Vector, make: VectorMaker): Vector =>
  make.shift("i64x2.shl", make.op("i64x2.add", e, make.all64(1023n)), 52);

function productOf(a: Vector, b: Vector, make: VectorMaker): Scaled {
  const [x, y] = [normalised(a, make), normalised(b, make)];
  const high = make.op("f64x2.mul", x.m, y.m);
  return { high, low: productError(x.m, y.m, high, make), exponent: make.op("i64x2.add", x.e, y.e) };
}

function quotientOf(a: Vector, b: Vector, make: VectorMaker): Scaled {
  const [x, y] = [normalised(a, make), normalised(b, make)];
  const high = make.op("f64x2.div", x.m, y.m);
  // Of what is left only the sign counts, and that it is small.
  const low = make.op("f64x2.div", remainderOf(x.m, high, y.m, make), y.m);
  return { high, low, exponent: make.op("i64x2.sub", x.e, y.e) };
}

/** a - quotient * b, exactly: the product lies within a few units of a, and the remainder is a number of f64. */
export function remainderOf(a: Vector, quotient: Vector, b: Vector, make: VectorMaker): Vector {
  const product = make.op("f64x2.mul", quotient, b);
  const near = make.op("f64x2.sub", a, product);
  return make.op("f64x2.sub", near, productError(quotient, b, product, make));
}

function rootOf(a: Vector, rnd: Direction, make: VectorMaker): Vector {
  const { m, e } = normalised(a, make);
  const odd = make.and(e, make.all64(1n));
  const square = make.op("f64x2.mul", m, power(odd, make));
  const high = make.op("f64x2.sqrt", square);
  const low = make.op("f64x2.mul", remainderOf(square, high, high, make), make.all64(code64(0.25)));
  const exponent = make.shift("i64x2.shr_s", make.op("i64x2.sub", e, odd), 1);
  const plain = make.op("f64x2.sqrt", a);
  const usual = make.and(
    make.op("f64x2.lt", make.all64(0n), a),
    make.op("f64x2.lt", a, make.all64(code64(Number.POSITIVE_INFINITY))),
  );
  return make.choose(usual, finished({ high, low, exponent }, rnd, make), plain);
}

/** Exponents this far apart: the smaller number only counts by not being 0. */
const FAR = 120n;

function fusedOf(a: Vector, b: Vector, c: Vector, rnd: Direction, make: VectorMaker): Vector {
  const product = productOf(a, b, make);
  const addend = normalised(c, make);
  const apart = make.op("i64x2.sub", addend.e, product.exponent);
  const [above, below] = [
    make.op("i64x2.gt_s", apart, make.all64(FAR)),
    make.op("i64x2.lt_s", apart, make.all64(-FAR)),
  ];
  const by = make.choose(above, make.all64(FAR), make.choose(below, make.all64(-FAR), apart));
  const exponent = make.choose(above, make.op("i64x2.sub", addend.e, make.all64(FAR)), product.exponent);
  const scaled = make.op("f64x2.mul", addend.m, power(by, make));
  const sum = sumOfThree(product.high, product.low, scaled, make);
  const plain = make.op("f64x2.add", make.op("f64x2.mul", a, b), c);
  const ofZeros = rnd === "rm" ? zeroDown(make.op("f64x2.mul", a, b), c, plain, make) : plain;
  const zero = make.op("f64x2.eq", sum.high, make.all64(0n));
  const rounded = make.choose(zero, make.all64(rnd === "rm" ? SIGN64 : 0n), finished({ ...sum, exponent }, rnd, make));
  const finite = special(ofZeros, [a, b], rounded, make);
  // An infinity is not changed by a finite product, however large.
  const factors = make.and(isNumber(a, make), isNumber(b, make));
  return make.choose(make.op("v128.andnot", factors, isNumber(c, make)), c, finite);
}

/** p + q + c as two numbers: `high` is the nearest, `low` what is left, rounded to odd (`binary64/double-fma.ts`). */
export function sumOfThree(
  p: Vector,
  q: Vector,
  c: Vector,
  make: VectorMaker,
): { readonly high: Vector; readonly low: Vector } {
  const add = (x: Vector, y: Vector): Vector => make.op("f64x2.add", x, y);
  const low = add(c, q);
  const lowest = sumError(c, q, low, make);
  const near = add(p, low);
  const rest = oddSum(sumError(p, low, near, make), lowest, make);
  const high = add(near, rest);
  return { high, low: sumError(near, rest, high, make) };
}

function oddSum(a: Vector, b: Vector, make: VectorMaker): Vector {
  const sum = make.op("f64x2.add", a, b);
  return oddOf(sum, sumError(a, b, sum, make), make);
}

const isNumber = (x: Vector, make: VectorMaker): Vector =>
  make.op("f64x2.lt", make.op("f64x2.abs", x), make.all64(code64(Number.POSITIVE_INFINITY)));

/** `plain` where an operand is 0, infinite or NaN. */
function special(plain: Vector, operands: readonly Vector[], other: Vector, make: VectorMaker): Vector {
  const usual = operands.map((x) => make.and(isNumber(x, make), make.op("f64x2.ne", x, make.all64(0n))));
  return make.choose(
    usual.reduce((all, each) => make.and(all, each)),
    other,
    plain,
  );
}

/** (high + low) * 2^exponent rounded once to f64; high is not 0. */
function finished({ high, low, exponent }: Scaled, rnd: Direction, make: VectorMaker): Vector {
  const field = make.shift("i64x2.shr_u", make.shift("i64x2.shl", high, 1), 53);
  const scaled = make.op("i64x2.add", field, exponent);
  const sign = make.and(high, make.all64(SIGN64));
  const negative = make.op("i64x2.lt_s", high, make.all64(0n));
  const over = make.op("i64x2.gt_s", scaled, make.all64(0x7fen));
  const under = make.op("i64x2.lt_s", scaled, make.all64(1n));
  const fine = subnormal(high, low, exponent, make);
  const pick = (infinite: Vector, tiny: Vector, normal: Vector): Vector =>
    make.choose(over, infinite, make.choose(under, tiny, normal));
  const nearest = pick(
    make.or(sign, make.all64(EXPONENT)),
    make.or(sign, fine.units),
    make.op("i64x2.add", high, make.shift("i64x2.shl", exponent, 52)),
  );
  if (rnd === "rn") return nearest;
  // An infinity lies beyond what is too large.
  const zero = make.all64(0n);
  const less = pick(make.not(negative), make.op("f64x2.lt", fine.rest, zero), make.op("f64x2.lt", low, zero));
  const more = pick(negative, make.op("f64x2.gt", fine.rest, zero), make.op("f64x2.gt", low, zero));
  return stepped("i64x2", nearest, less, more, rnd, make);
}

/** Below this exponent there is nothing but less than half of the smallest subnormal number. */
const LOWEST = -1500n;

/**
 * (high + low) * 2^exponent, a number below 2^-1022, in units of 2^-1074, rounded to nearest: the significand of a number
 * whose last place is that unit. `rest` has the sign of what rounding took away.
 */
function subnormal(
  high: Vector,
  low: Vector,
  exponent: Vector,
  make: VectorMaker,
): { readonly units: Vector; readonly rest: Vector } {
  const least = make.all64(LOWEST);
  const down = make.choose(make.op("i64x2.lt_s", exponent, least), least, exponent);
  // 2^(-1022 - exponent) with the number's sign: from there to its double, codes count units of its last place.
  const field = make.shift("i64x2.shl", make.op("i64x2.sub", make.all64(1n), down), 52);
  const large = make.or(field, make.and(high, make.all64(SIGN64)));
  const near = make.op("f64x2.add", large, high);
  const rest = oddSum(sumError(large, high, near, make), low, make);
  const sum = make.op("f64x2.add", near, rest);
  return {
    units: make.op("i64x2.sub", sum, large),
    rest: sumError(near, rest, sum, make),
  };
}

import type { Expression } from "../../../operation/expression.ts";
import type { VectorMaker } from "../../maker.ts";
import type { Scalar, Vector, Wide } from "../../vector.ts";
import { onBoth, shiftBoth, wideConstant } from "../../wide.ts";
import { type Domain, domainOf, type Integers } from "../lowering.ts";
import { powerOf2 } from "./products.ts";

type Node = "div" | "rem";

/** 2^52 + 2^51: the sum of it and a whole number has that number, modulo 2^32, as its low word. */
const WHOLE = 0x4338_0000_0000_0000n;

/** Quotients of words, cut toward zero. Nothing traps, and the result of a division by zero is never used. */
export function quotient(integers: Integers, node: Node, x: Expression, y: Expression): Vector | undefined {
  const { make } = integers;
  const [first, second] = [domainOf(integers, x), domainOf(integers, y)];
  if (first?.bits !== 32 || second?.bits !== 32) {
    const pair = quotientPair(integers, node, x, y);
    return pair && make.low(pair);
  }
  const [a, b] = [integers.word(x), integers.word(y)];
  if (a === undefined || b === undefined) return undefined;
  const up = isPositive(y) ? powerOf2(y, 32) : undefined;
  if (up !== undefined && !isNegative(integers, x))
    return node === "div" ? make.shift("i32x4.shr_u", a, up) : make.and(a, make.all32(2 ** up - 1));
  const result = up === undefined ? inDoubles(make, a, first, y, b, second) : byPower(make, a, up);
  if (node === "div") return result;
  const back = up === undefined ? make.op("i32x4.mul", result, b) : make.shift("i32x4.shl", result, up);
  return make.op("i32x4.sub", a, back);
}

const isPositive = (x: Expression): boolean => x.node === "integer" && x.value > 0n;

const isNegative = (integers: Integers, x: Expression): boolean => (integers.interval(x)?.least ?? -1n) < 0n;

/** A shift cuts toward -infinity: negative numbers get all but one of the divisor first. */
function byPower(make: VectorMaker, a: Vector, up: number): Vector {
  if (up === 0) return a;
  const sign = make.shift("i32x4.shr_s", a, 31);
  const raised = make.op("i32x4.add", a, make.shift("i32x4.shr_u", sign, 32 - up));
  return make.shift("i32x4.shr_s", raised, up);
}

/** A known divisor's inverse, made greater by 2^-51 of it: what is divided times it is cut where the quotient is. */
export const inverseOf = (divisor: number): number => (1 / divisor) * (1 + 2 ** -51);

/**
 * In binary64: an exact quotient is at least 1 / |b| below the next whole number, more than a rounding moves it. What is divided
 * times `inverseOf` is no less than the quotient and no more than 2^-50 of it above.
 */
function inDoubles(make: VectorMaker, a: Vector, first: Domain, y: Expression, b: Vector, second: Domain): Vector {
  const p = doubles(make, a, first.signed);
  const exact =
    y.node === "integer" && y.value !== 0n
      ? onBoth(make, "f64x2.mul", p, wideConstant(make, bitsOf(inverseOf(Number(y.value)))))
      : onBoth(make, "f64x2.div", p, doubles(make, b, second.signed));
  const whole = onBoth(make, "f64x2.trunc", exact);
  return make.low(onBoth(make, "f64x2.add", whole, wideConstant(make, WHOLE)));
}

const bitsOf = (x: number): bigint => new BigUint64Array(new Float64Array([x]).buffer)[0]!;

const doubles = (make: VectorMaker, word: Vector, signed: boolean): Wide => {
  const name = signed ? "f64x2.convert_low_i32x4_s" : "f64x2.convert_low_i32x4_u";
  return [make.op(name, word), make.op(name, make.pick(word, word, 2, 3, 2, 3))];
};

const divide = (name: "i64.div_u" | "i64.rem_u"): Scalar => ({
  code: "op",
  name,
  parts: [
    { code: "part", at: 0 },
    { code: "part", at: 1 },
  ],
});

/** Of 64 bits: lane by lane, of magnitudes, and never by zero, because both would trap. */
export function quotientPair(integers: Integers, node: Node, x: Expression, y: Expression): Wide | undefined {
  const { make } = integers;
  const up = isPositive(y) ? powerOf2(y, 64) : undefined;
  const [a, b] = [sized(integers, x), sized(integers, y)];
  if (a === undefined || b === undefined) return undefined;
  if (up !== undefined && a.sign === undefined)
    return node === "div"
      ? shiftBoth(make, "i64x2.shr_u", a.size, up)
      : onBoth(make, "v128.and", a.size, wideConstant(make, (1n << BigInt(up)) - 1n));
  // A mask is -1, so that a divisor of 0 becomes 1.
  const isZero = onBoth(make, "i64x2.eq", b.size, wideConstant(make, 0n));
  const divisor = y.node === "integer" && y.value !== 0n ? b.size : onBoth(make, "i64x2.sub", b.size, isZero);
  const run = divide(node === "div" ? "i64.div_u" : "i64.rem_u");
  const result: Wide = [
    make.lanes("i64x2", run, a.size[0], divisor[0]),
    make.lanes("i64x2", run, a.size[1], divisor[1]),
  ];
  // A remainder has the sign of the dividend.
  const both = a.sign && b.sign ? onBoth(make, "v128.xor", a.sign, b.sign) : (a.sign ?? b.sign);
  const sign = node === "rem" ? a.sign : both;
  return sign ? onBoth(make, "i64x2.sub", onBoth(make, "v128.xor", result, sign), sign) : result;
}

/** The magnitude of a number of 64 bits, and all bits set where it is negative. */
function sized(integers: Integers, x: Expression): { readonly size: Wide; readonly sign?: Wide } | undefined {
  const { make } = integers;
  const domain = domainOf(integers, x);
  const pair = domain && integers.pair(x);
  if (pair === undefined) return undefined;
  if (!isNegative(integers, x)) return { size: pair };
  return { size: onBoth(make, "i64x2.abs", pair), sign: shiftBoth(make, "i64x2.shr_s", pair, 63) };
}

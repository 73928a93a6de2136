import type { Expression } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import type { Scalar, Vector, Wide } from "../vector.ts";
import { onBoth, shiftBoth, wideConstant } from "../wide.ts";
import { domainOf, fits, type Integers, signed32, signed64, unsigned32, unsigned64 } from "./lowering.ts";

/** 2^52 + 2^51: the sum of it and a whole number has that number, modulo 2^32, as its low word. */
const WHOLE = 0x4338_0000_0000_0000n;

/**
 * Quotients of words in binary64, cut toward zero: an exact one is at least 1 / |b| below the next whole number, more
 * than a rounding moves it. Nothing traps, and what comes of a division by zero is for nobody.
 */
export function quotient(integers: Integers, node: "div" | "rem", x: Expression, y: Expression): Vector | undefined {
  const { make } = integers;
  const domains = [x, y].map((each) => domainOf(integers, each));
  if (domains.some((domain) => domain?.bits !== 32)) {
    const pair = quotientPair(integers, node, x, y);
    return pair && make.low(pair);
  }
  const [a, b] = [integers.word(x), integers.word(y)];
  if (a === undefined || b === undefined) return undefined;
  const [p, q] = [doubles(make, a, domains[0]!.signed), doubles(make, b, domains[1]!.signed)];
  const whole = onBoth(
    make,
    "f64x2.add",
    onBoth(make, "f64x2.trunc", onBoth(make, "f64x2.div", p, q)),
    wideConstant(make, WHOLE),
  );
  const result = make.low(whole);
  return node === "div" ? result : make.op("i32x4.sub", a, make.op("i32x4.mul", result, b));
}

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
export function quotientPair(integers: Integers, node: "div" | "rem", x: Expression, y: Expression): Wide | undefined {
  const { make } = integers;
  const [a, b] = [sized(integers, x), sized(integers, y)];
  if (a === undefined || b === undefined) return undefined;
  // A mask is -1, so that a divisor of 0 becomes 1.
  const divisor = onBoth(make, "i64x2.sub", b.size, onBoth(make, "i64x2.eq", b.size, wideConstant(make, 0n)));
  const run = divide(node === "div" ? "i64.div_u" : "i64.rem_u");
  const result: Wide = [
    make.lanes("i64x2", run, a.size[0], divisor[0]),
    make.lanes("i64x2", run, a.size[1], divisor[1]),
  ];
  // What is left has the sign of what was divided.
  const sign =
    node === "rem" || b.sign === undefined ? a.sign : a.sign ? onBoth(make, "v128.xor", a.sign, b.sign) : b.sign;
  return sign ? onBoth(make, "i64x2.sub", onBoth(make, "v128.xor", result, sign), sign) : result;
}

/** The magnitude of a number of 64 bits, and all bits set where it is negative. */
function sized(integers: Integers, x: Expression): { readonly size: Wide; readonly sign?: Wide } | undefined {
  const { make } = integers;
  const unsigned = fits(integers, x, unsigned64) || fits(integers, x, unsigned32);
  if (!unsigned && !fits(integers, x, signed64) && !fits(integers, x, signed32)) return undefined;
  const pair = integers.pair(x);
  if (pair === undefined || unsigned) return pair && { size: pair };
  return { size: onBoth(make, "i64x2.abs", pair), sign: shiftBoth(make, "i64x2.shr_s", pair, 63) };
}

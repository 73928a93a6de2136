import type { Expression } from "../../../operation/expression.ts";
import type { VectorMaker } from "../../maker.ts";
import type { Vector, Wide } from "../../vector.ts";
import { onBoth, shiftBoth, wideConstant } from "../../wide.ts";
import { fits, type Integers, signed32, signed64, unlabelled, unsigned32, unsigned64 } from "../lowering.ts";

/** A product modulo 2^bits. */
export function productWord(integers: Integers, a: Expression, b: Expression, bits: number): Vector | undefined {
  const { make } = integers;
  const [x, y] = [integers.word(a, bits), integers.word(b, bits)];
  if (x === undefined || y === undefined) return undefined;
  for (const [factor, by] of [
    [x, powerOf2(b, 32)],
    [y, powerOf2(a, 32)],
  ] as const)
    if (by !== undefined) return make.shift("i32x4.shl", factor, by);
  return make.op("i32x4.mul", x, y);
}

/** n of 2^n, below `bits`. */
export function powerOf2(x: Expression, bits: number): number | undefined {
  const value = x.node === "integer" ? BigInt.asUintN(bits, x.value) : 0n;
  if (value === 0n || (value & (value - 1n)) !== 0n) return undefined;
  return value.toString(2).length - 1;
}

/** A product modulo 2^64. */
export function product(integers: Integers, a: Expression, b: Expression): Wide | undefined {
  const { make } = integers;
  for (const [domain, signed] of [
    [unsigned32, false],
    [signed32, true],
  ] as const)
    if (fits(integers, a, domain) && fits(integers, b, domain)) {
      const [x, y] = [integers.word(a), integers.word(b)];
      return x && y && wideProduct(make, x, y, signed);
    }
  const [x, y] = [integers.pair(a), integers.pair(b)];
  if (x === undefined || y === undefined) return undefined;
  for (const [factor, by] of [
    [x, powerOf2(b, 64)],
    [y, powerOf2(a, 64)],
  ] as const)
    if (by !== undefined) return shiftBoth(make, "i64x2.shl", factor, by);
  return onBoth(make, "i64x2.mul", x, y);
}

/** Products of words, of 64 bits each. */
export const wideProduct = (make: VectorMaker, x: Vector, y: Vector, signed: boolean): Wide =>
  signed
    ? [make.op("i64x2.extmul_low_i32x4_s", x, y), make.op("i64x2.extmul_high_i32x4_s", x, y)]
    : [make.op("i64x2.extmul_low_i32x4_u", x, y), make.op("i64x2.extmul_high_i32x4_u", x, y)];

/** The upper 64 bits of a product of two numbers of 64 bits; undefined where the expression is none. */
export function highProduct(
  integers: Integers,
  x: Expression,
): { readonly pair: Wide; readonly signed: boolean } | undefined {
  const { make } = integers;
  const of = unlabelled(x);
  if (of.node !== "mul") return undefined;
  const kinds = [of.a, of.b].map((each) =>
    fits(integers, each, unsigned64) ? "u" : fits(integers, each, signed64) ? "s" : undefined,
  );
  const [a, b] = [integers.pair(of.a), integers.pair(of.b)];
  if (a === undefined || b === undefined || kinds.includes(undefined)) return undefined;
  const [aLow, aHigh, bLow, bHigh] = [make.low(a), make.high(a), make.low(b), make.high(b)];
  const sum = (p: Wide, q: Wide): Wide => onBoth(make, "i64x2.add", p, q);
  const upper = (p: Wide): Wide => shiftBoth(make, "i64x2.shr_u", p, 32);
  // Schoolbook multiplication by words. No sum reaches 2^64: (2^32 - 1)^2 + 2 (2^32 - 1) is 2^64 - 1.
  const crossed = wideProduct(make, aLow, bHigh, false);
  const lower = onBoth(make, "v128.and", crossed, wideConstant(make, 0xffff_ffffn));
  const middle = sum(sum(upper(wideProduct(make, aLow, bLow, false)), lower), wideProduct(make, aHigh, bLow, false));
  let high = sum(sum(wideProduct(make, aHigh, bHigh, false), upper(crossed)), upper(middle));
  // A negative number is its unsigned bits minus 2^64.
  const less = (of: Wide, other: Wide): Wide =>
    onBoth(make, "i64x2.sub", high, onBoth(make, "v128.and", shiftBoth(make, "i64x2.shr_s", of, 63), other));
  if (kinds[0] === "s") high = less(a, b);
  if (kinds[1] === "s") high = less(b, a);
  return { pair: high, signed: kinds.includes("s") };
}

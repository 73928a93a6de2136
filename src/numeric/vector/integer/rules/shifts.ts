import { ofBits } from "../../../lower/exact/interval.ts";
import type { Expression } from "../../../operation/expression.ts";
import { constant32, type VectorMaker } from "../../maker.ts";
import type { Scalar, Vector, Wide } from "../../vector.ts";
import { extended, onBoth, shiftBoth, wideConstant } from "../../wide.ts";
import { fits, type Integers, signed32, signed64, unlabelled, unsigned32, unsigned64 } from "../lowering.ts";
import { highProduct, wideProduct } from "./products.ts";

/** How far to shift: a number that is known, or one of each lane and the greatest that it may be. */
export type Amount = { readonly known: number } | { readonly word: Vector; readonly most: number };

/**
 * How far an expression shifts. A clamp at `limit` or above is dropped, because shifts test for amounts that large
 * anyway.
 */
export function amountOf(integers: Integers, by: Expression, limit: number): Amount | undefined {
  const x = unlabelled(by);
  if (x.node === "integer") return x.value < 0n ? undefined : { known: Number(x.value) };
  if (x.node === "min" && x.b.node === "integer" && x.b.value >= BigInt(limit)) {
    const word = fits(integers, x.a, unsigned32) ? integers.word(x.a) : undefined;
    if (word !== undefined) return { word, most: Number(integers.interval(x.a)!.greatest) };
  }
  const own = fits(integers, x, unsigned32) ? integers.interval(x) : undefined;
  const word = own && integers.word(x);
  return own && word && { word, most: Number(own.greatest) };
}

/** One lane shifted by another; WebAssembly counts amounts modulo the width. */
const lane = (name: "i64.shl" | "i64.shr_s" | "i64.shr_u"): Scalar => ({
  code: "op",
  name,
  parts: [
    { code: "part", at: 0 },
    { code: "part", at: 1 },
  ],
});

type Way = "shl" | "shr_s" | "shr_u";

/** Words shifted, by 32 and more too. By what each lane says it is a multiplication. */
export function shifted(make: VectorMaker, way: Way, word: Vector, by: Amount): Vector {
  if ("known" in by) {
    if (by.known < 32) return make.shift(`i32x4.${way}`, word, by.known);
    return way === "shr_s" ? make.shift("i32x4.shr_s", word, 31) : make.all32(0);
  }
  const amount = by.most > 255 ? make.op("i32x4.min_u", by.word, make.all32(255)) : by.word;
  if (way === "shl") {
    const power = powerOf2(make, amount);
    return constant32(word) === 1 ? power : make.op("i32x4.mul", word, power);
  }
  if (way === "shr_u") return down(make, word, amount);
  // The complement of a negative number has no sign.
  const sign = make.shift("i32x4.shr_s", word, 31);
  return make.xor(down(make, make.xor(word, sign), amount), sign);
}

/** a / 2^n is a * 2^(31 - n), of which the bits from 31 on are wanted; 0 from 32 on. */
function down(make: VectorMaker, word: Vector, amount: Vector): Vector {
  const power = powerOf2(make, make.op("i32x4.sub", make.all32(31), amount));
  return make.low(shiftBoth(make, "i64x2.shr_u", wideProduct(make, word, power, false), 31));
}

/**
 * 2^n of numbers whose low byte is n: a table has the byte that a 1 is in. 0 where n is 32 or more as a byte without
 * sign, because no entry is there.
 */
function powerOf2(make: VectorMaker, of: Vector): Vector {
  const everywhere = make.shuffle(
    of,
    of,
    Array.from({ length: 16 }, (_, at) => at & ~3),
  );
  const within = make.op("i8x16.sub", everywhere, make.all32(0x1810_0800));
  return make.op("i8x16.swizzle", make.words(0x0804_0201, -0x7fbf_dff0, 0, 0), within);
}

/** 64-bit lanes shifted, by 64 and more too. */
export function shiftedWide(make: VectorMaker, way: Way, pair: Wide, by: Amount): Wide {
  if ("known" in by) {
    if (by.known < 64) return shiftBoth(make, `i64x2.${way}`, pair, by.known);
    return way === "shr_s" ? shiftBoth(make, "i64x2.shr_s", pair, 63) : wideConstant(make, 0n);
  }
  const beyond = by.most > 63;
  const amount = way === "shr_s" && beyond ? make.op("i32x4.min_u", by.word, make.all32(63)) : by.word;
  const each = extended(make, amount, false);
  const result = pair.map((half, at) => make.lanes("i64x2", lane(`i64.${way}`), half, each[at]!)) as [Vector, Vector];
  if (way === "shr_s" || !beyond) return result;
  return onBoth(make, "v128.and", result, make.widen(make.op("i32x4.lt_u", by.word, make.all32(64))));
}

export function shiftedLeft(integers: Integers, a: Expression, by: Expression, bits: number): Vector | undefined {
  const [word, amount] = [integers.word(a, bits), amountOf(integers, by, 32)];
  return word && amount && shifted(integers.make, "shl", word, amount);
}

export function shiftedLeftPair(integers: Integers, a: Expression, by: Expression): Wide | undefined {
  const [pair, amount] = [integers.pair(a), amountOf(integers, by, 64)];
  return pair && amount && shiftedWide(integers.make, "shl", pair, amount);
}

/** The low words of numbers shifted to the right: of all their bits. */
export function shiftedRight(integers: Integers, a: Expression, by: Expression): Vector | undefined {
  const { make } = integers;
  const signed = fits(integers, a, signed32);
  if (signed || fits(integers, a, unsigned32)) {
    const [word, amount] = [integers.word(a), amountOf(integers, by, 32)];
    // If the number fits with and without sign, an unsigned shift is cheaper only by a known amount.
    const isPlain = fits(integers, a, ofBits(31n, false)) && amount !== undefined && "known" in amount;
    return word && amount && shifted(make, signed && !isPlain ? "shr_s" : "shr_u", word, amount);
  }
  const amount = amountOf(integers, by, 64);
  const wide = fits(integers, a, signed64) || fits(integers, a, unsigned64);
  if (amount === undefined || !wide || !("known" in amount) || amount.known >= 64) {
    const pair = shiftedRightPair(integers, a, by);
    return pair && make.low(pair);
  }
  const pair = integers.pair(a);
  if (pair === undefined) return undefined;
  // Only the low word is used, so the bits shifted in from above do not matter.
  if (amount.known < 32) return make.low(shiftBoth(make, "i64x2.shr_u", pair, amount.known));
  return make.shift(fits(integers, a, signed64) ? "i32x4.shr_s" : "i32x4.shr_u", make.high(pair), amount.known - 32);
}

export function shiftedRightPair(integers: Integers, a: Expression, by: Expression): Wide | undefined {
  const { make } = integers;
  const amount = amountOf(integers, by, 64);
  if (amount === undefined) return undefined;
  const signed = fits(integers, a, signed64);
  if (signed || fits(integers, a, unsigned64)) {
    const pair = integers.pair(a);
    return pair && shiftedWide(make, signed ? "shr_s" : "shr_u", pair, amount);
  }
  if (!("known" in amount) || amount.known < 64) return undefined;
  const high = highProduct(integers, a);
  return high && shiftedWide(make, high.signed ? "shr_s" : "shr_u", high.pair, { known: amount.known - 64 });
}

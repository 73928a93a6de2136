import { ofBits } from "../../../lower/exact/interval.ts";
import type { Expression } from "../../../operation/expression.ts";
import type { VectorMaker } from "../../maker.ts";
import type { Vector, Wide } from "../../vector.ts";
import { onBoth, shiftBoth, wideConstant } from "../../wide.ts";
import { fits, type Integers, isInteger } from "../lowering.ts";
import { amountOf, shifted, shiftedRight, shiftedRightPair, shiftedWide } from "./shifts.ts";

type Slice = Expression & { readonly node: "slice" };

/** The low bits of words, as numbers with or without sign. */
export function cut(make: VectorMaker, word: Vector, bits: number, signed: boolean): Vector {
  if (bits >= 32) return word;
  if (bits <= 0) return make.all32(0);
  if (!signed) return make.and(word, make.all32(2 ** bits - 1));
  return make.shift("i32x4.shr_s", make.shift("i32x4.shl", word, 32 - bits), 32 - bits);
}

/** The same of 64-bit lanes. */
export function cutWide(make: VectorMaker, pair: Wide, bits: number, signed: boolean): Wide {
  if (bits >= 64) return pair;
  if (bits <= 0) return wideConstant(make, 0n);
  if (!signed) return onBoth(make, "v128.and", pair, wideConstant(make, (1n << BigInt(bits)) - 1n));
  return shiftBoth(make, "i64x2.shr_s", shiftBoth(make, "i64x2.shl", pair, 64 - bits), 64 - bits);
}

export function sliceWord(integers: Integers, x: Slice, needed: number): Vector | undefined {
  const { make } = integers;
  const { a, low, bits, signed } = x;
  if (bits.node === "integer") {
    const count = Number(bits.value);
    if (low.node === "integer" && low.value >= 0n) {
      const from = Number(low.value);
      if (from === 0 && (count >= needed || fits(integers, a, ofBits(bits.value, signed))))
        return integers.word(a, needed);
      if (from + count <= 32) return partOf(make, integers.word(a), from, count, signed);
      if (from >= 32 && from + count <= 64) {
        const pair = integers.pair(a);
        return partOf(make, pair && make.high(pair), from - 32, count, signed);
      }
    }
    const word = shiftedRight(integers, a, low);
    return word && cut(make, word, count, signed);
  }
  const word = isInteger(low, 0n) ? integers.word(a) : shiftedRight(integers, a, low);
  const count = amountOf(integers, bits, 32);
  if (word === undefined || count === undefined || "known" in count) return undefined;
  if (!signed) {
    const mask = make.op("i32x4.sub", shifted(make, "shl", make.all32(1), count), make.all32(1));
    return make.and(word, mask);
  }
  // A slice of 0 bits is 0: both shifts are by 32, and the first leaves 0.
  const most = make.op("i32x4.min_u", count.word, make.all32(32));
  const up = { word: make.op("i32x4.sub", make.all32(32), most), most: 32 };
  return shifted(make, "shr_s", shifted(make, "shl", word, up), up);
}

/** `count` bits from bit `from` on; all of them lie in the word. */
function partOf(
  make: VectorMaker,
  word: Vector | undefined,
  from: number,
  count: number,
  signed: boolean,
): Vector | undefined {
  if (word === undefined) return undefined;
  if (count <= 0) return make.all32(0);
  const above = 32 - from - count;
  if (signed) return make.shift("i32x4.shr_s", make.shift("i32x4.shl", word, above), above + from);
  const down = make.shift("i32x4.shr_u", word, from);
  return above === 0 ? down : cut(make, down, count, false);
}

export function slicePair(integers: Integers, x: Slice): Wide | undefined {
  const { make } = integers;
  const { a, low, bits, signed } = x;
  const whole = isInteger(low, 0n) ? integers.pair(a) : shiftedRightPair(integers, a, low);
  const count = amountOf(integers, bits, 64);
  if (whole === undefined || count === undefined) return undefined;
  if ("known" in count) {
    if (isInteger(low, 0n) && fits(integers, a, ofBits(BigInt(count.known), signed))) return whole;
    return cutWide(make, whole, count.known, signed);
  }
  if (!signed) {
    const one = wideConstant(make, 1n);
    return onBoth(make, "v128.and", whole, onBoth(make, "i64x2.sub", shiftedWide(make, "shl", one, count), one));
  }
  const most = make.op("i32x4.min_u", count.word, make.all32(64));
  const up = { word: make.op("i32x4.sub", make.all32(64), most), most: 64 };
  return shiftedWide(make, "shr_s", shiftedWide(make, "shl", whole, up), up);
}

import { ofBits } from "../../lower/interval.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Vector, Wide } from "../vector.ts";
import { onBoth, shiftBoth } from "../wide.ts";
import { bytesOf, shuffled } from "./bytes.ts";
import { fits, type Integers } from "./lowering.ts";

type Concat = Expression & { readonly node: "concat" };

/** The low words of numbers side by side. */
export function concatenated(integers: Integers, x: Concat): Vector | undefined {
  const { make } = integers;
  const bytes = x.parts.length > 1 ? bytesOf(integers, x, 4) : undefined;
  const whole = bytes && shuffled(make, bytes, 0);
  if (whole !== undefined) return whole;
  let all: Vector | undefined;
  let low = 0;
  for (const { of, bits } of [...x.parts].reverse()) {
    if (!fits(integers, of, ofBits(BigInt(bits), false))) return undefined;
    if (low < 32) {
      const word = integers.word(of);
      if (word === undefined) return undefined;
      const part = make.shift("i32x4.shl", word, low);
      all = all === undefined ? part : make.or(all, part);
    }
    low += bits;
  }
  return all ?? make.all32(0);
}

export function concatenatedPair(integers: Integers, x: Concat): Wide | undefined {
  const { make } = integers;
  const bytes = x.parts.length > 1 ? bytesOf(integers, x, 8) : undefined;
  const [first, second] = bytes ? [shuffled(make, bytes, 0), shuffled(make, bytes, 2)] : [];
  if (first !== undefined && second !== undefined) return [first, second];
  let all: Wide | undefined;
  let low = 0;
  for (const { of, bits } of [...x.parts].reverse()) {
    if (!fits(integers, of, ofBits(BigInt(bits), false))) return undefined;
    if (low < 64) {
      const pair = integers.pair(of);
      if (pair === undefined) return undefined;
      const part = shiftBoth(make, "i64x2.shl", pair, low);
      all = all === undefined ? part : onBoth(make, "v128.or", all, part);
    }
    low += bits;
  }
  return all;
}

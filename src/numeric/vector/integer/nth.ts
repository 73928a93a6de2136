import type { Expression } from "../../operation/expression.ts";
import type { VectorMaker } from "../maker.ts";
import type { Vector } from "../vector.ts";
import { onesOf, reversedWord } from "./counts.ts";
import { fits, type Integers, signed32, unsigned32 } from "./lowering.ts";
import { shifted } from "./shifts.ts";

/** Where the count-th 1 of a word is (fns): downward is upward in the bits in reverse. */
export function nth(integers: Integers, x: Expression & { readonly node: "nth" }): Vector | undefined {
  const { make } = integers;
  const isWord = fits(integers, x.from, unsigned32) || fits(integers, x.from, signed32);
  if (!isWord || !fits(integers, x.count, signed32)) return undefined;
  const [a, from, count] = [integers.word(x.a), integers.word(x.from), integers.word(x.count)];
  if (a === undefined || from === undefined || count === undefined) return undefined;
  const down = make.op("i32x4.lt_s", count, make.all32(0));
  const word = make.choose(down, reversedWord(make, a), a);
  const start = make.choose(down, make.op("i32x4.sub", make.all32(31), from), from);
  const none = make.op("i32x4.eq", count, make.all32(0));
  // A count of 0 asks for the bit at the start alone: the first from there on, in a word that has no other.
  const candidates = make.choose(none, make.all32(1), make.all32(-1));
  const given = make.and(word, shifted(make, "shl", candidates, { word: start, most: 31 }));
  const wanted = make.op("i32x4.sub", make.op("i32x4.abs", count), none);
  const at = positionOf(make, given, wanted);
  const place = make.choose(down, make.op("i32x4.sub", make.all32(31), at), at);
  const missing = make.or(
    make.op("i32x4.gt_u", wanted, onesOf(make, given)),
    make.op("i32x4.gt_u", from, make.all32(31)),
  );
  return make.or(missing, place);
}

/** The position of the wanted 1, counted from 1: half by half, it lies above where too few are below. */
function positionOf(make: VectorMaker, word: Vector, wanted: Vector): Vector {
  let [rest, left, at] = [word, wanted, make.all32(0)];
  for (const half of [16, 8, 4, 2, 1]) {
    const below = onesOf(make, make.and(rest, make.all32(2 ** half - 1)));
    const above = make.op("i32x4.gt_u", left, below);
    left = make.op("i32x4.sub", left, make.and(above, below));
    rest = make.choose(above, make.shift("i32x4.shr_u", rest, half), rest);
    at = make.or(at, make.and(above, make.all32(half)));
  }
  return at;
}

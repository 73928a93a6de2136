import { ofBits } from "../../../lower/exact/interval.ts";
import type { Expression } from "../../../operation/expression.ts";
import type { VectorMaker } from "../../maker.ts";
import type { Vector, Wide } from "../../vector.ts";
import { fits, type Integers, unsigned32, unsigned64 } from "../lowering.ts";

/** popc: of the bytes, then their sums. */
export function ones(integers: Integers, a: Expression): Vector | undefined {
  const { make } = integers;
  if (fits(integers, a, unsigned32)) {
    const word = integers.word(a);
    return word && onesOf(make, word);
  }
  const pair = fits(integers, a, unsigned64) ? integers.pair(a) : undefined;
  if (pair === undefined) return undefined;
  const bytes = ([make.low(pair), make.high(pair)] as const).map((word) => make.op("i8x16.popcnt", word));
  return summed(make, make.op("i8x16.add", bytes[0]!, bytes[1]!));
}

export const onesOf = (make: VectorMaker, word: Vector): Vector => summed(make, make.op("i8x16.popcnt", word));

/** The sum of the bytes of each word. */
const summed = (make: VectorMaker, bytes: Vector): Vector =>
  make.op("i32x4.extadd_pairwise_i16x8_u", make.op("i16x8.extadd_pairwise_i8x16_u", bytes));

/** clz of an unsigned number of so many bits. */
export function zerosAbove(integers: Integers, a: Expression, bits: number): Vector | undefined {
  const { make } = integers;
  if (bits > 64 || !fits(integers, a, ofBits(BigInt(bits), false))) return undefined;
  if (bits <= 32) {
    const word = integers.word(a);
    return word && less(make, make.lanes("i32x4", lane("i32.clz"), word), 32 - bits);
  }
  const pair = integers.pair(a);
  if (pair === undefined) return undefined;
  const [first, second] = pair.map((half) => make.lanes("i64x2", lane("i64.clz"), half)) as [Vector, Vector];
  return less(make, make.low([first, second]), 64 - bits);
}

const lane = (name: "i32.clz" | "i64.clz") => ({ code: "op", name, parts: [{ code: "part", at: 0 }] }) as const;

const less = (make: VectorMaker, zeros: Vector, by: number): Vector =>
  by === 0 ? zeros : make.op("i32x4.sub", zeros, make.all32(by));

export function reversed(integers: Integers, a: Expression, bits: number): Vector | undefined {
  const { make } = integers;
  if (!fits(integers, a, ofBits(BigInt(bits), false))) return undefined;
  if (bits > 32) {
    const pair = bits === 64 ? reversedPair(integers, a, bits) : undefined;
    return pair && make.low(pair);
  }
  const word = integers.word(a);
  return word && make.shift("i32x4.shr_u", reversedWord(make, word), 32 - bits);
}

export function reversedPair(integers: Integers, a: Expression, bits: number): Wide | undefined {
  const { make } = integers;
  if (bits !== 64 || !fits(integers, a, unsigned64)) return undefined;
  const pair = integers.pair(a);
  return pair && [turned(make, pair[0], 8), turned(make, pair[1], 8)];
}

/** The four bits of a byte's half in reverse, in the lower half and in the higher one. */
const nibbles = Array.from({ length: 16 }, (_, n) => ((n & 1) << 3) | ((n & 2) << 1) | ((n & 4) >> 1) | ((n & 8) >> 3));

function table(make: VectorMaker, up: number): Vector {
  const word = (from: number): number =>
    nibbles.slice(from, from + 4).reduce((all, bits, at) => all | ((bits << up) << (8 * at)), 0);
  return make.words(word(0), word(4), word(8), word(12));
}

export const reversedWord = (make: VectorMaker, word: Vector): Vector => turned(make, word, 4);

/** The bits of lanes of so many bytes in reverse: bytes change places, and a table turns the halves of each. */
function turned(make: VectorMaker, of: Vector, bytes: 4 | 8): Vector {
  const order = Array.from({ length: 16 }, (_, at) => at - (at % bytes) + (bytes - 1 - (at % bytes)));
  const swapped = make.shuffle(of, of, order);
  const half = make.all32(0x0f0f_0f0f);
  const low = make.op("i8x16.swizzle", table(make, 4), make.and(swapped, half));
  const high = make.op("i8x16.swizzle", table(make, 0), make.and(make.shift("i32x4.shr_u", swapped, 4), half));
  return make.or(low, high);
}

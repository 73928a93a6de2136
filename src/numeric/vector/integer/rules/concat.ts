import { ofBits } from "../../../lower/exact/interval.ts";
import type { Expression } from "../../../operation/expression.ts";
import type { VectorMaker } from "../../maker.ts";
import { isWide, type Value, type Vector, type Wide } from "../../vector.ts";
import { onBoth, shiftBoth } from "../../wide.ts";
import { fits, type Integers, unsigned32, unsigned64 } from "../lowering.ts";

/** A byte of each lane of a value. */
interface Source {
  readonly of: Value;
  readonly byte: number;
}

/**
 * The bytes of a row of numbers, where each is a byte of some value as it is: one shuffle, however they are mixed.
 * Undefined where one is computed, or where they come from more than two vectors.
 */
function bytesOf(integers: Integers, x: Expression, count: 4 | 8): Source[] | undefined {
  const sources: Source[] = [];
  for (let byte = 0; byte < count; byte++) {
    const source = sourceOf(integers, x, byte);
    if (source === undefined) return undefined;
    sources.push(source);
  }
  return sources;
}

/** A shuffle of four lanes of four bytes, or of two lanes of eight, the first being lane `from`. */
function shuffled(make: VectorMaker, sources: readonly Source[], from: number): Vector | undefined {
  const vectors: Vector[] = [];
  const bytes: number[] = [];
  for (let at = 0; at < 16; at++) {
    const lane = from + Math.floor(at / sources.length);
    const { of, byte } = sources[at % sources.length]!;
    const vector = isWide(of) ? of[lane >> 1]! : of;
    if (!vectors.includes(vector)) vectors.push(vector);
    const place = isWide(of) ? 8 * (lane & 1) : 4 * lane;
    bytes.push(16 * vectors.indexOf(vector) + place + byte);
  }
  const [first, second = first] = vectors;
  if (first === undefined || second === undefined || vectors.length > 2) return undefined;
  return bytes.every((byte, at) => byte === at) ? first : make.shuffle(first, second, bytes);
}

function sourceOf(integers: Integers, x: Expression, byte: number): Source | undefined {
  const { make } = integers;
  switch (x.node) {
    case "label":
      return sourceOf(integers, x.a, byte);
    case "integer":
      return { of: make.all32(Number(BigInt.asIntN(32, x.value >> BigInt(8 * (byte & ~3))))), byte: byte & 3 };
    case "argument":
    case "bits": {
      // A number without sign has zeros above it.
      if (fits(integers, x, unsigned32)) {
        const word = integers.word(x);
        return word && (byte < 4 ? { of: word, byte } : { of: make.all32(0), byte: 0 });
      }
      const pair = fits(integers, x, unsigned64) && byte < 8 ? integers.pair(x) : undefined;
      return pair && { of: pair, byte };
    }
    case "concat": {
      let low = 0;
      for (const { of, bits } of [...x.parts].reverse()) {
        if (low % 8 !== 0 || !fits(integers, of, ofBits(BigInt(bits), false))) return undefined;
        if (8 * byte < low + bits) return bits % 8 === 0 ? sourceOf(integers, of, byte - low / 8) : undefined;
        low += bits;
      }
      return { of: make.all32(0), byte: 0 };
    }
    case "slice": {
      if (x.signed || x.low.node !== "integer" || x.bits.node !== "integer") return undefined;
      if (x.low.value < 0n || x.low.value % 8n !== 0n || x.bits.value % 8n !== 0n) return undefined;
      if (BigInt(byte) * 8n >= x.bits.value) return { of: make.all32(0), byte: 0 };
      return sourceOf(integers, x.a, byte + Number(x.low.value / 8n));
    }
    default:
      return undefined;
  }
}

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

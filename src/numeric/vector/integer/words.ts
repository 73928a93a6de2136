import type { Expression } from "../../operation/expression.ts";
import { isFloat, isSignedType, widthOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import type { PureInstruction, Vector } from "../vector.ts";
import { fits, type Integers, isInteger, mapped, signed32, termsOf, unlabelled, unsigned32 } from "./lowering.ts";
import type { Operands } from "./operands.ts";
import { bitwise, manyBits } from "./rules/bitwise.ts";
import { absolute, extremum } from "./rules/choices.ts";
import { concatenated } from "./rules/concat.ts";
import { ones, onesOf, reversed, reversedWord, zerosAbove } from "./rules/counts.ts";
import { quotient } from "./rules/division.ts";
import { productWord } from "./rules/products.ts";
import { shifted, shiftedLeft, shiftedRight } from "./rules/shifts.ts";
import { cut, sliceWord } from "./rules/slices.ts";

/** The position of the count-th 1 of a word (fns); searches downward by reversing the bits. */
function nth(integers: Integers, x: Expression & { readonly node: "nth" }): Vector | undefined {
  const { make } = integers;
  const isWord = fits(integers, x.from, unsigned32) || fits(integers, x.from, signed32);
  if (!isWord || !fits(integers, x.count, signed32)) return undefined;
  const [a, from, count] = [integers.word(x.a), integers.word(x.from), integers.word(x.count)];
  if (a === undefined || from === undefined || count === undefined) return undefined;
  const down = make.op("i32x4.lt_s", count, make.all32(0));
  const word = make.choose(down, reversedWord(make, a), a);
  const start = make.choose(down, make.op("i32x4.sub", make.all32(31), from), from);
  const none = make.op("i32x4.eq", count, make.all32(0));
  // A count of 0 tests only the bit at the start: the others are masked off, and the first 1 is searched.
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

/** The position of the `wanted`th 1, from 1, by bisection: in the upper half if the lower has too few. */
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

/** Some bits of a word, from a bit on that is known. */
interface Element {
  readonly of: Vector;
  readonly low: number;
  readonly bits: number;
  readonly signed: boolean;
}

/**
 * Four products of bytes, or two of halves with sign and bytes, among the terms of a sum (dp4a, dp2a): halves are
 * multiplied and added in pairs by one instruction. Returns their sum, and the terms that are left.
 */
function dotProduct(
  integers: Integers,
  terms: readonly Expression[],
): { readonly sum: Vector; readonly rest: readonly Expression[] } | undefined {
  const products = terms.flatMap((term) => {
    const of = unlabelled(term);
    if (of.node !== "mul") return [];
    const [a, b] = [elementOf(integers, of.a), elementOf(integers, of.b)];
    return a && b ? [{ term, a, b }] : [];
  });
  const [a, b] = [rowOf(products.map((each) => each.a)), rowOf(products.map((each) => each.b))];
  if (a === undefined || b === undefined) return undefined;
  const { make } = integers;
  const rest = terms.filter((term) => !products.some((each) => each.term === term));
  const dot = (x: Vector, y: Vector): Vector => make.op("i32x4.dot_i16x8_s", x, y);
  if (products.length === 4 && a.bits === 8 && b.bits === 8 && a.low === 0 && b.low === 0) {
    const [p, q] = [halvesOf(integers, a), halvesOf(integers, b)];
    return { sum: make.op("i32x4.add", dot(p.even, q.even), dot(p.odd, q.odd)), rest };
  }
  if (products.length !== 2 || a.bits !== 16 || !a.signed || a.low !== 0 || b.bits !== 8) return undefined;
  // Both bytes in the upper half of a half each.
  const [first, second] = [b.low / 8, b.low / 8 + 1];
  const order = Array.from({ length: 16 }, (_, at) => (at & ~3) + ((at & 2) === 0 ? first : second));
  const spread = make.shuffle(b.of, b.of, order);
  return { sum: dot(a.of, make.shift(b.signed ? "i16x8.shr_s" : "i16x8.shr_u", spread, 8)), rest };
}

function elementOf(integers: Integers, x: Expression): Element | undefined {
  const of = unlabelled(x);
  if (of.node !== "slice" || of.low.node !== "integer" || of.bits.node !== "integer") return undefined;
  if (!fits(integers, of.a, unsigned32) && !fits(integers, of.a, signed32)) return undefined;
  const word = integers.word(of.a);
  return word && { of: word, low: Number(of.low.value), bits: Number(of.bits.value), signed: of.signed };
}

/** Elements of one word that lie one above the other: the first of them. */
function rowOf(elements: readonly Element[]): Element | undefined {
  const [first] = elements;
  if (first === undefined || (first.bits !== 8 && first.bits !== 16) || first.low % first.bits !== 0) return undefined;
  const follows = ({ of, low, bits, signed }: Element, at: number): boolean =>
    of === first.of && low === first.low + at * bits && bits === first.bits && signed === first.signed;
  return elements.every(follows) ? first : undefined;
}

/** The bytes of even number and those of odd number, as halves. */
function halvesOf({ make }: Integers, { of, signed }: Element): { readonly even: Vector; readonly odd: Vector } {
  if (!signed) return { even: make.and(of, make.all32(0x00ff_00ff)), odd: make.shift("i16x8.shr_u", of, 8) };
  return {
    even: make.shift("i16x8.shr_s", make.shift("i16x8.shl", of, 8), 8),
    odd: make.shift("i16x8.shr_s", of, 8),
  };
}

/** The words of one node. */
export function wordOf(integers: Integers, operands: Operands, x: Expression, bits: number): Vector | undefined {
  const { make } = integers;
  switch (x.node) {
    case "argument":
    case "flush":
    case "bits":
      return operands.word(x.name, x.node === "bits", bits);
    case "integer":
      return make.all32(Number(BigInt.asIntN(32, x.value)));
    case "label":
      return integers.word(x.a, bits);
    case "add":
      return sum(integers, operands, x, bits);
    case "sub":
      return two(integers, "i32x4.sub", x.a, x.b, bits);
    case "mul":
      return productWord(integers, x.a, x.b, bits);
    case "and":
    case "or":
    case "xor":
    case "not":
      return (
        bitwise(make, x, (leaf) => integers.word(leaf, bits)) ?? manyBits(make, x, (part) => integers.word(part, bits))
      );
    case "neg":
      return mapped(integers.word(x.a, bits), (a) => make.op("i32x4.neg", a));
    case "select": {
      const [when, yes, no] = [integers.mask(x.when), integers.word(x.yes, bits), integers.word(x.no, bits)];
      return when && yes && no && make.choose(when, yes, no);
    }
    case "shl":
      return shiftedLeft(integers, x.a, x.by, bits);
    case "shr":
      return shiftedRight(integers, x.a, x.by);
    case "slice":
      return sliceWord(integers, x, bits);
    case "concat":
      return concatenated(integers, x);
    case "reverse":
      return reversed(integers, x.a, x.bits);
    case "as": {
      const width = widthOf(x.type);
      if (isFloat(x.type)) return undefined;
      if (width >= bits) return integers.word(x.a, bits);
      return mapped(integers.word(x.a, width), (a) => cut(make, a, width, isSignedType(x.type)));
    }
    case "min":
    case "max":
      return extremum(integers, x.node, x.a, x.b);
    case "abs":
      return absolute(integers, x.a);
    case "popc":
      return ones(integers, x.a);
    case "clz":
      return zerosAbove(integers, x.a, x.bits);
    case "relation":
      return mapped(integers.mask(x), (mask) => make.shift("i32x4.shr_u", mask, 31));
    case "div":
    case "rem":
      return quotient(integers, x.node, x.a, x.b);
    case "nth":
      return nth(integers, x);
    case "clmul":
    case "is":
    case "sqrt":
    case "function":
    case "integral":
    case "signed":
    case "rounded":
      return undefined;
  }
}

function sum(
  integers: Integers,
  operands: Operands,
  x: Expression & { readonly a: Expression; readonly b: Expression },
  bits: number,
): Vector | undefined {
  const { make } = integers;
  const dot = dotProduct(integers, termsOf(x));
  if (dot !== undefined)
    return dot.rest.reduce<Vector | undefined>((all, term) => {
      const word = integers.word(term, bits);
      return all && word && make.op("i32x4.add", word, all);
    }, dot.sum);
  if (isInteger(x.b, 0n)) return integers.word(x.a, bits);
  if (isInteger(x.a, 0n)) return integers.word(x.b, bits);
  // A value that is 1 or 0 has a mask, which is -1 or 0.
  const [number, truth] = operands.isTruth(x.b) ? [x.a, x.b] : [x.b, x.a];
  if (operands.isTruth(truth)) {
    const [word, mask] = [integers.word(number, bits), integers.mask(truth)];
    return word && mask && make.op("i32x4.sub", word, mask);
  }
  return two(integers, "i32x4.add", x.a, x.b, bits);
}

function two(
  integers: Integers,
  name: PureInstruction,
  a: Expression,
  b: Expression,
  bits: number,
): Vector | undefined {
  const [x, y] = [integers.word(a, bits), integers.word(b, bits)];
  return x && y && integers.make.op(name, x, y);
}

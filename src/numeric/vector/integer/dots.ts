import type { Expression } from "../../operation/expression.ts";
import type { Vector } from "../vector.ts";
import { fits, type Integers, signed32, unlabelled, unsigned32 } from "./lowering.ts";

/** Some bits of a word, from a bit on that is known. */
interface Element {
  readonly of: Vector;
  readonly low: number;
  readonly bits: number;
  readonly signed: boolean;
}

/**
 * Four products of bytes, or two of halves with sign and bytes, among the terms of a sum (dp4a, dp2a): halves are
 * multiplied and added in pairs by one instruction. Gives their sum, and the terms that are left.
 */
export function dotProduct(
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

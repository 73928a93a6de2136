import type { Expression } from "../../operation/expression.ts";
import type { Operation } from "../../operation/operation.ts";
import { widthOf } from "../../operation/type.ts";
import { unsigned64 } from "../nodes.ts";
import type { Steps } from "../steps.ts";
import { WordLowering } from "./words.ts";

/** The words of a sum of 64 bits, and what is carried out of it: not 0 where CC.CF becomes 1. */
export interface WideCarry {
  readonly low: Steps;
  readonly high: Steps;
  readonly out: Steps;
}

/**
 * An addition with carry of 64 bits: its terms, each of them unsigned, word by word. A handful of words adds up to far
 * less than 2^53. Undefined where a term is no word or pair of words.
 */
export function carrySteps({ takes, result }: Operation): WideCarry | undefined {
  if (result.into !== "carry" || widthOf(result.type) !== 64) return undefined;
  const words = new WordLowering(takes);
  const { make } = words;
  const pairs = termsOf(result.of).map((term) => (words.fits(term, unsigned64) ? words.pair(term) : undefined));
  if (!pairs.every((pair) => pair !== undefined)) return undefined;
  const total = (each: readonly Steps[]): Steps => each.reduce((sum, word) => make.do("add", sum, word));
  const low = total(pairs.map((pair) => make.unsignedWord(pair.low)));
  const carried = make.do("floor", low, make.number(32));
  const high = total([...pairs.map((pair) => make.unsignedWord(pair.high)), carried]);
  // Of more than two terms the flag is the lowest bit of what is above.
  return { low, high, out: make.do("and", make.do("floor", high, make.number(32)), make.number(1)) };
}

const termsOf = (x: Expression): readonly Expression[] => {
  if (x.node === "label") return termsOf(x.a);
  return x.node === "add" ? [...termsOf(x.a), ...termsOf(x.b)] : [x];
};

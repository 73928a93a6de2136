import type { Operation, Result } from "../../operation/operation.ts";
import { rangeOf, type TypeName, widthOf } from "../../operation/type.ts";
import { ofBits } from "../exact/interval.ts";
import type { Steps } from "../steps.ts";
import type { Pair } from "./word-steps.ts";
import { WordLowering } from "./words.ts";

/**
 * The steps of an operation of integers with a result of up to 32 bits: they compute the result's bits (with a
 * carry-out, one bit more). Undefined where words do not suffice: reals, and products and quotients of 64 bits.
 */
export function narrowSteps({ takes, gives, result }: Operation): Steps | undefined {
  return widthOf(gives) > 32 ? undefined : resultSteps(result, new WordLowering(takes));
}

function resultSteps(result: Result, words: WordLowering): Steps | undefined {
  const { make } = words;
  switch (result.into) {
    case "wrap": {
      const word = words.word(result.of);
      return word && unsignedBits(word, result.type, words);
    }
    case "clamp": {
      const whole = words.exact(result.of);
      const [least, greatest] = rangeOf(result.type).map((bound) => make.number(Number(bound)));
      if (whole === undefined || widthOf(result.type) > 32) return undefined;
      return unsignedBits(make.do("min", make.do("max", whole, least!), greatest!), result.type, words);
    }
    case "carry": {
      const width = widthOf(result.type);
      if (!result.out) {
        const word = words.word(result.of);
        return word && unsignedBits(word, result.type, words);
      }
      const whole = words.exact(result.of);
      if (whole === undefined) return undefined;
      if (words.fits(result.of, ofBits(BigInt(width) + 1n, false))) return whole;
      const times = make.do("floor", whole, make.number(width + 1));
      return make.do("sub", whole, make.do("mul", times, make.number(2 ** (width + 1))));
    }
    case "predicate": {
      const holds = words.condition(result.of);
      if (holds === undefined) return undefined;
      return words.fits(result.of, ofBits(1n, false)) ? holds : make.do("ne", holds, make.number(0));
    }
    case "choose": {
      const [when, yes, no] = [
        words.condition(result.when),
        resultSteps(result.yes, words),
        resultSteps(result.no, words),
      ];
      return when && yes && no && make.do("choose", when, yes, no);
    }
    case "round":
    case "lanes":
      return undefined;
  }
}

/** A word cut to the width of a type, without sign. */
function unsignedBits(word: Steps, type: TypeName, { make }: WordLowering): Steps {
  const width = widthOf(type);
  return width === 32 ? make.do("unsigned", word) : make.do("and", word, make.number(2 ** width - 1));
}

/** The two words of an operation of integers with a 64-bit result; undefined where words do not suffice. */
export function pairSteps({ takes, gives, result }: Operation): Pair | undefined {
  return widthOf(gives) === 64 ? resultPair(result, new WordLowering(takes)) : undefined;
}

function resultPair(result: Result, words: WordLowering): Pair | undefined {
  switch (result.into) {
    case "wrap":
      return words.pair(result.of);
    case "carry":
      return result.out ? undefined : words.pair(result.of);
    case "choose": {
      const when = words.condition(result.when);
      const [yes, no] = [resultPair(result.yes, words), resultPair(result.no, words)];
      return when && yes && no && words.make.choosePair(when, yes, no);
    }
    case "clamp":
    case "predicate":
    case "round":
    case "lanes":
      return undefined;
  }
}

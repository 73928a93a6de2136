import { StepMaker, type Steps } from "../steps.ts";

/** The two words of a number modulo 2^64, each of either sign. */
export interface Pair {
  readonly low: Steps;
  readonly high: Steps;
}

/** How far to shift, or how many bits to take: an exact number that is not negative, and the greatest it may be. */
export interface Amount {
  readonly steps: Steps;
  readonly most: number;
}

const WORD = 2 ** 32;

/** Steps on words and pairs of words. */
export class WordSteps extends StepMaker {
  signedWord(word: Steps): Steps {
    return isSignedWord(word) ? word : this.do("signed", word);
  }

  unsignedWord(word: Steps): Steps {
    return isUnsignedWord(word) ? word : this.do("unsigned", word);
  }

  /** The low bits of a word, as a number with or without sign. */
  field(word: Steps, bits: number, signed: boolean): Steps {
    if (bits === 0) return this.number(0);
    if (bits >= 32) return word;
    if (!signed) return this.do("and", word, this.number(2 ** bits - 1));
    const up = this.number(32 - bits);
    return this.do("sar", this.do("shl", word, up), up);
  }

  choosePair(when: Steps, yes: Pair, no: Pair): Pair {
    return { low: this.do("choose", when, yes.low, no.low), high: this.do("choose", when, yes.high, no.high) };
  }

  sum(a: Pair, b: Pair): Pair {
    const low = this.do("add", this.unsignedWord(a.low), this.unsignedWord(b.low));
    const out = this.do("le", this.number(WORD), low);
    const high = this.do("add", this.signedWord(a.high), this.signedWord(b.high));
    return { low, high: this.do("add", high, out) };
  }

  difference(a: Pair, b: Pair): Pair {
    const low = this.do("sub", this.unsignedWord(a.low), this.unsignedWord(b.low));
    const borrow = this.do("lt", low, this.number(0));
    const high = this.do("sub", this.signedWord(a.high), this.signedWord(b.high));
    return { low, high: this.do("sub", high, borrow) };
  }

  atMost({ steps, most }: Amount, limit: number): Steps {
    if (most <= limit) return steps;
    return this.do("min", this.#uncut(steps, limit), this.number(limit));
  }

  /** A number before a clamp at `limit` or above, which is redundant for users that test for `limit` anyway. */
  #uncut(steps: Steps, limit: number): Steps {
    if (steps.step !== "min") return steps;
    const [of, cut] = steps.parts as readonly [Steps, Steps];
    return cut.step === "number" && cut.value >= limit ? of : steps;
  }

  /** An amount whose user tests whether it reaches `limit`, without a redundant clamp. */
  uncut({ steps, most }: Amount, limit: number): Amount {
    return { steps: this.#uncut(steps, limit), most };
  }

  /** `beyond` where the amount reaches `limit`, else `below`. */
  unlessBeyond({ steps, most }: Amount, limit: number, beyond: Steps, below: Steps): Steps {
    if (steps.step === "number" || most < limit) return most < limit ? below : beyond;
    return this.do("choose", this.do("le", this.number(limit), steps), beyond, below);
  }

  pairLeft({ low, high }: Pair, amount: Amount): Pair {
    const by = this.uncut(amount, 64);
    const zero = this.number(0);
    const up = this.do("shl", low, by.steps);
    // The bits that cross into the other word are shifted twice, by 1 and by the rest: JavaScript takes an amount of 32
    // for 0.
    const rest = this.do("sub", this.number(31), by.steps);
    const over = this.do("shr", this.do("shr", low, this.number(1)), rest);
    const upper = this.do("or", this.do("shl", high, by.steps), over);
    return {
      low: this.unlessBeyond(by, 32, zero, up),
      high: this.unlessBeyond(by, 64, zero, this.unlessBeyond(by, 32, up, upper)),
    };
  }

  /** `count` bits of a word from bit `from` on; all of them lie in it. */
  part(word: Steps, from: number, count: number, signed: boolean): Steps {
    if (count === 0) return this.number(0);
    if (from + count === 32 && from > 0) return this.do(signed ? "sar" : "shr", word, this.number(from));
    return this.field(from === 0 ? word : this.do("shr", word, this.number(from)), count, signed);
  }

  /** The low bits of a word, as many as a number says. */
  cutAt(word: Steps, count: Amount, signed: boolean): Steps {
    const { steps } = count;
    if (steps.step === "number") return this.field(word, Math.min(steps.value, 32), signed);
    if (!signed) {
      const mask = this.do("sub", this.do("shl", this.number(1), steps), this.number(1));
      return this.unlessBeyond(count, 32, word, this.do("and", word, mask));
    }
    const up = this.do("sub", this.number(32), steps);
    const cut = this.do("sar", this.do("shl", word, up), up);
    const some = this.do("choose", steps, cut, this.number(0));
    return this.unlessBeyond(count, 32, word, some);
  }
}

const wordSteps = new Set<string>(["signed", "not", "and", "or", "xor", "shl", "sar", "imul", "reverse"]);
const smallSteps = new Set<string>(["clz", "ones", "nth", "lt", "le", "eq", "ne"]);

/** Is it a word with sign already? */
function isSignedWord(x: Steps): boolean {
  if (x.step === "operand") return x.view !== "unsigned" && x.view !== "word";
  if (x.step === "number") return (x.value | 0) === x.value;
  return wordSteps.has(x.step) || smallSteps.has(x.step);
}

function isUnsignedWord(x: Steps): boolean {
  if (x.step === "operand") return x.view === "unsigned";
  if (x.step === "number") return x.value >>> 0 === x.value;
  return ["unsigned", "shr", "highProduct"].includes(x.step) || (smallSteps.has(x.step) && x.step !== "nth");
}

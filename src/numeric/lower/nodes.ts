import type { Expression, IntegerRelation, Relation } from "../operation/expression.ts";
import { type Interval, ofBits, within } from "./exact/interval.ts";
import type { Steps } from "./steps.ts";
import { type Amount, type Pair, WordSteps } from "./word/word-steps.ts";

export const signed32: Interval = ofBits(32n, true);
export const unsigned32: Interval = ofBits(32n, false);
export const signed64: Interval = ofBits(64n, true);
export const unsigned64: Interval = ofBits(64n, false);

/** Lowers single nodes, given a way to lower their parts. */
export abstract class NodeLowering {
  readonly make = new WordSteps();
  /** Where every value of an expression lies. */
  abstract readonly interval: (x: Expression) => Interval | undefined;
  /** The number itself. */
  abstract exact(x: Expression): Steps | undefined;
  /** A number that is congruent modulo 2^32, below 2^53 in magnitude. */
  abstract word(x: Expression): Steps | undefined;
  /** Two words that are congruent modulo 2^64. */
  abstract pair(x: Expression): Pair | undefined;

  /** Does every value lie in the interval? */
  fits(x: Expression, interval: Interval): boolean {
    const own = this.interval(x);
    return own !== undefined && within(own, interval);
  }

  /** A number that is not 0 where the expression is not. */
  condition(x: Expression): Steps | undefined {
    const whole = this.exact(x);
    if (whole !== undefined) return whole;
    const pair = this.fits(x, signed64) || this.fits(x, unsigned64) ? this.pair(x) : undefined;
    return pair && this.make.do("or", pair.low, pair.high);
  }

  protected leadingZeros(x: Expression, bits: number): Steps | undefined {
    const { make } = this;
    if (!this.fits(x, ofBits(BigInt(bits), false)) || bits > 64) return undefined;
    const less = (zeros: Steps, by: number): Steps => (by === 0 ? zeros : make.do("sub", zeros, make.number(by)));
    if (bits <= 32) return mapped(this.word(x), (a) => less(make.do("clz", a), 32 - bits));
    const pair = this.pair(x);
    if (pair === undefined) return undefined;
    const { low, high } = pair;
    const lower = make.do("add", make.do("clz", low), make.number(32));
    return less(make.do("choose", make.signedWord(high), make.do("clz", high), lower), 64 - bits);
  }

  protected relation(relation: Relation, a: Expression, b: Expression): Steps | undefined {
    const { make } = this;
    const [p, q] = [this.exact(a), this.exact(b)];
    const order = orders[relation];
    if (order === undefined) return this.interval(a) && this.interval(b) && make.number(relation === "num" ? 1 : 0);
    if (p !== undefined && q !== undefined) return compared(order, p, q, (step, x, y) => make.do(step, x, y));
    const signed = this.fits(a, signed64) && this.fits(b, signed64);
    if (!signed && !(this.fits(a, unsigned64) && this.fits(b, unsigned64))) return undefined;
    const [x, y] = [this.pair(a), this.pair(b)];
    if (x === undefined || y === undefined) return undefined;
    const high = (word: Steps): Steps => (signed ? make.signedWord(word) : make.unsignedWord(word));
    return compared(order, x, y, (step, { low: xLow, high: xHigh }, { low: yLow, high: yHigh }) => {
      const same = make.do("eq", high(xHigh), high(yHigh));
      if (step === "eq" || step === "ne") {
        const apart = make.do("or", make.do("xor", xLow, yLow), make.do("xor", xHigh, yHigh));
        return make.do(step, apart, make.number(0));
      }
      const lower = make.do(step, make.unsignedWord(xLow), make.unsignedWord(yLow));
      return make.do("choose", same, lower, make.do("lt", high(xHigh), high(yHigh)));
    });
  }

  protected product(a: Expression, b: Expression): Pair | undefined {
    const { make } = this;
    const [x, y] = [this.word(a), this.word(b)];
    if (x === undefined || y === undefined) return undefined;
    const low = make.do("imul", x, y);
    const unsigned = (e: Expression): boolean => this.fits(e, unsigned32);
    const signed = (e: Expression): boolean => this.fits(e, signed32);
    if ((unsigned(a) || signed(a)) && (unsigned(b) || signed(b))) {
      // A negative number is its unsigned bits minus 2^32.
      let high = make.do("highProduct", x, y);
      const zero = make.number(31);
      if (!unsigned(a)) high = make.do("sub", high, make.do("and", make.do("sar", x, zero), y));
      if (!unsigned(b)) high = make.do("sub", high, make.do("and", make.do("sar", y, zero), x));
      return { low, high };
    }
    // Schoolbook multiplication by words; the product of both high words counts 2^64.
    const [p, q] = [this.pair(a), this.pair(b)];
    if (p === undefined || q === undefined) return undefined;
    const cross = make.do("add", make.do("imul", p.high, q.low), make.do("imul", p.low, q.high));
    return { low, high: make.do("add", make.do("highProduct", p.low, q.low), cross) };
  }

  /** How far to shift, or how many bits to take. */
  protected amount(by: Expression): Amount | undefined {
    const own = this.interval(by);
    const amount = this.exact(by);
    if (own === undefined || amount === undefined || own.least < 0n) return undefined;
    return { steps: amount, most: amount.step === "number" ? amount.value : Number(own.greatest) };
  }

  protected shiftedLeft(a: Expression, by: Expression): Steps | undefined {
    const [word, amount] = [this.word(a), this.amount(by)];
    return word && amount && this.#unlessAll("shl", word, amount);
  }

  /** A word shifted: 0 from 32 bits on. */
  #unlessAll(step: "shl" | "shr", word: Steps, amount: Amount): Steps {
    const { make } = this;
    const by = make.uncut(amount, 32);
    return make.unlessBeyond(by, 32, make.number(0), make.do(step, word, by.steps));
  }

  /** The word from bit `low` of a number on. */
  protected from(a: Expression, low: Expression): Steps | undefined {
    const { make } = this;
    const amount = this.amount(low);
    if (amount === undefined) return undefined;
    if (amount.most === 0) return this.word(a);
    if (this.fits(a, signed32)) return mapped(this.exact(a), (whole) => make.do("sar", whole, make.atMost(amount, 31)));
    if (this.fits(a, unsigned32)) return mapped(this.word(a), (word) => this.#unlessAll("shr", word, amount));
    return this.pairRight(a, low)?.low;
  }

  /** A number of 64 bits, with or without sign, shifted to the right. */
  protected pairRight(a: Expression, low: Expression): Pair | undefined {
    const { make } = this;
    const signed = this.fits(a, signed64);
    if (!signed && !this.fits(a, unsigned64)) return isNumber(low, 64n) ? this.highPair(a) : undefined;
    const [pair, amount] = [this.pair(a), this.amount(low)];
    if (pair === undefined || amount === undefined) return undefined;
    const by = make.uncut(amount, 64);
    const above = signed ? make.do("sar", pair.high, make.number(31)) : make.number(0);
    if (by.steps.step === "number" && by.steps.value === 32) return { low: pair.high, high: above };
    const down = make.do(signed ? "sar" : "shr", pair.high, by.steps);
    const rest = make.do("sub", make.number(31), by.steps);
    const over = make.do("shl", make.do("shl", pair.high, make.number(1)), rest);
    const lower = make.do("or", make.do("shr", pair.low, by.steps), over);
    return {
      low: make.unlessBeyond(by, 64, above, make.unlessBeyond(by, 32, down, lower)),
      high: make.unlessBeyond(by, 32, above, down),
    };
  }

  protected slice(x: Expression & { node: "slice" }): Steps | undefined {
    const { make } = this;
    const { a, low, bits, signed } = x;
    if (low.node === "integer" && bits.node === "integer") {
      const [from, count] = [Number(low.value), Number(bits.value)];
      if (from < 0 || count < 0) return undefined;
      if (from + count <= 32) return mapped(this.word(a), (word) => make.part(word, from, count, signed));
      if (from + count <= 64) {
        const pair = this.pair(a);
        if (pair === undefined) return undefined;
        if (from >= 32) return make.part(pair.high, from - 32, Math.min(count, 32), signed);
        if (from === 0) return pair.low;
        const over = make.do("shl", pair.high, make.number(32 - from));
        const word = make.do("or", make.do("shr", pair.low, make.number(from)), over);
        return make.field(word, count, signed);
      }
    }
    const word = this.from(a, low);
    const count = this.amount(bits);
    return word && count && make.cutAt(word, count, signed);
  }

  /** The upper 64 bits of a product: schoolbook multiplication by words, every sum of the four products exact. */
  private highPair(x: Expression): Pair | undefined {
    const { make } = this;
    if (x.node === "label") return this.highPair(x.a);
    if (x.node !== "mul") return undefined;
    const [a, b] = [this.pair(x.a), this.pair(x.b)];
    const kinds = [x.a, x.b].map((each) => (this.fits(each, unsigned64) ? "u" : this.fits(each, signed64) ? "s" : ""));
    if (a === undefined || b === undefined || kinds.includes("")) return undefined;
    const high = (p: Steps, q: Steps): Steps => make.do("highProduct", p, q);
    const lower = (p: Steps, q: Steps): Steps => make.unsignedWord(make.do("imul", p, q));
    const sum = (...all: readonly Steps[]): Steps => all.reduce((p, q) => make.do("add", p, q));
    const up = (p: Steps): Steps => make.do("floor", p, make.number(32));
    const first = sum(high(a.low, b.low), lower(a.high, b.low), lower(a.low, b.high));
    const second = sum(lower(a.high, b.high), high(a.high, b.low), high(a.low, b.high), up(first));
    let product: Pair = { low: second, high: sum(high(a.high, b.high), up(second)) };
    // A negative number is its unsigned bits minus 2^64.
    const less = (from: Pair, { high }: Pair, other: Pair): Pair => {
      const sign = make.do("sar", high, make.number(31));
      return make.difference(from, {
        low: make.do("and", sign, other.low),
        high: make.do("and", sign, other.high),
      });
    };
    if (kinds[0] === "s") product = less(product, a, b);
    if (kinds[1] === "s") product = less(product, b, a);
    return product;
  }

  protected pairSlice(x: Expression & { node: "slice" }): Pair | undefined {
    const { make } = this;
    const { low, bits, signed } = x;
    const count = this.amount(bits);
    const whole = low.node === "integer" && low.value === 0n ? this.pair(x.a) : this.pairRight(x.a, low);
    if (whole === undefined || count === undefined)
      return isNumber(low, 64n) && isNumber(bits, 64n) ? this.highPair(x.a) : undefined;
    const lower = make.cutAt(whole.low, count, signed);
    const sign = signed ? make.do("sar", lower, make.number(31)) : make.number(0);
    if (count.most <= 32) return { low: lower, high: sign };
    const above = make.do("sub", count.steps, make.number(32));
    if (above.step === "number") {
      const upper = make.field(whole.high, Math.min(above.value, 32), signed);
      return { low: whole.low, high: upper };
    }
    const upper = make.cutAt(whole.high, { steps: above, most: count.most - 32 }, signed);
    return { low: lower, high: make.do("choose", make.do("lt", make.number(0), above), upper, sign) };
  }

  /** The word of a row of numbers that begins at bit `from`. */
  protected concat(x: Expression & { node: "concat" }, from: number): Steps | undefined {
    const { make } = this;
    let word: Steps | undefined;
    let low = 0;
    for (const { of, bits } of [...x.parts].reverse()) {
      if (!this.fits(of, ofBits(BigInt(bits), false))) return undefined;
      if (low < from + 32 && low + bits > from) {
        const part = this.partAt(of, low - from, bits);
        if (part === undefined) return undefined;
        word = word === undefined ? part : make.do("or", word, part);
      }
      low += bits;
    }
    return word ?? make.number(0);
  }

  /** A part of a row, within the word in which it begins at bit `at`, or -at bits before. */
  protected partAt(of: Expression, at: number, bits: number): Steps | undefined {
    const { make } = this;
    if (at >= 0) return mapped(this.word(of), (word) => (at === 0 ? word : make.do("shl", word, make.number(at))));
    if (bits > 64) return undefined;
    if (bits <= 32) return mapped(this.word(of), (word) => make.do("shr", word, make.number(-at)));
    const pair = this.pair(of);
    if (pair === undefined) return undefined;
    if (at === -32) return pair.high;
    if (at < -32) return make.do("shr", pair.high, make.number(-at - 32));
    const over = make.do("shl", pair.high, make.number(32 + at));
    return make.do("or", make.do("shr", pair.low, make.number(-at)), over);
  }
}

const isNumber = (x: Expression, value: bigint): boolean => x.node === "integer" && x.value === value;

const orders: Readonly<Record<Relation, IntegerRelation | undefined>> = {
  eq: "eq", equ: "eq", ne: "ne", neu: "ne", lt: "lt", ltu: "lt", le: "le", leu: "le", gt: "gt", gtu: "gt", ge: "ge",
  geu: "ge", num: undefined, nan: undefined,
}; // biome-ignore format: by relation

/** A relation by steps that exist for "less" alone: greater swaps the operands. */
function compared<T>(
  relation: IntegerRelation,
  a: T,
  b: T,
  ask: (step: "eq" | "ne" | "lt" | "le", a: T, b: T) => Steps,
): Steps {
  if (relation === "gt") return ask("lt", b, a);
  return relation === "ge" ? ask("le", b, a) : ask(relation, a, b);
}

export const mapped = <T>(x: T | undefined, to: (x: T) => Steps): Steps | undefined =>
  x === undefined ? undefined : to(x);

import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { isFloat, isSignedType, type TypeName, widthOf } from "../../operation/type.ts";
import { type Interval, intervals, ofBits } from "../exact/interval.ts";
import { mapped, NodeLowering, signed32, signed64, unsigned32, unsigned64 } from "../nodes.ts";
import type { PrimitiveName } from "../primitive.ts";
import type { Steps } from "../steps.ts";
import type { Pair } from "./word-steps.ts";

const EXACT: Interval = { least: -(2n ** 53n), greatest: 2n ** 53n };
const WORD = 2 ** 32;
/** A sum below this is exact. */
const LIMIT = 2 ** 53;

/**
 * Lowers expressions of integers to steps on JavaScript numbers, in three ways: to a number that is exact (below 2^53),
 * to one that is right modulo 2^32, and to two words that are right modulo 2^64. Sums, products, bits and shifts to the
 * left need no more bits of their operands than they produce; comparisons, quotients and shifts to the right need all
 * bits. Undefined if an expression cannot be lowered so.
 */
export class WordLowering extends NodeLowering {
  readonly interval: (x: Expression) => Interval | undefined;
  readonly #takes: readonly Argument[];
  readonly #exact = new Map<Expression, Steps | undefined>();
  readonly #word = new Map<Expression, Steps | undefined>();
  readonly #pair = new Map<Expression, Pair | undefined>();

  constructor(takes: readonly Argument[]) {
    super();
    this.#takes = takes;
    this.interval = intervals(takes);
  }

  /** The number itself. */
  exact(x: Expression): Steps | undefined {
    return once(this.#exact, x, () => this.#exactly(x));
  }

  /** A number that is congruent modulo 2^32, below 2^53 in magnitude. */
  word(x: Expression): Steps | undefined {
    return once(this.#word, x, () => this.#wordOf(x));
  }

  /** Two words that are congruent modulo 2^64. */
  pair(x: Expression): Pair | undefined {
    return once(this.#pair, x, () => this.#pairOf(x));
  }

  #exactly(x: Expression): Steps | undefined {
    if (!this.fits(x, EXACT)) return undefined;
    const { make } = this;
    switch (x.node) {
      case "argument":
      case "flush":
        return this.#argument(x.name, this.#typeOf(x.name));
      case "bits":
        return this.#argument(x.name, `b${widthOf(this.#typeOf(x.name))}` as TypeName);
      case "integer":
        return make.number(Number(x.value));
      case "label":
        return this.exact(x.a);
      case "add":
      case "sub":
      case "mul":
      case "div":
      case "rem":
      case "min":
      case "max": {
        const [a, b] = [this.exact(x.a), this.exact(x.b)];
        if (a && b) return make.do(x.node, a, b);
        return x.node === "div" || x.node === "rem" ? undefined : this.#joined(x);
      }
      case "neg":
      case "abs": {
        const a = this.exact(x.a);
        return a ? make.do(x.node === "neg" ? "negate" : "abs", a) : this.#joined(x);
      }
      case "popc": {
        if (!this.fits(x.a, unsigned64)) return undefined;
        const a = this.fits(x.a, unsigned32) ? this.word(x.a) : undefined;
        if (a) return make.do("ones", a);
        const pair = this.pair(x.a);
        return pair && make.do("add", make.do("ones", pair.low), make.do("ones", pair.high));
      }
      case "clz":
        return this.leadingZeros(x.a, x.bits);
      case "relation":
        return this.relation(x.relation, x.a, x.b);
      case "select": {
        const [when, yes, no] = [this.condition(x.when), this.exact(x.yes), this.exact(x.no)];
        return when && yes && no && make.do("choose", when, yes, no);
      }
      case "nth": {
        const [a, from, count] = [this.word(x.a), this.exact(x.from), this.exact(x.count)];
        return a && from && count && make.do("nth", a, from, count);
      }
      case "shl": {
        const [a, by] = [this.exact(x.a), this.exact(x.by)];
        if (this.fits(x, signed32) || this.fits(x, unsigned32)) return this.#joined(x);
        return a && by && make.do("scale", a, by);
      }
      case "shr": {
        const a = this.exact(x.a);
        if (a === undefined || this.fits(x.a, signed32) || this.fits(x.a, unsigned32)) return this.#joined(x);
        return mapped(this.amount(x.by), (by) => make.do("floor", a, make.atMost(by, 63)));
      }
      case "and":
      case "or":
      case "xor":
      case "not":
      case "slice":
      case "concat":
      case "reverse":
      case "as":
        return this.#joined(x);
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

  /** A number that is known to fit, from its word or words. */
  #joined(x: Expression): Steps | undefined {
    const { make } = this;
    if (this.fits(x, signed32)) return mapped(this.#modulo(x), (word) => make.signedWord(word));
    if (this.fits(x, unsigned32)) return mapped(this.#modulo(x), (word) => make.unsignedWord(word));
    const pair = this.#pairOf(x);
    if (pair === undefined) return undefined;
    const high = make.signedWord(pair.high);
    return make.do("add", make.do("mul", high, make.number(WORD)), make.unsignedWord(pair.low));
  }

  #wordOf(x: Expression): Steps | undefined {
    const own = this.#modulo(x);
    return own ?? this.exact(x);
  }

  /** A word of a node that needs no more than the words of its operands; undefined for the others. */
  #modulo(x: Expression): Steps | undefined {
    const { make } = this;
    switch (x.node) {
      case "argument":
      case "flush":
      case "bits": {
        const type = this.#typeOf(x.name);
        if (isFloat(type) && x.node !== "bits") return undefined;
        const at = this.#takes.findIndex(({ name }) => name === x.name);
        if (widthOf(type) === 32) return make.operand(at, "word");
        return widthOf(type) === 64 ? make.operand(at, "low") : undefined;
      }
      case "integer":
        return make.number(Number(BigInt.asIntN(32, x.value)));
      case "label":
        return this.word(x.a);
      case "add":
      case "sub": {
        const [a, b] = [this.word(x.a), this.word(x.b)];
        if (a === undefined || b === undefined) return undefined;
        const small = a.most + b.most <= LIMIT;
        return small ? make.do(x.node, a, b) : make.do(x.node, make.signedWord(a), make.signedWord(b));
      }
      case "neg":
        return mapped(this.word(x.a), (a) => make.do("sub", make.number(0), a));
      case "mul":
        return this.#both("imul", x.a, x.b);
      case "and":
      case "or":
      case "xor":
        return this.#both(x.node, x.a, x.b);
      case "not":
        return mapped(this.word(x.a), (a) => make.do("not", a));
      case "select": {
        const [when, yes, no] = [this.condition(x.when), this.word(x.yes), this.word(x.no)];
        return when && yes && no && make.do("choose", when, yes, no);
      }
      case "shl":
        return this.shiftedLeft(x.a, x.by);
      case "shr":
        return this.from(x.a, x.by);
      case "slice":
        return this.slice(x);
      case "concat":
        return this.concat(x, 0);
      case "reverse": {
        if (x.bits > 32 || !this.fits(x.a, ofBits(BigInt(x.bits), false)))
          return x.bits === 64 ? this.pair(x)?.low : undefined;
        const down = make.number(32 - x.bits);
        return mapped(this.word(x.a), (a) =>
          x.bits === 32 ? make.do("reverse", a) : make.do("shr", make.do("reverse", a), down),
        );
      }
      case "as":
        return this.interval(x) && mapped(this.word(x.a), (a) => make.field(a, widthOf(x.type), isSignedType(x.type)));
      case "popc":
      case "clz":
      case "nth":
      case "relation":
      case "div":
      case "rem":
      case "min":
      case "max":
      case "abs":
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

  #pairOf(x: Expression): Pair | undefined {
    const { make } = this;
    if (this.fits(x, unsigned32)) {
      const low = this.word(x);
      return low && { low, high: make.number(0) };
    }
    if (this.fits(x, signed32)) {
      const low = this.exact(x);
      return low && { low, high: make.do("sar", low, make.number(31)) };
    }
    switch (x.node) {
      case "argument":
      case "flush":
      case "bits": {
        const type = this.#typeOf(x.name);
        if (widthOf(type) !== 64 || (isFloat(type) && x.node !== "bits")) return undefined;
        const at = this.#takes.findIndex(({ name }) => name === x.name);
        return { low: make.operand(at, "low"), high: make.operand(at, "high") };
      }
      case "integer":
        return {
          low: make.number(Number(BigInt.asIntN(32, x.value))),
          high: make.number(Number(BigInt.asIntN(32, x.value >> 32n))),
        };
      case "label":
        return this.pair(x.a);
      case "and":
      case "or":
      case "xor": {
        const [a, b] = [this.pair(x.a), this.pair(x.b)];
        return a && b && { low: make.do(x.node, a.low, b.low), high: make.do(x.node, a.high, b.high) };
      }
      case "not": {
        const a = this.pair(x.a);
        return a && { low: make.do("not", a.low), high: make.do("not", a.high) };
      }
      case "add":
      case "sub": {
        const [a, b] = [this.pair(x.a), this.pair(x.b)];
        return a && b && (x.node === "add" ? make.sum(a, b) : make.difference(a, b));
      }
      case "neg": {
        const a = this.pair(x.a);
        return a && make.difference({ low: make.number(0), high: make.number(0) }, a);
      }
      case "mul":
        return this.product(x.a, x.b);
      case "select": {
        const [when, yes, no] = [this.condition(x.when), this.pair(x.yes), this.pair(x.no)];
        return when && yes && no && make.choosePair(when, yes, no);
      }
      case "min":
      case "max": {
        const [a, b, less] = [this.pair(x.a), this.pair(x.b), this.relation("lt", x.a, x.b)];
        return a && b && less && (x.node === "min" ? make.choosePair(less, a, b) : make.choosePair(less, b, a));
      }
      case "abs": {
        const a = this.pair(x.a);
        if (a === undefined || !this.fits(x.a, signed64)) return undefined;
        const negative = make.difference({ low: make.number(0), high: make.number(0) }, a);
        return make.choosePair(make.do("lt", make.signedWord(a.high), make.number(0)), negative, a);
      }
      case "shl": {
        const [a, by] = [this.pair(x.a), this.amount(x.by)];
        return a && by && make.pairLeft(a, by);
      }
      case "shr":
        return this.pairRight(x.a, x.by);
      case "slice":
        return this.pairSlice(x);
      case "concat": {
        const [low, high] = [this.concat(x, 0), this.concat(x, 32)];
        return low && high && { low, high };
      }
      case "reverse": {
        const a = x.bits === 64 && this.fits(x.a, unsigned64) ? this.pair(x.a) : undefined;
        return a && { low: make.do("reverse", a.high), high: make.do("reverse", a.low) };
      }
      case "as":
        return this.interval(x) && widthOf(x.type) === 64 ? this.pair(x.a) : undefined;
      case "popc":
      case "clz":
      case "nth":
      case "relation":
      case "div":
      case "rem":
      case "clmul":
      case "is":
      case "sqrt":
      case "function":
      case "integral":
      case "signed":
      case "rounded":
        return this.#split(x);
    }
  }

  /** Both words of a number that is exact. */
  #split(x: Expression): Pair | undefined {
    const low = this.exact(x);
    return low && { low, high: this.make.do("floor", low, this.make.number(32)) };
  }

  #typeOf(name: string): TypeName {
    const taken = this.#takes.find((each) => each.name === name);
    if (taken === undefined) throw new Error(`the operation takes no ${name}`);
    return taken.type;
  }

  #argument(name: string, type: TypeName): Steps | undefined {
    const at = this.#takes.findIndex((each) => each.name === name);
    const width = widthOf(type);
    if (width > 32) return undefined;
    if (width === 32) return this.make.operand(at, isSignedType(type) ? "signed" : "unsigned");
    const bits = this.make.operand(at, "unsigned");
    return isSignedType(type) ? this.make.field(bits, width, true) : bits;
  }

  #both(step: PrimitiveName, a: Expression, b: Expression): Steps | undefined {
    const [x, y] = [this.word(a), this.word(b)];
    return x && y && this.make.do(step, x, y);
  }
}

function once<T>(known: Map<Expression, T>, x: Expression, find: () => T): T {
  const had = known.get(x);
  if (had !== undefined || known.has(x)) return had as T;
  const found = find();
  known.set(x, found);
  return found;
}

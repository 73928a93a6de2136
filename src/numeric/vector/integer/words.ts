import { type Interval, intervals } from "../../lower/interval.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { partsOf } from "../../operation/parts.ts";
import { isFloat, isSignedType, type TypeName, widthOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import { isWide, type PureInstruction, type Value, type Vector, type Wide } from "../vector.ts";
import { extended, onBoth, wideConstant } from "../wide.ts";
import { bitwise, either } from "./bitwise.ts";
import { absolute, absolutePair, extremum, extremumPair } from "./choices.ts";
import { concatenated, concatenatedPair } from "./concat.ts";
import { ones, reversed, reversedPair, zerosAbove } from "./counts.ts";
import { quotient, quotientPair } from "./division.ts";
import { dotProduct } from "./dots.ts";
import { boolean, fits, type Integers, isInteger, signed32, termsOf, unlabelled, unsigned32 } from "./lowering.ts";
import { nth } from "./nth.ts";
import { product, productWord } from "./products.ts";
import { relationMask } from "./relations.ts";
import { shiftedLeft, shiftedLeftPair, shiftedRight, shiftedRightPair } from "./shifts.ts";
import { cut, slicePair, sliceWord } from "./slices.ts";

/** What an operation is lowered with. `real` gives the mask of what asks about reals. */
export interface Given {
  readonly takes: readonly Argument[];
  readonly operands: readonly Value[];
  readonly make: VectorMaker;
  readonly real: (x: Expression) => Vector | undefined;
}

/**
 * Lowers expressions of integers, in one switch for words and one for pairs. Sums, products, bits and shifts to the left
 * need no more of their operands than they give; comparisons, quotients and shifts to the right need all of them, and
 * are undefined where a number may have more than 64 bits.
 */
export class IntegerVectors implements Integers {
  readonly make: VectorMaker;
  readonly interval: (x: Expression) => Interval | undefined;
  readonly #given: Given;
  readonly #words: (Map<Expression, Vector | undefined> | undefined)[] = [];
  readonly #pairs = new Map<Expression, Wide | undefined>();
  readonly #masks = new Map<Expression, Vector | undefined>();

  constructor(given: Given) {
    this.#given = given;
    this.make = given.make;
    this.interval = intervals(given.takes);
  }

  word(x: Expression, bits = 32): Vector | undefined {
    this.#words[bits] ??= new Map();
    return once(this.#words[bits], x, () => this.#word(x, bits));
  }

  pair(x: Expression): Wide | undefined {
    return once(this.#pairs, x, () => this.#pair(x));
  }

  mask(x: Expression): Vector | undefined {
    return once(this.#masks, x, () => this.#mask(x));
  }

  #word(x: Expression, bits: number): Vector | undefined {
    const { make } = this;
    switch (x.node) {
      case "argument":
      case "flush":
      case "bits":
        return this.#operand(x.name, x.node === "bits", bits);
      case "integer":
        return make.all32(Number(BigInt.asIntN(32, x.value)));
      case "label":
        return this.word(x.a, bits);
      case "add":
        return this.#dot(x, bits) ?? this.#sum(x.a, x.b, bits);
      case "sub":
        return this.#two("i32x4.sub", x.a, x.b, bits);
      case "mul":
        return productWord(this, x.a, x.b, bits);
      case "and":
      case "or":
      case "xor":
      case "not":
        return bitwise(make, x, (leaf) => this.word(leaf, bits)) ?? this.#bitwise(x, (part) => this.word(part, bits));
      case "neg":
        return mapped(this.word(x.a, bits), (a) => make.op("i32x4.neg", a));
      case "select": {
        const [when, yes, no] = [this.mask(x.when), this.word(x.yes, bits), this.word(x.no, bits)];
        return when && yes && no && make.choose(when, yes, no);
      }
      case "shl":
        return shiftedLeft(this, x.a, x.by, bits);
      case "shr":
        return shiftedRight(this, x.a, x.by);
      case "slice":
        return sliceWord(this, x, bits);
      case "concat":
        return concatenated(this, x);
      case "reverse":
        return reversed(this, x.a, x.bits);
      case "as": {
        const width = widthOf(x.type);
        if (isFloat(x.type)) return undefined;
        if (width >= bits) return this.word(x.a, bits);
        return mapped(this.word(x.a, width), (a) => cut(make, a, width, isSignedType(x.type)));
      }
      case "min":
      case "max":
        return extremum(this, x.node, x.a, x.b);
      case "abs":
        return absolute(this, x.a);
      case "popc":
        return ones(this, x.a);
      case "clz":
        return zerosAbove(this, x.a, x.bits);
      case "relation":
        return mapped(this.mask(x), (mask) => make.shift("i32x4.shr_u", mask, 31));
      case "div":
      case "rem":
        return quotient(this, x.node, x.a, x.b);
      case "nth":
        return nth(this, x);
      case "is":
      case "sqrt":
      case "function":
      case "integral":
      case "signed":
      case "rounded":
        return undefined;
    }
  }

  #pair(x: Expression): Wide | undefined {
    if (x.node === "integer") return wideConstant(this.make, BigInt.asUintN(64, x.value));
    // A number of 32 bits that is made of such is a word first.
    const isWord = fits(this, x, unsigned32) || fits(this, x, signed32);
    return (
      (isWord && this.#isNarrow(x) ? this.#extended(x) : this.#pairOf(x)) ?? (isWord ? this.#extended(x) : undefined)
    );
  }

  #extended(x: Expression): Wide | undefined {
    const word = this.word(x);
    return word && extended(this.make, word, !fits(this, x, unsigned32));
  }

  #isNarrow(x: Expression): boolean {
    return partsOf(x).every((part) => fits(this, part, unsigned32) || fits(this, part, signed32));
  }

  #pairOf(x: Expression): Wide | undefined {
    const { make } = this;
    switch (x.node) {
      case "argument":
      case "flush":
      case "bits":
        return this.#wideOperand(x.name, x.node === "bits");
      case "label":
        return this.pair(x.a);
      case "add":
      case "sub":
        return this.#both(`i64x2.${x.node}`, x.a, x.b);
      case "and":
      case "or":
      case "xor":
      case "not": {
        const [first, second] = ([0, 1] as const).map((half) => {
          const of = (part: Expression): Vector | undefined => this.pair(part)?.[half];
          return bitwise(make, x, of) ?? this.#bitwise(x, of);
        });
        return first && second && [first, second];
      }
      case "mul":
        return product(this, x.a, x.b);
      case "neg":
        return mapped(this.pair(x.a), (a) => onBoth(make, "i64x2.neg", a));
      case "select": {
        const [when, yes, no] = [this.mask(x.when), this.pair(x.yes), this.pair(x.no)];
        if (when === undefined || yes === undefined || no === undefined) return undefined;
        const [first, second] = make.widen(when);
        return [make.choose(first, yes[0], no[0]), make.choose(second, yes[1], no[1])];
      }
      case "shl":
        return shiftedLeftPair(this, x.a, x.by);
      case "shr":
        return shiftedRightPair(this, x.a, x.by);
      case "slice":
        return slicePair(this, x);
      case "concat":
        return concatenatedPair(this, x);
      case "reverse":
        return reversedPair(this, x.a, x.bits);
      case "as":
        return this.interval(x) && widthOf(x.type) === 64 ? this.pair(x.a) : undefined;
      case "min":
      case "max":
        return extremumPair(this, x.node, x.a, x.b);
      case "abs":
        return absolutePair(this, x.a);
      case "div":
      case "rem":
        return quotientPair(this, x.node, x.a, x.b);
      case "integer":
      case "popc":
      case "clz":
      case "relation":
      case "nth":
      case "is":
      case "sqrt":
      case "function":
      case "integral":
      case "signed":
      case "rounded":
        return undefined;
    }
  }

  #mask(x: Expression): Vector | undefined {
    const { make } = this;
    switch (x.node) {
      case "argument":
      case "bits":
        if (this.#typeOf(x.name) === "pred") return this.#bits(x.name);
        break;
      case "integer":
        return make.all32(x.value === 0n ? 0 : -1);
      case "label":
        return this.mask(x.a);
      case "relation":
        return relationMask(this, x.relation, x.a, x.b) ?? this.#given.real(x);
      case "is":
        return this.#given.real(x);
      case "and":
      case "or":
      case "xor":
        if (fits(this, x.a, boolean) && fits(this, x.b, boolean)) {
          const [a, b] = [this.mask(x.a), this.mask(x.b)];
          return a && b && make.op(`v128.${x.node}`, a, b);
        }
        break;
      case "select": {
        const [when, yes, no] = [this.mask(x.when), this.mask(x.yes), this.mask(x.no)];
        return when && yes && no && make.choose(when, yes, no);
      }
      default:
        break;
    }
    if (fits(this, x, signed32) || fits(this, x, unsigned32))
      return mapped(this.word(x), (word) => make.op("i32x4.ne", word, make.all32(0)));
    return relationMask(this, "ne", x, { node: "integer", value: 0n });
  }

  #typeOf(name: string): TypeName {
    const taken = this.#given.takes.find((each) => each.name === name);
    if (taken === undefined) throw new Error(`the operation takes no ${name}`);
    return taken.type;
  }

  /** An operand of up to 32 bits as it is given. */
  #bits(name: string): Vector | undefined {
    const value = this.#given.operands[this.#given.takes.findIndex((each) => each.name === name)];
    return value === undefined || isWide(value) ? undefined : value;
  }

  #operand(name: string, plain: boolean, bits: number): Vector | undefined {
    const type = this.#typeOf(name);
    if (isFloat(type) && !plain) return undefined;
    const width = widthOf(type);
    if (width === 64) return mapped(this.#wideOperand(name, plain), (pair) => this.make.low(pair));
    const given = this.#bits(name);
    if (given === undefined || width > 32) return undefined;
    if (type === "pred") return this.make.shift("i32x4.shr_u", given, 31);
    return isSignedType(type) && !plain && width < bits ? cut(this.make, given, width, true) : given;
  }

  #wideOperand(name: string, plain: boolean): Wide | undefined {
    if (isFloat(this.#typeOf(name)) && !plain) return undefined;
    const value = this.#given.operands[this.#given.takes.findIndex((each) => each.name === name)];
    return value !== undefined && isWide(value) ? value : undefined;
  }

  #sum(a: Expression, b: Expression, bits: number): Vector | undefined {
    if (isInteger(b, 0n)) return this.word(a, bits);
    if (isInteger(a, 0n)) return this.word(b, bits);
    // What is 1 or 0 has a mask, which is -1 or 0.
    const [x, truth] = this.#isTruth(b) ? [a, b] : [b, a];
    if (this.#isTruth(truth)) {
      const [sum, mask] = [this.word(x, bits), this.mask(truth)];
      return sum && mask && this.make.op("i32x4.sub", sum, mask);
    }
    return this.#two("i32x4.add", a, b, bits);
  }

  #dot(x: Expression, bits: number): Vector | undefined {
    const found = dotProduct(this, termsOf(x));
    return found?.rest.reduce<Vector | undefined>((sum, term) => {
      const word = this.word(term, bits);
      return sum && word && this.make.op("i32x4.add", word, sum);
    }, found.sum);
  }

  #isTruth(x: Expression): boolean {
    const of = unlabelled(x);
    return of.node === "relation" || (of.node === "argument" && this.#typeOf(of.name) === "pred");
  }

  #two(name: PureInstruction, a: Expression, b: Expression, bits: number): Vector | undefined {
    const [x, y] = [this.word(a, bits), this.word(b, bits)];
    return x && y && this.make.op(name, x, y);
  }

  /** Bits of more than three values. */
  #bitwise(x: Expression, part: (x: Expression) => Vector | undefined): Vector | undefined {
    const { make } = this;
    if (x.node === "not") return mapped(part(x.a), (a) => make.not(a));
    if (x.node !== "and" && x.node !== "or" && x.node !== "xor") return undefined;
    const [a, b] = [part(x.a), part(x.b)];
    return a && b && (x.node === "or" ? either(make, a, b) : make.op(`v128.${x.node}`, a, b));
  }

  #both(name: PureInstruction, a: Expression, b: Expression): Wide | undefined {
    const [x, y] = [this.pair(a), this.pair(b)];
    return x && y && onBoth(this.make, name, x, y);
  }
}

function once<T>(known: Map<Expression, T>, x: Expression, find: () => T): T {
  const had = known.get(x);
  if (had !== undefined || known.has(x)) return had as T;
  const found = find();
  known.set(x, found);
  return found;
}

const mapped = <T, R>(x: T | undefined, to: (x: T) => R): R | undefined => (x === undefined ? undefined : to(x));

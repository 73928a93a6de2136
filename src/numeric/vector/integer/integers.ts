import { type Interval, intervals } from "../../lower/exact/interval.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { partsOf } from "../../operation/parts.ts";
import { widthOf } from "../../operation/type.ts";
import type { VectorMaker } from "../maker.ts";
import type { PureInstruction, Value, Vector, Wide } from "../vector.ts";
import { extended, onBoth, wideConstant } from "../wide.ts";
import { boolean, fits, type Integers, mapped, signed32, unsigned32 } from "./lowering.ts";
import { Operands } from "./operands.ts";
import { bitwise, manyBits } from "./rules/bitwise.ts";
import { absolutePair, extremumPair } from "./rules/choices.ts";
import { concatenatedPair } from "./rules/concat.ts";
import { reversedPair } from "./rules/counts.ts";
import { quotientPair } from "./rules/division.ts";
import { product } from "./rules/products.ts";
import { relationMask } from "./rules/relations.ts";
import { shiftedLeftPair, shiftedRightPair } from "./rules/shifts.ts";
import { slicePair } from "./rules/slices.ts";
import { wordOf } from "./words.ts";

/** The numbers of 64 bits of one node; undefined for those that have fewer. */
function pairOf(integers: Integers, operands: Operands, x: Expression): Wide | undefined {
  const { make } = integers;
  switch (x.node) {
    case "argument":
    case "flush":
    case "bits":
      return operands.wide(x.name, x.node === "bits");
    case "label":
      return integers.pair(x.a);
    case "add":
    case "sub":
      return both(integers, `i64x2.${x.node}`, x.a, x.b);
    case "and":
    case "or":
    case "xor":
    case "not": {
      const [first, second] = ([0, 1] as const).map((half) => {
        const of = (part: Expression): Vector | undefined => integers.pair(part)?.[half];
        return bitwise(make, x, of) ?? manyBits(make, x, of);
      });
      return first && second && [first, second];
    }
    case "mul":
      return product(integers, x.a, x.b);
    case "neg":
      return mapped(integers.pair(x.a), (a) => onBoth(make, "i64x2.neg", a));
    case "select": {
      const [when, yes, no] = [integers.mask(x.when), integers.pair(x.yes), integers.pair(x.no)];
      if (when === undefined || yes === undefined || no === undefined) return undefined;
      const [first, second] = make.widen(when);
      return [make.choose(first, yes[0], no[0]), make.choose(second, yes[1], no[1])];
    }
    case "shl":
      return shiftedLeftPair(integers, x.a, x.by);
    case "shr":
      return shiftedRightPair(integers, x.a, x.by);
    case "slice":
      return slicePair(integers, x);
    case "concat":
      return concatenatedPair(integers, x);
    case "reverse":
      return reversedPair(integers, x.a, x.bits);
    case "as":
      return integers.interval(x) && widthOf(x.type) === 64 ? integers.pair(x.a) : undefined;
    case "min":
    case "max":
      return extremumPair(integers, x.node, x.a, x.b);
    case "abs":
      return absolutePair(integers, x.a);
    case "div":
    case "rem":
      return quotientPair(integers, x.node, x.a, x.b);
    case "integer":
    case "popc":
    case "clz":
    case "relation":
    case "nth":
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

function both(integers: Integers, name: PureInstruction, a: Expression, b: Expression): Wide | undefined {
  const [x, y] = [integers.pair(a), integers.pair(b)];
  return x && y && onBoth(integers.make, name, x, y);
}

/** The mask of one node. `real` lowers nodes that test reals. */
function maskOf(
  integers: Integers,
  operands: Operands,
  real: (x: Expression) => Vector | undefined,
  x: Expression,
): Vector | undefined {
  const { make } = integers;
  switch (x.node) {
    case "argument":
    case "bits":
      if (operands.isPredicate(x.name)) return operands.given(x.name);
      break;
    case "integer":
      return make.all32(x.value === 0n ? 0 : -1);
    case "label":
      return integers.mask(x.a);
    case "relation":
      return relationMask(integers, x.relation, x.a, x.b) ?? real(x);
    case "is":
      return real(x);
    case "and":
    case "or":
    case "xor":
      if (fits(integers, x.a, boolean) && fits(integers, x.b, boolean)) {
        const [a, b] = [integers.mask(x.a), integers.mask(x.b)];
        return a && b && make.op(`v128.${x.node}`, a, b);
      }
      break;
    case "select": {
      const [when, yes, no] = [integers.mask(x.when), integers.mask(x.yes), integers.mask(x.no)];
      return when && yes && no && make.choose(when, yes, no);
    }
    default:
      break;
  }
  if (fits(integers, x, signed32) || fits(integers, x, unsigned32))
    return mapped(integers.word(x), (word) => make.op("i32x4.ne", word, make.all32(0)));
  return relationMask(integers, "ne", x, { node: "integer", value: 0n });
}

/** The lowering of an operation's expressions. `real` returns the mask of nodes that test reals. */
export interface Given {
  readonly takes: readonly Argument[];
  readonly operands: readonly Value[];
  readonly make: VectorMaker;
  readonly real: (x: Expression) => Vector | undefined;
}

/**
 * Lowers expressions of integers, each once. Sums, products, bits and shifts to the left need no more bits of their
 * operands than they produce; comparisons, quotients and shifts to the right need all bits, and are undefined if a
 * number may have more than 64.
 */
export class IntegerVectors implements Integers {
  readonly make: VectorMaker;
  readonly interval: (x: Expression) => Interval | undefined;
  readonly #operands: Operands;
  readonly #real: Given["real"];
  readonly #words: (Map<Expression, Vector | undefined> | undefined)[] = [];
  readonly #pairs = new Map<Expression, Wide | undefined>();
  readonly #masks = new Map<Expression, Vector | undefined>();

  constructor({ takes, operands, make, real }: Given) {
    this.make = make;
    this.interval = intervals(takes);
    this.#operands = new Operands(takes, operands, make);
    this.#real = real;
  }

  word(x: Expression, bits = 32): Vector | undefined {
    this.#words[bits] ??= new Map();
    return once(this.#words[bits], x, () => wordOf(this, this.#operands, x, bits));
  }

  pair(x: Expression): Wide | undefined {
    return once(this.#pairs, x, () => this.#pair(x));
  }

  mask(x: Expression): Vector | undefined {
    return once(this.#masks, x, () => maskOf(this, this.#operands, this.#real, x));
  }

  #pair(x: Expression): Wide | undefined {
    if (x.node === "integer") return wideConstant(this.make, BigInt.asUintN(64, x.value));
    if (!this.#isWord(x)) return pairOf(this, this.#operands, x);
    // A 32-bit number whose parts all have 32 bits is computed as a word, then extended.
    const direct = partsOf(x).every((part) => this.#isWord(part)) ? undefined : pairOf(this, this.#operands, x);
    return direct ?? this.#extended(x);
  }

  #extended(x: Expression): Wide | undefined {
    const word = this.word(x);
    return word && extended(this.make, word, !fits(this, x, unsigned32));
  }

  #isWord(x: Expression): boolean {
    return fits(this, x, unsigned32) || fits(this, x, signed32);
  }
}

function once<T>(known: Map<Expression, T>, x: Expression, find: () => T): T {
  const had = known.get(x);
  if (had !== undefined || known.has(x)) return had as T;
  const found = find();
  known.set(x, found);
  return found;
}

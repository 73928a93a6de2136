import { type Interval, intervals } from "../../lower/interval.ts";
import type { Expression } from "../../operation/expression.ts";
import type { Argument } from "../../operation/operation.ts";
import { partsOf } from "../../operation/parts.ts";
import type { VectorMaker } from "../maker.ts";
import type { Value, Vector, Wide } from "../vector.ts";
import { extended, wideConstant } from "../wide.ts";
import { fits, type Integers, signed32, unsigned32 } from "./lowering.ts";
import { maskOf } from "./masks.ts";
import { Operands } from "./operands.ts";
import { pairOf } from "./pairs.ts";
import { wordOf } from "./words.ts";

/** What an operation is lowered with. `real` gives the mask of what asks about reals. */
export interface Given {
  readonly takes: readonly Argument[];
  readonly operands: readonly Value[];
  readonly make: VectorMaker;
  readonly real: (x: Expression) => Vector | undefined;
}

/**
 * Lowers expressions of integers, each once. Sums, products, bits and shifts to the left need no more of their operands
 * than they give; comparisons, quotients and shifts to the right need all of them, and are undefined where a number may
 * have more than 64 bits.
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
    // A number of 32 bits that is made of such is a word first.
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

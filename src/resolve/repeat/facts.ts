import type { Operand } from "../../interp/contract/operand.ts";
import type * as ast from "../../parser/ast.ts";
import type { Words } from "../../parser/plain/words.ts";
import { numberIn } from "../../parser/plain/words.ts";
import { asSigned, evaluate, numberOf } from "../constant/constant.ts";
import type { ConstantValue } from "../constant/value.ts";
import { isOpaque, typeNames } from "../declaration/fundamental-types.ts";
import type { RegisterSymbol, Scope } from "../declaration/scope.ts";
import { slotOf } from "../instruction/operand/register.ts";
import { isSpecial } from "../instruction/operand/special-register.ts";
import type { Report } from "../report.ts";
import type { Memo } from "./memo.ts";

// Kinds of words and of items around them. Those of registers follow, then vectors, then those numbered by the memo.
/** The kind of a word whose instructions are never repeated. */
export const OTHER = 0;
export const LABEL = 1;
export const SINK = 2;
export const INTEGER = 3;
export const SINGLE = 4;
export const DOUBLE = 5;
export const OPPOSITE = 6;
export const BRACKETS = 7;
export const TWO = 8;
const REGISTER = 16;
/** Vectors, by their lengths. */
export const VECTOR_OF = 128;

const kindOfType: ReadonlyMap<string, number> = new Map(typeNames.map((type, at) => [type, REGISTER + 4 * at]));
const kindOfRegister = ({ type, elements }: RegisterSymbol): number =>
  (kindOfType.get(type) ?? 0) + (elements === 1 ? 0 : elements === 2 ? 1 : 2);

export const PREDICATE: number = kindOfType.get("pred") ?? 0;
export const isScalar = (kind: number): boolean => kind >= REGISTER && kind < VECTOR_OF && kind % 4 === 0;

/**
 * The meanings of the words of one body. Names may change their meaning after a declaration or in an inner block;
 * `stamp` distinguishes these regions.
 */
export class Facts {
  stamp = 1;
  readonly #scope: Scope;
  readonly #words: Words;
  readonly #memo: Memo;
  readonly #stamps: Int32Array;
  readonly #kinds: Int32Array;
  readonly #symbols: (RegisterSymbol | undefined)[];
  readonly #operands: (Operand | undefined)[];
  readonly #opposites: (Operand | undefined)[] = [];
  readonly #values: (ConstantValue | null | undefined)[] = [];
  readonly #offsets: (bigint | undefined)[] = [];
  readonly #silent: Report;

  constructor(scope: Scope, words: Words, memo: Memo) {
    this.#scope = scope;
    this.#words = words;
    this.#memo = memo;
    const { length } = words.texts;
    this.#stamps = new Int32Array(length);
    this.#kinds = new Int32Array(length);
    this.#symbols = new Array(length);
    this.#operands = new Array(length);
    this.#silent = { source: scope.source, diagnose: () => undefined };
  }

  /** The kind of a word at the current position. */
  kind(word: number): number {
    if (this.#stamps[word] === this.stamp) return this.#kinds[word] ?? OTHER;
    const kind = this.#find(word);
    this.#stamps[word] = this.stamp;
    this.#kinds[word] = kind;
    return kind;
  }

  #find(word: number): number {
    const text = this.#words.texts[word] ?? "";
    switch (this.#words.kinds[word]) {
      case "integer":
        return this.value(word) === undefined ? OTHER : INTEGER;
      case "float": {
        const value = this.value(word);
        return value?.kind !== "float" ? OTHER : value.width === 32 ? SINGLE : DOUBLE;
      }
      case "dotted": {
        const stem = text.slice(0, text.indexOf("."));
        return this.#scope.lookup(stem) === undefined && isSpecial(stem) ? this.#memo.kind(text) : OTHER;
      }
      case "name":
        return this.#named(word, text);
      default:
        return OTHER;
    }
  }

  #named(word: number, text: string): number {
    const symbol = this.#scope.lookup(text);
    if (symbol === undefined) return text === "_" ? SINK : isSpecial(text) ? this.#memo.kind(text) : OTHER;
    switch (symbol.kind) {
      case "register":
        this.#operands[word] = undefined;
        if (symbol.type === "pred") this.#opposites[word] = undefined;
        this.#symbols[word] = symbol;
        return kindOfRegister(symbol);
      case "label":
        return LABEL;
      case "variable": {
        const { space, passes, framed, type } = symbol;
        return isOpaque(type) ? OTHER : this.#memo.kind(`.${space} ${passes} ${framed}`);
      }
      default:
        return OTHER;
    }
  }

  /** The operand of a scalar register. */
  register(word: number): Operand {
    let operand = this.#operands[word];
    if (operand === undefined) {
      const symbol = this.#symbols[word];
      if (symbol === undefined) throw new Error(`${this.#words.texts[word]} is not a register`);
      operand = slotOf(this.#scope.use(symbol));
      this.#operands[word] = operand;
    }
    return operand;
  }

  /** The operand of a predicate that is negated. */
  opposite(word: number): Operand & { kind: "predicate" } {
    let operand = this.#opposites[word];
    if (operand?.kind !== "predicate") {
      const { slot } = this.register(word) as Operand & { kind: "predicate" };
      operand = { kind: "predicate", slot, negated: true };
      this.#opposites[word] = operand;
    }
    return operand;
  }

  /** The value of a number; undefined for one that is too large. */
  value(word: number): ConstantValue | undefined {
    let value = this.#values[word];
    if (value === undefined) {
      const text = this.#words.texts[word] ?? "";
      const kind = this.#words.kinds[word] === "float" ? "float" : "integer";
      value = (text.startsWith("-") ? evaluate(numberIn(text), this.#silent) : numberOf(kind, text)) ?? null;
      this.#values[word] = value;
    }
    return value ?? undefined;
  }

  /** A number in an address, with its sign. */
  offset(word: number): bigint {
    let offset = this.#offsets[word];
    if (offset === undefined) {
      const value = this.value(word);
      offset = value?.kind === "integer" ? asSigned(value.value) : 0n;
      this.#offsets[word] = offset;
    }
    return offset;
  }

  /** A word as the name that it is, in the span of what it stands in. */
  name(word: number, { start, end }: ast.Instruction): ast.OperandName {
    const text = this.#words.texts[word] ?? "";
    const dot = text.indexOf(".");
    if (dot < 0) return { kind: "name", name: { text, start, end }, start, end };
    const component = { text: text.slice(dot + 1), start, end };
    return { kind: "name", name: { text: text.slice(0, dot), start, end }, component, start, end };
  }
}

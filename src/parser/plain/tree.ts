import { commentEnd } from "../../lexer/index.ts";
import type * as ast from "../ast.ts";
import {
  AT,
  BAR,
  BLANK,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  classes,
  DIGIT,
  EXCLAMATION,
  INSIDE,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PLUS,
  SEMICOLON,
} from "./characters.ts";
import { numberIn } from "./words.ts";

/**
 * The tree of the plain instruction at `start` of `text`, as the grammar would build it. The reader has checked it, so
 * nothing is checked again.
 */
export const treeAt = (text: string, start: number): ast.Instruction => new Walk(text, start).instruction();

class Walk {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  instruction(): ast.Instruction {
    const start = this.#at;
    const guard = this.#text.charCodeAt(start) === AT ? this.#guard() : undefined;
    this.#next();
    const modifiers: ast.Name[] = [];
    const mnemonic = this.#opcode(modifiers);
    const operands: ast.Operand[] = [];
    while (this.#next() !== SEMICOLON) {
      operands.push(this.#operand());
      if (this.#next() === COMMA) this.#at++;
    }
    const end = this.#at + 1;
    if (guard === undefined) return { kind: "instruction", mnemonic, modifiers, operands, start, end };
    return { kind: "instruction", guard, mnemonic, modifiers, operands, start, end };
  }

  /** The next character after blanks and comments. */
  #next(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      const comment = classes[code] === BLANK ? this.#at + 1 : commentEnd(this.#text, this.#at);
      if (comment < 0) return code;
      this.#at = comment;
    }
  }

  /** Steps over one character, and returns its offset. */
  #over(): number {
    return this.#at++;
  }

  #guard(): ast.Guard {
    const start = this.#over();
    const negated = this.#next() === EXCLAMATION;
    if (negated) this.#over();
    this.#next();
    const { name: predicate } = this.#name();
    return { negated, predicate, start, end: predicate.end };
  }

  #opcode(modifiers: ast.Name[]): ast.Name {
    const from = this.#at;
    let end = from + 1;
    for (let code = this.#text.charCodeAt(end); ; code = this.#text.charCodeAt(end)) {
      if (code === COLON) end += 2;
      else if (((classes[code] ?? 0) & INSIDE) !== 0) end++;
      else break;
    }
    this.#at = end;
    const [first = "", ...others] = this.#text.slice(from, end).split(".");
    let at = from + first.length;
    const mnemonic = { text: first, start: from, end: at };
    for (const text of others) {
      const start = at;
      at += 1 + text.length;
      modifiers.push({ text, start, end: at });
    }
    return mnemonic;
  }

  /** The end of the word that begins here. */
  #wordEnd(): number {
    let end = this.#at + 1;
    while (((classes[this.#text.charCodeAt(end)] ?? 0) & INSIDE) !== 0) end++;
    return end;
  }

  #name(): ast.OperandName {
    const start = this.#at;
    const end = this.#wordEnd();
    this.#at = end;
    const text = this.#text.slice(start, end);
    const dot = text.indexOf(".");
    if (dot < 0) return { kind: "name", name: { text, start, end }, start, end };
    const name = { text: text.slice(0, dot), start, end: start + dot };
    return { kind: "name", name, component: { text: text.slice(dot + 1), start: start + dot, end }, start, end };
  }

  #number(): ast.Expr {
    const start = this.#at;
    const end = this.#wordEnd();
    this.#at = end;
    const found = numberIn(this.#text.slice(start, end));
    if (found.kind !== "unary") return { ...found, start, end };
    return { ...found, operand: { ...found.operand, start: start + 1, end }, start, end };
  }

  #operand(): ast.Operand {
    const code = this.#next();
    switch (code) {
      case OPEN_BRACKET:
        return this.#address();
      case OPEN_BRACE: {
        const { items, start, end } = this.#items(CLOSE_BRACE);
        return { kind: "vector", items, start, end };
      }
      case OPEN_PAREN: {
        const { items, start, end } = this.#items(CLOSE_PAREN);
        return { kind: "list", items, start, end };
      }
      case EXCLAMATION: {
        const start = this.#over();
        this.#next();
        const operand = symbol(this.#name());
        return computed({ kind: "unary", operator: "!", operand, start, end: operand.end });
      }
    }
    if (code === MINUS || ((classes[code] ?? 0) & DIGIT) !== 0) return computed(this.#number());
    const first = this.#name();
    if (this.#next() !== BAR) return first;
    this.#over();
    this.#next();
    const second = this.#name();
    return { kind: "pair", first, second, start: first.start, end: second.end };
  }

  #address(): ast.Operand {
    const start = this.#over();
    this.#next();
    let base: ast.Operand = this.#name();
    if (this.#next() === PLUS) {
      this.#over();
      this.#next();
      const left = symbol(base);
      const right = this.#number();
      base = computed({ kind: "binary", operator: "+", left, right, start: left.start, end: right.end });
      if (this.#next() !== CLOSE_BRACKET) throw new Error(`no plain address stands at ${start}`);
    }
    return { kind: "address", base, more: [], start, end: this.#over() + 1 };
  }

  #items(close: number): { readonly items: ast.Operand[]; readonly start: number; readonly end: number } {
    const start = this.#over();
    const items: ast.Operand[] = [];
    while (this.#next() !== close) {
      items.push(this.#operand());
      if (this.#next() === COMMA) this.#over();
    }
    return { items, start, end: this.#over() + 1 };
  }
}

const computed = (value: ast.Expr): ast.Operand => ({ kind: "expr", value, start: value.start, end: value.end });
const symbol = (operand: ast.OperandName): ast.Expr => ({ ...operand, kind: "symbol" });

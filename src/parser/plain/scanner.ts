import { commentEnd } from "../../lexer/index.ts";
import { BLANK, COLON, classes, DIGIT, INSIDE, LETTER, MINUS, SLASH } from "./characters.ts";
import { hashed, Words } from "./words.ts";

/** Steps over words, numbers and the separators between them, and numbers the words. */
export abstract class Scanner {
  readonly opcodes: Words = new Words();
  readonly words: Words = new Words();
  /** How many tokens the lexer would have made. */
  tokens = 0;
  protected readonly text: string;
  protected readonly end: number;
  protected at: number;

  constructor(text: string, start: number, end: number) {
    this.text = text;
    this.at = start;
    this.end = end;
  }

  /** The next character after blanks and comments; NaN at the end. */
  protected next(): number {
    for (;;) {
      if (this.at >= this.end) return Number.NaN;
      const code = this.text.charCodeAt(this.at);
      if (classes[code] === BLANK) this.at++;
      else if (code === SLASH) {
        const end = commentEnd(this.text, this.at);
        if (end < 0) return code;
        this.at = end;
      } else return code;
    }
  }

  /** The number of the next word; -1 if it cannot be an operand. */
  protected word(): number {
    const start = this.at;
    const text = this.text;
    let at = start + 1;
    let hash = text.charCodeAt(start);
    for (let code = text.charCodeAt(at); ((classes[code] ?? 0) & INSIDE) !== 0; code = text.charCodeAt(at)) {
      hash = hashed(hash, code);
      at++;
    }
    this.at = at;
    const word = this.words.at(text, start, at, hash);
    const kind = this.words.kinds[word];
    return kind === "name" || kind === "dotted" ? word : -1;
  }

  /** The number of the next name if it has no dot, or -1. */
  protected name(): number {
    if (((classes[this.text.charCodeAt(this.at)] ?? 0) & LETTER) === 0) return -1;
    const word = this.word();
    return this.words.kinds[word] === "name" ? word : -1;
  }

  /** The number of the next literal, with its sign, or -1. */
  protected number(first: number): number {
    const start = this.at;
    const text = this.text;
    let at = start + 1;
    let hash = first;
    if (first === MINUS && ((classes[text.charCodeAt(at)] ?? 0) & DIGIT) === 0) return -1;
    for (let code = text.charCodeAt(at); ((classes[code] ?? 0) & INSIDE) !== 0; code = text.charCodeAt(at)) {
      hash = hashed(hash, code);
      at++;
    }
    this.at = at;
    this.tokens += first === MINUS ? 2 : 1;
    const word = this.words.at(text, start, at, hash);
    const kind = this.words.kinds[word];
    return kind === "integer" || kind === "float" ? word : -1;
  }

  /** The number of the next opcode, or -1; it may contain `::`. */
  protected opcode(): number {
    const start = this.at;
    const text = this.text;
    let at = start + 1;
    let hash = text.charCodeAt(start);
    for (;;) {
      const code = text.charCodeAt(at);
      const inside = ((classes[code] ?? 0) & INSIDE) !== 0;
      if (!inside && (code !== COLON || text.charCodeAt(at + 1) !== COLON)) break;
      hash = hashed(hash, code);
      at++;
      if (!inside) hash = hashed(hash, text.charCodeAt(at++));
    }
    this.at = at;
    const opcode = this.opcodes.at(text, start, at, hash);
    const kind = this.opcodes.kinds[opcode];
    return kind === "name" || kind === "dotted" ? opcode : -1;
  }
}

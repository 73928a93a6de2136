import { commentEnd } from "../../lexer/index.ts";
import type * as ast from "../ast.ts";
import {
  AT,
  BAR,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  classes,
  DIGIT,
  DOT,
  EXCLAMATION,
  LETTER,
  MINUS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  PLUS,
  QUOTE,
  SEMICOLON,
  SLASH,
} from "./characters.ts";
import { declarationAt, pragmaAt } from "./declaration.ts";
import { ABOVE, ADDRESS, LIST, NOT, PAIR, type PlainBody, PlainInstruction, VECTOR, WORD } from "./instruction.ts";
import { locationAt } from "./location.ts";
import { Scanner } from "./scanner.ts";
import { treeAt } from "./tree.ts";

/** What the reader leaves to the grammar. */
export interface Grammar {
  /** The one statement at `[start, end)`; undefined where that is not exactly one, or has any error. */
  statement(start: number, end: number): { readonly statement: ast.Statement; readonly tokens: number } | undefined;
  /** Called now and then, with the reader's offset. */
  tick(at: number): void;
}

export interface PlainReading {
  readonly block: ast.Block;
  /** How many tokens the lexer would have made. */
  readonly tokens: number;
}

/**
 * Reads a function's body at `[start, end)` of `text`, braces included, in one walk: a statement that is a label or an
 * instruction of words, numbers, addresses and vectors becomes a few numbers, and any other is left to the grammar.
 * Undefined for a body with any error or anything unusual, which the grammar parses completely; nothing is reported
 * here.
 *
 * This reads less than the grammar and never something else. `tests/unit/parser/plain.test.ts` compares their trees.
 */
export function readPlain(text: string, start: number, end: number, grammar: Grammar): PlainReading | undefined {
  const reader = new Reader(text, start, end, grammar);
  const block = reader.block(0);
  return block && { block, tokens: reader.tokens };
}

/** Far below what the grammar allows. */
const DEEPEST = 64;

class Reader extends Scanner implements PlainBody {
  stream: Int32Array;
  readonly #grammar: Grammar;
  /** The trees that were built, by start offset. */
  #trees: Map<number, ast.Instruction> | undefined;
  /** How much of the stream is used. */
  #length = 0;
  #statements = 0;

  constructor(text: string, start: number, end: number, grammar: Grammar) {
    super(text, start, end);
    this.#grammar = grammar;
    this.stream = new Int32Array(64 + ((end - start) >> 2));
  }

  tree(start: number): ast.Instruction {
    this.#trees ??= new Map();
    let made = this.#trees.get(start);
    if (made === undefined) {
      made = treeAt(this.text, start);
      this.#trees.set(start, made);
    }
    return made;
  }

  /** The block whose brace is next. */
  block(depth: number): ast.Block | undefined {
    const start = this.at;
    if (this.text.charCodeAt(start) !== OPEN_BRACE || depth > DEEPEST) return undefined;
    this.at++;
    const statements: ast.Statement[] = [];
    for (;;) {
      const code = this.next();
      if (code === CLOSE_BRACE) {
        this.at++;
        this.tokens += 2;
        return { kind: "block", statements, start, end: this.at };
      }
      if ((++this.#statements & 0xff) === 0) this.#grammar.tick(this.at);
      const statement = code === OPEN_BRACE ? this.block(depth + 1) : this.#statement(code);
      if (statement === undefined) return undefined;
      statements.push(statement);
    }
  }

  #statement(code: number): ast.Statement | undefined {
    const start = this.at;
    const { tokens } = this;
    const length = this.#length;
    const made = code === DOT ? this.#directive() : this.#instruction(code);
    if (made !== undefined) return made;
    this.at = start;
    this.tokens = tokens;
    this.#length = length;
    return this.#left();
  }

  /** Leaves the statement that begins here, up to its `;`, to the grammar. */
  #left(): ast.Statement | undefined {
    const start = this.at;
    for (let at = start; at < this.end; at++) {
      const code = this.text.charCodeAt(at);
      // With such an error the grammar parses all of the body.
      if (code === CLOSE_BRACE && at + 1 === this.end) return undefined;
      if (code === QUOTE) {
        at = this.text.indexOf('"', at + 1);
        if (at < 0) return undefined;
      } else if (code === SLASH) {
        const end = commentEnd(this.text, at);
        if (end > 0) at = end - 1;
      } else if (code === SEMICOLON) {
        this.at = at + 1;
        const made = this.#grammar.statement(start, this.at);
        this.tokens += made?.tokens ?? 0;
        return made?.statement;
      }
    }
    return undefined;
  }

  /** `.reg .b32 %r<9>;`, or `.loc 1 12 5`, which has no `;`. */
  #directive(): ast.Location | ast.Declaration | ast.Pragma | undefined {
    const found = declarationAt(this.text, this.at);
    if (found !== undefined && found.declaration.end <= this.end) {
      this.at = found.declaration.end;
      this.tokens += found.tokens;
      return found.declaration;
    }
    const pragma = pragmaAt(this.text, this.at);
    if (pragma !== undefined && pragma.end <= this.end) {
      this.at = pragma.end;
      this.tokens += 3;
      return pragma;
    }
    const made = locationAt(this.text, this.at);
    if (made === undefined || made.end > this.end) return undefined;
    this.at = made.end;
    this.tokens += made.functionName === undefined ? 4 : made.functionName.offset === undefined ? 12 : 14;
    return made;
  }

  /** A label, or an instruction. */
  #instruction(first: number): ast.Label | PlainInstruction | undefined {
    const start = this.at;
    const header = this.#room(5) + 2;
    let code = first;
    let guard = 0;
    if (code === AT) {
      this.at++;
      code = this.next();
      const negated = code === EXCLAMATION;
      if (negated) {
        this.at++;
        code = this.next();
      }
      const word = this.name();
      if (word < 0) return undefined;
      guard = ((word + 1) << 1) | (negated ? 1 : 0);
      this.tokens += negated ? 3 : 2;
      code = this.next();
    }
    if (((classes[code] ?? 0) & LETTER) === 0) return undefined;
    const from = this.at;
    const opcode = this.opcode();
    if (opcode < 0) return undefined;
    const to = this.at;
    this.tokens++;
    code = this.next();
    if (code === COLON) return guard === 0 ? this.#label(from, to, opcode) : undefined;
    let count = 0;
    while (code !== SEMICOLON) {
      if (!this.#operand(code, true)) return undefined;
      count++;
      code = this.next();
      if (code === COMMA) {
        this.at++;
        this.tokens++;
        code = this.next();
        if (code === SEMICOLON) return undefined;
      } else if (code !== SEMICOLON) return undefined;
    }
    this.at++;
    this.tokens++;
    this.stream[header - 2] = start;
    this.stream[header - 1] = this.at;
    this.stream[header] = opcode;
    this.stream[header + 1] = guard;
    this.stream[header + 2] = count;
    return new PlainInstruction(this, header);
  }

  #label(start: number, end: number, opcode: number): ast.Label | undefined {
    const text = this.opcodes.texts[opcode] ?? "";
    if (this.opcodes.kinds[opcode] !== "name" || text === "_") return undefined;
    this.at++;
    this.tokens++;
    return { kind: "label", name: { text, start, end }, start, end: this.at };
  }

  /** Appends an operand to the stream; false for one that is not plain. Braces do not nest. */
  #operand(code: number, outside: boolean): boolean {
    if (code === MINUS || ((classes[code] ?? 0) & DIGIT) !== 0) {
      const word = this.number(code);
      this.#push((word << ABOVE) | WORD);
      return word >= 0;
    }
    if (((classes[code] ?? 0) & LETTER) !== 0) return this.#named(outside);
    switch (code) {
      case OPEN_BRACKET:
        return outside && this.#address();
      case OPEN_BRACE:
        return outside && this.#vector();
      case OPEN_PAREN:
        return outside && this.#list();
      case EXCLAMATION: {
        this.at++;
        this.next();
        const word = this.name();
        this.#push((word << ABOVE) | NOT);
        this.tokens += 2;
        return word >= 0;
      }
      default:
        return false;
    }
  }

  /** `%r1`, `%tid.x`, `p|q`. */
  #named(outside: boolean): boolean {
    const place = this.#room(1);
    const word = this.word();
    if (word < 0) return false;
    this.tokens++;
    const coded = (word << ABOVE) | WORD;
    this.stream[place] = coded;
    const next = this.text.charCodeAt(this.at);
    if (next === COMMA || next === SEMICOLON || this.next() !== BAR) return true;
    this.at++;
    this.next();
    const second = this.word();
    this.stream[place] = PAIR;
    this.#push(coded);
    this.#push((second << ABOVE) | WORD);
    this.tokens += 2;
    return second >= 0 && outside;
  }

  /** `[a]`, `[a+4]`, `[a+-4]`. */
  #address(): boolean {
    this.at++;
    if (((classes[this.next()] ?? 0) & LETTER) === 0) return false;
    const word = this.word();
    if (word < 0) return false;
    this.#push((word << ABOVE) | ADDRESS);
    this.tokens += 3;
    let code = this.next();
    let offset = 0;
    if (code === PLUS) {
      this.at++;
      this.tokens++;
      const number = this.number(this.next());
      if (number < 0 || this.words.kinds[number] !== "integer") return false;
      offset = number + 1;
      code = this.next();
    }
    this.#push(offset);
    this.at++;
    return code === CLOSE_BRACKET;
  }

  /** `{a, b}`. */
  #vector(): boolean {
    const place = this.#room(1);
    let count = 0;
    let code = COMMA;
    while (code === COMMA) {
      this.at++;
      if (!this.#operand(this.next(), false)) return false;
      count++;
      this.tokens++;
      code = this.next();
    }
    this.at++;
    this.tokens++;
    this.stream[place] = (count << ABOVE) | VECTOR;
    return code === CLOSE_BRACE && this.next() !== BAR;
  }

  /** `(a, b)`, whose items are names. */
  #list(): boolean {
    const place = this.#room(1);
    let count = 0;
    let code = COMMA;
    while (code === COMMA) {
      this.at++;
      if (((classes[this.next()] ?? 0) & LETTER) === 0 || !this.#operand(this.next(), false)) return false;
      count++;
      this.tokens++;
      code = this.next();
    }
    this.at++;
    this.tokens++;
    this.stream[place] = (count << ABOVE) | LIST;
    return code === CLOSE_PAREN;
  }

  /** Makes room for this many numbers at the end of the stream, and returns their index. */
  #room(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.stream.length) {
      const longer = new Int32Array(2 * this.#length);
      longer.set(this.stream);
      this.stream = longer;
    }
    return at;
  }

  #push(number: number): void {
    const at = this.#room(1);
    this.stream[at] = number;
  }
}

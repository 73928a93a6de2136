import { type HostSpace, spaceNames } from "../../../../src/interp/contract/space.ts";
import { isValueType } from "../../../../src/numeric/format/value-type.ts";
import type { BinaryOperator } from "../../../../src/parser/ast.ts";
import { precedenceOf } from "../../../../src/parser/precedence.ts";
import { castType } from "./names.ts";
import { type LinePart, refuse } from "./refusal.ts";

/** A word of an expression; `at` is its offset in the line. */
interface Token {
  readonly kind: "number" | "name" | "type" | "sign" | "end";
  readonly text: string;
  readonly at: number;
  /** Whether a blank stands before it. */
  readonly apart: boolean;
}

const number = /0[xb][\da-f_]+|0f[\da-f]{8}|0d[\da-f]{16}|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const name = /cc\.cf\b|[%$]?[A-Za-z_$][\w$]*(?:@\d+)?(?:\.[xyzwrgba](?![\w$]))?|\$\d+/y;
const type = /:[a-z]+\d[a-z\d]*\b|:pred\b/y;
const sign = /<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()[\]?:,]/y;

/**
 * Cuts an expression into words. `%` before a letter begins a register where a value is expected, and after a blank:
 * `%r1 %r2` are two registers. Otherwise it is the remainder operator.
 */
function tokens(part: LinePart): Token[] {
  const { text, start } = part;
  const found: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const blank = /\s*/y;
    blank.lastIndex = at;
    const before = blank.exec(text)?.[0].length ?? 0;
    at += before;
    if (at === text.length) break;
    const last = found.at(-1);
    const value = last !== undefined && (last.kind !== "sign" || last.text === ")" || last.text === "]");
    const hit = read(text, at, value && !(before > 0 && /^%[A-Za-z_]/.test(text.slice(at, at + 2))));
    if (hit === undefined)
      throw refuse("PTX2403", "this belongs to no expression", part, {
        span: { start: start + at, end: start + at + 1 },
        expected:
          text[at] === "=" ? "== to compare; set X = V gives a value" : "a register, a number, [memory] or an operator",
      });
    found.push({ ...hit, at: start + at, apart: before > 0 });
    at += hit.text.length;
  }
  return [...found, { kind: "end", text: "", at: start + text.length, apart: true }];
}

function read(text: string, at: number, afterValue: boolean): Pick<Token, "kind" | "text"> | undefined {
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  if (afterValue) {
    const typed = take(type);
    if (typed !== undefined && isValueType(typed.slice(1))) return { kind: "type", text: typed };
    const operator = take(sign);
    if (operator !== undefined) return { kind: "sign", text: operator };
  }
  const digits = take(number);
  if (digits !== undefined) return { kind: "number", text: digits };
  const word = take(name);
  if (word !== undefined) return { kind: "name", text: word };
  const operator = take(sign);
  return operator === undefined ? undefined : { kind: "sign", text: operator };
}

/** An expression as a tree; `at` and `end` are offsets in the line. */
export type ReplExpression = { readonly at: number; readonly end: number } & (
  | { readonly kind: "number" | "name"; readonly text: string }
  | { readonly kind: "unary"; readonly operator: string; readonly operand: ReplExpression }
  | {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: ReplExpression;
      readonly right: ReplExpression;
    }
  | {
      readonly kind: "choice";
      readonly condition: ReplExpression;
      readonly yes: ReplExpression;
      readonly no: ReplExpression;
    }
  /** `[shared:tile+4]:f32`. */
  | {
      readonly kind: "memory";
      readonly space: string | undefined;
      readonly address: ReplExpression;
      readonly type: string | undefined;
      /** `out[3]`: counted in elements of the type. */
      readonly index?: ReplExpression;
      /** `V(1,3)`: of which register of a vISA variable, from its own first one on. */
      readonly row?: ReplExpression;
    }
  /** `%r1:f32`: the same bits in another type. */
  | { readonly kind: "reading"; readonly operand: ReplExpression; readonly type: string }
);

/** Deeper than anyone types; a hostile line cannot exhaust the stack. */
const DEEPEST = 64;

const spaces: ReadonlySet<string> = new Set<HostSpace>([...spaceNames, "generic", "tensor"]);

/** Reads an expression; throws a `Refusal` (PTX2403) where it is none. */
export function parseExpression(part: LinePart): ReplExpression {
  const reader = new ExpressionReader(part);
  const expression = reader.expression();
  reader.end();
  return expression;
}

/** Reads expressions with commas between them, or blanks where another one begins: `%r1 %r2`. Throws a `Refusal` (PTX2403). */
export function parseExpressions(part: LinePart): readonly ReplExpression[] {
  const reader = new ExpressionReader(part);
  const found = [reader.expression()];
  while (reader.more()) found.push(reader.expression());
  reader.end();
  return found;
}

class ExpressionReader {
  readonly #part: LinePart;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(part: LinePart) {
    this.#part = part;
    this.#tokens = tokens(part);
  }

  end(): void {
    const { kind, text } = this.#token;
    if (kind === "end") return;
    const remainder = kind === "name" && text.startsWith("%");
    throw this.#unexpected(
      remainder ? `an operator, or the end; the remainder is A % ${text}, with blanks` : "an operator, or the end",
    );
  }

  /** Whether another expression follows; consumes the comma. */
  more(): boolean {
    if (this.#takes(",")) return true;
    const { kind, text, apart } = this.#token;
    return apart && (kind === "name" || text === "[");
  }

  expression(): ReplExpression {
    if (++this.#depth > DEEPEST) throw this.#wrong("this is nested too deeply", `${DEEPEST} levels at most`);
    const condition = this.#binary(0);
    let found = condition;
    if (this.#takes("?")) {
      const yes = this.expression();
      this.#expect(":");
      const no = this.expression();
      found = { kind: "choice", condition, yes, no, at: condition.at, end: no.end };
    }
    this.#depth--;
    return found;
  }

  /** Operators that bind more tightly than `least`. */
  #binary(least: number): ReplExpression {
    let left = this.#unary();
    while (this.#token.kind === "sign" && precedenceOf(this.#token.text) > least) {
      const operator = this.#take().text as BinaryOperator;
      const right = this.#binary(precedenceOf(operator));
      left = { kind: "binary", operator, left, right, at: left.at, end: right.end };
    }
    return left;
  }

  #unary(): ReplExpression {
    const { kind, text, at } = this.#token;
    if (kind !== "sign" || !["-", "+", "~", "!", "*"].includes(text)) return this.#reading();
    if (++this.#depth > DEEPEST) throw this.#wrong("this is nested too deeply", `${DEEPEST} levels at most`);
    this.#take();
    const operand = this.#unary();
    this.#depth--;
    if (text === "*") return this.#pointee(operand, at);
    return { kind: "unary", operator: text, operand, at, end: operand.end };
  }

  /** C's `*p`, and `*p:f32`. */
  #pointee(operand: ReplExpression, at: number): ReplExpression {
    const typed = operand.kind === "reading";
    const address = typed ? operand.operand : operand;
    return { kind: "memory", space: undefined, address, type: typed ? operand.type : undefined, at, end: operand.end };
  }

  #reading(): ReplExpression {
    let operand = this.#primary();
    const named = operand.kind === "name" && this.#token.text === "(" && !this.#token.apart;
    if (named) operand = this.#element(operand);
    while (this.#token.text === "[" && !this.#token.apart) {
      this.#take();
      const index = this.expression();
      const end = this.#expect("]").at + 1;
      const { at } = operand;
      operand = { kind: "memory", space: undefined, address: operand, type: undefined, index, at, end };
    }
    if (this.#token.kind !== "type" || this.#token.apart) return operand;
    const { text, at } = this.#take();
    const type = text.slice(1);
    const end = at + text.length;
    if (operand.kind === "memory") return { ...operand, type, end };
    return { kind: "reading", operand, type, at: operand.at, end };
  }

  /** `V(1,3)`: row and column, as lines of vISA have them. */
  #element(variable: ReplExpression): ReplExpression {
    this.#take();
    const row = this.expression();
    this.#expect(",");
    const index = this.expression();
    const end = this.#expect(")").at + 1;
    const { at } = variable;
    return { kind: "memory", space: undefined, address: variable, type: undefined, row, index, at, end };
  }

  #primary(): ReplExpression {
    const { kind, text, at } = this.#token;
    if (kind === "number" || kind === "name") {
      this.#take();
      return { kind, text, at, end: at + text.length };
    }
    if (this.#takes("(")) {
      this.#refuseCast();
      const inner = this.expression();
      this.#expect(")");
      return inner;
    }
    if (kind === "sign" && text === "&")
      throw this.#unexpected("no &: the name of a variable or a buffer is its address");
    if (!this.#takes("[")) throw this.#unexpected("a register, a number or [memory]");
    const [first, second] = this.#tokens.slice(this.#next, this.#next + 2);
    const space = spaces.has(first?.text ?? "") && second?.text === ":" ? first?.text : undefined;
    if (space !== undefined) this.#next += 2;
    const address = this.expression();
    const { at: last } = this.#expect("]");
    return { kind: "memory", space, address, type: undefined, at, end: last + 1 };
  }

  /** C's `(int) x`, behind which no operator stands. */
  #refuseCast(): void {
    const [cast, close, value] = this.#tokens.slice(this.#next, this.#next + 3);
    const type = cast?.kind === "name" && close?.text === ")" ? castType(cast.text) : undefined;
    if (type === undefined || value === undefined || !(value.kind === "name" || value.kind === "number")) return;
    throw this.#wrong("there are no casts", `a type after the value, ${value.text}:${type}; set X = V converts`);
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(): Token {
    const token = this.#token;
    if (token.kind !== "end") this.#next++;
    return token;
  }

  #takes(text: string): boolean {
    const taken = this.#token.kind === "sign" && this.#token.text === text;
    if (taken) this.#next++;
    return taken;
  }

  #expect(text: string): Token {
    const token = this.#token;
    if (!this.#takes(text)) throw this.#unexpected(text);
    return token;
  }

  #unexpected(expected: string) {
    const { kind, text } = this.#token;
    return this.#wrong(kind === "end" ? "the expression ends too early" : `${text} does not belong here`, expected);
  }

  #wrong(message: string, expected: string) {
    const { at, text } = this.#token;
    return refuse("PTX2403", message, this.#part, { span: { start: at, end: at + text.length }, expected });
  }
}

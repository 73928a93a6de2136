import { type LinePart, refuse } from "./refusal.ts";

/** A word of an expression; `at` is its offset in the line. */
export interface Token {
  readonly kind: "number" | "name" | "type" | "sign" | "end";
  readonly text: string;
  readonly at: number;
  /** Whether a blank stands before it. */
  readonly apart: boolean;
}

const number = /0[xb][\da-f_]+|0f[\da-f]{8}|0d[\da-f]{16}|(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const name = /cc\.cf\b|[%$]?[A-Za-z_$][\w$]*(?:@\d+)?(?:\.[xyzwrgba](?![\w$]))?|\$\d+/y;
const type = /:[a-z]+\d+(?:x\d|m\d)?\b|:pred\b/y;
const sign = /<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>()[\]?:,]/y;

/** Types that bits can be read as. */
export const readable = /^(?:pred|[bsu](?:8|16|32|64|128)|f16|bf16|f32|f64|f16x2|bf16x2|e4m3|e5m2)$/;

/**
 * Cuts an expression into words. `%` before a letter begins a register where a value is expected, and after a blank:
 * `%r1 %r2` are two registers. Otherwise it is the remainder operator.
 */
export function tokens(part: LinePart): Token[] {
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
    if (typed !== undefined && readable.test(typed.slice(1))) return { kind: "type", text: typed };
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

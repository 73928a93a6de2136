import type * as ast from "../../../../src/parser/ast.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** The context of an offset, and the statement around it; found from tokens alone, because it is unfinished. */
export interface Place {
  readonly offset: number;
  /** The comment or the string that contains it. */
  readonly within: Token | undefined;
  /** The function whose body contains it. */
  readonly func: ast.Func | undefined;
  /** True where instructions are allowed: in a body or a snippet. */
  readonly inBody: boolean;
  /** The tokens of the statement before the unfinished word, without comments. */
  readonly before: readonly Token[];
  /** The unfinished word, up to the offset; empty where a word may begin. It begins with its dot, where it has one. */
  readonly word: Token;
  /** The complete word, to be replaced. */
  readonly whole: Span;
  /** The rest of the statement, after the word. */
  readonly after: readonly Token[];
}

export function placeAt(document: Document, offset: number): Place {
  const { text } = document;
  const func = document.kind === "module" ? bodyAround(document, offset) : undefined;
  const from = func?.body ? func.body.start + 1 : document.kind === "module" ? itemBefore(document, offset) : 0;
  const walk = new Statement();
  for (const token of tokensOf(text, from)) {
    const { kind, start, end } = token;
    // At the end of a line comment, which has no terminator, the offset is still in it.
    const open =
      kind === "comment" ? token.text.startsWith("//") || !token.text.endsWith("*/") : !/."$/.test(token.text);
    if ((kind === "comment" || kind === "string") && start < offset && (offset < end || (offset === end && open)))
      return { ...rest(document, func, offset), before: walk.tokens, within: token };
    if (kind === "comment") continue;
    const joins = kind === "word" || kind === "dotted" || kind === "number";
    if (start >= offset || (end >= offset && joins)) {
      const under = start < offset && joins ? token : undefined;
      const word: Token = under
        ? { ...under, text: text.slice(under.start, offset), end: offset }
        : { kind: "word", text: "", start: offset, end: offset };
      const next = under === undefined && start === offset && joins ? token : under;
      const whole = next === undefined ? word : { start: word.start, end: next.end };
      const after = restOf(text, whole.end);
      return { ...rest(document, func, offset), before: walk.tokens, word, whole, after };
    }
    walk.take(token);
  }
  return { ...rest(document, func, offset), before: walk.tokens };
}

const rest = (document: Document, func: ast.Func | undefined, offset: number) => ({
  offset,
  func,
  inBody: func !== undefined || document.kind === "snippet",
  within: undefined,
  after: [],
  word: { kind: "word", text: "", start: offset, end: offset } as const,
  whole: { start: offset, end: offset },
});

/** The statement that tokens belong to. */
class Statement {
  tokens: Token[] = [];
  /** Open braces and brackets within it. */
  #depth = 0;

  take(token: Token): void {
    const { text } = token;
    const first = this.tokens.length === 0;
    const inside = this.#depth > 0;
    const ends =
      text === ";" ||
      (first && (text === "{" || text === "}")) ||
      (text === "}" && !inside) ||
      (text === ":" && this.tokens.length === 1);
    if (ends) {
      this.tokens = [];
      this.#depth = 0;
      return;
    }
    if (text === "{" || text === "[" || text === "(") this.#depth++;
    else if (inside && (text === "}" || text === "]" || text === ")")) this.#depth--;
    this.tokens.push(token);
  }
}

/** The text up to the end of the statement, or of what may be one. */
function restOf(text: string, from: number): readonly Token[] {
  const found: Token[] = [];
  for (const token of tokensOf(text, from)) {
    if (token.text === ";" || found.length > 500) break;
    if (token.kind !== "comment") found.push(token);
  }
  return found;
}

/** The function whose body contains an offset. */
export function bodyAround(document: Document, offset: number): ast.Func | undefined {
  for (const item of document.module.value.items)
    if (item.kind === "function" && item.body && item.body.start < offset && isInside(document, item.body, offset))
      return item;
  return undefined;
}

/** A body that is never closed goes on to its end. */
const isInside = ({ text }: Document, { end }: Span, offset: number): boolean =>
  offset < end || (offset === end && text.charAt(end - 1) !== "}");

/** The end of the last item before an offset; one without a semicolon goes on to the end of its line. */
function itemBefore(document: Document, offset: number): number {
  let end = 0;
  for (const item of document.module.value.items) {
    const open = /^(?:version|target|addressSize|file)$/.test(item.kind);
    if (item.end > offset || (open && !document.text.slice(item.end, offset).includes("\n"))) continue;
    end = Math.max(end, item.end);
  }
  return end;
}

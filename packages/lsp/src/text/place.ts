import type * as ast from "../../../../src/parser/ast.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Where an offset stands in a text, and the statement around it; told by tokens alone, because it is not finished. */
export interface Place {
  readonly offset: number;
  /** The comment or the string that it stands in. */
  readonly within: Token | undefined;
  /** The function whose body it stands in. */
  readonly func: ast.Func | undefined;
  /** True where instructions stand: in a body or a snippet. */
  readonly inBody: boolean;
  /** The tokens of the statement that end before what is being written, without comments. */
  readonly before: readonly Token[];
  /** What is being written, up to the offset; empty where a word may begin. It begins with its dot, where it has one. */
  readonly word: Token;
  /** The word as a whole, to be replaced. */
  readonly whole: Span;
  /** The rest of the statement, behind the word. */
  readonly after: readonly Token[];
}

export function placeAt(document: Document, offset: number): Place {
  const { text } = document;
  const func = document.kind === "module" ? bodyAround(document, offset) : undefined;
  const from = func?.body ? func.body.start + 1 : document.kind === "module" ? itemBefore(document, offset) : 0;
  const walk = new Statement();
  for (const token of tokensOf(text, from)) {
    const { kind, start, end } = token;
    // At the end of a line comment, which has no end of its own, one is still in it.
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
  /** Braces and brackets that are open within it. */
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

/** What follows up to the end of the statement, or of what may be one. */
function restOf(text: string, from: number): readonly Token[] {
  const found: Token[] = [];
  for (const token of tokensOf(text, from)) {
    if (token.text === ";" || found.length > 500) break;
    if (token.kind !== "comment") found.push(token);
  }
  return found;
}

/** The function whose body's braces an offset stands between. */
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

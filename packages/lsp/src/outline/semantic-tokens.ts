import { mnemonics } from "../../../../src/isa/index.ts";
import { typeWords } from "../../../../src/isa/match/vocabulary.ts";
import { isSpecial } from "../../../../src/resolve/instruction/operand/special-register.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { moduleNames, parametersOf } from "../names/text-names.ts";
import { type Token, tokensOf } from "../text/tokens.ts";

/** Token types, in the protocol's words. */
export const tokenTypes = [
  "comment", "string", "number", "keyword", "decorator", "type", "macro", "variable", "parameter", "function", "label", "property",
] as const; // biome-ignore format: their order is the protocol's numbers
export type TokenType = (typeof tokenTypes)[number];

/** A token with its meaning; it lies within one line, unless it is a comment. */
export interface MeaningfulToken extends Span {
  readonly type: TokenType;
}

const known: ReadonlySet<string> = new Set(mnemonics);

/** The meanings of the tokens of a range, found without parsing bodies; punctuation has none. */
export function semanticTokens(document: Document, { start, end }: Span): readonly MeaningfulToken[] {
  if (document.kind === "vISA") return [];
  const { text } = document;
  const inModule = new Map(moduleNames(document).map((each) => [each.name, each.kind]));
  const parameters = new Set<string>();
  for (const item of document.kind === "module" ? document.module.value.items : [])
    if (item.kind === "function" && item.start < end && item.end > start)
      for (const { name } of parametersOf(item)) parameters.add(name);
  const found: MeaningfulToken[] = [];
  // A range may begin within a comment: the tokens before it are skipped quickly.
  let first = true;
  let last: Token | undefined;
  let opcode = false;
  for (const token of tokensOf(text, startBefore(document, start))) {
    if (token.start >= end) break;
    const type = typeOf(token);
    if (type !== undefined && token.end > start) found.push({ type, start: token.start, end: token.end });
    if (token.kind === "comment") continue;
    const { text: word } = token;
    if (word === ";" || word === "}" || (word === "{" && first)) first = true;
    else if (word === ":" || word === "@") first = true;
    else if (word !== "!" && !isGuard()) first = false;
    last = token;
  }
  return found;

  function isGuard(): boolean {
    return last?.text === "@" || last?.text === "!";
  }

  function typeOf(token: Token): TokenType | undefined {
    const { kind, text: word } = token;
    if (kind === "comment" || kind === "string" || kind === "number") return kind;
    const joined = last?.end === token.start;
    if (kind === "dotted") {
      if (joined && opcode) return typeWords.has(word.slice(1)) ? "type" : "decorator";
      if (joined && last?.kind === "word") return "property";
      return typeWords.has(word.slice(1)) ? "type" : "keyword";
    }
    opcode = false;
    if (kind !== "word") return undefined;
    const begins = first && !isGuard();
    if (begins && known.has(word) && text.charAt(token.end) !== ":") {
      opcode = true;
      return "keyword";
    }
    if (begins && /^\s*:(?!:)/.test(text.slice(token.end, token.end + 20))) return "label";
    if (isSpecial(word) || word === "WARP_SZ") return "macro";
    const declared = inModule.get(word);
    if (declared === "kernel" || declared === "function") return "function";
    return parameters.has(word) ? "parameter" : "variable";
  }
}

/** Where scanning has to begin for a range: at the item before it. */
function startBefore(document: Document, offset: number): number {
  if (document.kind !== "module") return 0;
  let start = 0;
  for (const item of document.module.value.items) if (item.start <= offset) start = Math.max(start, item.start);
  return start;
}

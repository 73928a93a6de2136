import { commentEnd } from "../../../../src/source/comment.ts";
import type { Span } from "../../../../src/source/source.ts";

/** A token as an editor sees it: suffixes are separate from the word before them. */
export interface Token extends Span {
  readonly kind: "comment" | "string" | "word" | "dotted" | "number" | "mark";
  readonly text: string;
}

const WORD = /(?:[A-Za-z_][\w$]*|[$%][\w$]*)/y;
const DOTTED = /\.[\w$]*(?:::[\w$]*(?::\d+)?)*/y;
const NUMBER = /(?:0[xX][\da-fA-F]*|0[fFdD][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d+|\d[\w$]*(?:\.\d*)?|\.\d+)/y;
const STRING = /"[^"\n]*"?/y;
const BLANK = /[ \t\r\n]+/y;

/** The tokens of a range of PTX, including comments. Every character belongs to some token or blank. */
export function* tokensOf(text: string, from = 0, to: number = text.length): Generator<Token, void> {
  let at = from;
  while (at < to) {
    const blank = endOf(BLANK, text, at);
    if (blank > at) {
      at = blank;
      continue;
    }
    const token = tokenAt(text, at);
    yield token;
    at = token.end;
  }
}

function tokenAt(text: string, start: number): Token {
  const made = (kind: Token["kind"], end: number): Token => ({ kind, text: text.slice(start, end), start, end });
  const comment = commentEnd(text, start);
  if (comment > start) return made("comment", comment);
  const first = text.charCodeAt(start);
  if (first === 34) return made("string", endOf(STRING, text, start));
  // `.5` is a number, and `.5d` a suffix, which nobody writes at the start of anything.
  if (isDigit(first) || (first === 46 && isDigit(text.charCodeAt(start + 1)) && !isWordAt(text, start - 1))) {
    const end = endOf(NUMBER, text, start);
    if (end > start) return made("number", end);
  }
  if (first === 46) return made("dotted", endOf(DOTTED, text, start));
  const word = endOf(WORD, text, start);
  return word > start ? made("word", word) : made("mark", start + 1);
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWordAt = (text: string, at: number): boolean => at >= 0 && /[\w$]/.test(text.charAt(at));

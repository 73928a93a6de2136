import { token } from "../../lexer/index.ts";
import type { Expr } from "../ast.ts";

/** The kind of a word: a name, a name with a dot in it (`%tid.x`), a number, or one that a plain body does not have. */
export type WordKind = "name" | "dotted" | "integer" | "float" | "other";

/** A token's pattern, for a complete word. */
const whole = ({ PATTERN }: { readonly PATTERN?: unknown }): RegExp =>
  new RegExp(`^(?:${(PATTERN as RegExp).source})$`);
const isName = whole(token.Word);
const isInteger = whole(token.Integer);
const isSingle = whole(token.Single);
const isFloat = whole(token.Float);

function kindOf(word: string): WordKind {
  if (isPlain(word)) return "name";
  const digits = word.startsWith("-") ? word.slice(1) : word;
  if (isInteger.test(digits)) return "integer";
  // A sign before `0f` is an error.
  if (isFloat.test(digits) || isSingle.test(word)) return "float";
  if (!isName.test(word) || word === "WARP_SZ") return "other";
  return word.includes(".") ? "dotted" : "name";
}

/** True for names such as `%r12`, the most frequent words; the patterns classify the others. */
function isPlain(word: string): boolean {
  if (word.length < 2 || word.charCodeAt(0) !== PERCENT) return false;
  for (let at = 1; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (!(code >= 97 && code <= 122) && !(code >= 48 && code <= 57)) return false;
  }
  return true;
}
const PERCENT = 37;

/** The distinct words of a text, numbered in the order of their first use. */
export class Words {
  readonly texts: string[] = [];
  readonly kinds: WordKind[] = [];
  #hashes: number[] = [];
  /** A hash table of the words' numbers, from 1; 0 for an empty slot. */
  #places = new Int32Array(128);

  /** The number of the word at `[start, end)` of `text`, whose `hashOf` is `hash`. */
  at(text: string, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1;
    for (let place = spread(hash) & mask; ; place = (place + 1) & mask) {
      const found = (this.#places[place] ?? 0) - 1;
      if (found < 0) return this.#add(text.slice(start, end), hash, place);
      if (this.#hashes[found] === hash && same(this.texts[found] ?? "", text, start, end)) return found;
    }
  }

  /** The name that a word is or begins with: `%tid` of `%tid.x`; undefined for a number. */
  name(word: number): string | undefined {
    const text = this.texts[word] ?? "";
    const kind = this.kinds[word];
    return kind === "name" ? text : kind === "dotted" ? text.slice(0, text.indexOf(".")) : undefined;
  }

  #add(text: string, hash: number, place: number): number {
    const made = this.texts.push(text) - 1;
    this.kinds.push(kindOf(text));
    this.#hashes.push(hash);
    this.#places[place] = made + 1;
    if (this.texts.length * 2 > this.#places.length) this.#grow();
    return made;
  }

  #grow(): void {
    const places = new Int32Array(this.#places.length * 4);
    const mask = places.length - 1;
    for (let word = 0; word < this.#hashes.length; word++) {
      let place = spread(this.#hashes[word] ?? 0) & mask;
      while (places[place] !== 0) place = (place + 1) & mask;
      places[place] = word + 1;
    }
    this.#places = places;
  }
}

/** Updates the hash of a word with one more character while it is read. */
export const hashed = (hash: number, code: number): number => (Math.imul(hash, 31) + code) | 0;

/** Spreads the hashes of names that differ only in their last digits. */
const spread = (hash: number): number => Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 7;

function same(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let at = start; at < end; at++) if (word.charCodeAt(at - start) !== text.charCodeAt(at)) return false;
  return true;
}

/** A number as an expression; its span is relative to its start. */
export function numberIn(word: string): Expr {
  const negative = word.startsWith("-");
  const text = negative ? word.slice(1) : word;
  const start = word.length - text.length;
  const kind = isInteger.test(text) ? "integer" : "float";
  const number: Expr = { kind, text, start, end: word.length };
  return negative ? { kind: "unary", operator: "-", operand: number, start: 0, end: word.length } : number;
}

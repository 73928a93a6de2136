import { commentEnd } from "../../../src/source/comment.ts";
import type { Words } from "../client.ts";

/** The classes that colour a text: what a person tells apart at a glance. */
export type TokenKind =
  | "comment" | "mnemonic" | "modifier" | "directive" | "register" | "special" | "label" | "number"; // biome-ignore format: a list of names

/** A coloured piece of a line, from its beginning. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly kind: TokenKind;
}

/** The table's words, to be asked for one at a time. */
export interface Vocabulary {
  readonly mnemonics: ReadonlySet<string>;
  readonly modifiers: ReadonlySet<string>;
  readonly specials: ReadonlySet<string>;
  /** vISA has a statement a line, words of registers without a sign, and predicates in parentheses. */
  readonly isVisa: boolean;
}

export const vocabulary = ({ mnemonics, modifiers, specials }: Words, isVisa: boolean): Vocabulary => ({
  mnemonics: new Set(mnemonics),
  modifiers: new Set(modifiers),
  specials: new Set(specials.map((each) => each.split(".")[0] ?? each)),
  isVisa,
});

const patterns = {
  space: /\s+/y,
  string: /"[^"]*"?/y,
  register: /%[\w$]+(?:\.[xyzw](?!\w))?/y,
  number: /\d[\w.]*/y,
  dotted: /\.[\w:]+/y,
  word: /[A-Za-z_$][\w$]*/y,
  guard: /@!?%?[\w$]+/y,
  predicate: /\([^)]*\)/y,
} as const;

/** The coloured pieces of a line that does not begin within a comment. */
export function tokens(line: string, words: Vocabulary): Token[] {
  const found: Token[] = [];
  let at = 0;
  let begins = true;
  const eat = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const text = pattern.exec(line)?.[0];
    if (text !== undefined) at += text.length;
    return text;
  };
  const add = (from: number, kind: TokenKind | undefined): void => {
    if (kind !== undefined) found.push({ from, to: at, kind });
  };
  while (at < line.length) {
    const from = at;
    if (eat(patterns.space) !== undefined) continue;
    const comment = commentEnd(line, at);
    if (comment >= 0) {
      at = comment;
      add(from, "comment");
      continue;
    }
    const register = eat(patterns.register);
    if (register !== undefined) {
      add(from, words.specials.has(register.split(".")[0] ?? register) ? "special" : "register");
    } else if (eat(patterns.string) !== undefined || eat(patterns.number) !== undefined) {
      add(from, "number");
    } else if (eat(patterns.dotted) !== undefined) {
      const known = !begins && words.modifiers.has(line.slice(from + 1, at));
      if (begins && words.isVisa) begins = false;
      add(from, known ? "modifier" : "directive");
    } else if (eat(patterns.guard) !== undefined || (words.isVisa && begins && eat(patterns.predicate) !== undefined)) {
      add(from, "directive");
    } else {
      const word = eat(patterns.word);
      if (word === undefined) {
        const sign = line[at++];
        if (sign === ";" || sign === "{" || sign === "}") begins = true;
      } else if (begins) {
        const isLabel = isLabelEnd(line, at);
        begins = isLabel;
        const { mnemonics } = words;
        const known = words.isVisa || mnemonics.size === 0 || mnemonics.has(word);
        add(from, isLabel ? "label" : known ? "mnemonic" : undefined);
      } else if (words.isVisa) add(from, "register");
    }
  }
  return found;
}

/** Whether a colon stands behind a word, and not the two of `.shared::cta`. */
function isLabelEnd(line: string, at: number): boolean {
  let next = at;
  while (line[next] === " " || line[next] === "\t") next++;
  return line[next] === ":" && line[next + 1] !== ":";
}

/** Where the comments of a text lie that have several lines. */
export function longComments(text: string): readonly { readonly from: number; readonly to: number }[] {
  const found: { from: number; to: number }[] = [];
  if (!text.includes("/*")) return found;
  for (let at = text.indexOf("/"); at >= 0; at = text.indexOf("/", at)) {
    const end = commentEnd(text, at);
    if (end >= 0 && text[at + 1] === "*") found.push({ from: at, to: end });
    at = Math.max(end, at + 1);
  }
  return found;
}

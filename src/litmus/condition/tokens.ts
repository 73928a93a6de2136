import type { Span } from "../../source/source.ts";

/** A word, number or sign of a condition; offsets are those of the whole text. */
export interface ConditionToken {
  readonly kind: "name" | "number" | "sign" | "unknown";
  readonly text: string;
  readonly span: Span;
}

/** Signs by what they mean; the longest are tried first. */
const signs: readonly (readonly [written: string, meaning: string])[] = [
  ["/\\", "and"],
  ["\\/", "or"],
  ["&&", "and"],
  ["||", "or"],
  ["==", "=="],
  ["!=", "!="],
  ["<>", "!="],
  ["<=", "<="],
  [">=", ">="],
  ["=", "=="],
  ["<", "<"],
  [">", ">"],
  ["~", "not"],
  ["!", "not"],
  ["&", "&"],
  ["(", "("],
  [")", ")"],
  ["[", "["],
  ["]", "]"],
  [":", ":"],
  ["-", "-"],
];
const word = /[A-Za-z_%$][\w%$.@]*/y;
const digits = /0[xX][\da-fA-F]+|\d+/y;
const blank = /\s+|\/\/[^\n]*/y;

/** The tokens of a condition, whose meaning stands in `text` for signs; ends with one of no text. */
export function conditionTokens(text: string, { start, end }: Span): readonly ConditionToken[] {
  const tokens: ConditionToken[] = [];
  let at = start;
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    return found === undefined || at + found.length > end ? undefined : found;
  };
  const take = (kind: ConditionToken["kind"], length: number, meaning: string): void => {
    tokens.push({ kind, text: meaning, span: { start: at, end: at + length } });
    at += length;
  };
  while (at < end) {
    const space = match(blank);
    if (space !== undefined) {
      at += space.length;
      continue;
    }
    const name = match(word);
    const number = name === undefined ? match(digits) : undefined;
    const sign = signs.find(([written]) => text.startsWith(written, at) && at + written.length <= end);
    if (name !== undefined) take("name", name.length, name);
    else if (number !== undefined) take("number", number.length, number);
    else if (sign !== undefined) take("sign", sign[0].length, sign[1]);
    else take("unknown", 1, text.slice(at, at + 1));
  }
  tokens.push({ kind: "sign", text: "", span: { start: end, end } });
  return tokens;
}

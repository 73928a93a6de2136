import { visible } from "../../../present/text/escape.ts";

/** A text in quotes as a case writes it. */
export interface Quoted {
  readonly text: string;
  /** Where the closing quote ends. */
  readonly end: number;
}

/** One character, and where the next one begins. */
type Next = readonly [character: string, end: number];

const fromJson: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

/** A character of a text inside JSON, whose escapes are decoded first. */
function json(text: string, at: number): Next {
  if (text[at] !== "\\") return [text[at] ?? "", at + 1];
  const letter = text[at + 1] ?? "";
  if (letter !== "u") return [fromJson[letter] ?? letter, at + 2];
  return [String.fromCharCode(Number.parseInt(text.slice(at + 2, at + 6), 16)), at + 6];
}

const bare = (text: string, at: number): Next => [text[at] ?? "", at + 1];

const escapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["\\", "\\"],
  ['"', '"'],
]);

/** True where a quoted text begins: with `"`, or with `\"` in a sidecar, since JSON also uses quotes. */
export const isQuote = (text: string, at: number): boolean =>
  text[at] === '"' || (text[at] === "\\" && text[at + 1] === '"');

/**
 * Reads the text in quotes that begins at `at`: `"x = 3\n"`, in a sidecar `\"x = 3\\n\"`. It may hold `\n`, `\t`, `\r`,
 * `\\`, `\"`, `\xHH` and `\u{H...}`, as reports write them. `undefined` when it is not closed or has another escape.
 */
export function readQuoted(text: string, at: number): Quoted | undefined {
  const next = text[at] === "\\" ? json : bare;
  let place = next(text, at)[1];
  let read = "";
  while (place < text.length) {
    const [character, end] = next(text, place);
    if (character === '"') return { text: read, end };
    if (character !== "\\") {
      read += character;
      place = end;
      continue;
    }
    const [letter, after] = next(text, end);
    const simple = escapes.get(letter);
    const found = simple === undefined ? coded(text, letter, after) : ([simple, after] as const);
    if (found === undefined) return undefined;
    read += found[0];
    place = found[1];
  }
  return undefined;
}

/** `\xHH` and `\u{H...}`, after their letter. */
function coded(text: string, letter: string, at: number): Next | undefined {
  const pattern = letter === "x" ? /([\da-fA-F]{2})/y : letter === "u" ? /\{([\da-fA-F]{1,6})\}/y : undefined;
  if (pattern === undefined) return undefined;
  pattern.lastIndex = at;
  const [whole = "", digits = ""] = pattern.exec(text) ?? [];
  const code = Number.parseInt(digits, 16);
  // A lone surrogate is no character.
  if (Number.isNaN(code) || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
  return [String.fromCodePoint(code), at + whole.length];
}

/** A character of a text in quotes. PTX is ASCII, comments too. */
function spelled(character: string): string {
  if (character === "\\" || character === '"') return `\\${character}`;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x7f) return visible(character);
  return code < 0x100 ? `\\x${code.toString(16)}` : `\\u{${code.toString(16)}}`;
}

/** A quoted text that `readQuoted` reads back; `inJson` for a sidecar. */
export function spellQuoted(text: string, inJson = false): string {
  const written = `"${Array.from(text, spelled).join("")}"`;
  return inJson ? JSON.stringify(written).slice(1, -1) : written;
}

/** The parts of a line outside of quoted texts. */
export function outsideQuotes(text: string): string {
  let kept = "";
  let at = 0;
  while (at < text.length) {
    const quoted = isQuote(text, at) ? readQuoted(text, at) : undefined;
    if (quoted === undefined) kept += text[at++];
    else at = quoted.end;
  }
  return kept;
}

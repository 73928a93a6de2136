import type { Source, Span } from "../../../../src/source/source.ts";

/** The parts of a test in the published format, as spans of its text. */
export interface Parts {
  readonly name: string;
  readonly description: string;
  /** Between the braces. */
  readonly initial: Span;
  /** Rows of cells, each the columns between `|`. */
  readonly rows: readonly (readonly Span[])[];
  /** The clauses after the rows: `exists`, `~exists`, `forall`, `filter`, each with its condition. */
  readonly claims: readonly { readonly word: string; readonly condition: Span }[];
}

/** Whether a text is a test in the published format: its first word, after comments, is PTX. */
export const isPublished = (text: string): boolean => /^\s*PTX\s/i.test(withoutComments(text));

/** Words that begin a claim about final states. */
const claim = /~\s*exists\b|\bnot\s+exists\b|\bexists\b|\bforall\b|\bfilter\b|\blocations\b/gi;

/**
 * Splits a text into its parts; returns the name of a missing part. Comments count as blanks: of OCaml, of
 * C and of C++.
 */
export function partsOf(source: Source): Parts | { readonly missing: string; readonly span: Span } {
  const text = withoutComments(source.text);
  const start = /\S/.exec(text)?.index ?? 0;
  const line = text.indexOf("\n", start) < 0 ? text.length : text.indexOf("\n", start);
  const name = text.slice(start, line).trim().split(/\s+/)[1] ?? "";
  const open = text.indexOf("{", start);
  const close = closing(text, open);
  if (open < 0 || close < 0) return { missing: "initial values in braces", span: { start, end: line } };
  const description = [...text.slice(line, open).matchAll(/"([^"]*)"/g)].map(([, said]) => said).join(" ");
  const claims = [...text.slice(close + 1).matchAll(claim)].map((found) => ({
    word: found[0].toLowerCase().replaceAll(/\s+/g, ""),
    start: close + 1 + found.index,
    end: close + 1 + found.index + found[0].length,
  }));
  const rowsEnd = claims[0]?.start ?? text.length;
  return {
    name,
    description,
    initial: { start: open + 1, end: close },
    rows: rowsOf(text, { start: close + 1, end: rowsEnd }),
    claims: claims.map(({ word, end }, i) => ({
      word,
      condition: trimmed(text, { start: end, end: claims[i + 1]?.start ?? text.length }),
    })),
  };
}

/** The brace that closes the one at an offset. */
function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = Math.max(open, 0); at < text.length; at++) {
    if (text[at] === "{") depth++;
    else if (text[at] === "}" && --depth === 0) return at;
  }
  return -1;
}

/** Rows end with `;`, cells with `|`. */
function rowsOf(text: string, { start, end }: Span): Span[][] {
  const rows: Span[][] = [];
  for (const row of split(text, { start, end }, ";"))
    if (text.slice(row.start, row.end).trim() !== "")
      rows.push(split(text, row, "|").map((cell) => trimmed(text, cell)));
  return rows;
}

/** The spans between separators. */
export function split(text: string, { start, end }: Span, by: string): Span[] {
  const spans: Span[] = [];
  let from = start;
  for (let at = text.indexOf(by, from); at >= 0 && at < end; at = text.indexOf(by, from)) {
    spans.push({ start: from, end: at });
    from = at + by.length;
  }
  spans.push({ start: from, end });
  return spans;
}

/** A span without the blanks, and the `;`, at its ends. */
export function trimmed(text: string, { start, end }: Span): Span {
  let from = start;
  let to = end;
  while (from < to && /[\s;]/.test(text.charAt(from))) from++;
  while (to > from && /[\s;]/.test(text.charAt(to - 1))) to--;
  return { start: from, end: to };
}

/** The text with blanks in place of comments, so that offsets stay. Words in quotes are no comments. */
export function withoutComments(text: string): string {
  let result = "";
  for (let at = 0; at < text.length; ) {
    const end = skipped(text, at);
    if (end > at) result += text.slice(at, end).replaceAll(/[^\n]/g, " ");
    else if (text[at] === '"') {
      const line = text.indexOf("\n", at);
      const quote = text.indexOf('"', at + 1);
      const until = quote < 0 || (line >= 0 && line < quote) ? at + 1 : quote + 1;
      result += text.slice(at, until);
      at = until;
      continue;
    } else result += text[at];
    at = Math.max(end, at + 1);
  }
  return result;
}

/** The end of a comment that begins at an offset; the offset itself where none begins. */
function skipped(text: string, at: number): number {
  const until = (sign: string): number => {
    const found = text.indexOf(sign, at + 2);
    return found < 0 ? text.length : found + sign.length;
  };
  if (text.startsWith("//", at)) return Math.max(until("\n") - 1, at + 2);
  if (text.startsWith("(*", at)) return until("*)");
  return text.startsWith("/*", at) ? until("*/") : at;
}

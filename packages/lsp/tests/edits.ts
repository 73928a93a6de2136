import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Document } from "../src/document.ts";
import type { Edit } from "../src/text/edit.ts";

/** A diagnostic without the objects in it, to be compared. */
export const plain = ({ source: _, related, ...rest }: Diagnostic): unknown => ({
  ...rest,
  ...(related && { related: related.map(({ source: _, ...each }) => each) }),
});

/** Replaces the only place where `old` stands. */
export function change(document: Document, old: string, text: string): void {
  const start = document.text.indexOf(old);
  if (start < 0 || document.text.includes(old, start + 1)) throw new Error(`${old} does not stand there once`);
  document.edit([{ start, end: start + old.length, text }]);
}

/** Numbers below `below`, the same for the same seed. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

/** What somebody may do to a text: type a character, delete some, move a line, repeat a piece, undo a comment. */
export function anyEdit(text: string, pick: (below: number) => number): Edit {
  const at = pick(text.length + 1);
  const pieces = [
    "x",
    ";",
    "{",
    "}",
    "/*",
    "*/",
    "//",
    "\n",
    ".",
    ",",
    "%r1",
    "add.u32 ",
    ".entry",
    "f",
    "ret;",
    '"',
    "[",
  ];
  switch (pick(6)) {
    case 0:
      return { start: at, end: Math.min(text.length, at + 1 + pick(3)), text: "" };
    case 1:
      return { start: at, end: Math.min(text.length, at + pick(40)), text: "" };
    case 2: {
      const from = pick(text.length + 1);
      return { start: at, end: at, text: text.slice(from, from + pick(60)) };
    }
    case 3: {
      const mark = pieces[pick(pieces.length)] ?? "";
      const found = text.indexOf(mark, at);
      return found < 0 ? { start: at, end: at, text: mark } : { start: found, end: found + mark.length, text: "" };
    }
    default:
      return { start: at, end: at, text: pieces[pick(pieces.length)] ?? "" };
  }
}

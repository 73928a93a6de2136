import type { Source, Span } from "../source/source.ts";
import { visible } from "./escape.ts";
import type { Palette } from "./palette.ts";

/** Columns of source text that are shown; a longer line is cut around the underlined part. */
const WINDOW = 100;
const TAB = 4;

interface Cell {
  readonly text: string;
  readonly offset: number;
}

/** Each character of a text as it is printed: tabs become spaces, controls become escapes; `offset` is where it stood. */
function cells(text: string, start: number): Cell[] {
  const all: Cell[] = [];
  let column = 0;
  let offset = start;
  for (const character of text) {
    const shown = character === "\t" ? " ".repeat(TAB - (column % TAB)) : visible(character);
    all.push({ text: shown, offset });
    column += shown.length;
    offset += character.length;
  }
  return all;
}

const textOf = (all: readonly Cell[]): string => all.map(({ text }) => text).join("");

/**
 * The line that a span begins in, and a line of `mark` under the span, at most `WINDOW` columns. A span over several
 * lines is underlined to the end of its first; an empty span gets one mark.
 */
export function excerpt(
  source: Source,
  span: Span,
  mark: "^" | "-",
): { readonly line: string; readonly marks: string } {
  const { line: number, column } = source.position(span.start);
  const line = source.line(number);
  const from = column - 1;
  const to = Math.min(Math.max(from + span.end - span.start, from + 1), from + WINDOW);
  // A line can be megabytes long: look only at what may be shown.
  const start = from > 2 * WINDOW ? from - WINDOW : 0;
  const all = cells(line.slice(start, to + WINDOW), start);
  const covered = textOf(all.filter(({ offset }) => offset >= from && offset < to)).slice(0, WINDOW);
  let left = textOf(all.filter(({ offset }) => offset < from));
  let right = textOf(all.filter(({ offset }) => offset >= to));
  const room = WINDOW - covered.length;
  if (start > 0 || left.length + right.length > room) {
    const ahead = Math.max(room >> 1, room - right.length);
    if (start > 0 || left.length > ahead) left = `…${left.slice(Math.max(0, left.length - ahead))}`;
    const after = Math.max(0, room - left.length);
    if (right.length > after) right = `${right.slice(0, after)}…`;
  }
  return {
    line: (left + covered + right).trimEnd(),
    marks: " ".repeat(left.length) + mark.repeat(Math.max(covered.length, 1)),
  };
}

/**
 * `--> kernel.ptx:12:9`, the line, and the underline with `words` after it. `gutter` is the width of the line numbers.
 */
export function block(
  source: Source,
  span: Span,
  options: { gutter: number; arrow: "-->" | ":::"; words: string; palette: Palette; paint: (text: string) => string },
): string[] {
  const { gutter, arrow, words, palette, paint } = options;
  const { line: number, column } = source.position(span.start);
  const { line, marks } = excerpt(source, span, arrow === "-->" ? "^" : "-");
  const bar = palette.faint(`${" ".repeat(gutter)} |`);
  const name = Array.from(source.name, visible).join("");
  return [
    `${" ".repeat(gutter)}${palette.faint(arrow)} ${name}:${number}:${column}`,
    bar,
    `${palette.faint(`${String(number).padStart(gutter)} |`)}${line === "" ? "" : ` ${line}`}`,
    `${bar} ${/^ */.exec(marks)?.[0] ?? ""}${paint(marks.trimStart() + (words === "" ? "" : ` ${words}`))}`,
  ];
}

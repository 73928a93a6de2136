import { withShortNames } from "../../packages/demangle/src/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { manualUrl } from "../source/manual.ts";
import { shorten } from "../source/shorten.ts";
import type { Source, Span } from "../source/source.ts";
import { isPath } from "./finding.ts";
import { printable, visible } from "./text/escape.ts";
import { type Palette, plain } from "./text/palette.ts";

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
function block(
  source: Source,
  span: Span,
  options: { gutter: number; arrow: "-->" | ":::"; words: string; palette: Palette; paint: (text: string) => string },
): string[] {
  const { gutter, arrow, words, palette, paint } = options;
  const { line: number, column } = source.position(span.start);
  const { line, marks } = excerpt(source, span, arrow === "-->" ? "^" : "-");
  const bar = palette.faint(`${" ".repeat(gutter)} |`);
  const where = `${Array.from(source.name, visible).join("")}:${number}:${column}`;
  return [
    `${" ".repeat(gutter)}${palette.faint(arrow)} ${isPath(source.name) ? palette.link(where, { file: source.name, line: number }) : where}`,
    bar,
    `${palette.faint(`${String(number).padStart(gutter)} |`)}${line === "" ? "" : ` ${line}`}`,
    `${bar} ${/^ */.exec(marks)?.[0] ?? ""}${paint(marks.trimStart() + (words === "" ? "" : ` ${words}`))}`,
  ];
}

/** Codes of launches and runs; in the others names appear as they were written. */
const ofRuns = /^PTX(?:2207|[3-7])/;

/**
 * A diagnostic as text: what is wrong, where, what was expected, and help. Mangled names in what a run says are short,
 * `matmul<float>(...)`. Under it `others` that say the same of other places. No line end at the end.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  palette: Palette = plain,
  others: readonly Diagnostic[] = [],
): string {
  const { severity, code, message, source, span, expected, related = [], help = [], manual } = diagnostic;
  const paint = palette[severity];
  const said = (text: string): string => printable(ofRuns.test(code) ? withShortNames(text, source) : text);
  const about = manual === undefined ? code : palette.link(code, { url: manualUrl(manual) });
  const head = `${paint(`${severity} ${about}`)}${palette.strong(`: ${said(message)}`)}`;
  const numbers = [source.position(span.start).line, ...related.map((it) => it.source.position(it.span.start).line)];
  const gutter = String(Math.max(...numbers)).length;
  const words = expected === undefined ? "" : `expected ${printable(expected)}`;
  const foot = (label: string, text: string) =>
    `${" ".repeat(gutter)} ${palette.faint("=")} ${label}: ${printable(text)}`;
  return [
    head,
    ...(source.text === "" && source.name === ""
      ? words === ""
        ? []
        : [foot("expected", expected ?? "")]
      : block(source, span, { gutter, arrow: "-->", words, palette, paint })),
    ...related.flatMap((it) =>
      block(it.source, it.span, {
        gutter,
        arrow: ":::",
        words: said(it.message),
        palette,
        paint: palette.note,
      }),
    ),
    ...help.map(({ message }) => {
      const [first = "", ...more] = message.split("\n");
      return [foot("help", first), ...more.map((line) => `${" ".repeat(gutter + 3)}${printable(line)}`)].join("\n");
    }),
    ...(manual === undefined ? [] : [foot("manual", manualUrl(manual))]),
    ...others.map(({ source, span }) =>
      foot(`line ${source.position(span.start).line}`, `${shorten(source.text.slice(span.start, span.end))}, likewise`),
    ),
  ].join("\n");
}

/**
 * Several diagnostics with empty lines between them; ends with a line end unless there are none. Of those that need the
 * same newer header the first is told, and names the others.
 */
export function renderDiagnostics(diagnostics: readonly Diagnostic[], palette: Palette = plain): string {
  const told = new Map<symbol | string, [Diagnostic, ...Diagnostic[]]>();
  for (const each of diagnostics) {
    const key = each.needs === undefined ? Symbol() : `${each.source.name} ${each.code} ${each.expected}`;
    const group = told.get(key);
    if (group === undefined) told.set(key, [each]);
    else group.push(each);
  }
  return [...told.values()].map(([first, ...others]) => `${renderDiagnostic(first, palette, others)}\n`).join("\n");
}

/** A place in JSON: offsets are UTF-16 units, lines and columns count from 1. */
const place = (source: Diagnostic["source"], span: Diagnostic["span"]) => ({
  source: source.name,
  ...source.position(span.start),
  start: span.start,
  end: span.end,
});

/** A diagnostic as data, with its keys in one order. */
export function diagnosticToJson(diagnostic: Diagnostic): Record<string, unknown> {
  const { code, severity, message, source, span, expected, related, help, manual } = diagnostic;
  return {
    code,
    severity,
    message,
    ...place(source, span),
    ...(expected === undefined ? {} : { expected }),
    ...(related === undefined
      ? {}
      : { related: related.map((it) => ({ message: it.message, ...place(it.source, it.span) })) }),
    ...(help === undefined
      ? {}
      : {
          help: help.map((it) => ({
            message: it.message,
            ...(it.replace === undefined
              ? {}
              : { replace: { start: it.replace.span.start, end: it.replace.span.end, text: it.replace.text } }),
          })),
        }),
    ...(manual === undefined ? {} : { manual }),
  };
}

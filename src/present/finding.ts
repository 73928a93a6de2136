import type { Diagnostic, Related, Severity } from "../source/diagnostic.ts";
import { shorten } from "../source/shorten.ts";
import type { Source, Span } from "../source/source.ts";
import { printable } from "./text/escape.ts";

/** A part of a file: lines and columns count from 1, columns in UTF-16 units; the end is behind its last character. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** The line's text, by which the place is known again when lines before it come or go. */
  readonly text: string;
}

/** What happens at a place. */
interface Step {
  readonly message: string;
  readonly place: FilePlace;
}

/** A diagnostic as plain data with all that a report about files needs: it travels between processes, and in files. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  /** What is wrong, a line; then what was expected and the ways out. Nothing in it does something to a terminal. */
  readonly message: string;
  /** Absent where no file has it: standard input, a text that a program hands over. */
  readonly place?: FilePlace;
  readonly related?: readonly Step[];
  /** What each thread does, of a finding that is about several: nothing says which is first. */
  readonly threads?: readonly Step[];
  readonly fixes?: readonly { readonly message: string; readonly place: FilePlace; readonly text: string }[];
}

/** `more` follows what the diagnostic says. Of a text that is no file, the place is that of the source it was compiled from. */
export function findingOf(diagnostic: Diagnostic, more: readonly string[] = []): Finding {
  const { code, severity, source, span, related = [], help = [], compiledFrom } = diagnostic;
  const original = compiledFrom && pointIn(compiledFrom.file, compiledFrom.line, compiledFrom.column);
  const own = placeIn(source, span);
  const place = own ?? original;
  const others = related.flatMap(stepOf);
  const { cause = diagnostic } = diagnostic;
  const threads = cause.code === "PTX4002" ? [cause, ...(cause.related ?? [])].flatMap(stepOf) : [];
  if (own !== undefined && original !== undefined) others.push({ message: "compiled from", place: original });
  const fixes = help.flatMap(({ message, replace }) => {
    const where = replace && placeIn(source, replace.span);
    return replace === undefined || where === undefined
      ? []
      : [{ message: printable(message), place: where, text: replace.text }];
  });
  return {
    code,
    severity,
    message: [...wordsOf(diagnostic), ...more].map(printable).join("\n"),
    ...(place && { place }),
    ...(others.length > 0 && { related: others }),
    ...(threads.length > 1 && { threads }),
    ...(fixes.length > 0 && { fixes }),
  };
}

function stepOf({ source, span, message }: Related): readonly Step[] {
  const place = placeIn(source, span);
  return place === undefined ? [] : [{ message: printable(message), place }];
}

/** What a diagnostic says, without its place: lines. */
export const wordsOf = ({ message, expected, help = [] }: Pick<Diagnostic, "message" | "expected" | "help">) => [
  message,
  ...(expected === undefined ? [] : [`expected ${expected}`]),
  ...help.map((each) => `help: ${each.message}`),
];

/** Whether a source's name is a path: texts of a stream, a program or an option have other names. */
export const isPath = (name: string): boolean => !/^(?:|-.*|command line|command|scratch|<.*>)$/.test(name);

function placeIn(source: Source, { start, end }: Span): FilePlace | undefined {
  if (!isPath(source.name)) return undefined;
  const from = source.position(start);
  const to = source.position(Math.max(start, end));
  return {
    file: source.name,
    ...from,
    endLine: to.line,
    endColumn: to.column,
    text: shorten(source.line(from.line).trim()),
  };
}

/** A place of which no more than its line is known, and perhaps its column. */
export const pointIn = (file: string, line: number, column = 1, text = ""): FilePlace => {
  const at = Math.max(1, column);
  return { file, line, column: at, endLine: line, endColumn: at, text };
};

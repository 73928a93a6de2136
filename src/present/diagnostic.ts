import { withShortNames } from "../source/demangle/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { printable } from "./escape.ts";
import { block } from "./excerpt.ts";
import { type Palette, plain } from "./palette.ts";

/** Codes of what happens when a program is launched and runs; the others are about names as they are typed. */
const ofRuns = /^PTX(?:2207|[3-7])/;

/**
 * A diagnostic as text: what is wrong, where, what was expected, and help. Mangled names in what a run says are short,
 * `matmul<float>(...)`. No line end at the end.
 */
export function renderDiagnostic(diagnostic: Diagnostic, palette: Palette = plain): string {
  const { severity, code, message, source, span, expected, related = [], help = [], manual } = diagnostic;
  const paint = palette[severity];
  const said = (text: string): string => printable(ofRuns.test(code) ? withShortNames(text, source) : text);
  const head = `${paint(`${severity} ${code}`)}${palette.strong(`: ${said(message)}`)}`;
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
    ...(manual === undefined ? [] : [foot("manual", manual)]),
  ].join("\n");
}

/** Several diagnostics with empty lines between them; ends with a line end unless there are none. */
export const renderDiagnostics = (diagnostics: readonly Diagnostic[], palette: Palette = plain): string =>
  diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic, palette)}\n`).join("\n");

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

import { problem } from "../../../../src/host/problem.ts";
import type { Code } from "../../../../src/source/codes/index.ts";
import type { Diagnostic } from "../../../../src/source/diagnostic.ts";
import { Source, type Span } from "../../../../src/source/source.ts";

/** Why a command is not carried out. Commands and expressions throw it; the shell catches it once and prints it. */
export class Refusal {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    this.diagnostics = diagnostics;
  }
}

/** A part of a command line, and its offset in the line. */
export interface LinePart {
  readonly source: Source;
  readonly text: string;
  readonly start: number;
}

/** A whole text as a part, with its name for messages. */
export const whole = (name: string, text: string): LinePart => ({ source: new Source(name, text), text, start: 0 });

/** A part of a part, without blanks around it. */
export function within(part: LinePart, from: number, to: number = part.text.length): LinePart {
  const text = part.text.slice(from, to);
  const blank = text.length - text.trimStart().length;
  return { source: part.source, text: text.trim(), start: part.start + from + blank };
}

export const spanOf = ({ start, text }: LinePart): Span => ({ start, end: start + text.length });

/** Makes the refusal that points at a part, or at a span of its line. */
export function refuse(
  code: Code,
  message: string,
  part: LinePart,
  more: { readonly span?: Span; readonly expected?: string | undefined; readonly meant?: string | undefined } = {},
): Refusal {
  const { span = spanOf(part), expected, meant } = more;
  const help = meant === undefined ? [] : [{ message: `did you mean ${meant}?` }];
  return new Refusal([
    problem(code, message, { source: part.source, span, help, ...(expected === undefined ? {} : { expected }) }),
  ]);
}

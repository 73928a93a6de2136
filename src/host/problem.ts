import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { shorten } from "../source/shorten.ts";
import { Source, type Span } from "../source/source.ts";

/** A source for problems without a text, such as a call of the library. */
const nowhere: Source = new Source("", "");

/** A usage error, as data: a wrong argument, an unknown name, full memory. */
export const problem = (
  code: Code,
  message: string,
  more: Partial<Omit<Diagnostic, "code" | "message">> & { readonly source?: Source; readonly span?: Span } = {},
): Diagnostic => ({
  severity: "error",
  source: nowhere,
  span: { start: 0, end: 0 },
  ...more,
  ...(more.expected === undefined ? {} : { expected: shorten(more.expected) }),
  code,
  message: shorten(message),
});

/** Thrown by `must`, and by the functions in `src/host` that document it; carries the diagnostics as data. */
export class HostError extends Error {
  readonly diagnostics: readonly Diagnostic[];

  constructor(diagnostics: readonly Diagnostic[]) {
    super(diagnostics.map(describe).join("\n"));
    this.name = "HostError";
    this.diagnostics = diagnostics;
  }
}

function describe({ code, message, source, span }: Diagnostic): string {
  if (source === nowhere) return `${code}: ${message}`;
  const { line, column } = source.position(span.start);
  return `${source.name}:${line}:${column}: ${code}: ${message}`;
}

/**
 * For scripts that end at the first problem: returns the value, or throws a `HostError` when there is none.
 */
export function must<T>({ value, diagnostics }: Staged<T | undefined>): T {
  if (value === undefined) throw new HostError(diagnostics);
  return value;
}

import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Help, Needed, Related, Severity } from "../source/diagnostic.ts";
import { shorten } from "../source/shorten.ts";
import type { Source, Span } from "../source/source.ts";

/** Collects the problems of one text. */
export interface Report {
  readonly source: Source;
  /** True when no more problems are accepted; a report without it is never full. */
  readonly full?: boolean;
  diagnose(diagnostic: Diagnostic): void;
}

/** Errors that are reported for one function at most. */
const mostErrors = 50;

/** The report of one function; when it is full, a note says that nothing more is accepted. */
export class BodyReport implements Report {
  readonly source: Source;
  readonly diagnostics: Diagnostic[];
  #errors = 0;

  constructor(source: Source, diagnostics: readonly Diagnostic[] = []) {
    this.source = source;
    this.diagnostics = [...diagnostics];
  }

  /** What reads like no number draws no second error as a number of the wrong kind. */
  #isEcho({ code, span }: Diagnostic): boolean {
    return (
      code.startsWith("PTX13") &&
      this.diagnostics.some((other) => other.code === "PTX1008" && other.span.start === span.start)
    );
  }

  get full(): boolean {
    return this.#errors > mostErrors;
  }

  diagnose(diagnostic: Diagnostic): void {
    if (this.full || this.#isEcho(diagnostic)) return;
    if (diagnostic.severity === "error") this.#errors++;
    if (!this.full) this.diagnostics.push(diagnostic);
    else
      this.diagnostics.push({
        code: "PTX1119",
        severity: "note",
        message: `more than ${mostErrors} errors in this function; from here on it is not checked`,
        source: this.source,
        span: diagnostic.span,
      });
  }
}

/** The same report without diagnostics that start at one of these offsets: they are reported already. */
export const without = (starts: ReadonlySet<number>, report: Report): Report => ({
  source: report.source,
  get full() {
    return report.full ?? false;
  },
  diagnose: (diagnostic) => starts.has(diagnostic.span.start) || report.diagnose(diagnostic),
});

/** The optional parts of a diagnostic besides its message. */
export interface Detail {
  readonly expected?: string;
  readonly related?: readonly { readonly span: Span; readonly message: string }[];
  readonly help?: readonly Help[];
  readonly needs?: Needed;
  readonly manual?: string;
  readonly severity?: Severity;
}

/**
 * Reports an error (or what `detail.severity` says) at `span` and returns undefined, the value of what could not be
 * built.
 */
export function reject(
  report: Report,
  code: Code,
  { start, end }: Span,
  message: string,
  detail: Detail = {},
): undefined {
  const { severity = "error", related, ...rest } = detail;
  const others: readonly Related[] | undefined = related?.map((other) => ({
    source: report.source,
    span: { start: other.span.start, end: other.span.end },
    message: shorten(other.message),
  }));
  report.diagnose({
    code,
    severity,
    message: shorten(message),
    source: report.source,
    span: { start, end },
    ...rest,
    ...(rest.expected !== undefined && { expected: shorten(rest.expected) }),
    ...(rest.help && { help: rest.help.map((help) => ({ ...help, message: shorten(help.message) })) }),
    ...(others && { related: others }),
  });
}

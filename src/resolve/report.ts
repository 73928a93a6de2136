import type { Code } from "../source/codes/index.ts";
import type { Diagnostic, Help, Related, Severity } from "../source/diagnostic.ts";
import type { Source, Span } from "../source/source.ts";

/** Where the problems of one text go. */
export interface Report {
  readonly source: Source;
  diagnose(diagnostic: Diagnostic): void;
}

/** What a diagnostic may say besides its message. */
export interface Detail {
  readonly expected?: string;
  readonly related?: readonly { readonly span: Span; readonly message: string }[];
  readonly help?: readonly Help[];
  readonly manual?: string;
  readonly severity?: Severity;
}

/** Reports an error (or what `detail.severity` says) at `span` and gives undefined, the value of what could not be built. */
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
    message: other.message,
  }));
  report.diagnose({
    code,
    severity,
    message,
    source: report.source,
    span: { start, end },
    ...rest,
    ...(others && { related: others }),
  });
}

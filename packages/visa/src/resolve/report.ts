import type { Code } from "../../../../src/source/codes/index.ts";
import type { Diagnostic, Severity } from "../../../../src/source/diagnostic.ts";
import type { Source, Span } from "../../../../src/source/source.ts";

/** Collects the diagnostics of one text. */
export class Report {
  readonly diagnostics: Diagnostic[] = [];
  readonly source: Source;

  constructor(source: Source) {
    this.source = source;
  }

  error(code: Code, message: string, span: Span, expected?: string, meant?: string): void {
    this.#add(code, "error", message, span, expected, meant);
  }

  warning(code: Code, message: string, span: Span, expected?: string): void {
    this.#add(code, "warning", message, span, expected);
  }

  note(code: Code, message: string, span: Span): void {
    this.#add(code, "note", message, span);
  }

  /** `meant`: what was probably meant in the place of all that the span has. */
  #add(code: Code, severity: Severity, message: string, span: Span, expected?: string, meant?: string): void {
    this.diagnostics.push({
      code,
      severity,
      message,
      source: this.source,
      span,
      ...(expected === undefined ? {} : { expected }),
      ...(meant === undefined ? {} : { help: [{ message: `did you mean ${meant}?`, replace: { span, text: meant } }] }),
    });
  }
}

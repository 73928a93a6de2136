import type { Diagnostic } from "./diagnostic.ts";

/** Sorted by place, without duplicates: loading and linting may find the same problem. */
export function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics
    .filter(({ code, span, message }) => {
      const key = `${code} ${span.start} ${span.end} ${message}`;
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .sort((a, b) => a.span.start - b.span.start);
}

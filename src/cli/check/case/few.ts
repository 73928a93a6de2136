import { problem } from "../../../host/problem.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";

/** Problems of one file or one case that are reported. */
const MAX_PROBLEMS = 20;

/** The first of many diagnostics; then one with the number of the rest, at the first of those. */
export function few(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const next = diagnostics[MAX_PROBLEMS];
  if (next === undefined) return diagnostics;
  const left = diagnostics.length - MAX_PROBLEMS;
  const { source, span } = next;
  const worst = diagnostics.slice(MAX_PROBLEMS).some(({ severity }) => severity === "error") ? "error" : next.severity;
  const message = `and ${left} more, the first of which is here: ${next.message}`;
  return [...diagnostics.slice(0, MAX_PROBLEMS), problem(next.code, message, { source, span, severity: worst })];
}

import { problem } from "../../host/problem.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { CaseLine } from "./directive.ts";
import type { CaseResult } from "./result.ts";

/** Says with which seed a case failed. */
export const seedNote = ({ name, source, args, span }: CaseLine, seed: number): Diagnostic =>
  problem("PTX9005", `case ${name} fails with seed ${seed}`, { severity: "note", source, span: args?.span ?? span });

/** A case that passed with the seeds it got to, when time ran out before the last. */
export function outOfTime(
  { name, source, args, span }: CaseLine,
  result: CaseResult,
  seed: number,
  last: number,
): CaseResult {
  const place = { source, span: args?.span ?? span, expected: "fewer seeds, or a longer --timeout" };
  const message = `case ${name}: time is over after seed ${seed} of ${last}`;
  return { ...result, passed: false, diagnostics: [...result.diagnostics, problem("PTX6101", message, place)] };
}

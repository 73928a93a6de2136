import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Span } from "../../source/source.ts";

/** Notes (PTX9020) on the instructions that ptxrun knows and does not execute: one for each spelling, with its count. */
export function unimplemented(programs: readonly Program[]): readonly Diagnostic[] {
  const found = new Map<string, { readonly places: Set<number>; readonly span: Span; readonly program: Program }>();
  for (const program of programs)
    for (const { plan, span, opcode } of program.code) {
      if (plan.shape !== "gap") continue;
      const known = found.get(opcode);
      if (known === undefined) found.set(opcode, { places: new Set([span.start]), span, program });
      else known.places.add(span.start);
    }
  return [...found].map(([opcode, { places, span, program }]) => ({
    code: "PTX9020",
    severity: "note",
    message: `${opcode} is not implemented${places.size > 1 ? ` (${places.size} times in this file)` : ""}`,
    source: program.source,
    span,
    help: [{ message: "a run ends with exit 5 where a thread meets it; the file itself is right" }],
  }));
}

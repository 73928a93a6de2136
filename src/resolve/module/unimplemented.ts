import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source, Span } from "../../source/source.ts";

/** An instruction that ptxrun knows and does not execute. */
export interface Gap {
  readonly opcode: string;
  readonly span: Span;
  /** What nothing defines, where that is the reason. */
  readonly lacks?: string | undefined;
}

/** The instructions of a program that are not executed. */
export const gapsIn = ({ code }: Program): readonly Gap[] =>
  code.flatMap(({ plan, opcode, span }) => (plan.shape === "gap" ? [{ opcode, span, lacks: plan.lacks }] : []));

/** Notes (PTX9020) on the instructions that ptxrun knows and does not execute: one for each spelling, with its count. */
export const unimplemented = (programs: readonly Program[]): readonly Diagnostic[] =>
  programs.flatMap(({ source }, at) => (at === 0 ? gapNotes(source, programs.flatMap(gapsIn)) : []));

/** The same, of programs from one source. */
export function gapNotes(source: Source, gaps: readonly Gap[]): readonly Diagnostic[] {
  const found = new Map<string, { readonly places: Set<number>; readonly span: Span }>();
  for (const { opcode, span, lacks } of gaps) {
    const why = `${opcode} is not ${lacks === undefined ? "implemented" : `executed: nothing defines ${lacks}`}`;
    const known = found.get(why);
    if (known === undefined) found.set(why, { places: new Set([span.start]), span });
    else known.places.add(span.start);
  }
  return [...found].map(([why, { places, span }]) => ({
    code: "PTX9020",
    severity: "note",
    message: `${why}${places.size > 1 ? ` (${places.size} times in this file)` : ""}`,
    source,
    span,
    help: [{ message: "a run ends with exit 5 where a thread reaches it; the file itself is valid" }],
  }));
}

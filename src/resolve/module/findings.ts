import type { Program } from "../../interp/contract/program.ts";
import type * as ast from "../../parser/ast.ts";
import { parseSection } from "../../parser/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { undefinedCarry } from "../body/undefined-carry.ts";
import { doubtsAbout } from "../lint/doubts.ts";
import { checkSection } from "./header/debug-information.ts";
import { withOneNote } from "./one-note.ts";
import { type Gap, gapNotes, gapsIn } from "./unimplemented.ts";

/** The findings of one function or section alone; findings about all together follow from these. */
export interface Findings {
  readonly diagnostics: readonly Diagnostic[];
  /** Instructions that are known and not executed. */
  readonly gaps: readonly Gap[];
}

/** The findings of one function's body. */
export function findingsInFunction({ value, diagnostics }: Staged<Program>): Findings {
  if (hasErrors(diagnostics)) return { diagnostics, gaps: [] };
  return { diagnostics: [...diagnostics, ...undefinedCarry(value), ...doubtsAbout(value)], gaps: gapsIn(value) };
}

/** What the lines of a debug section say. Running needs none of them, so only this check reads them. */
export function findingsInSection(source: Source, section: ast.Section): Findings {
  const { value, diagnostics } = parseSection(source, section);
  if (hasErrors(diagnostics)) return { diagnostics, gaps: [] };
  const found = [...diagnostics];
  checkSection(value, { source, diagnose: (diagnostic) => found.push(diagnostic) });
  return { diagnostics: found, gaps: [] };
}

/** The findings of a module's bodies and sections together. */
export const allFindings = (source: Source, each: readonly Findings[]): readonly Diagnostic[] =>
  withOneNote([
    ...each.flatMap(({ diagnostics }) => diagnostics),
    ...gapNotes(
      source,
      each.flatMap(({ gaps }) => gaps),
    ),
  ]);

/** True where a body uses an undeclared name: it may be part of a text that lacks declarations. */
export const lacksNames = (diagnostics: readonly Diagnostic[]): boolean =>
  diagnostics.some(({ code }) => code === "PTX1320" || code === "PTX1421");

/**
 * The reading as part of a text that lacks declarations, if it leaves fewer errors: else the first reading is closer to
 * the intent.
 */
export const betterReading = (first: Staged<Program>, pasted: Staged<Program>): Staged<Program> =>
  errors(pasted) < errors(first) ? pasted : first;

const errors = ({ diagnostics }: Staged<Program>): number =>
  diagnostics.filter(({ severity }) => severity === "error").length;

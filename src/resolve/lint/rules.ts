import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { beyondParameters } from "../body/beyond-parameters.ts";
import { deprecatedForms } from "./deprecated.ts";
import { narrowScopes } from "./narrow-scope.ts";
import { neverWritten } from "./never-written.ts";
import { partedThreads } from "./parted.ts";
import { undeclaredBytes } from "./undeclared-bytes.ts";
import { vectorWidths } from "./vector-width.ts";

/** Each looks at one function, and warns only where the text shows a mistake. */
const rules: readonly ((program: Program) => readonly Diagnostic[])[] = [
  beyondParameters,
  undeclaredBytes,
  vectorWidths,
  deprecatedForms,
  partedThreads,
  narrowScopes,
  neverWritten,
];

/** The warnings of all rules. */
export function warningsAbout(program: Program): readonly Diagnostic[] {
  return rules.flatMap((rule) => rule(program));
}

import { renderDiagnostics } from "../present/diagnostic.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { type ColourChoice, palette } from "./colour.ts";
import type { Io } from "./io.ts";

/** A report that the command line requests: on standard output, or in a file. */
export interface Wanted<Name extends string> {
  readonly name: Name;
  readonly file?: string;
}

/** More than a person reads; a file full of mistakes must not flood a log. */
const MAX_DIAGNOSTICS = 100;

/** Prints diagnostics to the error stream; `-q` leaves notes out. */
export function report(
  diagnostics: readonly Diagnostic[],
  { color, quiet = false }: { readonly color: ColourChoice; readonly quiet?: boolean },
  io: Io,
): void {
  const shown = quiet ? diagnostics.filter(({ severity }) => severity !== "note") : diagnostics;
  if (shown.length === 0) return;
  const left = shown.length - MAX_DIAGNOSTICS;
  io.err(renderDiagnostics(shown.slice(0, MAX_DIAGNOSTICS), palette(color, "err", io)));
  if (left > 0) io.err(`\n${left} more of the kind are not shown; --json has them all\n`);
}

import { renderDiagnostics } from "../present/diagnostic.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { type ColourChoice, palette } from "./colour.ts";
import type { Io } from "./io.ts";

/** Prints diagnostics to the error stream; `-q` leaves notes out. */
export function report(
  diagnostics: readonly Diagnostic[],
  { color, quiet = false }: { readonly color: ColourChoice; readonly quiet?: boolean },
  io: Io,
): void {
  const shown = quiet ? diagnostics.filter(({ severity }) => severity !== "note") : diagnostics;
  if (shown.length > 0) io.err(renderDiagnostics(shown, palette(color, "err", io)));
}

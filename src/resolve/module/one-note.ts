import type { Diagnostic } from "../../source/diagnostic.ts";

/** Where the same is inferred in several bodies, one note is enough. */
export function withOneNote(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const said = new Set<string>();
  return diagnostics.filter(({ code, message }) => {
    const what = code === "PTX9011" ? code : code === "PTX9014" || code === "PTX9015" ? message : undefined;
    if (what === undefined || !said.has(what)) {
      if (what !== undefined) said.add(what);
      return true;
    }
    return false;
  });
}

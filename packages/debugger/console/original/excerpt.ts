import type { Diagnostic, Related } from "../../../../src/source/diagnostic.ts";
import type { Originals } from "./originals.ts";

/** A diagnostic of a run with an excerpt of the line that its instruction was compiled from, where that can be found. */
export function withOriginal(diagnostic: Diagnostic, originals: Originals): Diagnostic {
  const excerpt = diagnostic.compiledFrom && excerptOf(diagnostic.compiledFrom, originals);
  if (excerpt === undefined) return diagnostic;
  const { related = [], help = [], ...rest } = diagnostic;
  const left = help.filter(({ message }) => !message.startsWith("compiled from "));
  return { ...rest, related: [excerpt, ...related], ...(left.length > 0 && { help: left }) };
}

/** From the column that the compiler names to the end of the line; all of the line where it names none. */
function excerptOf({ file, line, column }: NonNullable<Diagnostic["compiledFrom"]>, originals: Originals) {
  const source = originals.find(file);
  const text = source?.line(line) ?? "";
  if (source === undefined || text.trim() === "") return undefined;
  const start = source.lineStart(line);
  const blank = text.length - text.trimStart().length;
  const from = column > blank && column <= text.trimEnd().length ? column - 1 : blank;
  const span = { start: start + from, end: start + text.trimEnd().length };
  return { source, span, message: "compiled from here" } satisfies Related;
}

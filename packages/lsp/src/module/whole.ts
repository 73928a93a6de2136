import { inOneWord, parse, parseSnippet } from "../../../../src/parser/index.ts";
import { loadModule, resolveSnippet, unimplemented } from "../../../../src/resolve/index.ts";
import { type Diagnostic, hasErrors } from "../../../../src/source/diagnostic.ts";
import { inOrder } from "../../../../src/source/in-order.ts";
import { LoadingStopped } from "../../../../src/source/loading.ts";
import type { Source } from "../../../../src/source/source.ts";
import type { Settings } from "../settings.ts";

/** True for the parser's errors; a text with such errors is not checked further. */
export const isSyntaxError = ({ code, severity }: Diagnostic): boolean =>
  severity === "error" && /^PTX1[01]/.test(code);

/** Lints a module, with all bodies. */
export function lintModule(source: Source, settings: Settings): readonly Diagnostic[] {
  return withinLimits(() => {
    const parsed = parse(source, { bodies: "index" });
    const { value, diagnostics } = loadModule(source, parsed.value, settings);
    const meaning = hasErrors(parsed.diagnostics) ? [] : diagnostics;
    const image = inOneWord(source, [...parsed.diagnostics, ...meaning]);
    if (image.some(isSyntaxError)) return parse(source, { bodies: "all" }).diagnostics;
    return inOrder([...image, ...value.lint()]);
  });
}

/** Lints statements without a module around them. */
export function lintSnippet(source: Source, settings: Settings): readonly Diagnostic[] {
  return withinLimits(() => {
    const parsed = parseSnippet(source);
    const resolved = hasErrors(parsed.diagnostics) ? undefined : resolveSnippet(source, parsed.value, settings);
    const found = inOneWord(source, [...parsed.diagnostics, ...(resolved?.diagnostics ?? [])]);
    if (hasErrors(found) || resolved?.value === undefined) return found;
    return inOrder([...found, ...unimplemented([resolved.value])]);
  });
}

/** The findings, or the limit that ended the search. */
export function withinLimits(lint: () => readonly Diagnostic[]): readonly Diagnostic[] {
  try {
    return lint();
  } catch (stopped) {
    if (!(stopped instanceof LoadingStopped)) throw stopped;
    return [stopped.diagnostic];
  }
}

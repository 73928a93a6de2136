import { parse, parseSnippet } from "../parser/index.ts";
import { loadModule, resolveSnippet } from "../resolve/index.ts";
import { type Diagnostic, hasErrors } from "../source/diagnostic.ts";
import { isModuleText, type SnippetOptions, sourceOf, type Text } from "./device.ts";

/**
 * Everything that is wrong or odd in a module or a snippet, nothing run. Errors of syntax hide those of meaning: a tree
 * with holes would draw complaints about the holes.
 */
export function lint(text: Text, options: SnippetOptions = {}): readonly Diagnostic[] {
  const source = sourceOf(text);
  if (!isModuleText(source)) {
    const { value, diagnostics } = parseSnippet(source);
    if (hasErrors(diagnostics)) return diagnostics;
    return [...diagnostics, ...resolveSnippet(source, value, options).diagnostics];
  }
  const { value, diagnostics } = parse(source, { bodies: "index" });
  if (hasErrors(diagnostics)) return parse(source, { bodies: "all" }).diagnostics;
  const loaded = loadModule(source, value);
  return inOrder([...diagnostics, ...loaded.diagnostics, ...loaded.value.lint()]);
}

/** By place, each once: loading and linting may find one thing both. */
function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics
    .filter(({ code, span, message }) => {
      const key = `${code} ${span.start} ${span.end} ${message}`;
      return !seen.has(key) && seen.add(key) !== undefined;
    })
    .sort((a, b) => a.span.start - b.span.start);
}

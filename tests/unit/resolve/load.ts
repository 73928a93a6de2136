import { parse } from "../../../src/parser/index.ts";
import { loadModule, type ModuleImage } from "../../../src/resolve/index.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";

/** A module read, loaded and linted, with everything that was said on the way. */
export interface Loaded {
  readonly image: ModuleImage;
  readonly diagnostics: readonly Diagnostic[];
}

export function load(text: string): Loaded {
  const source = new Source("module.ptx", text);
  const parsed = parse(source);
  const loaded = loadModule(source, parsed.value);
  return { image: loaded.value, diagnostics: [...parsed.diagnostics, ...loaded.diagnostics, ...loaded.value.lint()] };
}

export const header = ".version 9.0\n.target sm_100a\n.address_size 64\n";

/** Codes of what is wrong with declarations at module scope, in their order, without repetition. */
export const codesOf = (text: string): string[] => [
  ...new Set(
    load(text)
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ code }) => code),
  ),
];

/** The same for a module with the usual header. */
export const wrongIn = (items: string): string[] => codesOf(header + items);

/** The same for the body of a kernel. */
export const wrongInBody = (statements: string): string[] =>
  wrongIn(`.entry k(.param .b64 kp)\n{\n${statements}\nret;\n}\n`);

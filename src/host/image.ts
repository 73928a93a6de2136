import type { Program } from "../interp/contract/program.ts";
import { foreignText, parse, parseSnippet } from "../parser/index.ts";
import { loadModule, type ModuleImage, resolveSnippet } from "../resolve/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../source/diagnostic.ts";
import { LoadingStopped } from "../source/loading.ts";
import type { Source } from "../source/source.ts";
import { type LoadOptions, loadVisa } from "../visa/index.ts";
import { kindOfText } from "./kind-of-text.ts";

/** What a host needs from a module, whatever its language. */
export type Image = Pick<ModuleImage, "source" | "variables" | "entries" | "functions" | "kernel" | "lint">;

/** What a text was read for, and the result. */
interface Read<T> {
  readonly target: string | undefined;
  readonly version: string | undefined;
  readonly staged: Staged<T>;
}

/** Modules already read, by their source: golden checks load one for each case, on a device of its own. */
const images = new WeakMap<Source, Read<Image>>();

/** The target and version of a text that states none itself. */
interface Defaults {
  readonly target?: string;
  readonly version?: string;
}

/**
 * The declarations of a module; bodies are read on demand. After syntax errors, meaning is not checked. vISA images are
 * not kept, because their meaning depends on options.
 */
export function imageOf(source: Source, options: LoadOptions & Defaults = {}): Staged<Image> {
  if (kindOfText(source) === "vISA") {
    const { value, diagnostics } = withinLimits(undefined, () => loadVisa(source, options));
    return { value: value ?? empty(source), diagnostics };
  }
  const { target, version } = options;
  const known = images.get(source);
  if (known !== undefined && known.target === target && known.version === version) return known.staged;
  const staged = withinLimits(empty(source), () => readImage(source, options));
  images.set(source, { target, version, staged });
  return staged;
}

function readImage(source: Source, options: Defaults): Staged<Image> {
  const parsed = parse(source, { bodies: "index" });
  const { value: image, diagnostics } = loadModule(source, parsed.value, options);
  const meaning = hasErrors(parsed.diagnostics) ? [] : diagnostics;
  const value: Image = {
    ...image,
    kernel: (name) => withinLimits(undefined, () => image.kernel(name)),
    lint: () => withinLimits(undefined, () => ({ value: undefined, diagnostics: image.lint() })).diagnostics,
  };
  return { value, diagnostics: inOneWord(source, [...parsed.diagnostics, ...meaning]) };
}

/** What loading gives, or `otherwise` and the limit that ended it. */
export function withinLimits<T>(otherwise: T, load: () => Staged<T>): Staged<T> {
  try {
    return load();
  } catch (stopped) {
    if (!(stopped instanceof LoadingStopped)) throw stopped;
    return { value: otherwise, diagnostics: [stopped.diagnostic] };
  }
}

const empty = (source: Source): Image => ({
  ...{ source, variables: [], entries: [], functions: [] },
  kernel: () => ({ value: undefined, diagnostics: [] }),
  lint: () => [],
});

/** A text in another language has one mistake: that it is no PTX. */
function inOneWord(source: Source, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const foreign = hasErrors(diagnostics) ? foreignText(source) : undefined;
  return foreign === undefined ? diagnostics : [foreign];
}

const snippets = new WeakMap<Source, Read<Program | undefined>>();

/** A snippet as a program. The last reading of each source is kept, for the same reason. */
export function programOf(source: Source, options: Defaults): Staged<Program | undefined> {
  const { target, version } = options;
  const known = snippets.get(source);
  if (known !== undefined && known.target === target && known.version === version) return known.staged;
  const staged = withinLimits(undefined, () => readSnippet(source, options));
  snippets.set(source, { target, version, staged });
  return staged;
}

function readSnippet(
  source: Source,
  options: { readonly target?: string; readonly version?: string },
): Staged<Program | undefined> {
  const parsed = parseSnippet(source);
  // A tree with missing parts would cause errors about these parts.
  const resolved = hasErrors(parsed.diagnostics) ? undefined : resolveSnippet(source, parsed.value, options);
  const diagnostics = inOneWord(source, [...parsed.diagnostics, ...(resolved?.diagnostics ?? [])]);
  return { value: hasErrors(diagnostics) ? undefined : resolved?.value, diagnostics };
}

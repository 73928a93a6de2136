import { besideOf, type LoadOptions, loadVisa } from "../../../packages/visa/src/index.ts";
import type { Program } from "../../interp/contract/program.ts";
import { driverFunctions } from "../../interp/driver/builtin.ts";
import { noteOrigin } from "../../interp/index.ts";
import { belongTogether, link } from "../../link/link.ts";
import { inOneWord, parse, parseSnippet } from "../../parser/index.ts";
import { loadModule, resolveSnippet, unimplemented } from "../../resolve/index.ts";
import { hasErrors, type Staged } from "../../source/diagnostic.ts";
import { allowedBytes, LoadingStopped, limitAlike } from "../../source/loading.ts";
import type { Source } from "../../source/source.ts";
import { kindOfText } from "./kind-of-text.ts";
import { contentOf, isShared, unshared } from "./known-texts.ts";
import { modulesIn, oneOf } from "./several.ts";
import { type Image, type Store, shelfIn, storedImage, storedProgram } from "./store.ts";

/** Cached results per source: for several targets, say. */
const MAX_KEPT_READINGS = 4;

/** Cached results of each source, by the options: golden checks load a module for each case, on separate devices. */
type Readings<T> = WeakMap<Source, Map<string, Staged<T>>>;
const images: Readings<Image> = new WeakMap();

/** The target and version of a text that states none itself. */
interface Defaults {
  readonly target?: string;
  readonly version?: string;
  readonly override?: boolean;
}

/** The result for a source with these options, computed now if it is not cached. */
function once<T>(readings: Readings<T>, source: Source, options: object, read: () => Staged<T>): Staged<T> {
  const key = wordsOf(options);
  const all = readings.get(source) ?? new Map<string, Staged<T>>();
  const known = all.get(key);
  if (known !== undefined) return known;
  const staged = read();
  // A later request for the text may have more time.
  if (isShared(source) && hasStopped(staged, "PTX6101")) return staged;
  const [oldest] = all.size < MAX_KEPT_READINGS ? [] : all.keys();
  if (oldest !== undefined) all.delete(oldest);
  all.set(key, staged);
  readings.set(source, all);
  return staged;
}

/** Everything that a result depends on besides the text. */
export const wordsOf = ({ target, version, override, platform, grf, infer, beside }: LoadOptions & Defaults): string =>
  JSON.stringify([
    target,
    version,
    override,
    platform,
    grf,
    infer,
    beside?.zeinfo.text,
    `${beside?.constants?.bytes ?? ""}`,
  ]);

/** The declarations of a module; bodies are read on demand. After syntax errors, meaning is not checked. */
export function imageOf(source: Source, options: LoadOptions & Defaults = {}, store?: Store): Staged<Image> {
  const beside = options.beside ?? besideOf(source);
  return once(images, source, { ...options, ...(beside && { beside }) }, () => {
    const read = (): Staged<Image> =>
      withinLimits(empty(source), () =>
        kindOfText(source) === "vISA" ? readVisa(source, options) : readImage(source, options),
      );
    const words = wordsOf({ ...options, ...(beside && { beside }) });
    const { value, diagnostics } = store === undefined ? read() : storedImage(store, source, words, read);
    const kernel = (name: string) => fromText(value.kernel(name), source, ["kernel", words, name], store);
    return { value: { ...value, kernel }, diagnostics };
  });
}

/**
 * A program that knows its source text: code compiled from it serves all programs of the same text, and is cached if
 * they are.
 */
function fromText(
  staged: Staged<Program | undefined>,
  source: Source,
  words: readonly string[],
  store: Store | undefined,
): Staged<Program | undefined> {
  if (staged.value !== undefined)
    noteOrigin(staged.value, {
      content: contentOf(source, words),
      shelf: store && shelfIn(store, source, words),
    });
  return staged;
}

function readVisa(source: Source, options: LoadOptions): Staged<Image> {
  const { value, diagnostics } = loadVisa(source, options);
  if (value === undefined) return { value: empty(source), diagnostics };
  const programs = (): readonly Program[] => value.entries.flatMap((name) => value.kernel(name).value ?? []);
  return { value: { ...value, lint: () => [...value.lint(), ...unimplemented(programs())] }, diagnostics };
}

function readImage(source: Source, options: Defaults): Staged<Image> {
  const parsed = parse(source, { bodies: "index" });
  const modules = modulesIn(parsed.value);
  const inputs = modules.map((module) => ({ source, module }));
  if (modules.length > 1 && belongTogether(inputs)) {
    const { value: linked, diagnostics: unlinked } = link(inputs, source.name, driverFunctions);
    if (linked === undefined) return { value: empty(source), diagnostics: unlinked };
    limitAlike(linked, source);
    return readImage(linked, options);
  }
  // Of several modules the target chooses one.
  const { override = false } = options;
  const defaults = { ...options, override: override && modules.length === 1 };
  const images = modules.map((module) => ({ module, ...loadModule(source, module, defaults) }));
  const [only] = images;
  const { value: image, diagnostics } = images.length === 1 && only ? only : oneOf(source, images, options.target);
  const meaning = hasErrors(parsed.diagnostics) ? [] : diagnostics;
  const value: Image = {
    ...image,
    kernel(name) {
      const staged = withinLimits(undefined, () => image.kernel(name));
      // Other users of the same text have exhausted the limit.
      const own = hasStopped(staged, "PTX6005") ? unshared(source, allowedBytes(source)) : undefined;
      return own === undefined ? staged : imageOf(own, options).value.kernel(name);
    },
    lint: () => withinLimits(undefined, () => ({ value: undefined, diagnostics: image.lint() })).diagnostics,
  };
  return { value, diagnostics: inOneWord(source, [...parsed.diagnostics, ...meaning]) };
}

/** The result of loading, or `otherwise` and the limit that ended it. */
export function withinLimits<T>(otherwise: T, load: () => Staged<T>): Staged<T> {
  try {
    return load();
  } catch (stopped) {
    if (!(stopped instanceof LoadingStopped)) throw stopped;
    return { value: otherwise, diagnostics: [stopped.diagnostic] };
  }
}

const hasStopped = ({ diagnostics }: Staged<unknown>, limit: "PTX6005" | "PTX6101"): boolean =>
  diagnostics.some(({ code }) => code === limit);

const empty = (source: Source): Image => ({
  source,
  variables: [],
  entries: [],
  functions: [],
  kernel: () => ({ value: undefined, diagnostics: [] }),
  lint: () => [],
});

const snippets: Readings<Program | undefined> = new WeakMap();

/** A snippet as a program. */
export function programOf(source: Source, options: Defaults, store?: Store): Staged<Program | undefined> {
  return once(snippets, source, options, () => {
    const read = () => withinLimits(undefined, () => readSnippet(source, options));
    const words = ["snippet", wordsOf(options)];
    const staged = store === undefined ? read() : storedProgram(store, source, words, read);
    return fromText(staged, source, words, store);
  });
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

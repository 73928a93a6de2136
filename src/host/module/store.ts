import type { Program } from "../../interp/contract/program.ts";
import type { Shelf } from "../../interp/index.ts";
import type { ModuleImage } from "../../resolve/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { allowedBytes } from "../../source/loading.ts";
import type { Source } from "../../source/source.ts";

/** The interface of a module that a host needs, whatever its language. */
export type Image = Pick<ModuleImage, "source" | "variables" | "entries" | "functions" | "kernel" | "lint">;

/** The key of a cached value. */
export interface StoreKey {
  /** The complete text from which it was made. */
  readonly text: string;
  /** Its other dependences; short. */
  readonly words: readonly string[];
}

/**
 * A persistent cache of programs, and of code compiled from them. Values are plain data, as the structured clone
 * algorithm accepts it: no functions, but maps, bigints and typed arrays. A value that `get` returns is executed
 * unchecked: a store must return only values that were put there under the same key, by the same ptxrun, and that
 * others cannot have changed.
 */
export interface Store {
  /** The cached value; undefined where there is none, and where the store cannot vouch for it. */
  get(key: StoreKey): unknown;
  /** Caches a value, or ignores it. */
  set(key: StoreKey, value: unknown): void;
}

/** The declarations of a module, without the source that its diagnostics point into. */
interface StoredHead extends Pick<Image, "variables" | "entries" | "functions"> {
  readonly diagnostics: readonly object[];
}

interface StoredProgram {
  readonly program: object;
  readonly diagnostics: readonly object[];
}

/** A module from the store, or one that is read now and cached: its declarations, and each kernel on demand. */
export function storedImage(store: Store, source: Source, options: string, read: () => Staged<Image>): Staged<Image> {
  const key = keyOf(source, ["module", options]);
  const found = store.get(key) as StoredHead | undefined;
  const made = found === undefined ? read() : undefined;
  if (made !== undefined) {
    const { variables, entries, functions } = made.value;
    const diagnostics = hasErrors(made.diagnostics) ? undefined : without(source, made.diagnostics);
    if (diagnostics === undefined) return made;
    store.set(key, { variables, entries, functions, diagnostics } satisfies StoredHead);
  }
  let whole = made?.value;
  const image = (): Image => {
    whole ??= read().value;
    return whole;
  };
  const { variables, entries, functions } = made?.value ?? (found as StoredHead);
  const launchable = new Set([...entries, ...functions]);
  const value: Image = {
    source,
    variables,
    entries,
    functions,
    kernel: (name) =>
      launchable.has(name)
        ? storedProgram(store, source, ["kernel", options, name], () => image().kernel(name))
        : image().kernel(name),
    lint: () => storedLint(store, source, options, () => image().lint()),
  };
  return { value, diagnostics: made?.diagnostics ?? within(source, found?.diagnostics ?? []) };
}

/** All diagnostics of all bodies, errors too; but not those for exhausted limits. */
function storedLint(
  store: Store,
  source: Source,
  options: string,
  read: () => readonly Diagnostic[],
): readonly Diagnostic[] {
  const key = keyOf(source, ["lint", options]);
  const found = store.get(key) as Pick<StoredHead, "diagnostics"> | undefined;
  if (found !== undefined) return within(source, found.diagnostics);
  const made = read();
  const diagnostics = without(source, made);
  if (diagnostics !== undefined && !made.some(({ code }) => /^PTX6/.test(code))) store.set(key, { diagnostics });
  return made;
}

/** By the source and the words: the same program object while both live, as without a store. */
const programs = new WeakMap<Source, Map<string, Staged<Program | undefined>>>();

/** A program from the store, or one that is read now and cached. */
export function storedProgram(
  store: Store,
  source: Source,
  words: readonly string[],
  read: () => Staged<Program | undefined>,
): Staged<Program | undefined> {
  const name = JSON.stringify(words);
  const all = programs.get(source) ?? new Map<string, Staged<Program | undefined>>();
  const known = all.get(name);
  if (known !== undefined) return known;
  const key = keyOf(source, words);
  const found = store.get(key) as StoredProgram | undefined;
  if (found !== undefined) {
    const value = { ...found.program, source } as Program;
    const staged = { value, diagnostics: within(source, found.diagnostics) };
    programs.set(source, all.set(name, staged));
    return staged;
  }
  const made = read();
  const { value, diagnostics } = made;
  if (value === undefined || hasErrors(diagnostics) || value.source !== source) return made;
  const bare = without(source, diagnostics);
  const { source: _, ...program } = value;
  if (bare !== undefined) store.set(key, { program, diagnostics: bare } satisfies StoredProgram);
  programs.set(source, all.set(name, made));
  return made;
}

/** The cache for data derived from a program: its key extends the program's. */
export const shelfIn = (store: Store, source: Source, words: readonly string[]): Shelf => ({
  get: (more) => store.get(keyOf(source, [...words, ...more])),
  set: (more, value) => store.set(keyOf(source, [...words, ...more]), value),
});

/** A text that exceeds the loading limit is to be refused with a store, too. */
const keyOf = (source: Source, words: readonly string[]): StoreKey => ({
  text: source.text,
  words: [...words, String(allowedBytes(source))],
});

/** Diagnostics as data; undefined when one points elsewhere. */
function without(source: Source, diagnostics: readonly Diagnostic[]): readonly object[] | undefined {
  const all = diagnostics.flatMap(({ related = [], ...each }) => [each, ...related]);
  if (all.some((each) => each.source !== source)) return undefined;
  return diagnostics.map(({ source: _, related, ...each }) => ({
    ...each,
    ...(related !== undefined && { related: related.map(({ source: _, ...it }) => it) }),
  }));
}

const within = (source: Source, diagnostics: readonly object[]): readonly Diagnostic[] =>
  (diagnostics as readonly Diagnostic[]).map(({ related, ...each }) => ({
    ...each,
    source,
    ...(related !== undefined && { related: related.map((it) => ({ ...it, source })) }),
  }));

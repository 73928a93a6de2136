import type { Program } from "../../interp/contract/program.ts";
import type { Shelf } from "../../interp/index.ts";
import type { ModuleImage } from "../../resolve/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../source/diagnostic.ts";
import { allowedBytes } from "../../source/loading.ts";
import type { Source } from "../../source/source.ts";

/** What a host needs from a module, whatever its language. */
export type Image = Pick<ModuleImage, "source" | "variables" | "entries" | "functions" | "kernel" | "lint">;

/** What a value is kept under. */
export interface StoreKey {
  /** The whole text that it was made of. */
  readonly text: string;
  /** What else it depends on; short. */
  readonly words: readonly string[];
}

/**
 * Where programs, and what is compiled of them, are kept beyond the end of a process. Values are plain data, as the structured
 * clone algorithm takes it: no functions, but maps, bigints and typed arrays. What `get` gives is executed as it is: a store
 * must give nothing that was not put there under the same key, by the same ptxrun, and that others could have changed.
 */
export interface Store {
  /** What was kept; undefined for nothing, and for whatever the store cannot vouch for. */
  get(key: StoreKey): unknown;
  /** Keeps a value, or does not. */
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

/** A module of the store, or one that is read now and kept: its declarations, and each kernel when it is asked for. */
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

/** What is wrong with all bodies, errors too; but not that there was no room or time to see. */
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

/** By the source and the words: the same program for as long as both live, as without a store. */
const programs = new WeakMap<Source, Map<string, Staged<Program | undefined>>>();

/** A program of the store, or one that is read now and kept. */
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

/** What else is kept of a program: under its words and more. */
export const shelfIn = (store: Store, source: Source, words: readonly string[]): Shelf => ({
  get: (more) => store.get(keyOf(source, [...words, ...more])),
  set: (more, value) => store.set(keyOf(source, [...words, ...more]), value),
});

/** A text that has no room to be loaded is to be refused with a store, too. */
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

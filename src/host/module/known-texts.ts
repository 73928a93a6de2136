import { limitLoading, loadedBytes } from "../../source/loading.ts";
import { Source } from "../../source/source.ts";

/** Texts that are kept, and bytes of all that was loaded from them, as loading counts them. */
const MOST_TEXTS = 256;
const MOST_BYTES = 64 * 2 ** 20;

/** A text under one name and for one use, with the bytes that loading it may take. */
interface Known {
  readonly name: string;
  readonly use: string;
  readonly bytes: number;
  readonly source: Source;
}

/** By the text; the one that was asked for last is the last. */
const known = new Map<string, readonly Known[]>();
/** How often each was asked for. */
const asked = new WeakMap<Source, number>();
/** By source: what stands for each thing that was read from it; sources of one text share it. */
const contents = new WeakMap<Source, Map<string, object>>();

/**
 * The source with this name and text: the same object as before, if it is still kept. What is read from a source is known
 * by the object, so whoever loads the same text again gets what was read from it, and what was compiled of that.
 * `bytes` is what loading may take (see `limitLoading`). `use` says as what it is read and with which options: readings of one
 * source know of each other, and some things are said by the first one only.
 */
export function knownSource(name: string, text: string, bytes: number, use: string): Source {
  const same = known.get(text) ?? [];
  const found = same.find((each) => each.name === name && each.use === use && each.bytes === bytes);
  const source = found?.source ?? new Source(name, text);
  if (found === undefined) limitLoading(source, { bytes });
  const [twin] = same;
  if (found === undefined && twin !== undefined) contents.set(source, contentsOf(twin.source));
  known.delete(text);
  known.set(text, found === undefined ? [...same, { name, use, bytes, source }] : same);
  asked.set(source, (asked.get(source) ?? 0) + 1);
  if (found === undefined) trim();
  return source;
}

/** Forgets the texts that nobody has asked for longest. */
function trim(): void {
  let texts = 0;
  let bytes = 0;
  for (const [text, each] of [...known].reverse()) {
    texts += each.length;
    for (const { source } of each) bytes += loadedBytes(source);
    // The last one stays, however large it is.
    if (texts > each.length && (texts > MOST_TEXTS || bytes > MOST_BYTES)) known.delete(text);
  }
}

function contentsOf(source: Source): Map<string, object> {
  const all = contents.get(source) ?? new Map<string, object>();
  contents.set(source, all);
  return all;
}

/** What stands for all that is read from a text in one way, whatever names it has. */
export function contentOf(source: Source, words: readonly string[]): object {
  const all = contentsOf(source);
  const key = JSON.stringify(words);
  const content = all.get(key) ?? {};
  all.set(key, content);
  return content;
}

/** Whether somebody else may have loaded from it. */
export const isShared = (source: Source): boolean => (asked.get(source) ?? 0) > 1;

/**
 * A source like this one of which nothing was loaded, within the same limits; undefined where it is nobody else's. What was
 * loaded from a text counts against its limit, and others that share it must not be limited by that.
 */
export function unshared(source: Source, bytes: number): Source | undefined {
  if (!isShared(source)) return undefined;
  const own = new Source(source.name, source.text);
  limitLoading(own, { bytes });
  return own;
}

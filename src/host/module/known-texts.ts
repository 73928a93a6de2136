import { limitLoading, loadedBytes } from "../../source/loading.ts";
import { Source } from "../../source/source.ts";

/** Texts that are cached, and total bytes of the data loaded from them, as loading counts them. */
const MOST_TEXTS = 256;
const MOST_BYTES = 64 * 2 ** 20;

/** A text under one name and for one use, with the memory limit for loading it. */
interface Known {
  readonly name: string;
  readonly use: string;
  readonly bytes: number;
  readonly source: Source;
}

/** By the text, least recently used first. */
const known = new Map<string, readonly Known[]>();
/** How often each was requested. */
const asked = new WeakMap<Source, number>();
/** By source: a key object for each way of reading it; sources of one text share it. */
const contents = new WeakMap<Source, Map<string, object>>();

/**
 * The source with this name and text: the same object as before, if it is still cached. Results are cached by source
 * object, so loading the same text again reuses them, and the code compiled from them. `bytes` is the limit for loading
 * (see `limitLoading`). `use` names the way of reading and its options: results for one source depend on each other,
 * and some diagnostics are reported by the first one only.
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

/** Drops the least recently used texts. */
function trim(): void {
  let texts = 0;
  let bytes = 0;
  for (const [text, each] of [...known].reverse()) {
    texts += each.length;
    for (const { source } of each) bytes += loadedBytes(source);
    // The last one is kept, however large it is.
    if (texts > each.length && (texts > MOST_TEXTS || bytes > MOST_BYTES)) known.delete(text);
  }
}

function contentsOf(source: Source): Map<string, object> {
  const all = contents.get(source) ?? new Map<string, object>();
  contents.set(source, all);
  return all;
}

/** The key object for one way of reading a text, whatever names it has. */
export function contentOf(source: Source, words: readonly string[]): object {
  const all = contentsOf(source);
  const key = JSON.stringify(words);
  const content = all.get(key) ?? {};
  all.set(key, content);
  return content;
}

/** Whether another user may have loaded from it. */
export const isShared = (source: Source): boolean => (asked.get(source) ?? 0) > 1;

/**
 * A source like this one from which nothing was loaded, within the same limits; undefined where it is not shared. Data
 * loaded from a text counts against its limit, and must not limit others that share the text.
 */
export function unshared(source: Source, bytes: number): Source | undefined {
  if (!isShared(source)) return undefined;
  const own = new Source(source.name, source.text);
  limitLoading(own, { bytes });
  return own;
}

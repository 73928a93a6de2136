import type { WatchedPace } from "../../environment/pace.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { Source } from "../../source/source.ts";
import type { ListedFile } from "../paths.ts";
import { inWorkers } from "../pool.ts";
import type { Settings } from "./path.ts";
import type { FileResult } from "./result.ts";

/** Checks files in `count` worker threads; see `inWorkers`. */
export const checkInWorkers = (
  files: readonly ListedFile[],
  count: number,
  settings: Settings,
  code: string,
  take: (result: FileResult) => boolean,
  pace: WatchedPace,
): Promise<void> =>
  inWorkers<ListedFile, FileResult>(files, count, { kind: "check", settings }, code, (it) => take(revive(it)), pace);

/** A message copies a source as a plain object without methods; each is made a source again. */
function revive(result: FileResult): FileResult {
  const known = new Map<Source, Source>();
  const alive = (bare: Source): Source => {
    const found = known.get(bare) ?? new Source(bare.name, bare.text);
    known.set(bare, found);
    return found;
  };
  const all = (diagnostics: readonly Diagnostic[]): readonly Diagnostic[] =>
    diagnostics.map(({ related, ...each }) => ({
      ...each,
      source: alive(each.source),
      ...(related === undefined ? {} : { related: related.map((it) => ({ ...it, source: alive(it.source) })) }),
    }));
  return {
    ...result,
    diagnostics: all(result.diagnostics),
    results: result.results.map((each) => ({
      ...each,
      source: alive(each.source),
      diagnostics: all(each.diagnostics),
      edits: [],
    })),
  };
}

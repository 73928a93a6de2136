import { Exit, type ExitCode, exitOfSignal } from "../../../environment/exit.ts";
import { report } from "../../../environment/report.ts";
import type { WatchedSlicing } from "../../../environment/slicing.ts";
import { problem } from "../../../host/problem.ts";
import { nearest } from "../../../resolve/nearest.ts";
import type { Diagnostic } from "../../../source/diagnostic.ts";
import { Source } from "../../../source/source.ts";
import { Interrupted } from "../../../system/limits.ts";
import type { ListedFile } from "../../../system/paths.ts";
import { inWorkers } from "../../../system/pool.ts";
import { checkPath, type Settings } from "../file/path.ts";
import type { ReportOptions, Reports } from "../reports.ts";
import { count, type FileResult, withoutTexts } from "../result.ts";

/** Names that a message lists. */
const MAX_LISTED_NAMES = 5;

/** `--filter` matched no case: a check that checks nothing must not pass. */
function noMatch(filter: string, results: readonly FileResult[]): Diagnostic {
  const names = [...new Set(results.flatMap(({ others = [] }) => others))];
  const meant = nearest(filter, names);
  const some = names.slice(0, MAX_LISTED_NAMES).join(", ");
  const files = results.length === 1 ? "the file" : `the ${results.length} files`;
  return problem("PTX7016", `no case of ${files} has a name with ${JSON.stringify(filter)} in it`, {
    ...(names.length === 0
      ? {}
      : { expected: names.length > MAX_LISTED_NAMES ? `a part of a name, such as ${some}` : some }),
    help: meant === undefined ? [] : [{ message: `did you mean ${meant}?` }],
  });
}

/** Checks files in `count` worker threads; see `inWorkers`. */
export const checkInWorkers = (
  files: readonly ListedFile[],
  count: number,
  settings: Settings,
  code: string,
  take: (result: FileResult) => boolean,
  slicing: WatchedSlicing,
): Promise<void> =>
  inWorkers<ListedFile, FileResult>(files, count, { kind: "check", settings }, code, (it) => take(revive(it)), slicing);

/** A message copies a source as a plain object without methods; each is rebuilt as a source. */
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

/** Options of one pass over the files. */
export interface RoundOptions extends ReportOptions {
  readonly filter?: string;
  readonly bail?: boolean;
  readonly jobs: number;
}

/** The result of one pass over the files. */
export interface Round {
  readonly results: readonly FileResult[];
  readonly exit: ExitCode;
  /** A signal has ended it. */
  readonly ended: boolean;
}

/**
 * Checks files and reports on them. `idle` means that there may be none. Files whose results are `known` are not
 * checked again; the reports are of all.
 */
export async function runRound(
  { files, idle }: { readonly files: readonly ListedFile[]; readonly idle: boolean },
  options: RoundOptions,
  settings: Settings,
  slicing: WatchedSlicing,
  reports: Reports,
  known: ReadonlyMap<string, FileResult> = new Map(),
): Promise<Round> {
  const { io } = slicing;
  const fresh = files.filter(({ path }) => !known.has(path));
  const found = new Map(known);
  const results: FileResult[] = [];
  let checked = 0;
  let failures = 0;
  /** Reports all results whose predecessors are complete. */
  const tell = (): void => {
    for (let next = files[results.length]; next !== undefined; next = files[results.length]) {
      const result = found.get(next.path);
      if (result === undefined) return;
      found.delete(next.path);
      reports.file(result);
      results.push(withoutTexts(result));
    }
  };
  /** Accepts a result; false when no more are wanted. */
  const take = (result: FileResult): boolean => {
    found.set(fresh[checked]?.path ?? result.file, result);
    checked += 1;
    failures += count([result]).failed;
    tell();
    const failed = failures === 0 ? "" : `, ${failures} failed`;
    slicing.begin(`checked ${checked} of ${fresh.length} files${failed}`);
    slicing.show();
    return !(options.bail && failures > 0);
  };
  let ended: Interrupted | undefined;
  try {
    if (options.jobs > 1 && fresh.length > 1 && io.checkWorker !== undefined) {
      await checkInWorkers(fresh, options.jobs, settings, io.checkWorker, take, slicing);
    } else {
      for (const file of fresh) if (!take(await checkPath(file, settings, slicing))) break;
    }
    tell();
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    ended = error;
    const what = `interrupted: ${checked} of ${fresh.length} files were checked`;
    report([...(ended.diagnostic === undefined ? [] : [ended.diagnostic]), problem("PTX6103", what)], options, io);
  }
  const unwritten = reports.end(results);
  report(unwritten, options, io);
  if (ended !== undefined) return { results, exit: exitOfSignal(ended.signal), ended: true };
  if (unwritten.length > 0) return { results, exit: Exit.usage, ended: false };
  const { passed, failed } = count(results);
  // A check that checks nothing must not pass.
  const nothing = passed === 0 && !idle;
  if (options.filter !== undefined && nothing && failed === 0) report([noMatch(options.filter, results)], options, io);
  return { results, exit: failed > 0 || nothing ? Exit.check : Exit.ok, ended: false };
}

import { Exit, type ExitCode, exitOfSignal } from "../../environment/exit.ts";
import type { WatchedPace } from "../../environment/pace.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import type { ListedFile } from "../paths.ts";
import { checkInWorkers } from "./jobs.ts";
import { Interrupted } from "./limits.ts";
import { checkPath, type Settings } from "./path.ts";
import type { ReportOptions, Reports } from "./reports.ts";
import { count, type FileResult, withoutTexts } from "./result.ts";
import { noMatch } from "./selection.ts";

/** Options of one pass over the files. */
export interface RoundOptions extends ReportOptions {
  readonly filter?: string;
  readonly bail?: boolean;
  readonly jobs: number;
}

/** What one pass over the files came to. */
export interface Round {
  readonly results: readonly FileResult[];
  readonly exit: ExitCode;
  /** A signal has ended it. */
  readonly ended: boolean;
}

/**
 * Checks files and reports on them. `idle` says that there may be none. Files whose results are `known` are not checked
 * again; the reports are of all.
 */
export async function runRound(
  { files, idle }: { readonly files: readonly ListedFile[]; readonly idle: boolean },
  options: RoundOptions,
  settings: Settings,
  pace: WatchedPace,
  reports: Reports,
  known: ReadonlyMap<string, FileResult> = new Map(),
): Promise<Round> {
  const { io } = pace;
  const fresh = files.filter(({ path }) => !known.has(path));
  const found = new Map(known);
  const results: FileResult[] = [];
  let checked = 0;
  let failures = 0;
  /** Reports all whose turn has come. */
  const tell = (): void => {
    for (let next = files[results.length]; next !== undefined; next = files[results.length]) {
      const result = found.get(next.path);
      if (result === undefined) return;
      found.delete(next.path);
      reports.file(result);
      results.push(withoutTexts(result));
    }
  };
  /** Takes a result; false when no more are wanted. */
  const take = (result: FileResult): boolean => {
    found.set(fresh[checked]?.path ?? result.file, result);
    checked += 1;
    failures += count([result]).failed;
    tell();
    const failed = failures === 0 ? "" : `, ${failures} failed`;
    pace.begin(`checked ${checked} of ${fresh.length} files${failed}`);
    pace.show();
    return !(options.bail && failures > 0);
  };
  let ended: Interrupted | undefined;
  try {
    if (options.jobs > 1 && fresh.length > 1 && io.checkWorker !== undefined) {
      await checkInWorkers(fresh, options.jobs, settings, io.checkWorker, take, pace);
    } else {
      for (const file of fresh) if (!take(await checkPath(file, settings, pace))) break;
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

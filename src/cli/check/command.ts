import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { WatchedPace } from "../../environment/pace.ts";
import { report } from "../../environment/report.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { cacheFolder } from "../cache/open.ts";
import { filesIn, type ListedFile } from "../paths.ts";
import type { Settings } from "./path.ts";
import { openReports } from "./reports.ts";
import { isSet } from "./result.ts";
import { type RoundOptions, runRound } from "./round.ts";
import { filesOf, type Shard } from "./shard.ts";
import { updateUnderCi } from "./update.ts";
import { watchFiles, watchUnderCi } from "./watch.ts";

export interface CheckOptions extends RoundOptions {
  readonly update?: boolean;
  readonly watch?: boolean;
  readonly shard?: Shard;
  readonly cache?: string;
  readonly maxSteps?: number;
  readonly maxMem?: number;
  readonly timeout?: number;
  readonly allowRead?: readonly string[];
}

/** `ptxrun check`: exit 1 when anything failed, and when there was nothing to check; 2 when a path is not there. */
export async function check(paths: readonly string[], options: CheckOptions, terminal: Io): Promise<ExitCode> {
  const pace = new WatchedPace(terminal, options.quiet !== true);
  try {
    return await checkAtPace(paths, options, pace);
  } finally {
    pace.end();
  }
}

async function checkAtPace(paths: readonly string[], options: CheckOptions, pace: WatchedPace): Promise<ExitCode> {
  const { io } = pace;
  if (isSet(io.env.CI) && (options.update || options.watch)) {
    report([options.update ? updateUnderCi() : watchUnderCi()], options, io);
    return Exit.usage;
  }
  const list = (): { readonly files: readonly ListedFile[]; readonly complete: boolean; readonly idle: boolean } => {
    const { value: all, diagnostics } = filesIn(paths, io.cwd);
    report(diagnostics, options, io);
    const files = options.shard === undefined ? all : filesOf(all, options.shard);
    // One shard of several may have nothing to do.
    return { files, complete: !hasErrors(diagnostics), idle: options.shard !== undefined && all.length > 0 };
  };
  const { files, complete, idle } = list();
  const { value: reports, diagnostics: unwritable } = openReports(options, files, io);
  report(unwritable, options, io);
  if (reports === undefined) return Exit.usage;
  const cache = options.cache === undefined ? undefined : cacheFolder(options.cache, io);
  report(cache?.diagnostics ?? [], options, io);
  if (cache !== undefined && cache.value === undefined) return Exit.usage;
  const settings = { ...settingsOf(options, io), ...(cache?.value && { cache: cache.value }) };
  const round = await runRound({ files, idle }, options, settings, pace, reports);
  // A path that does not exist is a mistake on the command line, whatever the other files contain.
  const exit = complete ? round.exit : Exit.usage;
  if (!options.watch || round.ended || !complete) return round.ended ? round.exit : exit;
  return watchFiles(paths, list, round.results, options, settings, pace);
}

function settingsOf(
  { filter, bail, update, watch, maxSteps, maxMem, timeout, allowRead }: CheckOptions,
  { cwd, mostText }: Io,
): Settings {
  return {
    cwd,
    ...(mostText === undefined ? {} : { mostText }),
    ...(allowRead === undefined ? {} : { allowRead }),
    ...(filter === undefined ? {} : { filter }),
    ...(bail === undefined ? {} : { bail }),
    ...(update === undefined ? {} : { update }),
    ...(watch === undefined ? {} : { watch }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxMem === undefined ? {} : { maxMem }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

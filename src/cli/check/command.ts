import { problem } from "../../host/problem.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import { cacheFolder } from "../cache/open.ts";
import { type ColourChoice, palette } from "../colour.ts";
import { Exit, type ExitCode, exitOfSignal } from "../exit.ts";
import type { Io } from "../io.ts";
import { WatchedPace } from "../pace.ts";
import { filesIn } from "../paths.ts";
import { report } from "../report.ts";
import type { ReporterName } from "./arguments.ts";
import { checkInWorkers } from "./jobs.ts";
import { Interrupted } from "./limits.ts";
import { checkPath, type Settings } from "./path.ts";
import { reporters } from "./reporter/reporters.ts";
import { count, type FileResult, withoutTexts } from "./result.ts";
import { filesOf, type Shard } from "./shard.ts";
import { updateUnderCi } from "./update.ts";

export interface CheckOptions {
  readonly filter?: string;
  readonly bail?: boolean;
  readonly update?: boolean;
  readonly reporter: ReporterName;
  readonly shard?: Shard;
  readonly jobs: number;
  readonly cache?: string;
  readonly maxSteps?: number;
  readonly maxMem?: number;
  readonly timeout?: number;
  readonly allowRead?: readonly string[];
  readonly color: ColourChoice;
  readonly quiet?: boolean;
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
  if (options.update && isSet(io.env.CI)) {
    report([updateUnderCi()], options, io);
    return Exit.usage;
  }
  const { value: all, diagnostics } = filesIn(paths, io.cwd);
  report(diagnostics, options, io);
  const files = options.shard === undefined ? all : filesOf(all, options.shard);
  const reporter = reporters[options.reporter](palette(options.color, "out", io));
  const results: FileResult[] = [];
  /** Prints a result; false when no more are wanted. */
  const take = (result: FileResult): boolean => {
    results.push(withoutTexts(result));
    const text = reporter.file(result);
    if (text !== "") io.out(text);
    pace.begin(`checked ${results.length} of ${files.length} files`);
    pace.show();
    return !(options.bail && count([result]).failed > 0);
  };
  const cache = options.cache === undefined ? undefined : cacheFolder(options.cache, io);
  report(cache?.diagnostics ?? [], options, io);
  if (cache !== undefined && cache.value === undefined) return Exit.usage;
  const settings = { ...settingsOf(options, io), ...(cache?.value && { cache: cache.value }) };
  let ended: Interrupted | undefined;
  try {
    if (options.jobs > 1 && files.length > 1 && io.checkWorker !== undefined) {
      await checkInWorkers(files, options.jobs, settings, io.checkWorker, take, pace);
    } else {
      for (const file of files) if (!take(await checkPath(file, settings, pace))) break;
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    ended = error;
    const what = `interrupted: ${results.length} of ${files.length} files were checked`;
    report([...(ended.diagnostic === undefined ? [] : [ended.diagnostic]), problem("PTX6103", what)], options, io);
  }
  io.out(reporter.end(results));
  if (ended !== undefined) return exitOfSignal(ended.signal);
  const { passed, failed } = count(results);
  // A path that does not exist is a mistake on the command line, whatever the other files contain.
  if (hasErrors(diagnostics)) return Exit.usage;
  // A check that checks nothing must not pass, but one shard of several may have nothing to do.
  const idle = passed === 0 && (options.shard === undefined || all.length === 0);
  return failed > 0 || idle ? Exit.check : Exit.ok;
}

function settingsOf(
  { filter, bail, update, maxSteps, maxMem, timeout, allowRead }: CheckOptions,
  { cwd, mostText }: Io,
): Settings {
  return {
    cwd,
    ...(mostText === undefined ? {} : { mostText }),
    ...(allowRead === undefined ? {} : { allowRead }),
    ...(filter === undefined ? {} : { filter }),
    ...(bail === undefined ? {} : { bail }),
    ...(update === undefined ? {} : { update }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(maxMem === undefined ? {} : { maxMem }),
    ...(timeout === undefined ? {} : { timeout }),
  };
}

/** Set, and not to a value that means no. */
const isSet = (value: string | undefined): boolean => value !== undefined && !["", "0", "false"].includes(value);

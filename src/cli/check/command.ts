import { Exit, type ExitCode, exitOfSignal } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { isSet } from "../../environment/is-set.ts";
import { report } from "../../environment/report.ts";
import { WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import { printable } from "../../present/text/escape.ts";
import { type Diagnostic, hasErrors } from "../../source/diagnostic.ts";
import { cacheFolder } from "../../system/cache.ts";
import { filesIn, type ListedFile } from "../../system/paths.ts";
import { filesOf, type Shard } from "../../system/shard.ts";
import { type RoundOptions, runRound } from "./case/round.ts";
import type { Settings } from "./file/path.ts";
import { stampOf } from "./file/stamp.ts";
import { updateUnderCi } from "./file/update.ts";
import { openReports } from "./reports.ts";
import type { FileResult } from "./result.ts";

/** Milliseconds between two scans of the files, and the interval as a multiple of a scan's duration. */
const TICK = 200;
const SHARE = 10;

/** Names of changed files that a line shows. */
const MAX_SHOWN_NAMES = 5;

/** The files to check now. */
interface Listing {
  readonly files: readonly ListedFile[];
  readonly idle: boolean;
}

/** Checks files again whenever they, or files read for them, change; ends with a signal. */
async function watchFiles(
  paths: readonly string[],
  list: () => Listing,
  first: readonly FileResult[],
  options: RoundOptions,
  settings: Settings,
  slicing: WatchedSlicing,
): Promise<ExitCode> {
  const { io } = slicing;
  const say = (text: string): void => {
    if (!options.quiet) io.err(`${text}\n`);
  };
  /** Results that are still valid, by path. */
  let known = new Map(first.map((result) => [result.file, result]));
  let seen = namesOf(filesIn(paths, io.cwd).value);
  let wait = TICK;
  slicing.listen();
  say("watching; Ctrl-C ends");
  for (;;) {
    await new Promise((resume) => setTimeout(resume, wait));
    const { signal } = slicing;
    if (signal !== undefined) return exitOfSignal(signal);
    const began = performance.now();
    const old = [...known].filter(([, result]) => isOld(result)).map(([path]) => path);
    const now = namesOf(filesIn(paths, io.cwd).value);
    wait = Math.max(TICK, (performance.now() - began) * SHARE);
    if (old.length === 0 && now === seen) continue;
    seen = now;
    for (const path of old) known.delete(path);
    say(`\n${changes(old)}`);
    const listing = list();
    const { value: reports, diagnostics } = openReports(options, listing.files, io);
    report(diagnostics, options, io);
    if (reports === undefined) return Exit.usage;
    const round = await runRound(listing, options, settings, slicing, reports, known);
    if (round.ended) return round.exit;
    known = new Map(round.results.map((result) => [result.file, result]));
    say("watching; Ctrl-C ends");
  }
}

const namesOf = (files: readonly ListedFile[]): string => files.map(({ path }) => path).join("\0");

const isOld = ({ reads = new Map() }: FileResult): boolean => {
  for (const [path, stamp] of reads) if (stampOf(path) !== stamp) return true;
  return false;
};

function changes(paths: readonly string[]): string {
  if (paths.length === 0) return "other files than before";
  const more = paths.length > MAX_SHOWN_NAMES ? ` and ${paths.length - MAX_SHOWN_NAMES} more` : "";
  return `changed: ${paths.slice(0, MAX_SHOWN_NAMES).map(printable).join(", ")}${more}`;
}

/** `--watch` waits for a user, and under `CI` there is none. */
const watchUnderCi = (): Diagnostic =>
  problem("PTX2003", "--watch never ends, and CI is set", {
    expected: "check without --watch",
    help: [{ message: "unset CI if somebody is there" }],
  });

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
  const slicing = new WatchedSlicing(terminal, options.quiet !== true);
  try {
    return await checkInSlices(paths, options, slicing);
  } finally {
    slicing.end();
  }
}

async function checkInSlices(
  paths: readonly string[],
  options: CheckOptions,
  slicing: WatchedSlicing,
): Promise<ExitCode> {
  const { io } = slicing;
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
  const round = await runRound({ files, idle }, options, settings, slicing, reports);
  // A path that does not exist is a mistake on the command line, whatever the other files contain.
  const exit = complete ? round.exit : Exit.usage;
  if (!options.watch || round.ended || !complete) return round.ended ? round.exit : exit;
  return watchFiles(paths, list, round.results, options, settings, slicing);
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

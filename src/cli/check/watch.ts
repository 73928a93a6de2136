import { Exit, type ExitCode, exitOfSignal } from "../../environment/exit.ts";
import type { WatchedPace } from "../../environment/pace.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import { printable } from "../../present/escape.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { ListedFile } from "../paths.ts";
import { filesIn } from "../paths.ts";
import type { Settings } from "./path.ts";
import { openReports } from "./reports.ts";
import type { FileResult } from "./result.ts";
import { type RoundOptions, runRound } from "./round.ts";
import { stampOf } from "./stamp.ts";

/** Milliseconds between two looks at the files, and how many times as long as a look takes at least. */
const TICK = 200;
const SHARE = 10;

/** Names of changed files that a line shows. */
const SHOWN = 5;

/** What is to be checked now. */
interface Listing {
  readonly files: readonly ListedFile[];
  readonly idle: boolean;
}

/** Checks files again whenever they, or what was read for them, change; ends with a signal. */
export async function watchFiles(
  paths: readonly string[],
  list: () => Listing,
  first: readonly FileResult[],
  options: RoundOptions,
  settings: Settings,
  pace: WatchedPace,
): Promise<ExitCode> {
  const { io } = pace;
  const say = (text: string): void => {
    if (!options.quiet) io.err(`${text}\n`);
  };
  /** Results that still hold, by path. */
  let known = new Map(first.map((result) => [result.file, result]));
  let seen = namesOf(filesIn(paths, io.cwd).value);
  let wait = TICK;
  pace.listen();
  say("watching; Ctrl-C ends");
  for (;;) {
    await new Promise((resume) => setTimeout(resume, wait));
    const { signal } = pace;
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
    const round = await runRound(listing, options, settings, pace, reports, known);
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
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : "";
  return `changed: ${paths.slice(0, SHOWN).map(printable).join(", ")}${more}`;
}

/** `--watch` waits for a person, and under `CI` there is none. */
export const watchUnderCi = (): Diagnostic =>
  problem("PTX2003", "--watch never ends, and CI is set", {
    expected: "check without --watch",
    help: [{ message: "unset CI if somebody is there" }],
  });

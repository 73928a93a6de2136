import type { Crew } from "../../interp/crew/crew.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { jsonText } from "../../present/json.ts";
import { renderState, stateToJson } from "../../present/state.ts";
import { renderStats } from "../../present/stats.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { withCache } from "../cache/open.ts";
import { palette } from "../colour.ts";
import { crewFor } from "../crew/jobs.ts";
import { type ExitCode, exitOf, worst } from "../exit.ts";
import { writeFile } from "../file.ts";
import type { Io } from "../io.ts";
import { WatchedPace } from "../pace.ts";
import { report } from "../report.ts";
import { demangledField, listKernels, WHICH } from "./kernel-list.ts";
import { ended, printOf, type RunOutcome, type RunResult, runOnce } from "./once.ts";
import type { RunCommandOptions } from "./options.ts";
import { eachSeed, twoOrders } from "./seeds.ts";
import { readProgram } from "./text.ts";

/** `ptxrun run`: loads, launches, prints the final state to `io.out` and everything else to `io.err`. */
export async function run(
  file: string | undefined,
  options: RunCommandOptions,
  terminal: Io,
  argv: readonly string[],
): Promise<ExitCode> {
  if (options.entry === WHICH) return listKernels(file, options, terminal);
  const asJson = isJson(options);
  const pace = new WatchedPace(terminal, !asJson && options.quiet !== true);
  const { io } = pace;
  const crew = crewFor(options.jobs, io);
  const { diagnostics, result, exit } = await outcome(file, options, pace, argv, crew);
  await crew?.end();
  pace.end();
  const emit = (text: string): ExitCode => {
    if (options.output === undefined) {
      if (text !== "") io.out(text);
      return exit;
    }
    const wrong = writeFile(options.output, text, io.cwd);
    report(wrong, options, io);
    return worst([exit, ...wrong.map(exitOf)]);
  };
  if (asJson) return emit(`${jsonText(toJson(exit, diagnostics, result, tellsTeamwork(options)), 2)}\n`);
  report(diagnostics, options, io);
  if (result === undefined) return exit;
  if (options.verbose) {
    const by = options.executor === undefined ? "" : `, by ${options.executor}`;
    io.err(`${result.stop.reason} after ${result.steps} warp instructions${by}\n`);
  }
  if (options.output === undefined && result.printed !== "") printOf(io)(result.printed);
  if (result.stats !== undefined) io.err(renderStats(result.stats, palette(options.color, "err", io)));
  if (tellsTeamwork(options)) io.err(teamworkText(result));
  const colours = options.output === undefined ? palette(options.color, "out", io) : undefined;
  const marked =
    result.signal === undefined ? "" : `interrupted after ${result.steps} warp instructions, when this was:\n`;
  return emit(marked + renderState(result.state, colours));
}

/** How it was shared differs from run to run, so it is told only to who asks. */
const tellsTeamwork = ({ jobs, stats, verbose }: RunCommandOptions): boolean =>
  verbose === true || (stats === true && jobs !== undefined);

/** On how many threads it ran, and why not on more, where there were some. */
function teamworkText({ teamwork }: RunResult): string {
  if (teamwork === undefined) return "";
  const { workers, blocks, rounds, alone } = teamwork;
  const shared = rounds === 0 ? "one thread" : `${workers} threads: ${blocks} blocks in ${rounds} rounds`;
  return `run by ${shared}${alone === "" ? "" : `${rounds === 0 ? ":" : ", the rest by one:"} ${alone}`}\n`;
}

const isJson = ({ json, format }: RunCommandOptions): boolean => json === true || format === "json";

async function outcome(
  file: string | undefined,
  options: RunCommandOptions,
  pace: WatchedPace,
  argv: readonly string[],
  crew: Crew | undefined,
): Promise<RunOutcome> {
  const { io } = pace;
  const both = twoOrders(options);
  if (both !== undefined) return ended([both]);
  const text = readProgram(file, options, io);
  if (text.value === undefined) return ended(text.diagnostics);
  const source = text.value;
  const cached = withCache(options, io);
  if (cached.value === undefined) return ended(cached.diagnostics);
  const words = cached.value;
  // What printf prints appears immediately, except with several runs, of which one is shown, and in JSON, which is one object.
  const live = options.seeds === undefined && !isJson(options);
  const once = (schedule: RunCommandOptions["schedule"]): Promise<RunOutcome> => {
    const { schedule: _, ...others } = words;
    return runOnce(source, schedule === undefined ? others : { ...others, schedule }, io, pace, live, crew);
  };
  return options.seeds === undefined ? once(options.schedule) : eachSeed(options.seeds, once, argv, pace);
}

/** `"schema": "ptxrun.run/1"`; fields are only ever added. */
const toJson = (
  exit: ExitCode,
  diagnostics: readonly Diagnostic[],
  result: RunResult | undefined,
  teamwork: boolean,
) => ({
  schema: "ptxrun.run/1",
  exit,
  ...(result === undefined
    ? {}
    : {
        source: result.source,
        kernel: result.name,
        ...demangledField(result.name),
        stop: {
          reason: result.signal === undefined ? result.stop.reason : "interrupted",
          ...(result.stop.reason === "trap" && { code: result.stop.diagnostic.code }),
        },
        steps: result.steps,
        ...(result.printed === "" ? {} : { printed: result.printed }),
        ...stateToJson(result.state),
        ...(result.stats === undefined ? {} : { stats: result.stats }),
        ...(result.teamwork === undefined || !teamwork ? {} : { workers: result.teamwork }),
      }),
  diagnostics: diagnostics.map(diagnosticToJson),
});

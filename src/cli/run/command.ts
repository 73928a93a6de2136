import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { withOriginal } from "../../../packages/debugger/console/original/excerpt.ts";
import { originalsOf } from "../../../packages/debugger/console/original/open.ts";
import type { Originals } from "../../../packages/debugger/console/original/originals.ts";
import type { Why } from "../../../packages/debugger/why/cause.ts";
import { whyText, whyToJson } from "../../../packages/debugger/why/text.ts";
import { demangle } from "../../../packages/demangle/src/index.ts";
import { palette } from "../../environment/colour.ts";
import { type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { reason } from "../../environment/reason.ts";
import { report } from "../../environment/report.ts";
import { WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import type { Teamwork } from "../../interp/worker-pool/team.ts";
import type { WorkerPool } from "../../interp/worker-pool/worker-pool.ts";
import { ended, type Kept, printOf, type RunOutcome, type RunResult, runOnce } from "../../launch/once.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { deadline } from "../../launch/program.ts";
import { weakOf, weakProblems } from "../../launch/value/weak.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { jsonText } from "../../present/json.ts";
import { MADE_BY, renderReport } from "../../present/report/page.ts";
import { renderState, stateToJson } from "../../present/state.ts";
import { renderStats } from "../../present/trace/stats.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { readBounded } from "../../system/bounded.ts";
import { withCache } from "../../system/cache.ts";
import { workerPoolFor } from "../../system/node-worker-pool.ts";
import { demangledField, listKernels, WHICH } from "./kernel-list.ts";
import type { Precision } from "./precision.ts";
import { eachSeed, twoOrders } from "./seeds.ts";
import { readProgram } from "./text.ts";

/**
 * On how many threads a launch ran, and why not on more. Reported where requested: `--stats` and `-v`. A launch that
 * could use only one thread has no `found`; then `alone` is the reason.
 */
function teamworkOf(options: RunCommandOptions, found: Teamwork | undefined, alone: string): Teamwork | undefined {
  if (options.verbose !== true && options.stats !== true) return undefined;
  if (found === undefined) return { workers: 1, blocks: 0, rounds: 0, alone };
  return { ...found, alone: found.alone === "" ? "" : named(found.alone, options) };
}

/** `run by 2 threads: 1004 blocks in 5 rounds`. */
export function teamworkText({ workers, blocks, rounds, alone }: Teamwork): string {
  const shared = rounds === 0 ? "one thread" : `${workers} threads: ${blocks} blocks in ${rounds} rounds`;
  return `run by ${shared}${alone === "" ? "" : `${rounds === 0 ? ":" : ", the rest by one:"} ${alone}`}\n`;
}

/** The reason, with the options that cause it, where the launch itself cannot know them. */
function named(alone: string, { stats, report, precision, sanitize, ...options }: RunCommandOptions): string {
  switch (alone) {
    case "something listens to its instructions": {
      const who = [
        ...(stats ? ["--stats"] : []),
        ...(report ? ["--report"] : []),
        ...(precision ? ["--precision"] : []),
        ...(sanitize.race ? ["--sanitize race"] : []),
      ];
      return who.length === 0
        ? alone
        : `${who.join(" and ")} ${who.length === 1 ? "listens" : "listen"} to its instructions`;
    }
    case "accesses are not checked":
      return `${alone} (--sanitize without mem)`;
    case "its order is drawn by a seed":
      return `${alone} (${options.seeds === undefined ? "--schedule" : "--seeds"})`;
    case "asynchronous data move at other times":
      return `${alone} (--async)`;
    case "it is cooperative":
      return `${alone} (--cooperative)`;
    default:
      return alone;
  }
}

/** The largest existing file that is examined, bytes: no page is larger. */
const MAX_PAGE_BYTES = 32 * 2 ** 20;

/**
 * Problems with the path of the page, reported before a run that may be long: a page of an earlier run is replaced,
 * but no other file. A path that is no regular file, such as a pipe, is written to.
 */
function pageProblems({ report: path }: Pick<RunCommandOptions, "report">, { cwd }: Io): readonly Diagnostic[] {
  if (path === undefined) return [];
  const wrong = (why: string, help: string): readonly Diagnostic[] => [
    problem("PTX2013", `cannot write ${path}: ${why}`, { help: [{ message: help }] }),
  ];
  const full = resolve(cwd, path);
  const there = statSync(full, { throwIfNoEntry: false });
  if (there?.isDirectory()) return wrong("it is a folder", "--report names the file of the page, such as report.html");
  if (there?.isFile() && there.size > 0) {
    const read = readBounded(full, MAX_PAGE_BYTES, { pipes: false, exact: false });
    const start = "bytes" in read ? new TextDecoder().decode(read.bytes.subarray(0, 1024)) : "";
    if (!start.includes(MADE_BY))
      return wrong("it is there, and no page of --report", "name another file, or remove that one");
  }
  if (there !== undefined) return [];
  try {
    statSync(dirname(full));
    return [];
  } catch (error) {
    return wrong(reason(error), "the folder of the page has to be there");
  }
}

/** Writes the page of a finished launch. */
function writePage(
  path: string,
  result: RunResult,
  { program, grid, block, stats, strips }: Kept,
  originals: Originals,
  io: Io,
): readonly Diagnostic[] {
  const { stop, signal } = result;
  const how = stop.reason === "trap" ? stop.diagnostic.message : "to the end";
  const page = renderReport({
    program,
    name: demangle(program.name)?.full ?? (program.name === "" ? "a snippet" : program.name),
    about: [
      result.source,
      `${grid.join(" x ")} blocks of ${block.join(" x ")} threads`,
      signal === undefined ? how : `interrupted: ${how}`,
    ],
    stats,
    strips,
    original: (file) => originals.find(file),
  });
  return writeFile(path, page, io.files);
}

/** `ptxrun run`: loads, launches, prints the final state to `io.out` and everything else to `io.err`. */
export async function run(
  file: string | undefined,
  options: RunCommandOptions,
  terminal: Io,
  argv: readonly string[],
): Promise<ExitCode> {
  const begun = terminal.now();
  if (options.entry === WHICH) return listKernels(file, options, terminal);
  const weak = weakOf(options);
  const unheeded = [...weakProblems(options, true), ...whyProblems(options, weak !== undefined)];
  if (unheeded.length > 0) {
    report(unheeded, options, terminal);
    return worst(unheeded.map(exitOf));
  }
  if (weak === "every") return (await import("./weak.ts")).runWeak(file, options, terminal);
  const asJson = isJson(options);
  const slicing = new WatchedSlicing(terminal, !asJson && options.quiet !== true);
  const { io } = slicing;
  const { workerPool, alone } = workerPoolFor(options.jobs, io);
  const precision = options.precision ? new (await import("./precision.ts")).Precision() : undefined;
  const done = await outcome(file, { ...options, begun }, slicing, argv, workerPool, precision);
  await workerPool?.end();
  slicing.end();
  const originals = originalsOf(file, options, io);
  const { diagnostics, result, exit, why = [] } = withPage(done, options, originals, io);
  const emit = (text: string): ExitCode => {
    if (options.output === undefined) {
      if (text !== "") io.out(text);
      return exit;
    }
    const wrong = writeFile(options.output, text, io.files);
    report(wrong, options, io);
    return worst([exit, ...wrong.map(exitOf)]);
  };
  const teamwork = teamworkOf(options, result?.teamwork, alone);
  if (asJson) return emit(`${jsonText(toJson(exit, diagnostics, result, teamwork, why, precision?.json()), 2)}\n`);
  report(
    diagnostics.map((each) => withOriginal(each, originals)),
    options,
    io,
  );
  if (result === undefined) return exit;
  if (options.verbose) {
    const by = options.executor === undefined ? "" : `, by ${options.executor}`;
    io.err(`${result.stop.reason} after ${result.steps} warp instructions${by}\n`);
  }
  if (options.output === undefined && result.printed !== "") printOf(io)(result.printed);
  if (result.stats !== undefined) io.err(renderStats(result.stats, palette(options.color, "err", io)));
  if (precision !== undefined) io.err(precision.text(palette(options.color, "err", io)));
  if (teamwork !== undefined) io.err(teamworkText(teamwork));
  const colours = options.output === undefined ? palette(options.color, "out", io) : undefined;
  const marked =
    result.signal === undefined ? "" : `interrupted after ${result.steps} warp instructions, when this was:\n`;
  const answers = why.map((each) => `\n${whyText(each).join("\n")}\n`).join("");
  return emit(marked + renderState(result.state, colours) + answers);
}

/** Writes the page that `--report` requests; its problems are reported like those of the run. */
function withPage(done: Answered, { report: path }: RunCommandOptions, originals: Originals, io: Io): Answered {
  if (path === undefined || done.result?.kept === undefined) return done;
  const wrong = writePage(path, done.result, done.result.kept, originals, io);
  return wrong.length === 0 ? done : { ...done, ...ended([...done.diagnostics, ...wrong], done.result) };
}

const isJson = ({ format }: RunCommandOptions): boolean => format === "json";

async function outcome(
  file: string | undefined,
  options: RunCommandOptions,
  slicing: WatchedSlicing,
  argv: readonly string[],
  workerPool: WorkerPool | undefined,
  precision: Precision | undefined,
): Promise<Answered> {
  const { io } = slicing;
  const both = twoOrders(options);
  if (both !== undefined) return ended([both]);
  const unwritable = pageProblems(options, io);
  if (unwritable.length > 0) return ended(unwritable);
  const text = readProgram(file, options, io, deadline(options, io.now));
  if (text.value === undefined) return ended(text.diagnostics);
  const source = text.value;
  const cached = withCache(options, io);
  if (cached.value === undefined) return ended(cached.diagnostics);
  const { schedule: _, begun, ...words } = cached.value;
  // Output of printf appears immediately, except with several runs, of which one is shown, and in JSON, which is one
  // object.
  const live = options.seeds === undefined && !isJson(options);
  const once = (schedule: RunCommandOptions["schedule"]): Promise<RunOutcome> => {
    // With several seeds, each has the complete time limit.
    const more = {
      ...(schedule !== undefined && { schedule }),
      ...(options.seeds === undefined && begun && { begun }),
    };
    return runOnce(source, { ...words, ...more }, io, slicing, live, workerPool, precision?.attach);
  };
  const { why } = options;
  if (why !== undefined) return explained(await once(options.schedule), source, { ...words, why }, io);
  return options.seeds === undefined ? once(options.schedule) : eachSeed(options.seeds, once, argv, slicing);
}

/** `--why` looks back at one run, in which a read sees the last write. */
function whyProblems({ why, seeds }: RunCommandOptions, weak: boolean): readonly Diagnostic[] {
  if (why === undefined || (seeds === undefined && !weak)) return [];
  const other = weak ? "--memory weak" : `--seeds ${seeds?.join("..")}`;
  const expected = weak ? "one of them" : "--schedule random:SEED for one of them";
  return [problem("PTX2003", `--why and ${other} cannot both be given`, { expected })];
}

/** An outcome, with the answers to `--why`. */
type Answered = RunOutcome & { readonly why?: readonly Why[] };

/** The outcome with the answers to `--why`. */
async function explained(
  done: RunOutcome,
  source: Source,
  options: RunCommandOptions & { readonly why: readonly string[] },
  io: Io,
): Promise<Answered> {
  if (done.result === undefined) return done;
  const { value: why, diagnostics } = (await import("./why.ts")).answers(source, options.why, options, io);
  return { ...ended([...done.diagnostics, ...diagnostics], done.result), why };
}

/** `"schema": "ptxrun.run/1"`; fields are only ever added. */
const toJson = (
  exit: ExitCode,
  diagnostics: readonly Diagnostic[],
  result: RunResult | undefined,
  teamwork: Teamwork | undefined,
  why: readonly Why[],
  precision: ReturnType<Precision["json"]>,
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
        ...(precision === undefined ? {} : { precision }),
        ...(teamwork === undefined ? {} : { workers: teamwork }),
        ...(why.length === 0 ? {} : { why: why.map(whyToJson) }),
      }),
  diagnostics: diagnostics.map(diagnosticToJson),
});

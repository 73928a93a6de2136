import { countSession, type Stats } from "../../host/stats.ts";
import type { Session, Stop } from "../../interp/contract/session.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { printableLines } from "../../present/escape.ts";
import { jsonText } from "../../present/json.ts";
import { type FinalState, renderState, stateToJson } from "../../present/state.ts";
import { renderStats } from "../../present/stats.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { palette } from "../colour.ts";
import { type ExitCode, exitOf, worst } from "../exit.ts";
import { writeFile } from "../file.ts";
import type { Io } from "../io.ts";
import { report } from "../report.ts";
import { finalState, select, writeDumps } from "./dump.ts";
import { setUp } from "./inputs.ts";
import { launch } from "./launch.ts";
import { missingNotes } from "./missing.ts";
import type { RunOptions } from "./options.ts";
import { load } from "./program.ts";
import { eachSeed } from "./seeds.ts";
import { readProgram } from "./text.ts";

/** `ptxrun run`: loads, launches, prints the final state to `io.out` and everything else to `io.err`. */
export function run(file: string | undefined, options: RunOptions, io: Io, argv: readonly string[]): ExitCode {
  const asJson = isJson(options);
  const { diagnostics, result, exit } = outcome(file, options, io, argv);
  const emit = (text: string): ExitCode => {
    if (options.output === undefined) {
      if (text !== "") io.out(text);
      return exit;
    }
    const wrong = writeFile(options.output, text, io.cwd);
    report(wrong, options, io);
    return worst([exit, ...wrong.map(exitOf)]);
  };
  if (asJson) return emit(`${jsonText(toJson(exit, diagnostics, result), 2)}\n`);
  report(diagnostics, options, io);
  if (result === undefined) return exit;
  if (options.verbose) io.err(`${result.stop.reason} after ${result.steps} warp instructions\n`);
  if (options.output === undefined && result.printed !== "") printOf(io)(result.printed);
  if (result.stats !== undefined) io.err(renderStats(result.stats, palette(options.color, "err", io)));
  const colours = options.output === undefined ? palette(options.color, "out", io) : undefined;
  return emit(renderState(result.state, colours));
}

/** Where device printf prints: a terminal is shown control characters as escapes, a pipe gets what the program printed. */
const printOf = ({ out, terminal }: Io): Io["out"] => (terminal.out ? (text) => out(printableLines(text)) : out);

const isJson = ({ json, format }: RunOptions): boolean => json === true || format === "json";

/** What came of one run, or of the last of several. */
export interface Outcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly exit: ExitCode;
  /** Absent when nothing ran. */
  readonly result?: Result;
}

function outcome(file: string | undefined, options: RunOptions, io: Io, argv: readonly string[]): Outcome {
  const text = readProgram(file, options, io);
  if (text.value === undefined) return ended(text.diagnostics);
  const source = text.value;
  // What printf prints comes at once, but one run of several is shown, and JSON is one object.
  const live = options.seeds === undefined && !isJson(options);
  const once = (schedule: RunOptions["schedule"]): Outcome => {
    const { schedule: _, ...others } = options;
    return attempt(source, schedule === undefined ? others : { ...others, schedule }, io, live);
  };
  return options.seeds === undefined ? once(options.schedule) : eachSeed(options.seeds, once, argv);
}

/** Loads, sets up and launches once, on a device of its own. */
function attempt(source: Source, options: RunOptions, io: Io, live: boolean): Outcome {
  const diagnostics: Diagnostic[] = [];
  const loaded = load(source, options);
  diagnostics.push(...loaded.diagnostics);
  if (loaded.value === undefined) return ended(diagnostics);
  const inputs = setUp(loaded.value, options, io, diagnostics);
  const { selection, diagnostics: unknown } = select(options.dump ?? [], loaded.value, inputs);
  diagnostics.push(...unknown);
  if (hasErrors(diagnostics)) return ended(diagnostics);
  diagnostics.push(...missingNotes(inputs, loaded.value.kernel));

  const { kernel } = loaded.value;
  let printed = "";
  const keep = (text: string): void => {
    printed += text;
  };
  let count: (() => Stats) | undefined;
  const watch = (session: Session): void => {
    if (options.stats) count = countSession(session);
  };
  const launched = launch(kernel, inputs, options, io.now, live ? printOf(io) : keep, watch);
  diagnostics.push(...launched.diagnostics);
  if (launched.value === undefined) return ended(diagnostics);
  const { stop, findings, session } = launched.value;
  diagnostics.push(...findings, ...(stop.reason === "trap" ? [stop.diagnostic] : []));
  diagnostics.push(...writeDumps(selection, io.cwd));
  const { value: state, diagnostics: gone } = finalState(session, selection, options, inputs.registers);
  diagnostics.push(...gone);
  const stats = count?.();
  const result = { name: kernel.name, source: source.name, stop, steps: session.steps, state, printed };
  return ended(diagnostics, { ...result, ...(stats === undefined ? {} : { stats }) });
}

const ended = (diagnostics: readonly Diagnostic[], result?: Result): Outcome => ({
  diagnostics,
  exit: worst(diagnostics.map(exitOf)),
  ...(result === undefined ? {} : { result }),
});

export interface Result {
  readonly name: string;
  readonly source: string;
  readonly stop: Stop;
  readonly steps: number;
  readonly state: FinalState;
  /** What printf printed, unless it went out at once. */
  readonly printed: string;
  /** With `--stats`. */
  readonly stats?: Stats;
}

/** `"schema": "ptxrun.run/1"`; fields are only ever added. */
const toJson = (exit: ExitCode, diagnostics: readonly Diagnostic[], result: Result | undefined) => ({
  schema: "ptxrun.run/1",
  exit,
  ...(result === undefined
    ? {}
    : {
        source: result.source,
        kernel: result.name,
        stop:
          result.stop.reason === "trap"
            ? { reason: "trap", code: result.stop.diagnostic.code }
            : { reason: result.stop.reason },
        steps: result.steps,
        ...(result.printed === "" ? {} : { printed: result.printed }),
        ...stateToJson(result.state),
        ...(result.stats === undefined ? {} : { stats: result.stats }),
      }),
  diagnostics: diagnostics.map(diagnosticToJson),
});

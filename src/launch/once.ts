import { type ExitCode, exitOf, exitOfSignal, worst } from "../environment/exit.ts";
import type { Io, Signal } from "../environment/io.ts";
import type { Slicing } from "../environment/slicing.ts";
import type { Store } from "../host/index.ts";
import { type LaneStrips, stripSession } from "../host/stats/lane-strip.ts";
import { countSession, type Stats } from "../host/stats/stats.ts";
import type { Dim3 } from "../interp/contract/launch/dim3.ts";
import type { Program } from "../interp/contract/program.ts";
import type { Stop } from "../interp/contract/stop.ts";
import type { Session } from "../interp/machine/session.ts";
import type { Teamwork } from "../interp/worker-pool/team.ts";
import type { WorkerPool } from "../interp/worker-pool/worker-pool.ts";
import type { FinalState } from "../present/state.ts";
import { printableLines } from "../present/text/escape.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { hasErrors } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";
import { finalState, select, writeDumps } from "./dump/dump.ts";
import { KeptOutput } from "./dump/kept-output.ts";
import { setUp } from "./input/inputs.ts";
import { missingNotes } from "./input/missing.ts";
import { launch } from "./launch.ts";
import type { RunCommandOptions } from "./options.ts";
import { load } from "./program.ts";

/** The outcome of one run, or of the last of several. */
export interface RunOutcome {
  readonly diagnostics: readonly Diagnostic[];
  readonly exit: ExitCode;
  /** Absent when nothing ran. */
  readonly result?: RunResult;
}

/** A run that took place, for the report. */
export interface RunResult {
  readonly name: string;
  readonly source: string;
  readonly stop: Stop;
  readonly steps: number;
  /** The signal that ended it. */
  readonly signal?: Signal;
  readonly state: FinalState;
  /** Output of printf, unless it was already written. */
  readonly printed: string;
  /** With `--stats`. */
  readonly stats?: Stats;
  /** With `--report`. */
  readonly kept?: Kept;
  /** How it was spread over threads, where there were several. */
  readonly teamwork?: Teamwork;
}

/** Data that `--report` keeps of a launch. */
export interface Kept {
  readonly program: Program;
  readonly grid: Dim3;
  readonly block: Dim3;
  readonly stats: Stats;
  readonly strips: LaneStrips;
}

/**
 * Loads, sets up and launches once, on a separate device. With `live`, the program's output goes to `io.out` at
 * once; otherwise the result contains it. `attach` receives the session before it runs.
 */
export async function runOnce(
  source: Source,
  options: RunCommandOptions & { readonly store?: Store },
  io: Io,
  slicing: Slicing,
  live: boolean,
  workerPool?: WorkerPool,
  attach?: (session: Session) => void,
): Promise<RunOutcome> {
  const diagnostics: Diagnostic[] = [];
  const loaded = load(source, options, io.now);
  diagnostics.push(...loaded.diagnostics);
  if (loaded.value === undefined) return ended(diagnostics);
  const inputs = setUp(loaded.value, options, io, diagnostics);
  // A buffer that could not be made was reported; a dump must not report it again.
  if (hasErrors(diagnostics)) return ended(diagnostics);
  const { selection, diagnostics: unknown } = select(options.dump ?? [], loaded.value, inputs, options.as);
  diagnostics.push(...unknown);
  if (hasErrors(diagnostics)) return ended(diagnostics);
  diagnostics.push(...missingNotes(inputs, loaded.value.kernel));

  const { kernel } = loaded.value;
  const kept = new KeptOutput();
  const keep = (text: string): void => kept.add(text);
  let count: (() => Stats) | undefined;
  let strip: (() => LaneStrips) | undefined;
  const watch = (session: Session): void => {
    if (options.stats || options.report !== undefined) count = countSession(session);
    if (options.report !== undefined) strip = stripSession(session);
    attach?.(session);
  };
  const launched = await launch(kernel, inputs, options, slicing, live ? printOf(io) : keep, watch, workerPool);
  diagnostics.push(...launched.diagnostics);
  if (launched.value === undefined) return ended(diagnostics);
  const { stop, findings, session, signal, teamwork } = launched.value;
  diagnostics.push(...findings, ...(stop.reason === "trap" ? [stop.diagnostic] : []));
  diagnostics.push(...writeDumps(selection, io.files, session, options));
  const { value: state, diagnostics: gone } = finalState(session, selection, options, inputs.registers);
  diagnostics.push(...gone);
  const stats = count?.();
  const result = { name: kernel.name, source: source.name, stop, steps: session.steps, state, printed: kept.text };
  return ended(diagnostics, {
    ...result,
    ...(signal === undefined ? {} : { signal }),
    ...(stats === undefined || !options.stats ? {} : { stats }),
    ...(stats === undefined || strip === undefined ? {} : { kept: keptOf(session, kernel.program, stats, strip()) }),
    ...(teamwork === undefined ? {} : { teamwork }),
  });
}

/** The data for the page of a launch. */
function keptOf(session: Session, program: Program, stats: Stats, strips: LaneStrips): Kept {
  const { grid = [1, 1, 1], block = [1, 1, 1] } = session.state?.context ?? {};
  return { program, grid, block, stats, strips };
}

/** The outcome with the exit code of its diagnostics, or the signal that ended it. */
export const ended = (diagnostics: readonly Diagnostic[], result?: RunResult): RunOutcome => ({
  diagnostics,
  exit: worst([...diagnostics.map(exitOf), ...(result?.signal === undefined ? [] : [exitOfSignal(result.signal)])]),
  ...(result === undefined ? {} : { result }),
});

/** The output of device printf: a terminal is shown control characters as escapes, a pipe gets the exact bytes. */
export const printOf = ({ out, terminal }: Io): Io["out"] => (terminal.out ? (text) => out(printableLines(text)) : out);

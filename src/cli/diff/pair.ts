import { diagnosticToJson, renderDiagnostics } from "../../present/diagnostic.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { palette } from "../colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../exit.ts";
import { mostText, readText } from "../file.ts";
import type { Io } from "../io.ts";
import type { Pace } from "../pace.ts";
import { type ListedFile, reachOf } from "../paths.ts";
import { type Compared, compareRuns, type Difference } from "./compare.ts";
import type { Pair } from "./pairs.ts";
import { runSide, type Side, type SideOptions } from "./side.ts";

/** What came of a pair. Plain data: it also travels from workers. */
export interface PairResult {
  readonly a: SideResult;
  readonly b: SideResult;
  /** 0 equal, 1 different; else why they could not be compared, or how both failed alike. */
  readonly exit: ExitCode;
  /** Absent when one of them did not run. */
  readonly differences?: readonly Difference[];
  readonly compared?: Compared;
  /** Errors, warnings and notes of both, for people and for programs. */
  readonly text: string;
  readonly diagnostics: readonly Record<string, unknown>[];
}

export interface SideResult {
  readonly file: string;
  readonly kernel?: string;
  readonly stop?: { readonly reason: string; readonly code?: string };
  readonly steps?: number;
}

/** Ends that leave open what a program would have given: with one of these, two runs are not compared. */
const undecided: readonly ExitCode[] = [Exit.bug, Exit.usage, Exit.rejected, Exit.terminated, Exit.interrupted, Exit.limit, Exit.gap]; // biome-ignore format: a list of names

/** Texts that were read last, by their paths: one program is often compared with many. */
export class Texts {
  readonly #known = new Map<string, Source>();

  read(file: ListedFile, io: Io) {
    const known = this.#known.get(file.path);
    if (known !== undefined) return { value: known, diagnostics: [] };
    const read = readText(file.path, reachOf(file, io.cwd, []), mostText(io));
    if (read.value !== undefined) this.#known.set(file.path, read.value);
    const [oldest] = this.#known.keys();
    if (this.#known.size > 4 && oldest !== undefined) this.#known.delete(oldest);
    return read;
  }
}

/** Runs both programs of a pair with the same inputs and compares what they gave. */
export async function comparePair(
  pair: Pair,
  options: SideOptions,
  io: Io,
  pace: Pace,
  texts: Texts,
): Promise<PairResult> {
  const diagnostics: Diagnostic[] = [];
  const side = async (file: ListedFile): Promise<Side | undefined> => {
    const { value: source, diagnostics: unread } = texts.read(file, io);
    diagnostics.push(...unread);
    if (source === undefined) return undefined;
    const made = await runSide(source, options, io, pace);
    diagnostics.push(...made.diagnostics);
    return made;
  };
  const a = await side(pair.a);
  const b = a?.ran?.signal === undefined ? await side(pair.b) : undefined;
  const signals = [a, b].flatMap((each) => each?.ran?.signal ?? []).map(exitOfSignal);
  const ends = worst([...diagnostics.map(exitOf), ...signals]);
  const both = a?.ran && b?.ran && !undecided.includes(ends) ? compareRuns(a.ran, b.ran) : undefined;
  for (const each of [a, b]) each?.ran?.session.close();
  const shown = options.quiet ? diagnostics.filter(({ severity }) => severity !== "note") : diagnostics;
  return {
    ...{ a: resultOf(pair.a, a), b: resultOf(pair.b, b) },
    exit: both !== undefined && both.differences.length > 0 ? Exit.check : ends,
    ...both,
    text: shown.length === 0 ? "" : renderDiagnostics(shown, palette(options.color, "err", io)),
    diagnostics: diagnostics.map(diagnosticToJson),
  };
}

function resultOf({ path }: ListedFile, side: Side | undefined): SideResult {
  if (side?.ran === undefined) return { file: path };
  const { kernel, stop, steps, signal } = side.ran;
  const reason = signal === undefined ? stop.reason : "interrupted";
  const code = stop.reason === "trap" ? { code: stop.diagnostic.code } : {};
  return { file: path, kernel, stop: { reason, ...code }, steps };
}

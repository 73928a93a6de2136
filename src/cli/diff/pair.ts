import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { mostText, readText } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import type { Pace } from "../../environment/pace.ts";
import { isModuleText } from "../../host/index.ts";
import { diagnosticToJson, renderDiagnostics } from "../../present/diagnostic.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import { type ListedFile, reachOf } from "../paths.ts";
import { type Compared, compareRuns, type Difference } from "./compare.ts";
import { causeOf } from "./explain.ts";
import type { Cause } from "./origin/describe.ts";
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
  /** Where the first difference comes from, if that was asked and an instruction could be named. */
  readonly cause?: Cause;
  /** Errors, warnings and notes of both, for people and for programs. */
  readonly text: string;
  readonly diagnostics: readonly Record<string, unknown>[];
}

export interface SideResult {
  readonly file: string;
  /** Of its order, where orders are compared. */
  readonly seed?: number;
  /** The target that it had here, where targets are compared. */
  readonly target?: string;
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
  const [forA, forB] = optionsOf(pair, options);
  const side = async (file: ListedFile, wanted: typeof forA): Promise<Loaded | undefined> => {
    const { value: source, diagnostics: unread } = texts.read(file, io);
    diagnostics.push(...unread);
    if (source === undefined) return undefined;
    const own = wanted(source);
    const made = await runSide(source, own, io, pace);
    diagnostics.push(...made.diagnostics);
    return { ...made, options: own };
  };
  const a = await side(pair.a, forA);
  const b = a?.ran?.signal === undefined ? await side(pair.b, forB) : undefined;
  return judged(pair, a, b, diagnostics, options, io, pace);
}

type Loaded = Side & { readonly options: SideOptions };

/** The options of each side: a pair may say an order, and `--target` has one for each. */
function optionsOf({ seeds }: Pair, options: SideOptions) {
  const { seeds: _, target, ...others } = options;
  const targets = target?.split(",") ?? [];
  return [0, 1].map((at) => (source: Source): SideOptions => {
    const seed = seeds?.[at];
    const order = seed === undefined ? {} : { schedule: { seed } };
    const name = targets[targets.length > 1 ? at : 0];
    if (name === undefined) return { ...others, ...order };
    // A text that says its target is compiled as it says; what may depend on another is what tensor cores compute.
    const says = targets.length > 1 && isModuleText(source);
    return { ...others, ...order, ...(says ? { arch: name } : { target: name }) };
  }) as [(source: Source) => SideOptions, (source: Source) => SideOptions];
}

/**
 * Compares one program with itself, in the order of the first seed and in each other, until one gives something else: a
 * result each.
 */
export async function compareSeeds(
  file: ListedFile,
  [first, last]: readonly [number, number],
  options: SideOptions,
  io: Io,
  pace: Pace,
  texts: Texts,
  take: (result: PairResult) => boolean,
): Promise<void> {
  const { value: source, diagnostics: unread } = texts.read(file, io);
  const pairOf = (seed: number): Pair => ({ a: file, b: file, seeds: [first, seed] });
  const begin = optionsOf(pairOf(first), options)[0];
  const base = source && { ...(await runSide(source, begin(source), io, pace)), options: begin(source) };
  for (let seed = Math.min(first + 1, last); seed <= last; seed++) {
    const pair = pairOf(seed);
    const wanted = source && optionsOf(pair, options)[1](source);
    const other =
      source && wanted && base?.ran?.signal === undefined && base?.ran !== undefined
        ? { ...(await runSide(source, wanted, io, pace)), options: wanted }
        : undefined;
    const diagnostics = [...unread, ...(base?.diagnostics ?? []), ...(other?.diagnostics ?? [])];
    const result = await judged(pair, base, other, diagnostics, options, io, pace, true);
    if (!take(result) || result.exit !== Exit.ok) break;
    await pace.rest();
  }
  base?.ran?.session.close();
}

async function judged(
  pair: Pair,
  a: Loaded | undefined,
  b: Loaded | undefined,
  diagnostics: readonly Diagnostic[],
  options: SideOptions,
  io: Io,
  pace: Pace,
  keepsFirst = false,
): Promise<PairResult> {
  const signals = [a, b].flatMap((each) => each?.ran?.signal ?? []).map(exitOfSignal);
  const ends = worst([...diagnostics.map(exitOf), ...signals]);
  const both = a?.ran && b?.ran && !undecided.includes(ends) ? compareRuns(a.ran, b.ran, options.tolerance) : undefined;
  const explains = options.outputsOnly !== true && both !== undefined && both.differences.length > 0;
  const cause =
    explains && a?.ran && b?.ran
      ? await causeOf({ ...a, ran: a.ran }, { ...b, ran: b.ran }, both.differences, io, pace)
      : undefined;
  for (const each of keepsFirst ? [b] : [a, b]) each?.ran?.session.close();
  const shown = options.quiet ? diagnostics.filter(({ severity }) => severity !== "note") : diagnostics;
  return {
    a: { ...resultOf(pair.a, a), ...orderOf(pair.seeds?.[0]), ...targetOf(options, 0) },
    b: { ...resultOf(pair.b, b), ...orderOf(pair.seeds?.[1]), ...targetOf(options, 1) },
    exit: both !== undefined && both.differences.length > 0 ? Exit.check : ends,
    ...both,
    ...(cause === undefined ? {} : { cause }),
    text: shown.length === 0 ? "" : renderDiagnostics(shown, palette(options.color, "err", io)),
    diagnostics: diagnostics.map(diagnosticToJson),
  };
}

const orderOf = (seed: number | undefined) => (seed === undefined ? {} : { seed });

function targetOf({ target }: SideOptions, at: 0 | 1) {
  const name = target?.includes(",") ? target.split(",")[at] : undefined;
  return name === undefined ? {} : { target: name };
}

function resultOf({ path }: ListedFile, side: Side | undefined): SideResult {
  if (side?.ran === undefined) return { file: path };
  const { kernel, stop, steps, signal } = side.ran;
  const reason = signal === undefined ? stop.reason : "interrupted";
  const code = stop.reason === "trap" ? { code: stop.diagnostic.code } : {};
  return { file: path, kernel, stop: { reason, ...code }, steps };
}

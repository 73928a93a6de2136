import type { Difference } from "../../../packages/lab/diff/compare.ts";
import { compareInWorkers } from "../../../packages/lab/diff/jobs.ts";
import { comparePair, compareSeeds, type PairResult, Texts } from "../../../packages/lab/diff/pair.ts";
import { entriesOf, type Pair, pairsOf } from "../../../packages/lab/diff/pairs.ts";
import { compareRandom, lacksInputs } from "../../../packages/lab/diff/random.ts";
import type { DiffOptions } from "../../../packages/lab/diff/side.ts";
import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { findingOf } from "../../present/finding.ts";
import { jsonText } from "../../present/json.ts";
import { printable } from "../../present/text/escape.ts";
import type { Palette } from "../../present/text/palette.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { withCache } from "../../system/cache.ts";
import { Interrupted } from "../../system/limits.ts";
import type { WantedFindings } from "../findings/formats.ts";
import { publish } from "../findings/write.ts";
import { renderCause } from "./cause-text.ts";
import { drawnJson, drawnText } from "./drawn-text.ts";
import { findingsOf } from "./findings.ts";

/** Runs with drawn inputs of a pair for which nobody has given any. */
const UNASKED = 100;
/** Differences of a pair that are shown; --json has them all. */
const MAX_SHOWN_DIFFERENCES = 20;

/** Commander's options of `diff`. */
export interface DiffCommandOptions extends DiffOptions {
  readonly reporter?: readonly WantedFindings[];
}

/** A result, and where inputs were drawn, how often and which. */
type Compared = PairResult & { readonly random?: object };

/** Equal, different, or not to be compared. */
type Verdict = "equal" | "different" | "failed";
const verdictOf = ({ differences }: PairResult): Verdict =>
  differences === undefined ? "failed" : differences.length === 0 ? "equal" : "different";

/** What a verdict is called; inputs that were drawn show no more than that nothing was found. */
const nameOf = (verdict: Verdict, drawn: boolean): string => (drawn && verdict === "equal" ? "no difference" : verdict);

/** A pair in a line, and a line for each difference. */
function renderPair(result: PairResult, drawn: boolean, colours: Palette): string {
  const { a, b, differences = [], compared } = result;
  const verdict = verdictOf(result);
  const colour = verdict === "equal" ? colours.good : colours.error;
  const end = verdict === "equal" && result.exit !== Exit.ok ? [`both end with ${a.stop?.code ?? a.stop?.reason}`] : [];
  const what = compared === undefined || verdict !== "equal" ? [] : countsOf(compared);
  const more = [...end, ...what].join(", ");
  const lines = sentences(differences).map((each) => `  ${each}\n`);
  const why = result.cause === undefined ? [] : renderCause(result.cause, a.file, b.file, colours);
  lines.push(...why.map((line) => `  ${line}\n`));
  const files = `${titleOf(a, b)}  ${titleOf(b, a)}`;
  return `${colour(nameOf(verdict, drawn).padEnd("different".length))}  ${files}${more === "" ? "" : `  ${colours.faint(more)}`}\n${lines.join("")}`;
}

const titleOf = ({ file, seed, target, kernel = "" }: PairResult["a"], other: PairResult["a"]): string =>
  [
    file,
    ...(file === other.file && kernel !== other.kernel ? [`--entry ${kernel}`] : []),
    ...(seed === undefined ? [] : [`--schedule random:${seed}`]),
    ...(target === undefined ? [] : [`on ${target}`]),
  ]
    .map(printable)
    .join(" ");

/** One program in many scheduling orders with equal results. */
const agreement = (file: string, [first, last]: readonly [number, number], colours: Palette): string =>
  `${colours.good("equal".padEnd("different".length))}  ${printable(file)}  ${colours.faint(`seeds ${first} to ${last}`)}\n`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

const countsOf = (compared: NonNullable<PairResult["compared"]>): readonly string[] => {
  const kinds = [
    [compared.buffers, "buffer"],
    [compared.variables, "variable"],
    [compared.registers, "register"],
  ] as const;
  const some = kinds.filter(([count]) => count > 0).map(([count, what]) => counted(count, what));
  return some.length === 0 ? ["nothing but how they end"] : some;
};

/** Differences in words: those that are shown, and how many there are besides. */
function sentences(differences: readonly Difference[]): readonly string[] {
  const left = differences.length - MAX_SHOWN_DIFFERENCES;
  const shown = differences.slice(0, MAX_SHOWN_DIFFERENCES).map(sentence);
  return left > 0 ? [...shown, `and ${left} more`] : shown;
}

function sentence({
  what,
  name,
  index,
  differing = 0,
  elements = 0,
  block,
  thread,
  a,
  b,
  numbers,
}: Difference): string {
  if (what === "stop") return `the first ends with ${a}, the second with ${b}`;
  if (what === "printed") return `${name} of what they print: ${JSON.stringify(a)} and ${JSON.stringify(b)}`;
  const place = index === undefined ? printable(name) : `${printable(name)}[${index}]`;
  const whose = block === undefined || (block === 0 && thread === 0) ? "" : ` of block ${block}, thread ${thread}`;
  const shown = (bits: string, at: 0 | 1): string => (numbers === undefined ? bits : `${bits} (${numbers[at]})`);
  const rest = elements > 1 ? `; ${differing} of ${elements} differ` : "";
  return `${place}${whose} is ${shown(a, 0)} in the first, ${shown(b, 1)} in the second${rest}`;
}

/** The summary after several pairs. */
function summary(results: readonly Pick<PairResult, "differences">[], drawn: boolean): string {
  const count = (verdict: Verdict) => results.filter((each) => verdictOf(each as PairResult) === verdict).length;
  const [equal, different, failed] = [count("equal"), count("different"), count("failed")];
  return `${counted(results.length, "pair")}: ${equal} ${drawn ? "without a difference" : "equal"}, ${different} different, ${failed} failed\n`;
}

/**
 * `ptxrun diff`: exit 0 when all pairs have the same results, 1 when one differs; 2 to 143 when one could not be
 * compared.
 */
export async function diff(paths: readonly string[], options: DiffCommandOptions, terminal: Io): Promise<ExitCode> {
  const asJson = options.format === "json";
  const slicing = new WatchedSlicing(terminal, !asJson && options.quiet !== true);
  try {
    return await diffInSlices(paths, options, slicing, asJson);
  } finally {
    slicing.end();
  }
}

async function diffInSlices(
  paths: readonly string[],
  options: DiffCommandOptions,
  slicing: WatchedSlicing,
  asJson: boolean,
): Promise<ExitCode> {
  const { io } = slicing;
  const { value: all, diagnostics: found } = pairsOf(paths, options.batch, io, isOfOneFile(options));
  const { index, count: shards } = options.shard ?? { index: 1, count: 1 };
  const pairs = all.filter((_, at) => at % shards === index - 1);
  const cached = withCache(options, io);
  const wrong: Diagnostic[] = [...withoutEffect(paths, options), ...found, ...cached.diagnostics];
  const exits: ExitCode[] = wrong.map((each) => (each.code === "PTX7010" ? Exit.usage : exitOf(each)));
  if (!asJson) report(wrong, options, io);
  const texts = new Texts();
  const results: Compared[] = [];
  let output = "";
  const emit = (text: string): void => {
    if (options.output === undefined && !asJson) io.out(text);
    else output += text;
  };
  const colours = palette(options.output === undefined ? options.color : "never", "out", io);
  const several = pairs.length > 1;
  const runs = cached.value && drawnRuns(pairs, cached.value, { io, texts });
  const [seeded] = options.seeds === undefined ? [] : pairs;
  /** Prints a result; false when no more are wanted. */
  const take = (result: Compared): boolean => {
    slicing.begin(`compared ${results.length + 1} of ${seeded === undefined ? pairs.length : "many"} pairs`);
    // Of orders, the differing one is reported, or how many agree.
    if (seeded !== undefined && verdictOf(result) === "equal") results.length = 0;
    const keep = asJson || !several ? result : { ...result, text: "", diagnostics: [] };
    results.push(keep);
    exits.push(result.exit);
    if (!asJson && !(seeded !== undefined && verdictOf(result) === "equal")) {
      // Of many pairs, only those that could not be compared need explaining.
      if (result.text !== "" && (!several || verdictOf(result) === "failed")) io.err(result.text);
      emit(renderPair(result, runs !== undefined, colours));
    }
    return result.exit < Exit.interrupted;
  };
  if (cached.value !== undefined && worst(withoutEffect(paths, options).map(exitOf)) === Exit.ok) {
    const { jobs = 1 } = options;
    try {
      // The cause of a difference is searched for a single pair, not for each of many.
      const wanted = several ? { ...cached.value, outputsOnly: true } : cached.value;
      if (runs !== undefined)
        for (const pair of pairs) {
          const { value: drawn, diagnostics } = await compareRandom(pair, runs, wanted, { io, slicing, texts });
          wrong.push(...diagnostics);
          if (!asJson) report(diagnostics, options, io);
          exits.push(...diagnostics.map(exitOf));
          if (drawn === undefined) continue;
          const goesOn = take({ ...drawn.result, random: drawnJson(drawn, pair, options) });
          if (!asJson) emit(drawnText(drawn, pair, options, colours));
          if (!goesOn) break;
        }
      else if (seeded !== undefined && options.seeds !== undefined) {
        await compareSeeds(seeded.a, options.seeds, wanted, io, slicing, texts, take);
        if (!asJson && worst(exits) === Exit.ok) emit(agreement(seeded.a.path, options.seeds, colours));
      } else if (jobs > 1 && several && io.checkWorker !== undefined)
        await compareInWorkers(pairs, jobs, { ...options, outputsOnly: true }, io, io.checkWorker, take, slicing);
      else
        for (const pair of pairs) {
          if (!take(await comparePair(pair, wanted, io, slicing, texts))) break;
          const signal = await slicing.rest();
          if (signal !== undefined) throw new Interrupted(signal);
        }
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
      const what = `interrupted: ${results.length} of ${pairs.length} pairs were compared`;
      const where = error.diagnostic === undefined ? [] : [error.diagnostic];
      const told = runs === undefined || several ? [...where, problem("PTX6103", what)] : where;
      wrong.push(...told);
      if (!asJson) report(told, options, io);
      exits.push(exitOfSignal(error.signal));
    }
  }
  const findings = [
    ...wrong.map((each) => findingOf(each)),
    ...results.flatMap((each) => findingsOf(each, sentences(each.differences ?? []))),
  ];
  const heading = summary(results, runs !== undefined).trimEnd();
  const annotates = !asJson && options.output === undefined;
  const unwritten = publish({ command: "diff", heading, findings, reporter: options.reporter, annotates }, io);
  report(unwritten, options, io);
  const exit = worst([...exits, ...unwritten.map(exitOf)]);
  if (asJson) emit(`${jsonText(toJson(exit, results, wrong), 2)}\n`);
  else if (several) emit(summary(results, runs !== undefined));
  if (output === "") return exit;
  if (options.output === undefined) {
    io.out(output);
    return exit;
  }
  const failed = writeFile(options.output, output, io.files);
  report(failed, options, io);
  return worst([exit, ...failed.map(exitOf)]);
}

/** How many runs with drawn inputs are compared; undefined where the inputs are those that were given. */
function drawnRuns(pairs: readonly Pair[], options: DiffOptions, how: { readonly io: Io; readonly texts: Texts }) {
  const { random, arg, reg, global, memory } = options;
  if (random !== undefined) return random;
  const [pair, ...others] = pairs;
  if (pair === undefined || others.length > 0 || isOfItself(options)) return undefined;
  const isAny = [arg, reg, global, memory].some((each) => each !== undefined && each.length > 0);
  return !isAny && lacksInputs(pair, options, how) ? UNASKED : undefined;
}

/** Whether one program is compared with itself. */
const isOfItself = ({ seeds, target }: DiffOptions): boolean => seeds !== undefined || target?.includes(",") === true;

/** Whether one file is enough. */
function isOfOneFile(options: DiffOptions): boolean {
  const [a, b] = entriesOf(options.entry);
  return isOfItself(options) || a !== b;
}

/** Options of `run` that have no effect here. */
function withoutEffect(
  paths: readonly string[],
  { seeds, as, eval: text, dump = [], reg = [], batch, target, random }: DiffOptions,
): readonly Diagnostic[] {
  const several = paths.length !== 1 || batch !== undefined;
  const refuse = (what: string, expected: string) => problem("PTX2003", what, { expected });
  return [
    ...(seeds === undefined || !several
      ? []
      : [refuse("--seeds compares one program with itself", "one file, or --schedule random:SEED")]),
    ...((target?.split(",").length ?? 0) > 2 ? [refuse(`--target ${target} names more than two`, "two targets")] : []),
    ...(random !== undefined && isOfItself({ seeds, target } as DiffOptions)
      ? [refuse("--random compares two files", "two files, without --seeds or two targets")]
      : []),
    ...reg.filter((text) => /=[-+\w.]*?\w\.\.[-+\w]/.test(text)).map(manyValues),
    ...(as === undefined ? [] : [refuse("--as shows a dump, and differences have their types", "-d NAME:TYPE")]),
    ...(text === undefined ? [] : [refuse("-e gives one text, and two are compared", "two files")]),
    ...(dump.some((what) => /=@/.test(what))
      ? [refuse("--dump says what is compared, and writes no file", "-d NAME")]
      : []),
  ];
}

const manyValues = (text: string): Diagnostic =>
  problem("PTX2003", `-r ${text} is many values, and a run has one`, {
    expected: "one value, or none, for --random N to draw them",
    help: [{ message: "ptxrun sweep FORM --against INSTRUCTIONS --all compares with all values of 16 bits" }],
  });

/** `"schema": "ptxrun.diff/1"`; fields are only ever added. */
const toJson = (exit: ExitCode, results: readonly Compared[], diagnostics: readonly Diagnostic[]) => ({
  schema: "ptxrun.diff/1",
  exit,
  pairs: results.map(({ text: _, findings: __, differences, compared, cause, random, ...result }) => ({
    verdict: verdictOf({ differences } as PairResult),
    ...result,
    ...(differences === undefined ? {} : { differences }),
    ...(compared === undefined ? {} : { compared }),
    ...(cause === undefined ? {} : { cause }),
    ...(random === undefined || results.length === 1 ? {} : { random }),
  })),
  diagnostics: diagnostics.map(diagnosticToJson),
  ...(results.length === 1 && results[0]?.random !== undefined ? { random: results[0].random } : {}),
});

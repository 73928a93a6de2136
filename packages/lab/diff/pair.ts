import { palette } from "../../../src/environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../../src/environment/exit.ts";
import { mostText } from "../../../src/environment/file.ts";
import type { Io } from "../../../src/environment/io.ts";
import { readProgramText } from "../../../src/environment/program-file.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import { isModuleText } from "../../../src/host/index.ts";
import { bytesOf } from "../../../src/host/memory/element.ts";
import { problem } from "../../../src/host/problem.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { windows } from "../../../src/interp/contract/window.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { MachineView } from "../../../src/interp/tools/machine-view.ts";
import { threadId } from "../../../src/launch/extents.ts";
import { diagnosticToJson, renderDiagnostics } from "../../../src/present/diagnostic.ts";
import { type Finding, findingOf } from "../../../src/present/finding.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import type { Source } from "../../../src/source/source.ts";
import { type ListedFile, reachOf } from "../../../src/system/paths.ts";
import { type Compared, compareRuns, type Difference, differingElements, sharedMemory } from "./compare.ts";
import { type Cause, describe } from "./origin/describe.ts";
import { NEARLY } from "./origin/explanation.ts";
import { type Beginning, type DifferingPlace, explain, type Repeatable } from "./origin/find.ts";
import { printedDifference } from "./origin/printed.ts";
import { repairsOf } from "./origin/repair/repair.ts";
import { repaired } from "./origin/repair/repaired.ts";
import { entriesOf, type Pair } from "./pairs.ts";
import { type Ran, runSide, type Side, type SideOptions } from "./side.ts";
import { type Given, workbench } from "./workbench.ts";

/** Differing elements whose writes are looked at. */
const MOST_ELEMENTS = 1024;
/** Warp instructions that may be run again, of both programs together. */
const MOST_STEPS = 400_000_000;

/** The cause of the first of some differences; nothing where no instruction can be named. */
async function causeOf(
  a: Given,
  b: Given,
  differences: readonly Difference[],
  io: Io,
  slicing: Slicing,
): Promise<Cause | undefined> {
  const budget = { left: MOST_STEPS };
  const numbers = new Map<string, bigint>();
  const one = repeatable(a, numbers, budget, io, slicing);
  const other = repeatable(b, numbers, budget, io, slicing);
  const beginning = await beginningOf(a, b, differences, one, other);
  if (beginning === undefined) return undefined;
  const found = await explain(one, other, beginning);
  if (found === undefined) return undefined;
  const programs = { a: a.ran.session.program, b: b.ran.session.program };
  // Changes that are tried are those of PTX's text: of vISA none is.
  const apart = programs.a.simd === undefined && found.hops.some(({ both }) => both.map.alike < NEARLY);
  const repairs = apart
    ? await repairsOf(found, programs, workbench({ a, b }, { a: one.plain, b: other.plain }, io, slicing))
    : undefined;
  return describe(repairs === undefined ? found : repaired(found, repairs), programs.a, programs.b);
}

interface Printing extends Repeatable {
  again(watch: (session: Session) => void, print?: (text: string) => void): Promise<Session | undefined>;
}

function repeatable(
  { source, options, ran }: Given,
  numbers: Map<string, bigint>,
  budget: { left: number },
  io: Io,
  slicing: Slicing,
): Printing {
  const quiet = { ...options, dump: [] };
  return {
    plain: plainAddresses(ran.named, numbers),
    again: async (watch, print = () => {}) => {
      if (ran.steps > budget.left) return undefined;
      budget.left -= ran.steps;
      const side = await runSide(source, quiet, io, slicing, { session: watch, print });
      return side.ran?.signal === undefined ? side.ran?.session : undefined;
    },
  };
}

/** Makes an address of a named memory range equal in all runs, and a generic address that of its space. */
function plainAddresses(named: Ran["named"], numbers: Map<string, bigint>): (bits: bigint) => bigint {
  const pieces = named.map(({ key, address, bytes }) => {
    const number = numbers.get(key) ?? BigInt(numbers.size + 1);
    numbers.set(key, number);
    return { address, end: address + BigInt(bytes), base: number << 64n };
  });
  return (bits) => {
    const high = Number(bits >> 32n);
    if (high === windows.shared || high === windows.local) return BigInt.asUintN(32, bits);
    for (const { address, end, base } of pieces) if (bits >= address && bits < end) return base + bits - address;
    return bits;
  };
}

async function beginningOf(
  { ran: a, options }: Given,
  { ran: b }: Given,
  differences: readonly Difference[],
  one: Printing,
  other: Printing,
): Promise<Beginning | undefined> {
  // The other results of a faulting program are incomplete.
  for (const { stop } of [b, a])
    if (stop.reason === "trap" && differences.some(({ what }) => what === "stop"))
      return { kind: "thread", thread: stop.at };
  const places = placesOf(a, b, options);
  if (places.length > 0) return { kind: "memory", places };
  if (differences.some(({ what }) => what === "printed")) {
    const thread = await printedDifference(one, other);
    return thread && { kind: "thread", thread };
  }
  const register = differences.find(({ what }) => what === "register");
  if (register?.block === undefined || register.thread === undefined) return undefined;
  const thread: ThreadId = threadId({ block: register.block, thread: register.thread }, a.session.program);
  return { kind: "thread", thread, register: [register.name] };
}

function placesOf(a: Ran, b: Ran, { tolerance }: SideOptions): readonly DifferingPlace[] {
  const places: DifferingPlace[] = [];
  for (const { a: inA, b: inB } of sharedMemory(a, b)) {
    if (inA.buffer.bytes !== inB.buffer.bytes) continue;
    const size = bytesOf(inA.type);
    for (const { index } of differingElements(inA, inB, tolerance)) {
      if (places.length >= MOST_ELEMENTS) return places;
      const single = inA.buffer.bytes <= size;
      places.push({
        name: single ? inA.name : `${inA.name}[${index}]`,
        placeIn: (side, session) => {
          const { address } = (side === "a" ? inA : inB).buffer;
          const bytes = Math.min(size, inA.buffer.bytes - index * size);
          const where = new MachineView(session).bufferOffset("global", address + BigInt(index * size), bytes);
          return where === undefined ? undefined : { where, bytes };
        },
      });
    }
  }
  return places;
}

/** The result of comparing a pair. Plain data: it also travels from workers. */
export interface PairResult {
  readonly a: SideResult;
  readonly b: SideResult;
  /** 0 equal, 1 different; else why they could not be compared, or the failure of both. */
  readonly exit: ExitCode;
  /** Absent when one of them did not run. */
  readonly differences?: readonly Difference[];
  readonly compared?: Compared;
  /** The cause of the first difference, if it was requested and an instruction could be named. */
  readonly cause?: Cause;
  /** Errors, warnings and notes of both, for people and for programs. */
  readonly text: string;
  readonly diagnostics: readonly Record<string, unknown>[];
  /** The errors and warnings among them. */
  readonly findings: readonly Finding[];
}

export interface SideResult {
  readonly file: string;
  /** The seed of its scheduling order, where orders are compared. */
  readonly seed?: number;
  /** The target that it was run with, where targets are compared. */
  readonly target?: string;
  readonly kernel?: string;
  readonly stop?: { readonly reason: string; readonly code?: string };
  readonly steps?: number;
}

/** Exit codes after which a program's results are undecided: with one of these, two runs are not compared. */
const undecided: readonly ExitCode[] = [Exit.bug, Exit.usage, Exit.rejected, Exit.terminated, Exit.interrupted, Exit.limit, Exit.gap]; // biome-ignore format: a list of names

/** Texts that were read last, by their paths: one program is often compared with many. */
export class Texts {
  readonly #known = new Map<string, Source>();

  read(file: ListedFile, io: Io, zeinfo?: string) {
    const known = this.#known.get(file.path);
    if (known !== undefined) return { value: known, diagnostics: [] };
    const read = readProgramText(file.path, reachOf(file, io.cwd, []), mostText(io), { zeinfo });
    if (read.value !== undefined) this.#known.set(file.path, read.value);
    const [oldest] = this.#known.keys();
    if (this.#known.size > 4 && oldest !== undefined) this.#known.delete(oldest);
    return read;
  }
}

/** Runs both programs of a pair with the same inputs and compares their results. */
export async function comparePair(
  pair: Pair,
  options: SideOptions,
  io: Io,
  slicing: Slicing,
  texts: Texts,
): Promise<PairResult> {
  const diagnostics: Diagnostic[] = [];
  const [forA, forB] = optionsOf(pair, options);
  const side = async (file: ListedFile, wanted: typeof forA): Promise<Loaded | undefined> => {
    const { value: source, diagnostics: unread } = texts.read(file, io, options.zeinfo);
    diagnostics.push(...unread);
    if (source === undefined) return undefined;
    const own = wanted(source);
    const made = await runSide(source, own, io, slicing);
    diagnostics.push(...made.diagnostics);
    return { ...made, options: own };
  };
  const a = await side(pair.a, forA);
  const b = a?.ran?.signal === undefined ? await side(pair.b, forB) : undefined;
  return judged(pair, a, b, diagnostics, options, io, slicing);
}

type Loaded = Side & { readonly options: SideOptions };

/** The options of each side: a pair may give a seed, and `--target` and `--entry` have one for each. */
function optionsOf({ seeds }: Pair, options: SideOptions) {
  const { seeds: _, target, entry: both, ...rest } = options;
  const targets = target?.split(",") ?? [];
  return ([0, 1] as const).map((at) => (source: Source): SideOptions => {
    const entry = entriesOf(both)[at];
    const others = { ...rest, ...(entry !== undefined && { entry }) };
    const seed = seeds?.[at];
    const order = seed === undefined ? {} : { schedule: { seed } };
    const name = targets[targets.length > 1 ? at : 0];
    if (name === undefined) return { ...others, ...order };
    // A text with a target is compiled for it; of what remains, only the arithmetic of tensor cores may depend on
    // another target.
    const says = targets.length > 1 && isModuleText(source);
    return { ...others, ...order, ...(says ? { arch: name } : { target: name }) };
  }) as [(source: Source) => SideOptions, (source: Source) => SideOptions];
}

/**
 * Compares one program with itself, in the order of the first seed and in each other, until one differs: a result each.
 */
export async function compareSeeds(
  file: ListedFile,
  [first, last]: readonly [number, number],
  options: SideOptions,
  io: Io,
  slicing: Slicing,
  texts: Texts,
  take: (result: PairResult) => boolean,
): Promise<void> {
  const { value: source, diagnostics: unread } = texts.read(file, io, options.zeinfo);
  const pairOf = (seed: number): Pair => ({ a: file, b: file, seeds: [first, seed] });
  const begin = optionsOf(pairOf(first), options)[0];
  const base = source && { ...(await runSide(source, begin(source), io, slicing)), options: begin(source) };
  for (let seed = Math.min(first + 1, last); seed <= last; seed++) {
    const pair = pairOf(seed);
    const wanted = source && optionsOf(pair, options)[1](source);
    const other =
      source && wanted && base?.ran?.signal === undefined && base?.ran !== undefined
        ? { ...(await runSide(source, wanted, io, slicing)), options: wanted }
        : undefined;
    const diagnostics = [...unread, ...(base?.diagnostics ?? []), ...(other?.diagnostics ?? [])];
    const result = await judged(pair, base, other, diagnostics, options, io, slicing, true);
    if (!take(result) || result.exit !== Exit.ok) break;
    await slicing.rest();
  }
  base?.ran?.session.close();
}

async function judged(
  pair: Pair,
  a: Loaded | undefined,
  b: Loaded | undefined,
  found: readonly Diagnostic[],
  options: SideOptions,
  io: Io,
  slicing: Slicing,
  keepsFirst = false,
): Promise<PairResult> {
  const signals = [a, b].flatMap((each) => each?.ran?.signal ?? []).map(exitOfSignal);
  const ends = worst([...found.map(exitOf), ...signals]);
  const runs = a?.ran && b?.ran && !undecided.includes(ends) ? compareRuns(a.ran, b.ran, options.tolerance) : undefined;
  const idle = a?.ran && b?.ran && runs !== undefined && hasNoResult(runs, [a.ran, b.ran]);
  const empty = idle ? [a, b].flatMap((each) => withoutInputs(each, options)).slice(0, 1) : [];
  const both = empty.length === 0 ? runs : undefined;
  const diagnostics = [...found, ...empty];
  const explains = options.outputsOnly !== true && both !== undefined && both.differences.length > 0;
  const cause =
    explains && a?.ran && b?.ran
      ? await causeOf({ ...a, ran: a.ran }, { ...b, ran: b.ran }, both.differences, io, slicing)
      : undefined;
  for (const each of keepsFirst ? [b] : [a, b]) each?.ran?.session.close();
  const shown = options.quiet ? diagnostics.filter(({ severity }) => severity !== "note") : diagnostics;
  return {
    a: { ...resultOf(pair.a, a), ...orderOf(pair.seeds?.[0]), ...targetOf(options, 0) },
    b: { ...resultOf(pair.b, b), ...orderOf(pair.seeds?.[1]), ...targetOf(options, 1) },
    exit: both !== undefined && both.differences.length > 0 ? Exit.check : worst([ends, ...empty.map(exitOf)]),
    ...both,
    ...(cause === undefined ? {} : { cause }),
    text: shown.length === 0 ? "" : renderDiagnostics(shown, palette(options.color, "err", io)),
    diagnostics: diagnostics.map(diagnosticToJson),
    findings: diagnostics.filter(({ severity }) => severity !== "note").map((each) => findingOf(each)),
  };
}

/** Whether two runs have no result at all, but that they end in the same way. */
const hasNoResult = ({ differences, compared }: ReturnType<typeof compareRuns>, runs: readonly Ran[]): boolean =>
  differences.length === 0 &&
  Object.values(compared).every((count) => count === 0) &&
  runs.every(({ printed }) => printed === "");

/** An error for a program that has no result because its parameters have no values. */
function withoutInputs({ source, ran }: Loaded, { seeds, target, random }: SideOptions): readonly Diagnostic[] {
  const [first] = ran?.missing ?? [];
  if (first === undefined) return [];
  const message = `nothing was compared, since ${first.name} of ${source.name} has no value`;
  const isDrawable = seeds === undefined && !target?.includes(",") && random === undefined;
  const expected = `a value or buffer for each parameter: -a VALUE${isDrawable ? ", or --random N, which draws them" : ""}`;
  return [problem("PTX2002", message, { source, span: first.span, expected })];
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

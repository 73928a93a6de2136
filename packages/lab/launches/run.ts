import { bitsOf, formatOf } from "../../../src/host/memory/element.ts";
import type { Parameter } from "../../../src/interp/contract/program.ts";
import type { Stop } from "../../../src/interp/contract/stop.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import type { NamedBuffer } from "../../../src/launch/input/launch-inputs.ts";
import { begin } from "../../../src/launch/launch.ts";
import type { RunCommandOptions } from "../../../src/launch/options.ts";
import { unpack } from "../../../src/numeric/exact/exact.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../src/source/diagnostic.ts";
import type { Bench } from "./bench.ts";
import { type Data, type Drawn, drawnAmong, recipeOf } from "./draw.ts";
import type { GuessedLaunch } from "./guess.ts";

/** How one run differs from others of the same launch. */
export interface Way {
  readonly data: Data;
  /** Of the data in buffers. */
  readonly seed: number;
  readonly schedule?: number;
  readonly async?: "early" | "late" | "random";
  /** Values among the constants of programs, in the place of such data. */
  readonly drawn?: Drawn;
  /** Without looking for races, which takes long. */
  readonly quick?: boolean;
}

/** A run with every check. */
export interface Checked {
  readonly launch: GuessedLaunch;
  readonly way: Way;
  readonly stop: Stop;
  /** The fault that ended it, and what was found. */
  readonly problems: readonly Diagnostic[];
  /** Contents of the buffers afterwards, by parameter. */
  readonly outputs: ReadonlyMap<Parameter, Uint8Array>;
  /** Whether it took so long that races were looked for in its first steps alone. */
  readonly isLong: boolean;
}

/** Every check, and so few warp instructions that an endless loop is found soon. */
const EVERYTHING = { sanitize: { mem: true, init: true, sync: true, race: true }, maxSteps: 50_000 };
/** What is called endless has not ended after so many, which take a moment without looking for races. */
const ENDLESS = { sanitize: { mem: true, init: true, sync: true }, maxSteps: 1_000_000 };

/** Options of `run`. */
export type LaunchOptions = Pick<
  RunCommandOptions,
  "entry" | "grid" | "block" | "smem" | "cooperative" | "schedule" | "async" | "sanitize" | "maxSteps"
> & { readonly arg: readonly string[] };

/** A launch as options of `run`, which do the same. */
export function optionsOf(launch: GuessedLaunch, way: Way, entry: string | undefined): LaunchOptions {
  const { grid, block, smem, cooperative } = launch;
  const { schedule, async: when } = way;
  return {
    ...{ grid, block, arg: argumentsOf(launch, way), sanitize: way.quick ? ENDLESS.sanitize : EVERYTHING.sanitize },
    ...(entry !== undefined && { entry }),
    ...(smem > 0 && { smem }),
    ...(cooperative && { cooperative }),
    ...(schedule !== undefined && { schedule: { seed: schedule } }),
    ...(when !== undefined && { async: when === "random" ? { when, seed: schedule ?? 0 } : { when } }),
  };
}

/** Between the seeds of two parameters of a launch, which are not to hold the same. */
const APART = 100;

/** The values of `-a`, each behind the number of its parameter. */
function argumentsOf({ values, size }: GuessedLaunch, { seed, data, drawn }: Way): readonly string[] {
  const among = drawn === undefined ? undefined : drawnAmong(drawn, [...values.values()], seed);
  return [...values.values()].map((value, index) => {
    const chosen = among?.get(index);
    if (chosen !== undefined) return `${index}${chosen}`;
    if (value.kind === "text") return `${index}=${value.text}`;
    const recipe = recipeOf(value, size, seed + APART * index, data);
    return `${index}=${value.type}x${value.count}${recipe === undefined ? "" : `:${recipe}`}`;
  });
}

/** A launch that has not run yet. */
export interface Begun {
  readonly session: Session;
  /** Its buffers, by parameter. */
  readonly buffers: ReadonlyMap<Parameter, NamedBuffer>;
}

/** A launch that has not run yet, with every check; undefined where it is refused. */
export const begun = (
  bench: Bench,
  launch: GuessedLaunch,
  way: Way,
  limits: Partial<typeof ENDLESS> = EVERYTHING,
): Begun | undefined => tryToBegin(bench, launch, way, limits).value;

/** The same, and why it is refused; `print` receives what the kernel prints. */
export function tryToBegin(
  bench: Bench,
  launch: GuessedLaunch,
  way: Way,
  limits: Partial<typeof ENDLESS> = EVERYTHING,
  print?: (text: string) => void,
): Staged<Begun | undefined> {
  const loaded = bench.load();
  const options = { ...optionsOf(launch, way, undefined), ...limits };
  const { value: inputs, diagnostics: unread } = bench.inputs(loaded, options.arg);
  const { value: session, diagnostics: refused } = begin(loaded.kernel, inputs, options, print);
  const diagnostics = [...unread, ...refused];
  if (session === undefined || hasErrors(unread)) return { value: undefined, diagnostics };
  const parameterOf = (name: string): Parameter => [...launch.values.keys()].find((each) => each.name === name)!;
  const buffers = new Map(inputs.buffers.map((each) => [parameterOf(each.name), each]));
  return { value: { session, buffers }, diagnostics };
}

/**
 * Runs a launch with every check; undefined where the launch itself is refused. One that takes long is run to its end, or to what
 * counts as none, without looking for races behind its first steps.
 */
export function checked(bench: Bench, launch: GuessedLaunch, way: Way): Checked | undefined {
  const first = ranWith(bench, launch, way, EVERYTHING);
  if (first === undefined || !first.problems.some(({ code }) => code === "PTX6001")) return first;
  const whole = ranWith(bench, launch, way, ENDLESS);
  if (whole === undefined) return first;
  const races = first.problems.filter(({ code }) => code === "PTX4002");
  return { ...whole, problems: [...whole.problems, ...races], isLong: true };
}

/** Runs a launch within these limits. */
export function ranWith(
  bench: Bench,
  launch: GuessedLaunch,
  way: Way,
  limits: typeof ENDLESS = EVERYTHING,
): Checked | undefined {
  const run = begun(bench, launch, way, limits);
  if (run === undefined) return undefined;
  const stop = bench.run(run.session);
  const problems = [...(stop.reason === "trap" ? [stop.diagnostic] : []), ...run.session.findings];
  const outputs = new Map([...run.buffers].map(([parameter, { buffer }]) => [parameter, buffer.read()]));
  run.session.close();
  return { launch, way, stop, problems, outputs, isLong: false };
}

/** The first element of a buffer of floats that is NaN or infinite; undefined where there is none. */
export function firstStrange({
  launch,
  outputs,
}: Checked): { parameter: Parameter; index: number; what: string } | undefined {
  for (const [parameter, bytes] of outputs) {
    const value = launch.values.get(parameter);
    if (value?.kind !== "buffer" || !value.writes) continue;
    const format = formatOf(value.type);
    if (format === undefined) continue;
    const index = bitsOf(bytes, value.type).findIndex((bits) => unpack(format, bits).kind !== "finite");
    if (index >= 0) return { parameter, index, what: unpack(format, bitsOf(bytes, value.type)[index] ?? 0n).kind };
  }
  return undefined;
}

import type { Io } from "../../../src/environment/io.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import { problem } from "../../../src/host/problem.ts";
import type { Loaded } from "../../../src/launch/program.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import type { Source } from "../../../src/source/source.ts";
import { Interrupted } from "../../../src/system/limits.ts";
import { Bench } from "../launches/bench.ts";
import type { Data } from "../launches/draw.ts";
import { fittingLaunch, isGuarded } from "../launches/fitting.ts";
import type { GuessedLaunch } from "../launches/guess.ts";
import { inferred } from "../launches/infer.ts";
import { optionsOf, type Way } from "../launches/run.ts";
import { smallerThan } from "../launches/shapes.ts";
import { comparePair, type PairResult, type Texts } from "./pair.ts";
import type { Pair } from "./pairs.ts";
import type { SideOptions } from "./side.ts";

/** What many launches with drawn inputs showed. */
export interface RandomComparison {
  /** The last launch that was compared, or the smallest one whose results differ. */
  readonly result: PairResult;
  readonly launch: GuessedLaunch;
  readonly way: Way;
  readonly compared: number;
  /** How much there was to do in the launches that were drawn. */
  readonly sizes: readonly number[];
  /** Results that differ are equal within `NEAR`. */
  readonly isNear: boolean;
}

/** Kinds of data, in turn. */
const kinds: readonly Data[] = ["ordinary", "special", "positive", "wide", "offset"];
/** Rounding apart: what contraction, another order of sums, or approximations may make of a result. */
export const NEAR = { ulps: 16n } as const;
/** Warp instructions of a launch. */
const MAX_STEPS = 1_000_000;

/** Compares both programs of a pair in `count` launches that the first one's text suggests, each with other data. */
export async function compareRandom(
  pair: Pair,
  count: number,
  { source, loaded }: { readonly source: Source; readonly loaded: Loaded },
  options: SideOptions,
  { io, slicing, texts }: { readonly io: Io; readonly slicing: Slicing; readonly texts: Texts },
): Promise<Staged<RandomComparison | undefined>> {
  const bench = new Bench(source, loaded, options, io);
  let compared = 0;
  const compare = async (launch: GuessedLaunch, way: Way, more: Partial<SideOptions>): Promise<PairResult> => {
    const wanted = { ...options, maxSteps: MAX_STEPS, ...optionsOf(launch, way, options.entry), ...more };
    try {
      const result = await comparePair(pair, wanted, io, slicing, texts);
      const signal = await slicing.rest();
      if (signal === undefined) return result;
      throw new Interrupted(signal);
    } catch (error) {
      throw error instanceof Interrupted ? new Interrupted(error.signal, interrupted(compared, count)) : error;
    }
  };
  const { value: fitting, diagnostics } = fittingLaunch(bench);
  if (fitting === undefined) return { value: undefined, diagnostics };
  const launches = isGuarded(bench.program) ? [fitting, inferred(bench, fitting, true)] : [fitting];
  const sizes = launches.map(({ size }) => size);
  for (let index = 0; ; index++) {
    const way: Way = { data: kinds[index % kinds.length]!, seed: index + 1, quick: true };
    const launch = launches[Math.floor(index / kinds.length) % launches.length]!;
    const result = await compare(launch, way, { outputsOnly: true });
    const differs = result.differences !== undefined && result.differences.length > 0;
    compared = index + 1;
    slicing.begin?.(`compared ${compared} of ${count} launches`);
    if (!differs && (result.differences === undefined || compared >= count))
      return { value: { result, launch, way, compared, sizes, isNear: false }, diagnostics };
    if (!differs) continue;
    const smallest = await smallestOf(bench, launch, async (each) =>
      isDifferent(await compare(each, way, { outputsOnly: true })),
    );
    const near = await compare(smallest, way, { outputsOnly: true, tolerance: NEAR });
    const isNear = options.tolerance === undefined && !isDifferent(near);
    const value = { result: await compare(smallest, way, {}), launch: smallest, way, compared, sizes, isNear };
    return { value, diagnostics };
  }
}

const interrupted = (compared: number, count: number): Diagnostic =>
  problem("PTX6103", `interrupted: ${compared} of ${count} launches were compared`);

const isDifferent = ({ differences = [] }: PairResult): boolean => differences.length > 0;

/** The smallest launch for which something holds, or the launch itself. */
async function smallestOf(
  bench: Bench,
  launch: GuessedLaunch,
  holds: (launch: GuessedLaunch) => Promise<boolean>,
): Promise<GuessedLaunch> {
  if (bench.given.block !== undefined) return launch;
  for (const extents of smallerThan(launch)) {
    const smaller = inferred(bench, extents, launch.ragged);
    if (await holds(smaller)) return smaller;
  }
  return launch;
}

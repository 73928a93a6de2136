import type { Staged } from "../../../src/source/diagnostic.ts";
import { Bench } from "../launches/bench.ts";
import type { Data } from "../launches/draw.ts";
import { fittingLaunch, isGuarded } from "../launches/fitting.ts";
import type { GuessedLaunch } from "../launches/guess.ts";
import { inferred } from "../launches/infer.ts";
import { optionsOf, type Way } from "../launches/run.ts";
import { smallerThan } from "../launches/shapes.ts";
import { type Drawing, explained, isDifferent, type RandomComparison } from "./drawing.ts";
import type { PairResult } from "./pair.ts";

/** Kinds of data, in turn. */
const kinds: readonly Data[] = ["ordinary", "special", "positive", "wide", "offset"];
/** Warp instructions of a launch; fewer where a constant may be how often a loop goes round. */
const MAX_STEPS = 1_000_000;
const CONSTANT_STEPS = 200_000;

/** Compares both programs in `count` launches that the first one's text suggests, each with other data. */
export async function compareLaunches(drawing: Drawing, count: number): Promise<Staged<RandomComparison | undefined>> {
  const { source, loaded, options, io, constants } = drawing;
  const bench = new Bench(source, loaded, options, io);
  const { value: fitting, diagnostics } = fittingLaunch(bench);
  if (fitting === undefined) return { value: undefined, diagnostics };
  const compare = (launch: GuessedLaunch, way: Way, maxSteps: number): Promise<PairResult> =>
    drawing.compare({ maxSteps, ...optionsOf(launch, way, options.entry), outputsOnly: true });
  const launches = isGuarded(bench.program) ? [fitting, inferred(bench, fitting, true)] : [fitting];
  const hasConstants = constants.integers.length + constants.floats.length > 0;
  for (let index = 0; ; index++) {
    // Every second launch has values among the constants.
    const turn = hasConstants ? Math.floor(index / 2) : index;
    const launch = launches[Math.floor(turn / kinds.length) % launches.length] ?? fitting;
    const plain: Way = { data: kinds[turn % kinds.length] ?? "ordinary", seed: index + 1, quick: true };
    const isDrawn = hasConstants && index % 2 === 1;
    const drawn = [false, true].map(
      (alone): Way => ({ ...plain, data: "ordinary", drawn: { constants, turn, alone } }),
    );
    let [way, result] = [plain, undefined as PairResult | undefined];
    for (const each of isDrawn ? drawn : []) {
      const made = await compare(launch, each, options.maxSteps ?? CONSTANT_STEPS);
      // A value that leads out of bounds, or too far, is not meant for this parameter.
      if (made.a.stop?.reason !== "exit") continue;
      [way, result] = [each, made.differences === undefined ? undefined : made];
      break;
    }
    result ??= await compare(launch, way, options.maxSteps ?? MAX_STEPS);
    drawing.begin(index + 1);
    const of = { compared: index + 1, sizes: launches.map(({ size }) => size) };
    if (!isDifferent(result)) {
      if (result.differences !== undefined && index + 1 < count) continue;
      return { value: { ...of, result, inputs: { kind: "launch", launch, way }, isNear: false }, diagnostics };
    }
    const smallest = await smallestOf(bench, launch, async (each) => {
      const made = await compare(each, way, options.maxSteps ?? MAX_STEPS);
      return isDifferent(made) && (way.drawn === undefined || made.a.stop?.reason === "exit");
    });
    const inputs = { kind: "launch", launch: smallest, way } as const;
    const maxSteps = options.maxSteps ?? MAX_STEPS;
    const found = await explained(drawing, { maxSteps, ...optionsOf(smallest, way, options.entry) });
    return { value: { ...of, ...found, inputs }, diagnostics };
  }
}

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

import type { Staged } from "../../../src/source/diagnostic.ts";
import { Bench } from "../launches/bench.ts";
import type { Data } from "../launches/draw.ts";
import { fittingLaunch, isGuarded } from "../launches/fitting.ts";
import type { GuessedLaunch } from "../launches/guess.ts";
import { inferred } from "../launches/infer.ts";
import { optionsOf, type Way } from "../launches/run.ts";
import { smallerThan } from "../launches/shapes.ts";
import { type Drawing, explained, isDifferent, isTooLong, MAX_STEPS, type RandomComparison } from "./drawing.ts";
import type { PairResult } from "./pair.ts";

/** Kinds of data, in turn. */
const kinds: readonly Data[] = ["ordinary", "special", "positive", "wide", "offset"];
/** Warp instructions of a launch where a constant may be how often a loop goes round. */
const CONSTANT_STEPS = 200_000;

/** Compares both programs in `count` launches that the first one's text suggests, each with other data. */
export async function compareLaunches(drawing: Drawing, count: number): Promise<Staged<RandomComparison | undefined>> {
  const { source, loaded, options, io } = drawing;
  const bench = new Bench(source, loaded, options, io);
  const { value: fitting, diagnostics } = fittingLaunch(bench);
  if (fitting === undefined) return { value: undefined, diagnostics };
  const launches = isGuarded(bench.program) ? [fitting, inferred(bench, fitting, true)] : [fitting];
  const sizes = launches.map(({ size }) => size);
  let tooLong = 0;
  let last: RandomComparison | undefined;
  for (let index = 0; index < count; index++) {
    const turn = drawing.constants === undefined ? index : Math.floor(index / 2);
    const launch = launches[Math.floor(turn / kinds.length) % launches.length] ?? fitting;
    const { way, result } = await compareOne(drawing, launch, index, turn);
    if (isTooLong(result)) tooLong++;
    const compared = index + 1 - tooLong;
    drawing.begin(index + 1);
    const of = { compared, tooLong, sizes };
    if (isDifferent(result)) {
      const smallest = await smallestOf(bench, launch, async (each) => {
        const made = await drawing.compare(ofLaunch(drawing, each, way));
        return isDifferent(made) && (way.drawn === undefined || hasEnded(made));
      });
      const found = await explained(drawing, ofLaunch(drawing, smallest, way));
      return { value: { ...of, ...found, inputs: { kind: "launch", launch: smallest, way } }, diagnostics };
    }
    const value = { ...of, result, inputs: { kind: "launch", launch, way }, isNear: false } as const;
    if (result.differences === undefined && !isTooLong(result)) return { value, diagnostics };
    last = isTooLong(result) && last !== undefined ? { ...last, ...of } : value;
  }
  return { value: last, diagnostics };
}

/** One of the launches. Every second one has values among the constants, unless those lead the first program astray. */
async function compareOne(drawing: Drawing, launch: GuessedLaunch, index: number, turn: number) {
  const { constants } = drawing;
  if (constants !== undefined && index % 2 === 1)
    for (const alone of [false, true]) {
      const way: Way = { data: "ordinary", seed: index + 1, quick: true, drawn: { constants, turn, alone } };
      const result = await drawing.compare(ofLaunch(drawing, launch, way, CONSTANT_STEPS));
      if (!hasEnded(result)) continue;
      // The second program may only take a little longer.
      if (result.differences !== undefined) return { way, result };
      return { way, result: await drawing.compare(ofLaunch(drawing, launch, way)) };
    }
  const way: Way = { data: kinds[turn % kinds.length] ?? "ordinary", seed: index + 1, quick: true };
  return { way, result: await drawing.compare(ofLaunch(drawing, launch, way)) };
}

/** Whether the first program has gone to its end. */
const hasEnded = ({ a }: PairResult): boolean => a.stop?.reason === "exit";

/** The options of a launch, of which only the results are wanted. */
const ofLaunch = ({ options }: Drawing, launch: GuessedLaunch, way: Way, maxSteps = MAX_STEPS) => ({
  maxSteps: options.maxSteps ?? maxSteps,
  ...optionsOf(launch, way, options.entry),
  outputsOnly: true,
});

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

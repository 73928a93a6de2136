import type { Bench } from "../launches/bench.ts";
import type { Data } from "../launches/draw.ts";
import type { GuessedLaunch } from "../launches/guess.ts";
import { inferred } from "../launches/infer.ts";
import { begun, type Way } from "../launches/run.ts";
import { followPrecision } from "../precision/report.ts";
import { type PrecisionProblem, precisionProblems } from "../precision/words.ts";

/** What a way of running shows about the numbers of a kernel. */
export interface Digits {
  readonly launch: GuessedLaunch;
  readonly way: Way;
  readonly problems: readonly PrecisionProblem[];
}

/** Data that lose digits and range where code lets them: with a mean, and large ones. */
const kinds: readonly Data[] = ["ordinary", "offset", "wide"];
/** Data whose sums grow with their number. */
const growing: readonly Data[] = ["positive", "offset"];
/** As many times as much to do, for sums that are longer than a launch of few threads asks for. */
const LONG = 64;
/** Warp instructions of a run, each of which takes long with exact values beside. */
const MAX_STEPS = 20_000;

/** Runs launches with exact values beside. Data that a kernel is not for, and that lead to a fault, say nothing. */
export function digitsOf(bench: Bench, launch: GuessedLaunch): readonly Digits[] {
  const short = digitsIn(bench, launch, kinds);
  if (short.length > 0 || launch.fixed) return short;
  // One thread is enough for a sum, and does not take long.
  const alone = { grid: [1, 1, 1], block: [1, 1, 1], fixed: false } as const;
  const long = inferred(bench, alone, false, LONG * launch.size);
  return digitsIn(bench, long, growing);
}

function digitsIn(bench: Bench, launch: GuessedLaunch, kinds: readonly Data[]): readonly Digits[] {
  return kinds.flatMap((data) => {
    const way: Way = { data, seed: 1, quick: true };
    const run = begun(bench, launch, way, { maxSteps: MAX_STEPS });
    if (run === undefined) return [];
    const report = followPrecision(run.session);
    const stop = run.session.run();
    const memory = [...run.buffers].flatMap(([parameter, { name, buffer }]) => {
      const value = launch.values.get(parameter);
      const isOutput = value?.kind === "text" || value?.writes === true || value?.zeroed === true;
      return isOutput ? [{ name, address: buffer.address, bytes: buffer.bytes }] : [];
    });
    const problems = stop.reason === "exit" ? precisionProblems(report(memory), bench.program) : [];
    run.session.close();
    return problems.length === 0 ? [] : [{ launch, way, problems }];
  });
}

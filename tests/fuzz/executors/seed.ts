import type { Stop } from "../../../src/interp/index.ts";
import { drawManner, type Manner } from "./launch.ts";
import type { Pair } from "./pair.ts";
import { type Drawn, drawProgram } from "./program.ts";
import { Random } from "./random.ts";
import { type Refused, type Resolved, resolve, resolveMended } from "./resolve.ts";

/** What one seed stands for. */
export interface Trial extends Resolved {
  readonly seed: number;
  readonly sizes: Pick<Drawn, "block" | "grid">;
  readonly manner: Manner;
}

/** Undefined where the program cannot be resolved, which the seed then stands for. */
export function trialOf(seed: number, refused?: Refused): Trial | undefined {
  const { lines, block, grid } = drawProgram(seed);
  const resolved = resolveMended(lines, refused);
  if (resolved === undefined) return undefined;
  return { ...resolved, seed, sizes: { block, grid }, manner: drawManner(new Random(seed ^ 0x1b873593), grid) };
}

export interface Failure {
  readonly trial: Trial;
  readonly difference: string;
}

export function attempt(pair: Pair, trial: Trial): { readonly failure?: Failure; readonly stop: Stop } {
  const { difference, stop } = pair.run(trial.program, trial.manner, trial.sizes);
  return difference === undefined ? { stop } : { stop, failure: { trial, difference } };
}

/** The same failure with as few lines and as plain a launch as can be found. */
export function minimised(pair: Pair, failure: Failure): Failure {
  let best = failure;
  const better = (change: Partial<Trial>): boolean => {
    const trial = { ...best.trial, ...change };
    const found = attempt(pair, trial).failure;
    if (found !== undefined) best = found;
    return found !== undefined;
  };
  const plainer = (): void => {
    const { manner, sizes } = best.trial;
    const { schedule: _, mixed: __, ...rest } = manner;
    const plain: Manner = {
      ...rest,
      budgets: [],
      breakpoints: [],
      observed: false,
      rewound: false,
      race: false,
      cluster: false,
    };
    if (better({ manner: { ...plain, unchecked: false, carry: 0, maxSteps: 2000 } })) return;
    if (better({ manner: plain })) return;
    better({ manner: rest });
    if (sizes.grid > 1) better({ sizes: { ...sizes, grid: 1 } });
  };
  plainer();
  if (best.trial.sizes.grid > 1) better({ sizes: { ...best.trial.sizes, grid: 1 } });
  if (best.trial.sizes.block !== 32) better({ sizes: { ...best.trial.sizes, block: 32 } });
  if (best.trial.sizes.block !== 32 && best.trial.sizes.block !== 1)
    better({ sizes: { ...best.trial.sizes, block: 1 } });
  for (let again = true, rounds = 0; again && rounds < 6; rounds++) {
    again = false;
    for (let size = best.trial.lines.length >> 1; size >= 1; size >>= 1)
      for (let at = 0; at < best.trial.lines.length; ) {
        const { lines } = best.trial;
        const fewer = [...lines.slice(0, at), ...lines.slice(at + size)];
        const program = resolve(fewer);
        if (!("length" in program) && better({ lines: fewer, program })) again = true;
        else at += size;
      }
  }
  plainer();
  return best;
}

/** As a person can run it again: the program, the launch and the difference. */
export function report({ trial, difference }: Failure): string {
  const { lines, sizes, manner, seed } = trial;
  const told = JSON.stringify({ ...sizes, ...manner });
  return [`// seed ${seed} ${told}`, ...lines, `// ${difference.replaceAll("\n", "\n// ")}`].join("\n");
}

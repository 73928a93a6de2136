import { drawManner, type Manner } from "./launch.ts";
import type { Compared, Pair } from "./pair.ts";
import { type Drawn, drawProgram } from "./program.ts";
import { Random } from "./random.ts";
import { type Refused, type Resolved, resolve, resolveMended } from "./resolve.ts";

/** What one seed stands for. */
export interface Trial extends Resolved {
  readonly seed: number;
  readonly sizes: Pick<Drawn, "block" | "grid">;
  readonly manner: Manner;
  /** The blocks of a cluster work together. */
  readonly paired: boolean;
}

/** Undefined where the program cannot be resolved, which the seed then stands for. */
export function trialOf(seed: number, refused?: Refused): Trial | undefined {
  const { lines, block, grid, paired } = drawProgram(seed);
  const resolved = resolveMended(lines, refused);
  if (resolved === undefined) return undefined;
  return {
    ...resolved,
    seed,
    paired,
    sizes: { block, grid },
    manner: drawManner(new Random(seed ^ 0x1b873593), grid, paired),
  };
}

/** Blocks of a launch of many: whole clusters where the program is about them. */
const manyBlocks = (seed: number, paired: boolean): number => (paired ? 4 + 2 * (seed % 2) : 3 + (seed % 5));

/** The same as a launch that workers may help: of more blocks, with nothing attached, in no drawn order. */
export function forCrew(trial: Trial): Trial {
  const { sizes, manner, seed, paired } = trial;
  const { data, carry, maxSteps, unseen } = manner;
  return {
    ...trial,
    sizes: { ...sizes, grid: manyBlocks(seed, paired) },
    manner: { ...plain, cluster: paired, data, carry, maxSteps: Math.max(maxSteps, 20_000), unseen },
  };
}

/**
 * The same as a launch of many blocks, which come one behind the other where nobody looks at registers. These get values
 * first: what a block finds in them would be another reason to begin each block anew. Undefined where that cannot be.
 */
export function forBlocks(trial: Trial): Trial | undefined {
  const { sizes, manner, seed, paired } = trial;
  const at = trial.lines.findIndex((line) => line.startsWith(".entry"));
  const last = trial.lines.findIndex((line, index) => index > at + 1 && !line.startsWith(".reg"));
  const own = trial.lines.slice(at, last).flatMap(zeroed);
  const lines = trial.lines.toSpliced(last, 0, ...own);
  const program = resolve(lines);
  if ("length" in program) return undefined;
  const { data, maxSteps } = manner;
  const grid = manyBlocks(seed, paired);
  return {
    ...trial,
    lines,
    program,
    sizes: { ...sizes, grid },
    manner: { ...plain, cluster: paired, data, carry: 0, maxSteps, unseen: true },
  };
}

/** Instructions that set the registers of a declaration to 0. */
function zeroed(declaration: string): string[] {
  const [, type = "", name, count] = /^\.reg \.(\w+) (%[a-z0-9]+?)(?:<(\d+)>)?;$/.exec(declaration) ?? [];
  if (name === undefined || type === "b128") return [];
  const names = count === undefined ? [name] : Array.from({ length: Number(count) }, (_, at) => `${name}${at}`);
  if (type === "pred") return names.map((each) => `setp.ne.u32 ${each}, 0, 0;`);
  return names.map((each) => `mov.b${type.includes("x2") ? 32 : type.replace(/\D+/, "")} ${each}, 0;`);
}

/** Nothing but the program decides how the launch goes. */
const plain = {
  budgets: [],
  breakpoints: [],
  observed: false,
  rewound: false,
  twin: false,
  race: false,
  cluster: false,
  unchecked: false,
} as const;

export interface Failure {
  readonly trial: Trial;
  readonly difference: string;
}

export interface Attempt extends Pick<Compared, "stop" | "ran" | "compiled"> {
  readonly failure?: Failure;
}

export function attempt(pair: Pair, trial: Trial): Attempt {
  const { difference, ...rest } = pair.run(trial.program, trial.manner, trial.sizes);
  return difference === undefined ? rest : { ...rest, failure: { trial, difference } };
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
    const { schedule: _, mixed: __, patience: ___, ...rest } = manner;
    const nothing: Manner = { ...rest, ...plain, unchecked: rest.unchecked, cluster: rest.cluster };
    if (better({ manner: { ...nothing, unchecked: false, carry: 0, maxSteps: 2000 } })) return;
    if (better({ manner: nothing })) return;
    if (nothing.cluster && better({ manner: { ...nothing, cluster: false } })) return;
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

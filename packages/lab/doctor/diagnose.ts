import type { Parameter, Program } from "../../../src/interp/contract/program.ts";
import { asynchronousIn } from "../../../src/interp/weak/asynchronous.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { type Fresh, type GuessedLaunch, inferred } from "./infer.ts";
import { type Checked, checked, firstStrange, type Way } from "./runs.ts";
import { type Extents, shapesOf, smallerThan } from "./shapes.ts";

/** Something wrong with a kernel, and the run that showed it. */
export type Found =
  /** A fault, or a finding of a check. */
  | { readonly kind: "problem"; readonly problem: Diagnostic; readonly run: Checked }
  /** The same data give other results in another order of warps and blocks. */
  | { readonly kind: "order"; readonly parameter: Parameter; readonly run: Checked; readonly other: Checked }
  /** Ordinary inputs give NaN or infinity. */
  | {
      readonly kind: "strange";
      readonly parameter: Parameter;
      readonly index: number;
      readonly what: string;
      readonly run: Checked;
    };

export interface Diagnosis {
  readonly program: Program;
  /** The launch that was inferred, and the one of a size that is no multiple of anything. */
  readonly launches: readonly GuessedLaunch[];
  readonly runs: number;
  readonly found: readonly Found[];
}

/** Seeds of data, and of the order of warps and blocks. */
const SEEDS = [1, 2];

/** Infers launches of a kernel and runs them in many ways, with every check; extents that are `given` are not inferred. */
export function diagnose(fresh: Fresh, given: Partial<Extents> = {}): Diagnosis {
  const { program } = fresh().kernel;
  const fitting = fittingLaunch(fresh, given);
  const launches = isGuarded(program) ? [fitting, inferred(fresh, fitting, true)] : [fitting];
  const found: Found[] = [];
  let runs = 0;
  for (const launch of launches) {
    for (const seed of SEEDS) {
      const all = waysOf(program, seed).flatMap((way) => {
        runs++;
        return checked(fresh, launch, way) ?? [];
      });
      found.push(...problemsIn(all), ...resultsIn(all));
    }
  }
  return { program, launches, runs, found: distinct(found).map((each) => smallest(fresh, each)) };
}

/** The first shape with which nothing is wrong, or else the first: a kernel is written for certain ones. */
function fittingLaunch(fresh: Fresh, given: Partial<Extents>): GuessedLaunch {
  const { program } = fresh().kernel;
  const shapes = shapesOf(program).map((extents) => ({ ...extents, ...given }));
  const asked = given.block === undefined ? shapes : shapes.slice(0, 1);
  const launches: GuessedLaunch[] = [];
  for (const extents of asked) {
    const launch = inferred(fresh, extents, false);
    launches.push(launch);
    const run = checked(fresh, launch, { seed: 1 });
    if (run !== undefined && run.problems.length === 0 && run.stop.reason === "exit") return launch;
  }
  const [first] = launches;
  if (first === undefined) throw new Error("no shape fits a kernel");
  return first;
}

const problemsIn = (runs: readonly Checked[]): readonly Found[] =>
  runs.flatMap((run) => run.problems.map((problem) => ({ kind: "problem", problem, run }) as const));

/** What is strange about results of runs that differ in their order alone. */
function resultsIn(runs: readonly Checked[]): readonly Found[] {
  const [run, ...others] = runs.filter(({ stop }) => stop.reason === "exit");
  if (run === undefined) return [];
  const strange = firstStrange(run);
  const orders = others.flatMap((other): readonly Found[] => {
    const parameter = [...run.outputs.keys()].find((each) => !same(run.outputs.get(each), other.outputs.get(each)));
    return parameter === undefined ? [] : [{ kind: "order", parameter, run, other }];
  });
  return [...(strange === undefined ? [] : [{ kind: "strange", ...strange, run } as const]), ...orders];
}

/** Whether an integer parameter is compared, which bounds what there is to do. */
function isGuarded({ code, parameters }: Program): boolean {
  const numbers = new Set<string>();
  for (const { opcode, operands } of code) {
    const [to, from] = operands;
    if (!opcode.startsWith("ld.param") || from?.kind !== "address" || to?.kind !== "slot") continue;
    const at = Number(BigInt.asUintN(32, from.offset));
    if (parameters.some(({ offset, type }) => offset === at && /^[usb](32|64)$/.test(type)))
      numbers.add(`${to.bank}${to.slot}`);
  }
  return code.some(
    ({ opcode, operands }) =>
      opcode.startsWith("setp") &&
      operands.some((each) => each?.kind === "slot" && numbers.has(`${each.bank}${each.slot}`)),
  );
}

/** The same problem in the smallest launch that has it. */
function smallest(fresh: Fresh, found: Found): Found {
  if (found.kind !== "problem") return found;
  const { launch, way } = found.run;
  for (const extents of smallerThan(launch)) {
    const run = checked(fresh, inferred(fresh, extents, launch.ragged), way);
    const problem = run?.problems.find((each) => keyOf(each) === keyOf(found.problem));
    if (run !== undefined && problem !== undefined) return { kind: "problem", problem, run };
  }
  return found;
}

/** Orders of warps and blocks, and moments of asynchronous copies where there are any. */
function waysOf(program: Program, seed: number): readonly Way[] {
  const orders: Way[] = [{ seed }, ...SEEDS.map((schedule) => ({ seed, schedule }))];
  if (asynchronousIn(program) === undefined) return orders;
  return [...orders, { seed, async: "early" }, { seed, schedule: 3, async: "random" }];
}

const same = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a !== undefined && b !== undefined && a.every((byte, at) => byte === b[at]);

const keyOf = ({ code, span }: Diagnostic): string => `${code} ${span.start}`;

/** One of each kind and place, the first. */
function distinct(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter((each) => {
    const key = each.kind === "problem" ? keyOf(each.problem) : `${each.kind} ${each.parameter.name}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

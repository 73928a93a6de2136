import { lint } from "../../../src/host/index.ts";
import { completesAsync, isBarrier, isHold } from "../../../src/interp/contract/plan/effects.ts";
import type { Parameter, Program } from "../../../src/interp/contract/program.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import type { Why } from "../../debugger/why/cause.ts";
import type { Bench } from "../launches/bench.ts";
import { isFirstGuess } from "../launches/first-guess.ts";
import { fittingLaunch, isGuarded } from "../launches/fitting.ts";
import type { GuessedLaunch } from "../launches/guess.ts";
import { inferred } from "../launches/infer.ts";
import { type Checked, checked, firstStrange, type Way } from "../launches/run.ts";
import { competes, smallerThan } from "../launches/shapes.ts";
import { isEarly, isGiven, whyOf } from "./causes.ts";
import { digitsOf } from "./digits.ts";
import { gapsOf } from "./gaps.ts";
import { nameOf } from "./mistake.ts";
import { noProduct } from "./product.ts";

/** Something about a kernel, and the run that showed it. */
export interface Found {
  /** What it is a sign of: `data race`. */
  readonly name: string;
  /** Whether it is wrong; what may be meant is only noted. */
  readonly wrong: boolean;
  /** A fault, or a finding of a check. */
  readonly problem?: Diagnostic;
  /** What is strange about a result, where there is no diagnostic. */
  readonly message?: string;
  /** The element whose value is strange. */
  readonly place?: { readonly parameter: Parameter; readonly index: number };
  readonly run: Pick<Checked, "launch" | "way"> & Partial<Pick<Checked, "problems">>;
  /** A run of the same data with another result. */
  readonly other?: Pick<Checked, "launch" | "way">;
  /** Where it comes from. */
  readonly why?: Why;
}

export interface Diagnosis {
  readonly program: Program;
  /** The launch that was inferred, and the one of a size that is no multiple of anything. */
  readonly launches: readonly GuessedLaunch[];
  readonly runs: number;
  readonly found: readonly Found[];
  /** A signal has ended it: there may be more to find. */
  readonly interrupted?: true;
}

/** Seeds of data, and of the order of warps and blocks. */
const SEEDS = [1, 2];
/** How often a loop goes round that does a block's work in one. */
const ROUNDS = 4;

/** Infers launches of a kernel and runs them in many ways, with every check. */
export class Doctor {
  readonly #bench: Bench;
  readonly #goesOn: (runs: number, found: number) => Promise<boolean>;
  #runs = 0;
  #ended = false;
  #found = 0;

  /** `goesOn` is asked before each run, and told how many there were and how much they have shown; false ends all. */
  constructor(bench: Bench, goesOn: (runs: number, found: number) => Promise<boolean> = async () => true) {
    this.#bench = bench;
    this.#goesOn = goesOn;
  }

  /** What is wrong with the kernel; undefined where no launch of it begins, and why. */
  async diagnose(): Promise<Staged<Diagnosis | undefined>> {
    const { value: fitting, diagnostics } = fittingLaunch(this.#bench);
    return { value: fitting && (await this.#looked(fitting)), diagnostics };
  }

  async #looked(fitting: GuessedLaunch): Promise<Diagnosis> {
    const { program } = this.#bench;
    const launches = isGuarded(program) ? [fitting, inferred(this.#bench, fitting, true)] : [fitting];
    const found: Found[] = [];
    for (const launch of launches) {
      for (const seed of SEEDS) {
        const all = await this.#all(launch, waysOf(program, seed));
        found.push(...problemsIn(all, program), ...resultsIn(all), ...productsIn(all, program));
        this.#found = distinct(found).length;
        if (this.#ended || found.some(isHang)) return this.#told(launches, found);
        if (all.some(({ isLong }) => isLong)) break;
      }
    }
    found.push(
      ...this.#doubts(fitting),
      ...this.#digits(fitting),
      ...(await this.#crowded(fitting)),
      ...(await this.#longer(fitting)),
      ...(await this.#special(fitting)),
      ...holesIn(fitting, { data: "ordinary", seed: 1 }),
    );
    return this.#told(launches, found);
  }

  /** What is told of all that was found, each in the smallest launch that shows it. */
  async #told(launches: readonly GuessedLaunch[], found: readonly Found[]): Promise<Diagnosis> {
    const { program } = this.#bench;
    // Behind a fault of the trial nobody knows how large the buffers are.
    const key = launches.map(({ fault }) => fault && keyOf(fault)).find((each) => each !== undefined);
    const same = found.filter(({ problem }) => problem !== undefined && keyOf(problem) === key);
    // What is wrong makes results depend on the order, too.
    const without = found.some(({ wrong }) => wrong) ? found.filter(({ name }) => name !== "order") : found;
    const told: Found[] = [];
    const all = distinct(same.length > 0 ? same : without);
    for (const each of [...all.filter((it) => !isWithinWarp(it)), ...all.filter(isWithinWarp)])
      told.push(await this.#smallest(each));
    return {
      program,
      launches,
      runs: this.#runs,
      found: this.#ended ? told : told.map((each, at) => this.#explained(each, told.slice(0, at))),
      ...(this.#ended && { interrupted: true }),
    };
  }

  /** Runs a launch in these ways, or only in the first of them if that takes long. */
  async #all(launch: GuessedLaunch, ways: readonly Way[]): Promise<readonly Checked[]> {
    const all: Checked[] = [];
    for (const way of ways) {
      const run = await this.#run(launch, way);
      if (run !== undefined) all.push(run);
      if (run?.isLong) break;
    }
    return all;
  }

  async #run(launch: GuessedLaunch, way: Way): Promise<Checked | undefined> {
    this.#ended ||= !(await this.#goesOn(this.#runs, this.#found));
    if (this.#ended) return undefined;
    this.#runs++;
    return checked(this.#bench, launch, way);
  }

  /** Where a grid of one block competes for something, a second block may wait for it for ever. */
  async #crowded(launch: GuessedLaunch): Promise<readonly Found[]> {
    const { program, given } = this.#bench;
    if (!competes(program) || given.grid !== undefined || launch.grid.some((each) => each > 1)) return [];
    const two = inferred(this.#bench, { ...launch, grid: [2, 1, 1] }, false);
    return problemsIn(await this.#all(two, [{ data: "ordinary", seed: 1 }]), program).filter(isHang);
  }

  /** Races between two rounds of a loop that has a barrier, which goes round once where there is a block's work to do. */
  async #longer(launch: GuessedLaunch): Promise<readonly Found[]> {
    const { program } = this.#bench;
    if (!isGuarded(program) || !program.code.some(({ plan }) => isBarrier(plan))) return [];
    const run = await this.#run(inferred(this.#bench, launch, false, ROUNDS), { data: "ordinary", seed: 1 });
    if (run?.stop.reason !== "exit") return [];
    return problemsIn([run], program).filter(({ problem }) => problem?.code === "PTX4002");
  }

  /** What NaN, infinities and the like lead to beyond results that are so themselves: faults, and loops without an end. */
  async #special(launch: GuessedLaunch): Promise<readonly Found[]> {
    const way: Way = { data: "special", seed: 1 };
    const run = await this.#run(launch, way);
    const { stop } = run ?? {};
    if (run === undefined || stop?.reason !== "trap") return [];
    return [{ name: `${nameOf(stop.diagnostic)}, from special values`, wrong: true, problem: stop.diagnostic, run }];
  }

  /** What is wrong with the text itself, in the instructions that the kernel may reach. */
  #doubts(launch: GuessedLaunch): readonly Found[] {
    const places = new Set(this.#bench.program.code.map(({ span }) => span.start));
    const run = { launch, way: { data: "ordinary", seed: 1 } } as const;
    return lint(this.#bench.source)
      .filter(
        ({ code, severity, span }) => severity === "warning" && code.startsWith("PTX91") && places.has(span.start),
      )
      .map((problem) => ({ name: nameOf(problem), wrong: true, problem, run }));
  }

  /** What arithmetic loses of floats, and of integers that leave their types. */
  #digits(fitting: GuessedLaunch): readonly Found[] {
    return digitsOf(this.#bench, fitting).flatMap(({ launch, way, problems }) =>
      problems.map(({ name, text, place }): Found => {
        const parameter = [...launch.values.keys()].find((each) => each.name === place?.buffer);
        const at = place === undefined || parameter === undefined ? {} : { place: { parameter, index: place.index } };
        return { ...{ name, wrong: true, message: text.join("\n"), run: { launch, way } }, ...at };
      }),
    );
  }

  /** With where it comes from, for the first of a kind: what was asked of the caller is no mistake of the kernel. */
  #explained(found: Found, before: readonly Found[]): Found {
    const { name, problem, place, run } = found;
    const isStrange = name === "NaN" || name === "infinity";
    if (isHang(found) || problem?.code === "PTX4002" || problem?.severity === "warning") return found;
    if (!isStrange && before.some((each) => each.name === name)) return found;
    const what = problem === undefined ? place : { problem };
    const why = what && whyOf(this.#bench, run, what);
    if (why === undefined) return found;
    if (isStrange) return { ...found, why, wrong: !isGiven(why) };
    const isMissing = problem?.code === "PTX4001" && isEarly(why);
    return { ...found, why, ...(isMissing && { name: "missing barrier" }) };
  }

  /** The same problem in the smallest launch that has it for the same reason, and no other: a check of it passes once it is fixed. */
  async #smallest(found: Found): Promise<Found> {
    const { problem: shown } = found;
    if (shown === undefined || shown.severity === "warning" || isHang(found) || this.#bench.given.block !== undefined)
      return found;
    const { launch, way, problems = [shown] } = found.run;
    const known = new Set(problems.map(reasonOf));
    const { specials, variables } = this.#bench.program;
    // With fewer threads than an array in shared memory is for, parts of it stay unwritten when the mistake is fixed.
    const asks = specials.some(({ name }) => name.startsWith("ntid"));
    const fixed = launch.fixed || (!asks && variables.some(({ space }) => space === "shared"));
    for (const extents of smallerThan({ ...launch, fixed })) {
      const run = await this.#run(inferred(this.#bench, extents, launch.ragged), way);
      const problem = run?.problems.find((each) => reasonOf(each) === reasonOf(shown));
      if (run === undefined || problem === undefined) continue;
      if (run.problems.every((each) => known.has(reasonOf(each)))) return { ...found, problem, run };
    }
    return found;
  }
}

/** A wait for ever, and more steps than a launch has. */
const hangs: ReadonlySet<string> = new Set(["PTX3011", "PTX3032", "PTX6001"]);
/** Whether a run does not end, after which no other is tried. */
export const isHang = ({ problem }: Found): boolean => problem !== undefined && hangs.has(problem.code);

function problemsIn(runs: readonly Checked[], program: Program): readonly Found[] {
  return runs.flatMap((run) =>
    run.problems
      .filter((problem) => problem.severity === "error" && !isFirstGuess(problem, program))
      .map((problem) => ({ name: nameOf(problem), wrong: true, problem, run })),
  );
}

/** What is strange about results of runs that differ in their order alone. */
function resultsIn(runs: readonly Checked[]): readonly Found[] {
  const [run, ...others] = runs.filter(({ stop }) => stop.reason === "exit");
  if (run === undefined) return [];
  const strange = firstStrange(run);
  const found: Found[] = [];
  if (strange !== undefined) {
    const { parameter, index, what } = strange;
    const message = `${parameter.name}[${index}] is ${what === "nan" ? "NaN" : "infinite"}, from ordinary inputs`;
    found.push({ name: what === "nan" ? "NaN" : "infinity", wrong: true, message, place: { parameter, index }, run });
  }
  for (const other of others) {
    const parameter = [...run.outputs.keys()].find((each) => !same(run.outputs.get(each), other.outputs.get(each)));
    if (parameter === undefined) continue;
    // What nobody gives a lane is drawn with the order.
    const absent = other.problems.filter(({ code }) => code === "PTX4012");
    if (absent.length > 0)
      found.push(...absent.map((problem) => ({ name: nameOf(problem), wrong: true, problem, run: other })));
    else {
      const message = `${parameter.name} depends on the order of warps and blocks, which nothing fixes`;
      found.push({ name: "order", wrong: false, message, run, other });
    }
  }
  return found;
}

/** Results of matrix products that are none. */
function productsIn([run]: readonly Checked[], program: Program): readonly Found[] {
  const parameter = run && noProduct(program, run);
  if (run === undefined || parameter === undefined) return [];
  const message = `${parameter.name} is no product of the two matrices that are read, whichever way their rows lie: are fragments in the order that mma wants?`;
  return [{ name: "wrong layout: no matrix product", wrong: true, message, run }];
}

/** Outputs with elements that nothing writes; where others are written twice, one was probably meant for the other. */
function holesIn(launch: GuessedLaunch, way: Way): readonly Found[] {
  return gapsOf(launch).map(({ parameter, missing, period, overwrites }) => {
    const which = missing.map((at) => `${at}, ${at + period}, ${at + 2 * period}`).join(", ...; ");
    const twice = overwrites ? ", and others are written twice" : "";
    const message = `nothing writes elements ${which}, ... of ${parameter.name}${twice}`;
    // Some kernels fill one field of a structure; hardly one leaves out the smaller part.
    const wrong = overwrites || 2 * missing.length < period;
    return { name: "wrong layout: elements that nothing writes", wrong, message, run: { launch, way } };
  });
}

/** Orders of warps and blocks, and moments of asynchronous copies where there are any. */
function waysOf(program: Program, seed: number): readonly Way[] {
  const data = "ordinary";
  const orders: Way[] = [{ data, seed }, ...SEEDS.map((schedule) => ({ data, seed, schedule }) as const)];
  if (!program.code.some(({ plan }) => isHold(plan) || completesAsync(plan))) return orders;
  return [...orders, { data, seed, async: "early" }, { data, seed, schedule: 3, async: "random" }];
}

const same = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a !== undefined && b !== undefined && a.every((byte, at) => byte === b[at]);

/** What is wrong where; a race is of two places, whichever of them is told of. */
const keyOf = ({ code, span, related = [] }: Diagnostic): string => {
  const places = code === "PTX4002" ? [span, ...related.map((each) => each.span)] : [span];
  return `${code} ${places.map(({ start }) => start).sort((a, b) => a - b)}`;
};

/** What is wrong where, with which other instructions, and what would fix it: lanes of a warp need less than warps do. */
function reasonOf(problem: Diagnostic): string {
  const { code, related = [], help = [] } = problem;
  const more = code === "PTX4002" ? [help[0]?.message] : related.map(({ span }) => span.start);
  return [keyOf(problem), nameOf(problem), ...more].join(" ");
}

/** Whether what orders a warp would do. */
const isWithinWarp = ({ problem }: Found): boolean =>
  problem?.code === "PTX4002" && problem.help?.[0]?.message.includes("lanes of one warp") === true;

/** One of each kind and place, the first. */
function distinct(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({ name, problem, message }) => {
    const key = problem === undefined ? `${name} ${message}` : keyOf(problem);
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Io } from "../../../src/environment/io.ts";
import type { Slicing } from "../../../src/environment/slicing.ts";
import type { Cause } from "../diff/origin/describe.ts";
import { causeOf, keyOf, withoutNumbers } from "./cause.ts";
import type { Compile, Compiler } from "./compiler.ts";
import { hasCuda } from "./cuda.ts";
import { drawModule, inputFor } from "./draw.ts";
import { valuesIn } from "./evaluate.ts";
import { INPUT_BYTES, instructionsOf, type Module, type Program } from "./program.ts";
import { reduce } from "./reduce.ts";
import { type Case, caseOf, type Outcome, runModule } from "./run.ts";

/** What is hunted, and with what. */
export interface Hunting {
  readonly compilers: readonly Compiler[];
  readonly seeds: readonly [first: number, last: number];
  /** Programs of a module. */
  readonly programs: number;
  /** A folder for what is found. */
  readonly folder: string;
}

/** A cause, and all that was filed under it. */
export interface Bucket {
  readonly key: string;
  /** By compiler: how many programs. */
  readonly counts: Map<string, number>;
  /** The first programs, `SEED/NAME`. */
  readonly places: string[];
  /** The smallest program that shows it. */
  readonly example: Example;
  /** What the smallest programs have that were filed here, of which version. */
  readonly signatures: { readonly version: string; readonly features: ReadonlySet<string> }[];
}

export interface Example {
  readonly program: Program;
  readonly input: Uint8Array;
  /** The compiler it was reduced with, and its version. */
  readonly compiler: string;
  readonly version: string;
  readonly outcome: Judged;
  readonly seed: number;
  /** What each compiler makes of it. */
  readonly outcomes: ReadonlyMap<string, Judged>;
  readonly cause?: Cause;
}

/** What came of a program by one compiler. */
export type Judged =
  | Outcome
  | { readonly kind: "refused"; readonly message: string }
  /** Its module was refused, and it was not looked for which programs are why. */
  | { readonly kind: "skipped" };

/** What a hunt has done. */
export interface Hunted {
  modules: number;
  programs: number;
  /** Kernels, and functions that they call. */
  functions: number;
  /** By compiler: how programs ended. */
  readonly counts: Map<string, Map<Judged["kind"], number>>;
  readonly buckets: Map<string, Bucket>;
  /** Programs whose cause was not looked for, since enough of their compiler's were. */
  unfiled: number;
}

/** Compilations that look for the programs of a module that a compiler refuses. */
const MOST_SPLITS = 24;
/** Programs that are looked at closely, for each version of a compiler: some at first, and one more in so many modules. */
const LOOKS = 6;
const MODULES_A_LOOK = 20;
/** Programs that are tried to make one smaller. */
const MOST_TRIALS = 200;
/** Programs of a cause that are named. */
const MOST_PLACES = 5;

export class Hunt {
  readonly done: Hunted = { modules: 0, programs: 0, functions: 0, counts: new Map(), buckets: new Map(), unfiled: 0 };
  /** Keys of programs before they were reduced, and the bucket that they turned out to be. */
  readonly #aliases = new Map<string, Bucket>();
  readonly #looks = new Map<string, number>();
  readonly #hunting: Hunting;
  readonly #compile: Compile;
  readonly #io: Io;
  readonly #slicing: Slicing;

  constructor(hunting: Hunting, compile: Compile, io: Io, slicing: Slicing) {
    this.#hunting = hunting;
    this.#compile = compile;
    this.#io = io;
    this.#slicing = slicing;
  }

  /** Draws the module of a seed, has it compiled by all, runs it and files what differs. Returns new causes. */
  async module(seed: number): Promise<readonly Bucket[]> {
    const { compilers, programs } = this.#hunting;
    const module = drawModule(seed, programs);
    const cases = module.programs.map((program, at) => caseOf(program, inputFor(seed, at, program.threads)));
    const judged = new Map<Compiler, readonly Judged[]>();
    for (const compiler of compilers)
      judged.set(compiler, await this.#judge(compiler, module, cases, { left: MOST_SPLITS }));
    this.done.modules++;
    this.done.programs += cases.length;
    for (const { functions } of module.programs) this.done.functions += 1 + functions.length;
    for (const [{ name }, outcomes] of judged) for (const { kind } of outcomes) count(this.done.counts, name, kind);
    return this.#file(seed, cases, judged);
  }

  /** What came of the programs of a module; those that a compiler refuses are looked for by halves. */
  async #judge(
    compiler: Compiler,
    module: Module,
    cases: readonly Case[],
    splits: { left: number },
  ): Promise<readonly Judged[]> {
    if (compiler.kind === "nvcc" && !module.programs.every(hasCuda)) {
      // C++ has no name for some types.
      const cuda = cases.filter(({ program }) => hasCuda(program));
      const judged = await this.#judge(
        compiler,
        { ...module, programs: cuda.map(({ program }) => program) },
        cuda,
        splits,
      );
      return cases.map((each) => judged[cuda.indexOf(each)] ?? { kind: "skipped" });
    }
    if (cases.length === 0) return [];
    let made = await this.#compile(compiler, module);
    if ("ptx" in made) {
      const ran = runModule(made.ptx, cases);
      if (!("failed" in ran)) return ran;
      made = ran;
    }
    const message = made.failed;
    if (cases.length === 1) return [{ kind: "refused", message }];
    if (splits.left-- <= 0) return cases.map(() => ({ kind: "skipped" }));
    const half = Math.ceil(cases.length / 2);
    const parts = [
      [module.programs.slice(0, half), cases.slice(0, half)],
      [module.programs.slice(half), cases.slice(half)],
    ] as const;
    const judged: Judged[] = [];
    for (const [programs, part] of parts)
      judged.push(...(await this.#judge(compiler, { ...module, programs }, part, splits)));
    return judged;
  }

  async #file(
    seed: number,
    cases: readonly Case[],
    judged: ReadonlyMap<Compiler, readonly Judged[]>,
  ): Promise<readonly Bucket[]> {
    const found: Bucket[] = [];
    for (const [at, each] of cases.entries()) {
      const wrong = [...judged]
        .filter(([, outcomes]) => !["right", "skipped"].includes(outcomes[at]?.kind ?? ""))
        .map(([compiler]) => compiler);
      for (const [version, compilers] of byVersion(wrong)) {
        const [compiler] = compilers as [Compiler, ...Compiler[]];
        const outcome = judged.get(compiler)?.[at] as Judged;
        const others = this.#hunting.compilers.filter((other) => judged.get(other)?.[at]?.kind === "right");
        // Texts of one level are most alike.
        const right = others.find(({ level }) => level === compiler.level) ?? others[0];
        let bucket = this.#known(each.program, outcome, compiler);
        if (bucket === undefined) {
          const looks = this.#looks.get(version) ?? 0;
          if (looks >= LOOKS + this.done.modules / MODULES_A_LOOK) {
            this.done.unfiled++;
            continue;
          }
          this.#looks.set(version, looks + 1);
          const before = this.done.buckets.size;
          bucket = await this.#bucketOf(seed, each, outcome, compiler, right);
          if (this.done.buckets.size > before) found.push(bucket);
        }
        for (const { name } of compilers) bucket.counts.set(name, (bucket.counts.get(name) ?? 0) + 1);
        const place = `${seed}/${each.program.name}`;
        if (bucket.places.length < MOST_PLACES && !bucket.places.includes(place)) bucket.places.push(place);
      }
    }
    return found;
  }

  /**
   * The bucket that a program belongs to without a closer look: by what a compiler or the fault says; a program with
   * wrong results by having all that the smallest program of a known cause has.
   */
  #known(program: Program, outcome: Judged, { kind, version }: Compiler): Bucket | undefined {
    const key = keyIn(outcome, version);
    if (key !== undefined) return this.#aliases.get(key) ?? this.done.buckets.get(key);
    const has = featuresOf(program);
    return [...this.done.buckets.values()].find(({ signatures }) =>
      signatures.some(
        (each) => each.version === `${kind} ${version}` && [...each.features].every((one) => has.has(one)),
      ),
    );
  }

  /** The bucket of a program, alone in a module; one that is unknown is reduced first. */
  async #bucketOf(
    seed: number,
    given: Case,
    outcome: Judged,
    compiler: Compiler,
    right: Compiler | undefined,
  ): Promise<Bucket> {
    const alias = keyIn(outcome, compiler.version);
    const first = await this.#alone(compiler, given);
    const { input } = given;
    const thread = first.kind === "wrong" ? first.thread : 0;
    const program =
      first.kind === "right"
        ? given.program
        : await reduce(
            given.program,
            async (smaller) => same(first, await this.#alone(compiler, caseOf(smaller, input)), compiler),
            (program) => valuesIn(program, input, thread),
            MOST_TRIALS,
          );
    const small = caseOf(program, input.subarray(0, program.threads * INPUT_BYTES));
    const last = await this.#look(seed, small, compiler, right);
    const key = last.judged.kind === "right" ? `${alias ?? outcome.kind}, beside the other programs of its module` : last.key; // biome-ignore format: one line
    const bucket = this.done.buckets.get(key) ?? (await this.#newBucket(key, seed, small, compiler, last));
    this.done.buckets.set(key, bucket);
    if (last.judged.kind === "wrong") bucket.signatures.push({ version: `${compiler.kind} ${compiler.version}`, features: featuresOf(program) }); // biome-ignore format: one line
    if (alias !== undefined) this.#aliases.set(alias, bucket);
    return bucket;
  }

  async #newBucket(
    key: string,
    seed: number,
    small: Case,
    compiler: Compiler,
    { judged, cause }: Looked,
  ): Promise<Bucket> {
    const outcomes = new Map<string, Judged>();
    for (const each of this.#hunting.compilers) outcomes.set(each.name, await this.#alone(each, small));
    const { program, input } = small;
    const version = `${compiler.kind} ${compiler.version}`;
    return {
      key,
      counts: new Map(),
      places: [],
      signatures: [],
      example: { program, input, compiler: compiler.name, version, seed, outcome: judged, outcomes, ...(cause && { cause }) }, // biome-ignore format: one line
    };
  }

  async #alone(compiler: Compiler, each: Case): Promise<Judged> {
    const [judged] = await this.#judge(compiler, { seed: 0, programs: [each.program] }, [each], { left: 0 });
    return judged as Judged;
  }

  /** What a compiler makes of one program, and why it is not what another makes of it. */
  async #look(seed: number, each: Case, compiler: Compiler, right: Compiler | undefined): Promise<Looked> {
    const judged = await this.#alone(compiler, each);
    const key = keyIn(judged, compiler.version) ?? featureText(each.program);
    if (judged.kind !== "wrong" || right === undefined) return { judged, key };
    const module: Module = { seed, programs: [each.program] };
    const [one, other] = [await this.#compile(right, module), await this.#compile(compiler, module)]; // biome-ignore format: one line
    if ("failed" in one || "failed" in other) return { judged, key };
    const { folder } = this.#hunting;
    const files = {
      right: join(folder, "right.ptx"),
      wrong: join(folder, "wrong.ptx"),
      input: join(folder, "input.bin"),
    };
    const place = (path: string): string => resolve(this.#io.cwd, path);
    mkdirSync(place(folder), { recursive: true });
    writeFileSync(place(files.right), one.ptx);
    writeFileSync(place(files.wrong), other.ptx);
    writeFileSync(place(files.input), each.input);
    const cause = await causeOf(each.program, files, this.#io, this.#slicing);
    return { judged, key: keyOf(cause) ?? key, ...(cause && { cause }) };
  }
}

interface Looked {
  readonly judged: Judged;
  readonly key: string;
  readonly cause?: Cause;
}

function byVersion(compilers: readonly Compiler[]): ReadonlyMap<string, readonly Compiler[]> {
  const groups = new Map<string, Compiler[]>();
  for (const each of compilers) {
    const name = `${each.kind} ${each.version}`;
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  return groups;
}

/** What an outcome is filed under by itself: what was said, and by which version. */
function keyIn(outcome: Judged, version: string): string | undefined {
  if (outcome.kind === "refused") return `${version}: ${withoutNumbers(outcome.message)}`;
  return outcome.kind === "fault" ? `${version}: ${outcome.code} ${withoutNumbers(outcome.message)}` : undefined;
}

/** Whether a smaller program fails as the one that it comes from. */
const same = (one: Judged, other: Judged, { version }: Compiler): boolean =>
  one.kind === other.kind && keyIn(one, version) === keyIn(other, version);

/** What may be to blame in a program: its instructions with their types, without what every program has. */
function featuresOf({ body, functions }: Program): ReadonlySet<string> {
  const features = new Set<string>();
  for (const [where, own] of [["", body] as const, ...functions.map(({ body }) => ["called ", body] as const)])
    for (const { name, word = "", type } of instructionsOf(own))
      if (!everywhere.has(name)) features.add(`${where}${name}${name === "call" ? "" : ` ${word}`} ${type.text}`);
  return features;
}

const everywhere = new Set(["tid", "constant", "load", "carried", "turn"]);

const featureText = (program: Program): string =>
  [...featuresOf(program)].map((each) => each.replace("  ", " ")).join(", ");

function count<K>(counts: Map<string, Map<K, number>>, name: string, kind: K): void {
  const own = counts.get(name) ?? new Map<K, number>();
  counts.set(name, own.set(kind, (own.get(kind) ?? 0) + 1));
}

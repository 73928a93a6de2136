import type { Io } from "../../../src/environment/io.ts";
import type { Parameter, Program } from "../../../src/interp/contract/program.ts";
import type { Stop } from "../../../src/interp/contract/stop.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import { findParameter } from "../../../src/launch/find-parameter.ts";
import { setUp } from "../../../src/launch/input/inputs.ts";
import type { Inputs } from "../../../src/launch/input/launch-inputs.ts";
import type { RunCommandOptions } from "../../../src/launch/options.ts";
import { type Loaded, load } from "../../../src/launch/program.ts";
import { optionSource, readArgument } from "../../../src/launch/value/assignment.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import type { Source } from "../../../src/source/source.ts";

/** What is said about a launch by hand, and is not inferred then. */
export type Given = Pick<
  RunCommandOptions,
  "entry" | "arg" | "global" | "grid" | "block" | "smem" | "cooperative" | "maxMem"
>;

/** Warp instructions between two looks at the clock. */
const SLICE = 2000;

/** A kernel that is loaded afresh for each run, and what has been said about its launch. */
export class Bench {
  readonly program: Program;
  readonly given: Given;
  /** The values given by hand. */
  readonly values: ReadonlyMap<Parameter, string>;
  readonly source: Source;
  readonly #io: Io;
  readonly #isOver: (() => boolean) | undefined;

  /** `isOver`: whether the time for trials is over. */
  constructor(source: Source, loaded: Loaded, given: Given, io: Io, isOver?: () => boolean) {
    this.#isOver = isOver;
    this.program = loaded.kernel.program;
    this.given = { ...given, entry: loaded.kernel.name };
    this.source = source;
    this.#io = io;
    this.values = valuesOf(this.program, given.arg ?? []);
  }

  /** The kernel on a device of its own. */
  load(): Loaded {
    const { value } = load(this.source, this.given, this.#io.now);
    if (value === undefined) throw new Error(`${this.source.name} cannot be loaded a second time`);
    return value;
  }

  /** Whether no more trials are to be made. */
  get isLate(): boolean {
    return this.#isOver?.() === true;
  }

  /** Runs a session to its end, or as long as there is time for trials: then it stops for reason `budget`. */
  run(session: Session): Stop {
    if (this.#isOver === undefined) return session.run();
    for (;;) {
      const stop = session.run({ budget: SLICE });
      if (stop.reason !== "budget" || this.isLate) return stop;
    }
  }

  /** The inputs of a launch: `--arg` values, and the variables given by hand. */
  inputs(loaded: Loaded, arg: readonly string[]): Staged<Inputs> {
    const diagnostics: Diagnostic[] = [];
    const { global } = this.given;
    const value = setUp(loaded, { arg, ...(global && { global }) }, this.#io, diagnostics);
    return { value, diagnostics };
  }
}

/** The values of `-a`, by parameter; those without a name are for the parameters that are left, in their order. */
function valuesOf({ parameters }: Program, args: readonly string[]): ReadonlyMap<Parameter, string> {
  const found = new Map<Parameter, string>();
  for (const text of args) {
    const { value: assignment } = readArgument(optionSource("--arg", text));
    if (assignment === undefined) continue;
    const { name, value } = assignment;
    const parameter =
      name.text === "" ? parameters.find((each) => !found.has(each)) : findParameter(parameters, name.text);
    if (parameter !== undefined) found.set(parameter, value.text);
  }
  return found;
}

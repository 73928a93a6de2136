import type { Io } from "../../../../src/environment/io.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";
import { setUp } from "../../../../src/launch/input/inputs.ts";
import type { Inputs } from "../../../../src/launch/input/launch-inputs.ts";
import { begin } from "../../../../src/launch/launch.ts";
import type { RunCommandOptions } from "../../../../src/launch/options.ts";
import { type Loaded, load } from "../../../../src/launch/program.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import { ProgramNames } from "../expression/names.ts";

/** The inputs of a launch. */
export interface Footing {
  readonly loaded: Loaded;
  readonly inputs: Inputs;
  readonly names: ProgramNames;
}

/** Begins launches of one program, each on a new device with the original inputs. */
export class Launcher {
  /** The inputs of the last launch. */
  footing: Footing | undefined;
  readonly #source: Source;
  readonly #options: RunCommandOptions;
  readonly #io: Io;
  readonly #print: (text: string) => void;

  constructor(source: Source, options: RunCommandOptions, io: Io, print: (text: string) => void) {
    this.#source = source;
    this.#options = options;
    this.#io = io;
    this.#print = print;
  }

  /** A launch that has not run yet. */
  start(): Staged<Session | undefined> {
    const diagnostics: Diagnostic[] = [];
    const loaded = load(this.#source, this.#options, this.#io.now);
    diagnostics.push(...loaded.diagnostics);
    if (loaded.value === undefined) return { value: undefined, diagnostics };
    const inputs = setUp(loaded.value, this.#options, this.#io, diagnostics);
    if (hasErrors(diagnostics)) return { value: undefined, diagnostics };
    const { kernel, module } = loaded.value;
    const begun = begin(kernel, inputs, this.#options, this.#print);
    diagnostics.push(...begun.diagnostics);
    if (begun.value === undefined) return { value: undefined, diagnostics };
    this.footing = { loaded: loaded.value, inputs, names: new ProgramNames(kernel.program, module) };
    return { value: begun.value, diagnostics };
  }
}

import type { Io } from "../../environment/io.ts";
import { Debugger } from "../../host/debugger/debugger.ts";
import { missingNotes } from "../../launch/missing.ts";
import { printOf } from "../../launch/once.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { ProgramNames } from "../expression/names.ts";
import type { LinePart } from "../expression/refusal.ts";
import { executeInjected } from "./injected-instruction.ts";
import { type Footing, Launcher } from "./launcher.ts";
import type { Executed, Subject } from "./subject.ts";

/** A program from a file, or from `-e`. */
export class LoadedProgram implements Subject {
  readonly debugger: Debugger;
  readonly scratch = false;
  readonly #launcher: Launcher;

  private constructor(debugger_: Debugger, launcher: Launcher) {
    this.debugger = debugger_;
    this.#launcher = launcher;
  }

  /** Loads a program and stands before its first instruction. */
  static load(source: Source, options: RunCommandOptions, io: Io): Staged<LoadedProgram | undefined> {
    const launcher = new Launcher(source, options, io, printOf(io));
    const { value, diagnostics } = Debugger.begin({ start: () => launcher.start() });
    if (value === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
    const { inputs, loaded } = launcher.footing as Footing;
    const notes = missingNotes(inputs, loaded.kernel);
    return { value: new LoadedProgram(value, launcher), diagnostics: [...diagnostics, ...notes] };
  }

  get footing(): Footing {
    return this.#launcher.footing as Footing;
  }

  get names(): ProgramNames {
    return this.footing.names;
  }

  execute(line: LinePart): Executed {
    return executeInjected(line, this.debugger, this.footing.loaded);
  }

  promise(): boolean {
    return false;
  }
}

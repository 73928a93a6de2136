import { Debugger } from "../../host/debugger.ts";
import { hasErrors, type Staged } from "../../source/diagnostic.ts";
import type { Source } from "../../source/source.ts";
import type { Io } from "../io.ts";
import { missingNotes } from "../run/missing.ts";
import type { RunOptions } from "../run/options.ts";
import { executeBeside } from "./beside.ts";
import { type Footing, Launcher } from "./launcher.ts";
import type { Names } from "./names.ts";
import type { Part } from "./refusal.ts";
import type { Shell } from "./shell.ts";

/** What the REPL is about: a program under its debugger, or a scratchpad. */
export interface Subject {
  readonly debugger: Debugger;
  readonly names: Names;
  readonly footing: Footing;
  /** True where typed instructions are the program. */
  readonly scratch: boolean;
  /** Carries out an instruction that was typed. */
  execute(line: Part, shell: Shell): void;
  /** Gives a register that the program does not have yet its first value; false where that cannot be. */
  promise(name: string, type: string | undefined, value: string): boolean;
  /** Takes notice of what `set` has changed. */
  changed(edit: Edit): void;
}

/** A change that was made by hand before a step, to be made again when the program is run anew. */
export interface Edit {
  readonly step: number;
  redo(debugger_: Debugger): void;
}

/** A program from a file, or from `-e`. */
export class FileSubject implements Subject {
  readonly debugger: Debugger;
  readonly scratch = false;
  readonly #launcher: Launcher;

  private constructor(debugger_: Debugger, launcher: Launcher) {
    this.debugger = debugger_;
    this.#launcher = launcher;
  }

  /** Loads a program and stands before its first instruction. */
  static load(source: Source, options: RunOptions, io: Io): Staged<FileSubject | undefined> {
    const launcher = new Launcher(source, options, io, io.out);
    const { value, diagnostics } = Debugger.begin({ start: () => launcher.start() });
    if (value === undefined || hasErrors(diagnostics)) return { value: undefined, diagnostics };
    const { inputs, loaded } = launcher.footing as Footing;
    const notes = missingNotes(inputs, loaded.kernel);
    return { value: new FileSubject(value, launcher), diagnostics: [...diagnostics, ...notes] };
  }

  get footing(): Footing {
    return this.#launcher.footing as Footing;
  }

  get names(): Names {
    return this.footing.names;
  }

  execute(line: Part, shell: Shell): void {
    executeBeside(line, shell);
  }

  promise(): boolean {
    return false;
  }

  changed(): void {}
}

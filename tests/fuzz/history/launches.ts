import { Command as Options } from "commander";
import type { LinePart } from "../../../packages/debugger/console/expression/refusal.ts";
import { type Footing, Launcher } from "../../../packages/debugger/console/program/launcher.ts";
import { executeInjected } from "../../../packages/debugger/console/program/loaded-program.ts";
import type { Subject as Debugged, Executed } from "../../../packages/debugger/console/program/subject.ts";
import { addRunOptions } from "../../../src/cli/run/options.ts";
import type { Io } from "../../../src/environment/io.ts";
import { Debugger } from "../../../src/host/debugger/debugger.ts";
import { must } from "../../../src/host/index.ts";
import type { Session } from "../../../src/interp/machine/session.ts";
import type { RunCommandOptions } from "../../../src/launch/options.ts";
import type { Staged } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";
import type { Subject } from "./programs.ts";

/** Begins launches of one program as the command line would, each on a device of its own. */
export class Launches {
  readonly options: RunCommandOptions;
  readonly #source: Source;
  readonly #io: Io;

  constructor({ text, argv, name }: Subject, io: Io) {
    const command = addRunOptions(new Options("run")).exitOverride();
    // A change by hand can make a program run for ever.
    this.options = command.parse(["--max-steps", "10000", ...argv], { from: "user" }).opts<RunCommandOptions>();
    this.#source = new Source(`${name}.ptx`, text);
    this.#io = io;
  }

  start(print: (text: string) => void): Staged<Session | undefined> {
    return this.launcher(print).start();
  }

  launcher(print: (text: string) => void): Launcher {
    return new Launcher(this.#source, this.options, this.#io, print);
  }
}

/** A loaded program of the REPL, whose history may have little room. */
export class Loaded implements Debugged {
  readonly scratch = false;
  readonly debugger: Debugger;
  readonly #launcher: Launcher;

  constructor(launches: Launches, print: (text: string) => void, history: number) {
    this.#launcher = launches.launcher(print);
    this.debugger = must(Debugger.begin({ start: () => this.#launcher.start(), history }));
  }

  get footing(): Footing {
    return this.#launcher.footing as Footing;
  }

  get names(): Footing["names"] {
    return this.footing.names;
  }

  execute(line: LinePart): Executed {
    return executeInjected(line, this.debugger, this.footing.loaded);
  }

  promise(): boolean {
    return false;
  }
}

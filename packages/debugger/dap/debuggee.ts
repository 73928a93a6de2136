import { mostText } from "../../../src/environment/file.ts";
import type { Io } from "../../../src/environment/io.ts";
import { readProgramText } from "../../../src/environment/program-file.ts";
import { ProgressLine } from "../../../src/environment/progress-line.ts";
import type { Debugger } from "../../../src/host/debugger/debugger.ts";
import { volume } from "../../../src/interp/contract/launch/dim3.ts";
import type { ThreadId } from "../../../src/interp/contract/launch/thread-id.ts";
import { launchExtents, threadId, threadIndex } from "../../../src/launch/extents.ts";
import { type Diagnostic, hasErrors, type Staged } from "../../../src/source/diagnostic.ts";
import { Source } from "../../../src/source/source.ts";
import { scopeOf } from "../console/expression/evaluation.ts";
import type { ProgramNames } from "../console/expression/names.ts";
import { whole } from "../console/expression/refusal.ts";
import { LoadedProgram } from "../console/program/loaded-program.ts";
import { Shell } from "../console/shell.ts";
import type { LaunchWords, Showing } from "./protocol/launch-arguments.ts";
import { DapError, refusedBy } from "./protocol/problem.ts";
import type { World } from "./world.ts";

/** The program that is debugged. */
export class Debuggee {
  readonly shell: Shell;
  readonly showing: Showing;
  /** Warnings and notes of loading the program. */
  readonly notes: readonly Diagnostic[];
  /** The file as the client knows it; undefined for a text without a file. */
  readonly path: string | undefined;

  private constructor(shell: Shell, showing: Showing, notes: readonly Diagnostic[], path: string | undefined) {
    this.shell = shell;
    this.showing = showing;
    this.notes = notes;
    this.path = path;
  }

  /**
   * Loads a program; throws a `DapError` that says what is wrong. `say` receives all diagnostics, and the program they
   * are in.
   */
  static load(
    { options, showing }: LaunchWords,
    world: World,
    io: Io,
    say: (all: readonly Diagnostic[], name: string, path: string | undefined) => void,
  ): Debuggee {
    const { value: source, diagnostics } = sourceOf(showing, io);
    if (source === undefined) throw refusedBy(diagnostics);
    const path =
      showing.text === undefined && showing.program !== undefined ? io.files.resolve(showing.program) : undefined;
    const loaded = LoadedProgram.load(source, options, io);
    say(loaded.diagnostics, source.name, path);
    if (loaded.value === undefined || hasErrors(loaded.diagnostics)) throw refusedBy(loaded.diagnostics);
    const dispatch =
      world.dispatch ??
      (() => {
        throw new DapError("commands of the REPL are not carried out here");
      });
    const shell = new Shell(loaded.value, options, new ProgressLine(io, false), dispatch);
    return new Debuggee(shell, showing, loaded.diagnostics, path);
  }

  get debugger(): Debugger {
    return this.shell.debugger;
  }

  /** Threads of a block. */
  get blockSize(): number {
    return volume(launchExtents(this.debugger.session.program, this.shell.options).block);
  }

  /** The number that clients store for a thread, 1 for the first. */
  numberOf(thread: ThreadId): number {
    return 1 + thread.block * this.blockSize + threadIndex(thread, this.debugger.session.program);
  }

  /** The thread with a number; throws a `DapError` where there is none now. */
  threadOf(number: number): ThreadId {
    const at = number - 1;
    const place = { block: Math.floor(at / this.blockSize), thread: at % this.blockSize };
    const thread = threadId(place, this.debugger.session.program);
    if (!Number.isInteger(at) || at < 0 || !this.debugger.machine.exists(thread))
      throw new DapError(`there is no thread ${number} now`);
    return thread;
  }

  /** Whether the file differs from what was loaded. */
  hasChanged(io: Io): boolean {
    const { value } = sourceOf(this.showing, io);
    return value !== undefined && value.text !== this.debugger.session.program.source.text;
  }

  /** The names of the program, as the function of the selected frame sees them. */
  get names(): ProgramNames {
    const scope = scopeOf(this.shell);
    return this.shell.names.within(typeof scope === "number" ? scope : undefined);
  }

  /** Reads an expression of the REPL and returns its value in the selected frame. */
  value(text: string, name: string = "expression") {
    return this.shell.expression(whole(name, text)).at(this.shell);
  }
}

function sourceOf({ program, text }: Showing, io: Io): Staged<Source | undefined> {
  if (text !== undefined) return { value: new Source(program ?? "text", text), diagnostics: [] };
  const file = program ?? "";
  return readProgramText(file, { files: io.files }, mostText(io));
}

import { palette } from "../../../src/environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../../src/environment/exit.ts";
import type { Io } from "../../../src/environment/io.ts";
import type { ProgressLine } from "../../../src/environment/progress-line.ts";
import { spell } from "../../../src/environment/slicing.ts";
import type { Debugger, DebugStop, Motion } from "../../../src/host/debugger/debugger.ts";
import { progressOf } from "../../../src/host/debugger/progress.ts";
import { HostError } from "../../../src/host/problem.ts";
import type { HostSpace } from "../../../src/interp/contract/space.ts";
import { whole as wholeMove } from "../../../src/interp/tools/sliced.ts";
import type { RunCommandOptions } from "../../../src/launch/options.ts";
import { renderDiagnostics } from "../../../src/present/diagnostic.ts";
import { printable } from "../../../src/present/text/escape.ts";
import type { Palette } from "../../../src/present/text/palette.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";
import { decidedComparisons } from "./expression/decided.ts";
import { type Evaluation, evaluation, evaluations, surroundings } from "./expression/evaluation.ts";
import type { ProgramNames } from "./expression/names.ts";
import { threadName } from "./expression/place.ts";
import { typeAt } from "./expression/pointee.ts";
import { type LinePart, Refusal, refuse, whole } from "./expression/refusal.ts";
import type { ExpressionValue } from "./expression/value.ts";
import { originalsOf } from "./original/open.ts";
import type { Originals } from "./original/originals.ts";
import type { Subject } from "./program/subject.ts";
import { type DisplayFormat, show } from "./show/format.ts";
import { asWritten } from "./show/use.ts";

/** An expression that is shown at every stop. */
export interface Display {
  readonly id: number;
  readonly text: string;
  readonly format: DisplayFormat | undefined;
  readonly evaluation: Evaluation;
}

/** Lines that are stored, up to `end`. */
interface Collecting {
  readonly end: string;
  readonly done: (lines: readonly string[]) => void;
  readonly lines: string[];
}

/** What `layout` turns on and off; it receives the text meanwhile. */
export interface FullScreen {
  readonly on: boolean;
  enter(): void;
  leave(): void;
  say(text: string): void;
}

/** How deeply `source` and the like may nest: deeper than anyone needs. */
const DEEPEST = 16;

/** Carries out one line for a shell; throws a `Refusal` when it cannot. */
export type Dispatch = (shell: Shell, line: LinePart) => void;

/** The REPL without its terminal: a line goes in, text comes out. */
export class Shell {
  readonly io: Io;
  readonly options: RunCommandOptions;
  readonly palette: Palette;
  /** Whether the user at the keyboard wants the program to stop. */
  interrupt: () => boolean = () => false;
  /** Whether the last command was stopped by its timeout. */
  late = false;
  readonly displays: Display[] = [];
  /** Values that `print` has shown: `$1` is the first. */
  readonly values: ExpressionValue[] = [];
  /** Watchpoints by number: what they watch, and the type to show it in. */
  readonly watched: Map<number, { readonly text: string; readonly type: string; readonly elements?: number }> =
    new Map();
  /** Conditions of breakpoints, as they were written. */
  readonly conditions: Map<number, string> = new Map();
  /** Breakpoints on several instructions, as they were written. */
  readonly texts: Map<number, string> = new Map();
  /** The `commands` to run when a point stops the program. */
  readonly scripts: Map<number, readonly string[]> = new Map();
  /** Lines that ran, for `save`. */
  readonly log: string[] = [];
  /** Lines of the program that are shown at every stop; none by default. */
  listing = 0;
  /** Which frame of the focused thread's call stack is selected, 0 the innermost; a stop or another focus resets it. */
  frame = 0;
  /** The full-screen view, at a terminal. */
  screen: FullScreen | undefined;
  /** Set by `quit`. */
  done = false;
  /** A move that somebody else goes on with, and what is told at its end. */
  #unfinished: { readonly work: Motion; readonly end: (stop: DebugStop) => void } | undefined;
  #isSliced = false;
  readonly #dispatch: Dispatch;
  #capture: string[] | undefined;
  #subject: Subject;
  #originals: { readonly of: string; readonly found: Originals } | undefined;
  #last: string | undefined;
  /** The line that an empty line runs instead of repeating the command. */
  #again: string | undefined;
  #found = 0;
  #depth = 0;
  #collecting: Collecting | undefined;
  /** Lines that a stop has queued. */
  readonly #pending: string[] = [];
  #draining = false;
  /** When the current command began, and whether any ran out of time. */
  #began = 0;
  #wasLate = false;
  readonly #line: ProgressLine;

  /** `line` shows the progress of a command; `line.io` is what the shell prints with. */
  constructor(subject: Subject, options: RunCommandOptions, line: ProgressLine, dispatch: Dispatch) {
    this.#dispatch = dispatch;
    this.#subject = subject;
    this.options = options;
    this.#line = line;
    this.io = line.io;
    this.palette = palette(options.color, "out", this.io);
  }

  /** The program that is being debugged. */
  get subject(): Subject {
    return this.#subject;
  }

  /** Debugs another program, and drops the state of the old one. */
  replace(subject: Subject): void {
    this.#subject.debugger.session.close();
    this.#subject = subject;
    this.displays.length = 0;
    this.watched.clear();
    this.conditions.clear();
    this.texts.clear();
    this.scripts.clear();
    this.#found = 0;
  }

  get debugger(): Debugger {
    return this.#subject.debugger;
  }

  /** The programs that this one was compiled from. */
  get originals(): Originals {
    const { source } = this.debugger.session.program;
    if (this.#originals?.of !== source.name)
      this.#originals = { of: source.name, found: originalsOf(source.name, this.options, this.io) };
    return this.#originals.found;
  }

  get names(): ProgramNames {
    return this.#subject.names;
  }

  out(text: string): void {
    if (this.#capture !== undefined) this.#capture.push(text);
    else if (this.screen?.on) this.screen.say(text);
    else this.io.out(text);
  }

  /** The text that `act` prints, instead of printing it. */
  captured(act: () => void): string {
    const before = this.#capture;
    const pieces: string[] = [];
    this.#capture = pieces;
    try {
      act();
    } finally {
      this.#capture = before;
    }
    return pieces.join("");
  }

  /** The line width: the terminal's, or a fixed page width. */
  get columns(): number {
    const { out, columns } = this.io.terminal;
    return (out ? columns?.() : undefined) || 100;
  }

  get prompt(): string {
    if (this.#collecting !== undefined) return `(${this.#collecting.end} ends) `;
    return `(ptxrun ${threadName(this.debugger.focus, this.debugger.session.program)} @${this.debugger.position}) `;
  }

  /** Polled while the program runs: true stops it, because of the keyboard or the command's timeout. */
  halts(): boolean {
    const { timeout } = this.options;
    const took = this.io.now() - this.#began;
    this.late = timeout !== undefined && took > timeout;
    this.#wasLate ||= this.late;
    this.#line.show((seconds) => [...spell(progressOf(this.debugger.session)), `${Math.floor(seconds)} s`].join(", "));
    return this.late || this.interrupt();
  }

  /** Stores the next lines, up to `end`, instead of running them. */
  collect(end: string, done: (lines: readonly string[]) => void): void {
    this.#collecting = { end, done, lines: [] };
  }

  /** At the end of input: a refusal where a command still waits for its `end`. */
  finish(): boolean {
    const collecting = this.#collecting;
    if (collecting === undefined) return true;
    this.#collecting = undefined;
    const what = refuse("PTX2402", `the lines end before ${collecting.end}`, whole("command", "commands"), {
      expected: `${collecting.end} after the last of them`,
    });
    this.complain(what.diagnostics);
    return false;
  }

  /** Runs the commands of a point that has stopped the program, once the command that ran it is done. */
  stoppedAt(id: number): void {
    this.#pending.unshift(...(this.scripts.get(id) ?? []));
  }

  /** Runs one line and the lines that it queues; false when one was refused. Throws only for a bug. */
  execute(line: string): boolean {
    if (this.#collecting !== undefined) return this.#collected(this.#collecting, line.trim());
    if (this.#executeOne(line)) return this.#unfinished !== undefined || this.#drain();
    this.#pending.length = 0;
    return false;
  }

  #drain(): boolean {
    if (this.#draining) return true;
    this.#draining = true;
    try {
      while (this.#pending.length > 0 && !this.done) {
        if (this.interrupt()) this.#pending.length = 0;
        const next = this.#pending.shift();
        if (next !== undefined && !this.carryOut(next)) return false;
      }
    } finally {
      this.#draining = false;
      this.#pending.length = 0;
    }
    return true;
  }

  /** Executes a move to its end, or leaves it to `carryOutInSlices`, but for those of scripts. */
  drive(work: Motion, end: (stop: DebugStop) => void): void {
    if (this.#isSliced && this.#depth === 1 && !this.#draining) this.#unfinished = { work, end };
    else end(wholeMove(work, () => this.halts()));
  }

  /** `carryOut` for who has to do something else meanwhile, which `rest` does between two slices of a move. */
  async carryOutInSlices(line: string, rest: () => Promise<unknown>): Promise<boolean> {
    this.#isSliced = true;
    try {
      const isDone = this.carryOut(line);
      if (this.#unfinished === undefined) return isDone;
      const { work, end } = this.#unfinished;
      for (let isOver = false; !isOver; await rest()) {
        const isTold = this.#attempt(() => {
          const slice = work.next(this.halts());
          isOver = slice.done === true;
          if (slice.done) end(slice.value);
        });
        if (!isTold) return false;
      }
      return this.#drain();
    } finally {
      this.#unfinished = undefined;
      this.#isSliced = false;
    }
  }

  #collected({ end, done, lines }: Collecting, line: string): boolean {
    if (line !== end) {
      if (line !== "" && !line.startsWith("#")) lines.push(line);
      return true;
    }
    this.#collecting = undefined;
    this.log.push(...lines, end);
    done(lines);
    return true;
  }

  #executeOne(line: string): boolean {
    const text = line.trim() === "" ? (this.#again ?? this.#last ?? "") : line.trim();
    if (text === "" || text.startsWith("#")) return true;
    return this.#attempt(() => {
      if (this.#depth > DEEPEST) throw refuse("PTX2407", "commands are nested too deeply", whole("command", text));
      this.#last = text;
      this.#again = undefined;
      if (this.#depth === 1) this.#begin();
      this.#dispatch(this, whole("command", text));
      if (this.#depth === 1 && line.trim() !== "") this.log.push(text);
    });
  }

  /** False, once it has been told why, when something was refused. */
  #attempt(act: () => void): boolean {
    this.#depth++;
    try {
      act();
      return true;
    } catch (error) {
      this.#last = undefined;
      this.#again = undefined;
      if (!(error instanceof Refusal || error instanceof HostError)) throw error;
      this.complain(error.diagnostics);
      return false;
    } finally {
      this.#depth--;
      this.#line.erase();
    }
  }

  #begin(): void {
    this.#began = this.io.now();
    this.late = false;
    this.#line.restart();
  }

  /** Runs a line of a script after printing it; one more `>` for each nested `source`, and for a point's commands. */
  carryOut(line: string): boolean {
    this.out(
      `${this.palette.faint(`${">".repeat(this.#depth + (this.#draining ? 2 : 1))} `)}${printable(line.trim())}\n`,
    );
    return this.execute(line);
  }

  /** Prints diagnostics to the error stream. */
  complain(diagnostics: readonly Diagnostic[]): void {
    const shown = this.options.quiet ? diagnostics.filter(({ severity }) => severity !== "note") : diagnostics;
    if (shown.length === 0) return;
    const text = renderDiagnostics(shown, palette(this.options.color, "err", this.io));
    if (this.screen?.on) this.screen.say(text);
    else this.io.err(text);
  }

  /** Sets what an empty line does next; undefined for nothing. */
  repeatWith(line: string | undefined): void {
    if (line === undefined) this.#last = undefined;
    this.#again = line;
  }

  /** Findings since the last call; findings that going back has undone count as new again. */
  newFindings(): readonly Diagnostic[] {
    const { findings } = this.debugger.session;
    const fresh = findings.slice(Math.min(this.#found, findings.length));
    this.#found = findings.length;
    return fresh;
  }

  /** Prints every expression of `display`; one without a value here shows why. */
  showDisplays(): void {
    for (const display of this.displays) this.showDisplay(display);
  }

  showDisplay({ id, text, format, evaluation }: Display): void {
    let value: string;
    try {
      value = show(asWritten(this, evaluation, evaluation.at(this)), format);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      value = `<${error.diagnostics[0]?.message ?? ""}>`;
    }
    this.out(`${this.palette.faint(`${id}:`)} ${text} = ${value}\n`);
  }

  /** Reads an expression of a command. */
  expression(part: LinePart): Evaluation {
    const read = evaluation(part);
    this.#warn(read);
    return read;
  }

  /** Reads expressions with commas or blanks between them. */
  expressions(part: LinePart): readonly Evaluation[] {
    const all = evaluations(part);
    for (const read of all) this.#warn(read);
    return all;
  }

  /** A comparison that can have one outcome only would never stop a program, or always. */
  #warn({ expression, part }: Evaluation): void {
    this.complain(decidedComparisons(expression, part, surroundings(this)));
  }

  /** The type of what lies at an address; undefined where nothing says so. */
  typeAt(space: HostSpace, address: bigint): string | undefined {
    return typeAt(this.#subject.footing, space, address);
  }

  /** The exit code of a script: how its program ended, if it did; a limit when a command ran out of time. */
  get exit(): ExitCode {
    return this.#wasLate ? worst([this.#ended, Exit.limit]) : this.#ended;
  }

  get #ended(): ExitCode {
    const { stop, session } = this.debugger;
    if (stop.reason === "trap") return worst([exitOf(stop.diagnostic), ...session.findings.map(exitOf)]);
    return stop.reason === "exit" ? worst(session.findings.map(exitOf)) : Exit.ok;
  }
}

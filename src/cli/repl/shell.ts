import type { Debugger } from "../../host/debugger.ts";
import { HostError } from "../../host/problem.ts";
import { progressOf } from "../../host/standing.ts";
import { renderDiagnostics } from "../../present/diagnostic.ts";
import { printable } from "../../present/escape.ts";
import type { Palette } from "../../present/palette.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { palette } from "../colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../exit.ts";
import type { Io } from "../io.ts";
import { spell } from "../pace.ts";
import type { ProgressLine } from "../progress-line.ts";
import type { RunCommandOptions } from "../run/options.ts";
import { type Evaluation, evaluation } from "./expression/evaluation.ts";
import type { ProgramNames } from "./expression/names.ts";
import { threadName } from "./expression/place.ts";
import { type LinePart, Refusal, refuse, whole } from "./expression/refusal.ts";
import type { ExpressionValue } from "./expression/value.ts";
import type { Subject } from "./program/subject.ts";
import { type DisplayFormat, show } from "./show/format.ts";

/** An expression that is shown at every stop. */
export interface Display {
  readonly id: number;
  readonly text: string;
  readonly format: DisplayFormat | undefined;
  readonly evaluation: Evaluation;
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
  /** Whether somebody at the keyboard wants the program to stop. */
  interrupt: () => boolean = () => false;
  /** Whether the last command was stopped because its time was over. */
  late = false;
  readonly displays: Display[] = [];
  /** Values that `print` has shown: `$1` is the first. */
  readonly values: ExpressionValue[] = [];
  /** Watchpoints by number: what they watch, and the type to show it in. */
  readonly watched: Map<number, { readonly text: string; readonly type: string }> = new Map();
  /** Conditions of breakpoints, as they were written. */
  readonly conditions: Map<number, string> = new Map();
  /** Lines that were carried out, for `save`. */
  readonly log: string[] = [];
  /** Set by `quit`. */
  done = false;
  readonly #dispatch: Dispatch;
  #subject: Subject;
  #last: string | undefined;
  /** What an empty line does instead of the command itself. */
  #again: string | undefined;
  #found = 0;
  #depth = 0;
  /** When the command began that is carried out, and whether any ran out of time. */
  #began = 0;
  #wasLate = false;
  readonly #line: ProgressLine;

  /** `line` shows how far a command is; `line.io` is what the shell prints with. */
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

  /** Debugs another program; what belonged to the old one is dropped. */
  replace(subject: Subject): void {
    this.#subject.debugger.session.close();
    this.#subject = subject;
    this.displays.length = 0;
    this.watched.clear();
    this.conditions.clear();
    this.#found = 0;
  }

  get debugger(): Debugger {
    return this.#subject.debugger;
  }

  get names(): ProgramNames {
    return this.#subject.names;
  }

  out(text: string): void {
    this.io.out(text);
  }

  get prompt(): string {
    return `(ptxrun ${threadName(this.debugger.focus)} @${this.debugger.position}) `;
  }

  /** Asked while the program runs: true stops it, because of the keyboard or because the command's time is over. */
  halts(): boolean {
    const { timeout } = this.options;
    const took = this.io.now() - this.#began;
    this.late = timeout !== undefined && took > timeout;
    this.#wasLate ||= this.late;
    this.#line.show((seconds) => [...spell(progressOf(this.debugger.session)), `${Math.floor(seconds)} s`].join(", "));
    return this.late || this.interrupt();
  }

  /** Carries out one line; false when that was refused. Throws only for a bug. */
  execute(line: string): boolean {
    const text = line.trim() === "" ? (this.#again ?? this.#last ?? "") : line.trim();
    if (text === "" || text.startsWith("#")) return true;
    try {
      if (++this.#depth > DEEPEST)
        throw refuse("PTX2407", "commands bring about others too deeply", whole("command", text));
      this.#last = text;
      this.#again = undefined;
      if (this.#depth === 1) this.#begin();
      this.#dispatch(this, whole("command", text));
      if (this.#depth === 1 && line.trim() !== "") this.log.push(text);
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

  /** Carries out a line of a script, which is shown first; one more `>` for each file that `source` is in. */
  carryOut(line: string): boolean {
    this.out(`${this.palette.faint(`${">".repeat(this.#depth + 1)} `)}${printable(line.trim())}\n`);
    return this.execute(line);
  }

  /** Prints diagnostics to the error stream. */
  complain(diagnostics: readonly Diagnostic[]): void {
    const shown = this.options.quiet ? diagnostics.filter(({ severity }) => severity !== "note") : diagnostics;
    if (shown.length > 0) this.io.err(renderDiagnostics(shown, palette(this.options.color, "err", this.io)));
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

  showDisplay({ id, text, format, evaluation: { at } }: Display): void {
    let value: string;
    try {
      value = show(at(this), format);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      value = `<${error.diagnostics[0]?.message ?? ""}>`;
    }
    this.out(`${this.palette.faint(`${id}:`)} ${text} = ${value}\n`);
  }

  /** Reads an expression of a command. */
  expression(part: LinePart): Evaluation {
    return evaluation(part);
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

import { appendFileSync, chmodSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { complete } from "../../../packages/debugger/console/commands/completion.ts";
import { dispatch, table } from "../../../packages/debugger/console/commands/every-command.ts";
import { position } from "../../../packages/debugger/console/motion.ts";
import { LoadedProgram } from "../../../packages/debugger/console/program/loaded-program.ts";
import { Scratchpad } from "../../../packages/debugger/console/program/scratch.ts";
import type { Subject } from "../../../packages/debugger/console/program/subject.ts";
import { Shell } from "../../../packages/debugger/console/shell.ts";
import { fitted, panels } from "../../../packages/debugger/console/show/panels.ts";
import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { mostText, readInput, readText } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { ProgressLine } from "../../environment/progress-line.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import { threadId } from "../../launch/extents.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { type Diagnostic, hasErrors } from "../../source/diagnostic.ts";
import { readBounded } from "../../system/bounded.ts";
import type { CommandIo, Terminal } from "../../system/command-io.ts";
import { listKernels, WHICH } from "../run/kernel-list.ts";
import { readProgram } from "../run/text.ts";

/** Lines of history that are loaded. */
const MAX_HISTORY_LINES = 1000;

/** The largest history file, bytes; a larger one is ignored. */
const MOST_BYTES = 16 * 2 ** 20;

/** The lines of earlier sessions: in PTXRUN_HISTORY, else in ptxrun/history of the XDG state folder; only the user may read it. */
class LineHistory {
  readonly #path: string | undefined;

  /** `use` false, or an empty PTXRUN_HISTORY, keeps and reads nothing. */
  constructor({ env }: Pick<Io, "env">, use: boolean) {
    const { PTXRUN_HISTORY: own, XDG_STATE_HOME: state, HOME: home } = env;
    const folder =
      state !== undefined && state !== "" ? state : home === undefined ? undefined : join(home, ".local/state");
    this.#path = !use || own === "" ? undefined : (own ?? (folder && join(folder, "ptxrun", "history")));
  }

  /** The newest line first, as node's readline expects it. A file that cannot be read is an empty history. */
  read(): string[] {
    if (this.#path === undefined) return [];
    const read = readBounded(this.#path, MOST_BYTES, { pipes: false, exact: false });
    if (!("bytes" in read)) return [];
    const lines = new TextDecoder().decode(read.bytes).split("\n");
    return lines
      .filter((line) => line !== "")
      .slice(-MAX_HISTORY_LINES)
      .reverse();
  }

  /** Adds a line. A failure to write is ignored. */
  add(line: string): void {
    if (this.#path === undefined || line.trim() === "") return;
    try {
      mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
      appendFileSync(this.#path, `${line.replace(/[\r\n]/g, " ")}\n`, { mode: 0o600 });
      chmodSync(this.#path, 0o600);
    } catch {
      return;
    }
  }
}

/** Switches to the terminal's alternate screen, on which nothing scrolls away; and back. */
const ENTER = "\u001b[?1049h";
const LEAVE = "\u001b[?1049l";
const CLEAR = "\u001b[2J\u001b[H";

/** The size of a terminal that does not report one. */
const USUAL = { columns: 80, rows: 24 };

/** Lines of command output that are kept. */
const KEPT = 200;

/**
 * A full-screen view of a shell at a terminal: the program, registers, lanes and memory above, the last command's
 * output below. It is redrawn before each prompt, and restores the terminal at the end.
 */
class Screen {
  readonly #shell: Shell;
  readonly #output: Terminal["output"];
  readonly #said: string[] = [];
  #on = false;

  constructor(shell: Shell, output: Terminal["output"]) {
    this.#shell = shell;
    this.#output = output;
  }

  get on(): boolean {
    return this.#on;
  }

  enter(): void {
    if (this.#on) return;
    this.#on = true;
    this.#said.length = 0;
    this.#output.write(ENTER);
  }

  /** Restores the previous screen. */
  leave(): void {
    if (!this.#on) return;
    this.#on = false;
    this.#output.write(LEAVE);
  }

  /** Stores a command's output for the lower part. */
  say(text: string): void {
    this.#said.push(...text.replace(/\n$/, "").split("\n"));
    this.#said.splice(0, Math.max(0, this.#said.length - KEPT));
  }

  /** Draws everything but the prompt, which comes below. A long output gets more of the space. */
  draw(): void {
    if (!this.#on) return;
    const { columns, rows } = this.#size();
    const room = rows - 2;
    const spoken = Math.min(this.#said.length, Math.floor(room / 2));
    const upper = panels(this.#shell, { columns, rows: room - spoken });
    const lines = [
      ...upper,
      this.#shell.palette.faint("─".repeat(columns)),
      ...this.#said.slice(-spoken || this.#said.length),
    ];
    this.#output.write(`${CLEAR}${lines.map((line) => fitted(line, columns)).join("\n")}\n`);
  }

  /** Drops the output, which belongs to the last command only. */
  forget(): void {
    this.#said.length = 0;
  }

  #size(): { readonly columns: number; readonly rows: number } {
    const { columns, rows } = this.#output as { readonly columns?: number; readonly rows?: number };
    return { columns: Math.max(40, columns || USUAL.columns), rows: Math.max(12, rows || USUAL.rows) };
  }
}

const CTRL_C = "\x03";

/**
 * Reads commands at a terminal until `quit` or the end of the input. Ctrl-C stops the debugged program, or clears
 * the line.
 */
async function converse(shell: Shell, { input, output, poll }: Terminal, history: LineHistory): Promise<void> {
  const lines = createInterface({
    input,
    output,
    terminal: true,
    history: history.read(),
    historySize: 1000,
    removeHistoryDuplicates: true,
    completer: (line: string) => complete(table, shell, line),
  });
  let typed = "";
  shell.interrupt = () => {
    typed += poll();
    const at = typed.lastIndexOf(CTRL_C);
    if (at < 0) return false;
    // After an interrupt, earlier input is dropped.
    typed = typed.slice(at + 1);
    return true;
  };
  const screen = new Screen(shell, output);
  shell.screen = screen;
  const redraw = (): void => {
    if (!screen.on) return;
    screen.draw();
    lines.prompt(true);
  };
  output.on("resize", redraw);
  const ask = (): void => {
    screen.draw();
    lines.setPrompt(shell.palette.strong(shell.prompt));
    lines.prompt();
  };
  lines.on("SIGINT", () => {
    output.write("^C\n");
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    ask();
  });
  const talk = new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      history.add(line);
      screen.forget();
      try {
        shell.execute(line);
      } catch (bug) {
        lines.close();
        reject(bug);
        return;
      }
      if (shell.done) {
        lines.close();
        return;
      }
      ask();
      if (typed === "") return;
      const ahead = typed;
      typed = "";
      lines.write(ahead);
    });
    lines.on("close", () => {
      if (!shell.done) output.write("\n");
      resolve();
    });
    ask();
  });
  await talk.finally(() => {
    screen.leave();
    output.off("resize", redraw);
    shell.screen = undefined;
  });
}

/** The sources of commands before the terminal, or instead of it. */
interface ScriptOptions {
  /** Files of commands: `-x`. */
  readonly execute?: readonly string[];
  /** Commands: `--command`. */
  readonly command?: readonly string[];
}

/** Runs files and commands of the command line; false when one was refused. */
function runGiven(shell: Shell, { execute = [], command = [] }: ScriptOptions, io: Io): boolean {
  for (const path of execute) {
    const { value, diagnostics } = readText(path, { files: io.files }, mostText(io));
    shell.complain(diagnostics);
    if (value === undefined || !runText(shell, value.text)) return false;
  }
  for (const line of command) if (!shell.done && !shell.carryOut(line)) return false;
  return true;
}

/** Runs the lines of a text up to the first that is refused; returns whether all ran. */
function runText(shell: Shell, text: string): boolean {
  for (const line of text.split(/\r?\n/)) {
    if (shell.done) return true;
    if (line.trim() !== "" && !line.trim().startsWith("#") && !shell.carryOut(line)) return false;
  }
  return true;
}

/** Runs standard input as a script. The exit code is that of its program, or 2 at the first line that is refused. */
function runScript(shell: Shell, options: ScriptOptions, io: Io): ExitCode {
  if (!runGiven(shell, options, io)) return Exit.usage;
  if (shell.done) return shell.exit;
  const { value: bytes, diagnostics } = readInput(io);
  shell.complain(diagnostics);
  if (bytes === undefined) return worst(diagnostics.map(exitOf));
  if (!runText(shell, new TextDecoder().decode(bytes)) || !shell.finish()) return Exit.usage;
  return shell.exit;
}

export type ReplOptions = RunCommandOptions &
  ScriptOptions & {
    /** False with `--no-history`. */
    readonly history?: boolean;
  };

/** `ptxrun repl [FILE]`, `ptxrun run -i`: interactive at a terminal, else a script. */
export async function repl(file: string | undefined, options: ReplOptions, surroundings: CommandIo): Promise<ExitCode> {
  const line = new ProgressLine(surroundings, options.quiet !== true);
  const { io } = line;
  const useless = withoutEffect(options);
  if (useless.length > 0) {
    report(useless, options, io);
    return Exit.usage;
  }
  if (options.entry === WHICH) return listKernels(file, options, io);
  const { value: subject, diagnostics } = subjectOf(file, options, io);
  report(diagnostics, options, io);
  if (subject === undefined || hasErrors(diagnostics)) return worst([...diagnostics.map(exitOf), Exit.ok]);
  const shell = new Shell(subject, options, line, dispatch);
  begin(shell);
  const { conversation } = surroundings.terminal;
  if (conversation === undefined) return runScript(shell, options, io);
  greet(shell);
  runGiven(shell, options, io);
  if (!shell.done) await converse(shell, conversation, new LineHistory(io, options.history !== false));
  return Exit.ok;
}

/** Options of `run` that have no effect in the REPL. */
function withoutEffect({ seeds, report, format, output, cache }: ReplOptions): readonly Diagnostic[] {
  const refuse = (option: string, expected: string) =>
    problem("PTX2003", `${option} is for a run, not for the REPL`, { expected });
  return [
    ...(seeds === undefined ? [] : [refuse("--seeds", "--schedule random:SEED for one of them")]),
    ...(report === undefined ? [] : [refuse("--report", "ptxrun run --report")]),
    ...(format === "json" ? [refuse("--format json", "ptxrun run --format json")] : []),
    ...(cache === undefined ? [] : [refuse("--cache", "ptxrun run --cache")]),
    ...(output === undefined ? [] : [refuse("--output", "the command dump NAME=@FILE")]),
  ];
}

/** Focuses the thread that `--thread` names, if it has begun. */
function begin({ options: { thread }, debugger: debugger_ }: Shell): void {
  if (thread === undefined || thread === "all") return;
  const focus = threadId({ block: thread[0], thread: thread[1] }, debugger_.session.program);
  if (debugger_.machine.exists(focus)) debugger_.focus = focus;
}

function subjectOf(
  file: string | undefined,
  options: ReplOptions,
  io: Io,
): { readonly value: Subject | undefined; readonly diagnostics: readonly Diagnostic[] } {
  if (file === undefined && options.eval === undefined) return Scratchpad.begin(options, io);
  const { value: source, diagnostics } = readProgram(file, options, io);
  return source === undefined ? { value: undefined, diagnostics } : LoadedProgram.load(source, options, io);
}

function greet(shell: Shell): void {
  const { strong } = palette(shell.options.color, "out", shell.io);
  shell.out(`${strong("ptxrun")}: help lists the commands, quit ends\n`);
  const { stop } = shell.debugger;
  if (!shell.subject.scratch) shell.out(`${position(shell, stop)}\n`);
}

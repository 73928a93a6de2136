import { dispatch } from "../../console/commands/every-command.ts";
import { position } from "../../console/motion.ts";
import { LoadedProgram } from "../../console/program/loaded-program.ts";
import { Scratchpad } from "../../console/program/scratch.ts";
import type { Subject } from "../../console/program/subject.ts";
import { Shell } from "../../console/shell.ts";
import { palette } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { ProgressLine } from "../../environment/progress-line.ts";
import { report } from "../../environment/report.ts";
import { problem } from "../../host/problem.ts";
import { threadId } from "../../launch/extents.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { hasErrors } from "../../source/diagnostic.ts";
import type { CommandIo } from "../command-io.ts";
import { listKernels, WHICH } from "../run/kernel-list.ts";
import { readProgram } from "../run/text.ts";
import { LineHistory } from "./history.ts";
import { runGiven, runScript, type ScriptOptions } from "./script.ts";
import { converse } from "./terminal.ts";

export type ReplOptions = RunCommandOptions &
  ScriptOptions & {
    /** False with `--no-history`. */
    readonly history?: boolean;
  };

/** `ptxrun repl [FILE]`, `ptxrun run -i`: at a terminal a conversation, else a script. */
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

/** Options of `run` that nothing in the REPL would heed. */
function withoutEffect({ seeds, stats, report, json, format, output, cache }: ReplOptions): readonly Diagnostic[] {
  const refuse = (option: string, expected: string) =>
    problem("PTX2003", `${option} is for a run, not for the REPL`, { expected });
  return [
    ...(seeds === undefined ? [] : [refuse("--seeds", "--schedule random:SEED for one of them")]),
    ...(stats ? [refuse("--stats", "ptxrun run --stats")] : []),
    ...(report === undefined ? [] : [refuse("--report", "ptxrun run --report")]),
    ...(json || format === "json" ? [refuse(json ? "--json" : "--format json", "ptxrun run --json")] : []),
    ...(cache === undefined ? [] : [refuse("--cache", "ptxrun run --cache")]),
    ...(output === undefined ? [] : [refuse("--output", "the command dump NAME=@FILE")]),
  ];
}

/** Looks at the thread that `--thread` names, if it has begun. */
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

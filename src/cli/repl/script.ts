import type { Shell } from "../../console/shell.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { mostText, readInput, readText } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";

/** Where commands come from before the terminal, or instead of it. */
export interface ScriptOptions {
  /** Files of commands: `-x`. */
  readonly execute?: readonly string[];
  /** Commands: `--command`. */
  readonly command?: readonly string[];
}

/** Carries out files and commands of the command line; false when one was refused. */
export function runGiven(shell: Shell, { execute = [], command = [] }: ScriptOptions, io: Io): boolean {
  for (const path of execute) {
    const { value, diagnostics } = readText(path, { files: io.files }, mostText(io));
    shell.complain(diagnostics);
    if (value === undefined || !runText(shell, value.text)) return false;
  }
  for (const line of command) if (!shell.done && !shell.carryOut(line)) return false;
  return true;
}

/** Carries out the lines of a text up to the first that is refused; returns whether all were carried out. */
export function runText(shell: Shell, text: string): boolean {
  for (const line of text.split(/\r?\n/)) {
    if (shell.done) return true;
    if (line.trim() !== "" && !line.trim().startsWith("#") && !shell.carryOut(line)) return false;
  }
  return true;
}

/**
 * Runs standard input as a script. The exit code says how its program ended, or is 2 at the first line that is refused.
 */
export function runScript(shell: Shell, options: ScriptOptions, io: Io): ExitCode {
  if (!runGiven(shell, options, io)) return Exit.usage;
  if (shell.done) return shell.exit;
  const { value: bytes, diagnostics } = readInput(io);
  shell.complain(diagnostics);
  if (bytes === undefined) return worst(diagnostics.map(exitOf));
  if (!runText(shell, new TextDecoder().decode(bytes)) || !shell.finish()) return Exit.usage;
  return shell.exit;
}

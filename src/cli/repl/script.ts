import { Exit, type ExitCode } from "../exit.ts";
import { decode, readBytes } from "../file.ts";
import type { Io } from "../io.ts";
import type { Shell } from "./shell.ts";

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
    const bytes = readBytes(path, { from: io.cwd });
    const text = bytes.value === undefined ? undefined : decode(path, bytes.value);
    shell.complain([...bytes.diagnostics, ...(text?.diagnostics ?? [])]);
    if (text?.value === undefined || !runText(shell, text.value.text)) return false;
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
  if (!shell.done && !runText(shell, new TextDecoder().decode(io.input()))) return Exit.usage;
  return shell.exit;
}

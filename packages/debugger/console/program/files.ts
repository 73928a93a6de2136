import { mostText, writeFile } from "../../../../src/environment/file.ts";
import { readProgramText } from "../../../../src/environment/program-file.ts";
import { hasErrors } from "../../../../src/source/diagnostic.ts";
import type { Source } from "../../../../src/source/source.ts";
import { type LinePart, Refusal, refuse, spanOf } from "../expression/refusal.ts";
import { tell } from "../motion.ts";
import type { Shell } from "../shell.ts";
import { LoadedProgram } from "./loaded-program.ts";

/** The text of a file that a command names. */
function read(shell: Shell, argument: LinePart) {
  const { source } = argument;
  const { io } = shell;
  const place = { source, span: spanOf(argument) };
  const { value, diagnostics } = readProgramText(argument.text, { files: io.files }, mostText(io), { place });
  if (value === undefined) throw new Refusal(diagnostics);
  return value;
}

/** The programs that a shell has loaded, by name: facts about a text are cached by its source. */
const loaded = new WeakMap<Shell, Map<string, Source>>();

/** The source of a program; the same as before if the file has not changed since. */
function sourceOf(shell: Shell, argument: LinePart): Source {
  const source = read(shell, argument);
  const all = loaded.get(shell) ?? new Map<string, Source>();
  loaded.set(shell, all);
  const before = all.get(source.name);
  if (before?.text === source.text) return before;
  all.set(source.name, source);
  return source;
}

/** `load FILE`: another program takes the place of this one. */
export function loadProgram(shell: Shell, argument: LinePart): void {
  const { value, diagnostics } = LoadedProgram.load(sourceOf(shell, argument), shell.options, shell.io);
  if (value === undefined) throw new Refusal(diagnostics);
  shell.complain(diagnostics);
  shell.replace(value);
  tell(shell, shell.debugger.stop, { thread: shell.debugger.focus, steps: false });
}

/** `source FILE`: the commands in it, echoed as a script's are. */
export function sourceFile(shell: Shell, argument: LinePart): void {
  const { text } = read(shell, argument);
  runLines(shell, text, argument);
}

/** Runs lines until one is refused; then throws a `Refusal`. */
export function runLines(shell: Shell, text: string, at: LinePart): void {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (shell.done) return;
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    if (!shell.carryOut(line)) throw refuse("PTX2407", `line ${index + 1} of ${at.text} was refused`, at);
  }
}

/** `save FILE`: writes the lines that were typed. */
export function saveLines(shell: Shell, argument: LinePart): void {
  const wrong = writeFile(argument.text, shell.log.map((line) => `${line}\n`).join(""), shell.io.files);
  if (hasErrors(wrong)) throw new Refusal(wrong);
}

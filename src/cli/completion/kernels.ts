import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { Device } from "../../host/index.ts";
import type { FunctionNames } from "../../host/module/function-names.ts";
import { limitTime, openModule } from "../../launch/program.ts";
import { readProgram } from "../run/text.ts";
import { type ShellWord, shellLine } from "../shell-line.ts";
import type { CommandShape } from "../tree.ts";
import { bashReply } from "./bash-reply.ts";
import { commandOf, namesOf } from "./words.ts";

/** Nobody reads a longer list, and shells ask before they show it. */
const MOST = 200;
/** Milliseconds that a person waits for a key. */
const PATIENCE = 1500;

/**
 * What scripts of completion ask for: kernels of the program in a line that is being typed, for its last word, one a line.
 * For bash as it can be typed, for the other shells as it is. Nothing where there is nothing to offer, whatever the
 * reason: no file yet, or none that can be read.
 */
export function offerKernels(shell: string, line: string, program: CommandShape, io: Io): ExitCode {
  const words = shellLine(line);
  const last = words.at(-1);
  if (last === undefined) return Exit.ok;
  const [option = ""] = /^--entry=/.exec(last.text) ?? [];
  const typed = last.text.slice(option.length);
  const names = namesIn(words.slice(1, -1), program, io);
  if (names === undefined) return Exit.ok;
  const offered = matching(names, typed);
  const replies =
    shell === "bash" ? offered.map((name) => bashReply(name, line.slice(last.start), last.open)) : offered;
  io.out(replies.map((reply) => `${reply}\n`).join(""));
  return Exit.ok;
}

/** The program that a command line names: its file, or the text of `-e`. */
function namesIn(words: readonly ShellWord[], program: CommandShape, io: Io): FunctionNames | undefined {
  const { file, text } = programIn(words, program);
  if ((file === undefined && text === undefined) || file === "-") return undefined;
  const source = readProgram(file, text === undefined ? {} : { eval: text }, io).value;
  if (source === undefined) return undefined;
  limitTime(source, { timeout: PATIENCE }, io.now);
  return openModule(new Device(), source, {}).value?.names;
}

function programIn(
  words: readonly ShellWord[],
  program: CommandShape,
): { readonly file?: string; readonly text?: string } {
  const [first] = words;
  const named = program.commands.find(({ name }) => name === first?.text);
  const options = (named ?? commandOf(program)).options.filter(({ value }) => value !== undefined);
  const takesValue = new Set(options.flatMap(namesOf));
  const rest = words.slice(named === undefined ? 0 : 1);
  let file: string | undefined;
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at]?.text ?? "";
    const value = rest[at + 1]?.text;
    if ((word === "-e" || word === "--eval") && value !== undefined) return { text: value };
    if (takesValue.has(word)) at++;
    else if (!word.startsWith("-") || word === "-") file ??= word;
  }
  return file === undefined ? {} : { file };
}

/** For each kernel the shortest name that begins as what is typed; mangled ones only for who begins so. */
function matching(names: FunctionNames, typed: string): string[] {
  const found: string[] = [];
  for (const name of [...names.kernels, ...names.functions]) {
    if (found.length === MOST) break;
    const offer = name.startsWith(typed) && typed.startsWith("_") ? name : names.beginning(name, typed);
    if (offer !== undefined) found.push(offer);
  }
  return found;
}

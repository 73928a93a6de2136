import type { Command } from "commander";
import { Exit, type ExitCode } from "../../environment/exit.ts";
import type { Io } from "../../environment/io.ts";
import { Device } from "../../host/index.ts";
import type { FunctionNames } from "../../host/module/function-names.ts";
import { limitTime, openModule } from "../../launch/program.ts";
import { readProgram } from "../run/text.ts";
import { type ShellWord, shellLine } from "../shell-line.ts";
import { type ArgumentShape, type CommandShape, type OptionShape, shapeOf, type ValueShape } from "../tree.ts";
import { commandOf, namesOf } from "./words.ts";
import { zsh } from "./zsh.ts";

/** The characters at which bash splits words for completion (COMP_WORDBREAKS), besides blanks and quotes. */
const breaks = "><=;|&(:";
/** The characters that are special to bash. */
const special = /[^\w%@,.+/:=^-]/g;

/**
 * The text with which bash replaces the unfinished word: only the part after the last character that splits words, with
 * backslashes; within a quote the complete word.
 */
export function bashReply(name: string, typed: string, open: "'" | '"' | undefined): string {
  if (open !== undefined && typed.startsWith(open)) return open === '"' ? name.replace(/["\\$`]/g, "\\$&") : name;
  return name.slice(kept(typed)).replace(special, "\\$&");
}

/** How many characters of the name bash leaves unchanged; `--entry=` is not part of it. */
function kept(typed: string): number {
  let read = 0;
  let whole = 0;
  const option = typed.startsWith("--entry=") ? "--entry=".length : 0;
  for (let at = option; at < typed.length; at++) {
    if (typed[at] === "\\") at++;
    else if (breaks.includes(typed[at] ?? "")) whole = read + 1;
    read++;
  }
  return whole;
}

/** Nobody reads a longer list, and shells ask before they show it. */
const MAX_COMPLETIONS = 200;
/** Milliseconds that a user waits after a key. */
const COMPLETION_TIMEOUT_MS = 1500;

/**
 * The output for completion scripts: kernels of the program in the unfinished line, for its last word, one a line.
 * Escaped for bash, unchanged for the other shells. Nothing where there are no candidates, whatever the reason: no file
 * yet, or none that can be read.
 */
function offerKernels(shell: string, line: string, program: CommandShape, io: Io): ExitCode {
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
  limitTime(source, { timeout: COMPLETION_TIMEOUT_MS }, io.now);
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

/** For each kernel the shortest name with the typed prefix; mangled ones only for a prefix of a mangled name. */
function matching(names: FunctionNames, typed: string): string[] {
  const found: string[] = [];
  for (const name of [...names.kernels, ...names.functions]) {
    if (found.length === MAX_COMPLETIONS) break;
    const offer = name.startsWith(typed) && typed.startsWith("_") ? name : names.beginning(name, typed);
    if (offer !== undefined) found.push(offer);
  }
  return found;
}

/** Completions for fish, to be put into `~/.config/fish/completions/ptxrun.fish`. */
function fish(program: CommandShape): string {
  const { commands } = program;
  const lines = [
    "# Completion of ptxrun for fish: ptxrun completion fish > ~/.config/fish/completions/ptxrun.fish",
    "function __ptxrun_command",
    "  set -l words (commandline -opc)",
    `  if set -q words[2]; and contains -- $words[2] ${commands.map(({ name }) => name).join(" ")}`,
    "    echo $words[2]",
    "  else",
    `    echo ${commandOf(program).name}`,
    "  end",
    "end",
    "function __ptxrun_kernels",
    "  set -l words (commandline -opc)",
    "  $words[1] kernels-for fish (commandline -cp | string collect) 2>/dev/null </dev/null",
    "end",
    "complete -c ptxrun -f",
    ...commands.map(
      ({ name, description }) => `complete -c ptxrun -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
    ),
    ...commands.flatMap((command) => [
      ...command.options.map((option) => `${when(command)} ${optionWords(option)}`),
      ...command.arguments.flatMap((argument) => argumentWords(argument).map((words) => `${when(command)} ${words}`)),
    ]),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

const when = ({ name }: CommandShape): string => `complete -c ptxrun -n 'test (__ptxrun_command) = ${name}'`;

function optionWords({ short, long, description, value }: OptionShape): string {
  const names = [
    ...(short === undefined ? [] : [`-s ${short.replace(/^-/, "")}`]),
    ...(long === undefined ? [] : [`-l ${long.replace(/^--/, "")}`]),
  ];
  const takes = value === undefined ? [] : value.kind === "path" ? ["-r -F"] : ["-x", ...choices(value)];
  return [...names, ...takes, `-d ${quoted(description)}`].join(" ");
}

function choices(value: ValueShape): string[] {
  if (value.kind === "choice") return [`-a ${quoted(value.words.join(" "))}`];
  return value.kind === "kernel" ? ["-a '(__ptxrun_kernels)'"] : [];
}

function argumentWords({ value }: ArgumentShape): string[] {
  if (value.kind === "choice") return [`-a ${quoted(value.words.join(" "))}`];
  return value.kind === "path" ? ["-F"] : [];
}

/** Within single quotes fish knows two escapes. */
const quoted = (text: string): string => `'${text.replace(/[\\']/g, (each) => `\\${each}`)}'`;

/**
 * A completion script for bash 4 and newer. Where a path is expected it offers nothing, and `-o default` makes bash
 * complete file names, which it quotes correctly.
 */
function bash(program: CommandShape): string {
  const commands = program.commands.map(({ name }) => name);
  return `# Completion of ptxrun for bash: source <(ptxrun completion bash)
# The word that is typed belongs to --entry, however bash parts it: at : < > ( and =, and at blanks in quotes.
_ptxrun_entry='(^|[[:space:]])--entry(=|[[:space:]]+)("[^"]*|'"'[^']*"'|([^[:space:]"\\'"'"']|\\\\.)*)$'
_ptxrun_kernels() {
  mapfile -t COMPREPLY < <("$1" kernels-for bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
}
_ptxrun() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=${commandOf(program).name} words=
  COMPREPLY=()
  # bash parts --option=value in three.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      ${commands.join("|")}) command=\${COMP_WORDS[1]} ;;
    esac
  fi
  if [[ "\${COMP_LINE:0:COMP_POINT}" =~ $_ptxrun_entry ]]; then prev=--entry; fi
  case "$command $prev" in
${program.commands.flatMap(valueCases).join("\n")}
  esac
  case $command in
${program.commands.map((command) => wordsCase(command)).join("\n")}
  esac
  if ((COMP_CWORD == 1)) && [[ $cur != -* ]]; then words="${commands.join(" ")}"; fi
  if ((COMP_CWORD == 1)) && [[ $cur == -* ]]; then words+=" ${program.options.flatMap(namesOf).join(" ")}"; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _ptxrun ptxrun
`;
}

/** The values of options, one line for all options that take the same values. */
function valueCases({ name, options }: CommandShape): string[] {
  const byReply = new Map<string, string[]>();
  for (const option of options) {
    if (option.value === undefined) continue;
    const patterns = namesOf(option).map((each) => `"${name} ${each}"`);
    const same = byReply.get(reply(option.value));
    if (same === undefined) byReply.set(reply(option.value), patterns);
    else same.push(...patterns);
  }
  return [...byReply].map(([words, patterns]) => `    ${patterns.join(" | ")}) ${words} ;;`);
}

function reply(value: ValueShape): string {
  if (value.kind === "choice")
    return `mapfile -t COMPREPLY < <(compgen -W "${value.words.join(" ")}" -- "$cur"); return`;
  if (value.kind === "kernel") return `compopt +o default 2>/dev/null; _ptxrun_kernels "$1"; return`;
  return value.kind === "path" ? "return" : "compopt +o default 2>/dev/null; return";
}

function wordsCase({ name, options, arguments: [first] }: CommandShape): string {
  const words = first?.value.kind === "choice" ? first.value.words.join(" ") : "";
  return `    ${name}) if [[ $cur == -* ]]; then words="${options.flatMap(namesOf).join(" ")}"; else words="${words}"; fi ;;`;
}

const shells = { bash, zsh, fish };
export type ShellName = keyof typeof shells;

/** `ptxrun completion`: a script for a shell, generated from the commands. */
export function completion(shell: ShellName, program: Command, io: Io): ExitCode {
  io.out(shells[shell](shapeOf(program)));
  return Exit.ok;
}

/** `ptxrun kernels-for`: candidates for these scripts. */
export const kernelsFor = (shell: string, line: string, program: Command, io: Io): ExitCode =>
  offerKernels(shell, line, shapeOf(program), io);

import type { ArgumentShape, CommandShape, OptionShape, ValueShape } from "../tree.ts";
import { commandOf } from "./words.ts";

/** Completions for fish, to be put into `~/.config/fish/completions/ptxrun.fish`. */
export function fish(program: CommandShape): string {
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

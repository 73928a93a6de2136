import type { Command, Option } from "commander";

/** A command line as data, read from commander: completions and the manual page are made from it, as --help is. */
export interface CommandShape {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly ArgumentShape[];
  readonly options: readonly OptionShape[];
  readonly commands: readonly CommandShape[];
  /** What --help prints after the options. */
  readonly after: string;
}

export interface ArgumentShape {
  readonly name: string;
  readonly required: boolean;
  readonly variadic: boolean;
  readonly value: ValueShape;
}

export interface OptionShape {
  readonly short?: string;
  readonly long?: string;
  /** The heading of --help under which it stands. */
  readonly group: string;
  readonly description: string;
  /** The description with choices and default, as --help shows it. */
  readonly details: string;
  /** As --help shows it; absent for a flag. */
  readonly placeholder?: string;
  readonly value?: ValueShape;
}

/** The accepted values: one of a few words, a path, a kernel of the program, or anything. */
export type ValueShape =
  | { readonly kind: "choice"; readonly words: readonly string[] }
  | { readonly kind: "path" }
  | { readonly kind: "kernel" }
  | { readonly kind: "any" };

/** Reads a command and its subcommands. */
export function shapeOf(command: Command): CommandShape {
  const help = command.createHelp();
  return {
    name: command.name(),
    description: command.description(),
    arguments: command.registeredArguments.map((argument) => ({
      name: argument.name(),
      required: argument.required,
      variadic: argument.variadic,
      value: valueNamed(argument.name(), argument.argChoices),
    })),
    options: help.visibleOptions(command).map((option) => optionShape(option, help.optionDescription(option))),
    commands: visible(command).map(shapeOf),
    after: afterHelp(command),
  };
}

/** The commands that --help names, but for help itself, which commander adds. */
function visible(command: Command): readonly Command[] {
  const shown = new Set(command.createHelp().visibleCommands(command));
  return command.commands.filter((each) => shown.has(each));
}

function optionShape(
  { short, long, flags, argChoices, description, helpGroupHeading }: Option,
  details: string,
): OptionShape {
  const placeholder = /<[^<>]*>(?:$|(?= ))/.exec(flags)?.[0];
  return {
    ...(short === undefined ? {} : { short }),
    ...(long === undefined ? {} : { long }),
    group: helpGroupHeading ?? "Options:",
    description,
    details,
    ...(placeholder === undefined
      ? {}
      : { placeholder: placeholder.slice(1, -1), value: valueNamed(placeholder.slice(1, -1), argChoices) }),
  };
}

function valueNamed(name: string, choices: readonly string[] | undefined): ValueShape {
  if (choices !== undefined) return { kind: "choice", words: choices };
  if (name === "kernel") return { kind: "kernel" };
  return /^(?:file|path|folder)$/.test(name) ? { kind: "path" } : { kind: "any" };
}

/** What `addHelpText("after")` adds, which commander prints but does not expose. */
function afterHelp(command: Command): string {
  let printed = "";
  const { writeOut } = command.configureOutput();
  command.configureOutput({
    writeOut: (text) => {
      printed += text;
    },
  });
  command.outputHelp();
  command.configureOutput(writeOut === undefined ? {} : { writeOut });
  return printed.slice(command.helpInformation().length).trim();
}

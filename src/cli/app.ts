import { Command, CommanderError, type HelpConfiguration, Help as Helper, type Option } from "commander";
import type { ColourChoice } from "../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../environment/exit.ts";
import { quoted } from "../environment/quoted.ts";
import { report } from "../environment/report.ts";
import { HostError, problem } from "../host/problem.ts";
import { nearest } from "../resolve/nearest.ts";
import type { Diagnostic, Help } from "../source/diagnostic.ts";
import { Source } from "../source/source.ts";
import type { CommandIo } from "../system/command-io.ts";
import { version } from "../system/version.ts";
import { commandTable } from "./commands.ts";
import { topics } from "./help/topics.ts";
import { group } from "./run/options.ts";

/** An error in a command line: a message, the word that it is about, and ways out. */
interface Complaint {
  readonly message: string;
  /** Index of the word in the command line; the whole line when absent. */
  readonly at?: number;
  readonly expected?: string;
  readonly help?: readonly Help[];
  /** PTX2003 for an option's value, PTX2001 for the rest. */
  readonly code?: "PTX2001" | "PTX2003";
}

/**
 * An error of commander as a diagnostic (PTX2001, PTX2003) that points into the command line, states what the
 * command accepts, and names its page of help. `program` has all commands.
 */
function usageProblem(error: CommanderError, argv: readonly string[], program: Command): Diagnostic {
  const command = program.commands.find((each) => each.name() === argv[0]);
  const asked = command ?? program.commands.find((each) => each.name() === "run") ?? program;
  const { message, at, expected, help = [], code = "PTX2001" } = complaint(error, argv, program, asked, command);
  const written = argv.map(quoted);
  const text = ["ptxrun", ...written].join(" ");
  const start = ["ptxrun", ...written.slice(0, at ?? 0)].join(" ").length + 1;
  const end = at === undefined ? text.length : start + (written[at] ?? "").length;
  const single = argv.find((word) => asked.options.some(({ long }) => long === `-${word}`));
  const dashes =
    single === undefined ? [] : [{ message: `did you mean -${single}? a name of several letters has two dashes` }];
  return problem(code, message, {
    source: new Source("command line", text),
    span: { start: Math.min(start, text.length), end },
    ...(expected === undefined ? {} : { expected }),
    help: [
      ...help,
      ...dashes,
      { message: `usage: ptxrun ${asked.name()} ${asked.usage()}; ptxrun ${asked.name()} --help says more` },
    ],
  });
}

function complaint(
  { code, message }: CommanderError,
  argv: readonly string[],
  program: Command,
  asked: Command,
  command: Command | undefined,
): Complaint {
  const [said = ""] = message.replace(/^error: /, "").split("\n");
  switch (code) {
    case "commander.unknownOption":
      return noOption(argv, program, asked, said);
    case "commander.optionMissingArgument": {
      const option = optionIn(said, asked);
      const name = option?.long ?? option?.short ?? "the option";
      return {
        message: `${name} needs a value`,
        ...at(argv, option),
        expected: `a value: ${name} ${placeholder(option)}`,
        code: "PTX2003",
      };
    }
    case "commander.missingArgument": {
      const name = /'([\w-]+)'/.exec(said)?.[1] ?? "argument";
      const word = name === "what" ? "something to explain" : name === "form" ? "an instruction" : `a ${name}`;
      return { message: `ptxrun ${asked.name()} needs ${word}`, at: 0 };
    }
    case "commander.excessArguments":
      return tooMany(argv, program, asked, command);
    case "commander.conflictingOption": {
      const [one = "", other = ""] = [...said.matchAll(/'([^']*)'/g)].map(([, flags]) => flags);
      return { message: `${one} and ${other} cannot both be given`, at: argv.indexOf(one), expected: "one of them" };
    }
    case "commander.invalidArgument":
      return invalid(argv, asked, said);
    default:
      return { message: said.replace(/\.$/, "") };
  }
}

/** An unknown command name, the first word. */
function noCommand([word = ""]: readonly string[], program: Command): Complaint {
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((each) => each.name());
  const near = nearest(word, names);
  return {
    message: `unknown command ${word}`,
    at: 0,
    expected: names.join(", "),
    help: near === undefined ? [] : [{ message: `did you mean ${near}?` }],
  };
}

function noOption(argv: readonly string[], program: Command, asked: Command, said: string): Complaint {
  const [name = "", joined] = (/'(.*?)'/.exec(said)?.[1] ?? "").split("=");
  const index = argv.findIndex((word) => word === name || word.startsWith(`${name}=`));
  const has = (each: Command) => each.options.some(({ short, long }) => short === name || long === name);
  const others = program.commands.filter((each) => each !== asked && has(each)).map((each) => each.name());
  return {
    message: others.length > 0 ? `ptxrun ${asked.name()} has no option ${name}` : `unknown option ${name}`,
    ...(index < 0 ? {} : { at: index }),
    help: [
      ...meant(name, joined ?? argv[index]?.split("=")[1] ?? argv[index + 1], program, asked, others.length > 0),
      ...(others.length > 0 ? [{ message: `${name} is an option of ptxrun ${others.join(", ")}` }] : []),
    ],
  };
}

const longNames = ({ options }: Command): string[] => options.flatMap(({ long }) => long ?? []);

/** The options that say how a result is printed: a command has one of the two. */
const printing = ["--format", "--reporter"];

/** What an unknown option was meant to be: what prints here, an option of this command, or one of another. */
function meant(
  name: string,
  value: string | undefined,
  program: Command,
  asked: Command,
  elsewhere: boolean,
): readonly Help[] {
  if (!name.startsWith("--")) return [];
  const own = longNames(asked);
  const print = printing.includes(name) || name === "--json" ? own.find((each) => printing.includes(each)) : undefined;
  if (print !== undefined) {
    const how = name === "--json" ? "json" : value === undefined || value.startsWith("-") ? "" : value;
    return [{ message: `did you mean ${`${print} ${how}`.trim()}?` }];
  }
  if (elsewhere) return [];
  const near = nearest(name, own);
  if (near !== undefined) return [{ message: `did you mean ${near}?` }];
  const far = nearest(name, new Set(program.commands.flatMap(longNames)));
  const whose = program.commands.filter((each) => far !== undefined && longNames(each).includes(far));
  return far === undefined
    ? []
    : [{ message: `did you mean ${far}, of ptxrun ${whose.map((each) => each.name()).join(", ")}?` }];
}

/** More words than the command accepts. Without a command the first word may have been meant as one. */
function tooMany(argv: readonly string[], program: Command, asked: Command, command: Command | undefined): Complaint {
  const near =
    command === undefined
      ? nearest(
          argv[0] ?? "",
          program.commands.map((each) => each.name()),
        )
      : undefined;
  if (near !== undefined) return noCommand(argv, program);
  // Other words than files: see run.
  const most = asked.registeredArguments.filter(({ variadic }) => !variadic).length;
  const surplus = positions(argv, asked, command === undefined ? 0 : 1)[most];
  const takes = most === 0 ? "takes no arguments" : `takes one ${asked.registeredArguments[most - 1]?.name()}`;
  const extra = surplus === undefined ? undefined : argv[surplus];
  return {
    message: extra === undefined ? `ptxrun ${asked.name()} ${takes}` : `${extra} is one argument too many`,
    ...(surplus === undefined ? {} : { at: surplus }),
    expected: most === 0 ? `${asked.name()} alone` : `one ${asked.registeredArguments[most - 1]?.name()}, and options`,
    help:
      asked.name() === "run" ? [{ message: "a value for the program is an option: -r NAME=VALUE, -a NAME=VALUE" }] : [],
  };
}

/** The indices of the words that belong to no option. */
function positions(argv: readonly string[], asked: Command, from: number): readonly number[] {
  const found: number[] = [];
  for (let index = from; index < argv.length; index++) {
    const word = argv[index] ?? "";
    const option = asked.options.find(({ short, long }) => word === short || word === long);
    if (option?.required === true) index++;
    else if (word === "-" || !word.startsWith("-")) found.push(index);
  }
  return found;
}

function invalid(argv: readonly string[], asked: Command, said: string): Complaint {
  const named = /^command-argument value '(.*)' is invalid for argument '([\w-]+)'\. (.*?)\.?$/s.exec(said);
  if (named !== null) {
    const [, given = "", name = "", wanted = ""] = named;
    const choices = wanted.replace("Allowed choices are ", "");
    const near = nearest(given, choices.split(", "));
    return {
      message: `unknown ${name} ${given}`,
      at: argv.indexOf(given, 1),
      expected: choices,
      help: near === undefined ? [] : [{ message: `did you mean ${near}?` }],
    };
  }
  const value = /^option '[^']*' argument '(.*)' is invalid\. (.*?)\.?$/s.exec(said);
  const option = optionIn(said, asked);
  const [, given = "", reason = ""] = value ?? [];
  const [, what, wanted = ""] = /^(?:(.*); )?(?:wanted |Allowed choices are )(.*)$/s.exec(reason) ?? [];
  const near = nearest(what === undefined ? given : (what.split(" ").at(-1) ?? ""), wanted.split(", "));
  return {
    message: what ?? `${option?.long ?? "the option"} cannot be ${given === "" ? "empty" : given}`,
    ...at(argv, option),
    expected: wanted,
    help: near === undefined ? [] : [{ message: `did you mean ${near}?` }],
    code: "PTX2003",
  };
}

/** The option that commander's sentence names: `option '-r, --reg <name=value>' ...`. */
function optionIn(said: string, asked: Command): Option | undefined {
  const flags = /'([^']*)'/.exec(said)?.[1];
  return asked.options.find((option) => option.flags === flags);
}

const placeholder = (option: Option | undefined): string => /<[^<>]*>/.exec(option?.flags ?? "")?.[0] ?? "VALUE";

/** The position of the option in the command line: as a word, before `=`, or as a letter with its value behind it. */
function at(argv: readonly string[], option: Option | undefined): { readonly at?: number } {
  const { short, long } = option ?? {};
  const names = [short, long].filter((name) => name !== undefined);
  const index = argv.findIndex(
    (word) =>
      names.some((name) => word === name || word.startsWith(`${name}=`)) ||
      (short !== undefined && !word.startsWith("--") && word.startsWith(short)),
  );
  return index < 0 ? {} : { at: index };
}

const examples = `
Topics:
${Object.entries(topics)
  .map(([name, about]) => `  ${name.padEnd(12)}${about}`)
  .join("\n")}
  ptxrun help TOPIC prints one, ptxrun help COMMAND the options of a command.

Examples:
  ptxrun -e 'add.f16 d, a, b;' -r a=0x3c00 -r b=1.5
  ptxrun axpy.ptx --block 64 -a x=f32x64:iota -a y=f32x64:fill=1 -a n=64
  ptxrun doctor kernel.ptx
  ptxrun explain fma.rn.f16 a=0x3e94 b=0x134c c=0x3e22`;

/** Groups that stand behind the others, in this order. */
const behind: readonly string[] = [group.closer, group.limits, group.visa];

/** How --help prints: names of commands alone, so that each has a line; choices and defaults in few words. */
const helpStyle: HelpConfiguration = {
  subcommandTerm: (command) => command.name(),
  optionDescription: ({ description, argChoices, defaultValue, defaultValueDescription }) => {
    const choices = argChoices === undefined ? "" : `: ${argChoices.join(", ")}`;
    const usual = defaultValueDescription ?? (Array.isArray(defaultValue) ? defaultValue.join("..") : defaultValue);
    return `${description}${choices}${usual === undefined ? "" : ` (default ${usual})`}`;
  },
  // Of a word among many, the error names them.
  argumentDescription: ({ description, argChoices = [] }) =>
    argChoices.length === 0 || argChoices.length > 6 ? description : `${description}: ${argChoices.join(", ")}`,
  groupItems: (all, visible, groupOf) => {
    const groups = new Helper().groupItems(all, visible, groupOf);
    for (const heading of behind) {
      const items = groups.get(heading);
      if (items !== undefined && groups.delete(heading)) groups.set(heading, items);
    }
    return groups;
  },
};

/**
 * Runs one command line (without `node` and the script) and returns its exit code, for `exec` that of its program.
 * Throws nothing.
 */
export async function main(argv: readonly string[], io: CommandIo): Promise<number> {
  let exit: number = Exit.ok;
  const program = commands(io, argv, (code) => {
    exit = code;
  });
  if (argv.length === 0) {
    // No command is a question, not a mistake to be pointed at.
    io.err(`${program.helpInformation()}${examples}\n`);
    return Exit.usage;
  }
  let asked: Command | undefined;
  program.hook("preAction", (_, command) => {
    asked = command;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return exit;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return Exit.ok;
      report([usageProblem(error, argv, program)], { color: colourOf(argv) }, io);
      return Exit.usage;
    }
    if (error instanceof HostError) {
      report(error.diagnostics, { color: colourOf(argv) }, io);
      return worst(error.diagnostics.map(exitOf));
    }
    return bug(error, asked, io);
  }
}

/** All commands, the hidden ones too; `done` receives the exit code. */
export function commands(io: CommandIo, argv: readonly string[], done: (exit: number) => void): Command {
  const output = { writeOut: io.out, writeErr: () => {} };
  const program = new Command("ptxrun")
    .description("Runs NVIDIA PTX without a GPU, bit for bit, one instruction at a time.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this, or the options of a command")
    .configureHelp(helpStyle)
    .addHelpText("after", examples)
    .exitOverride()
    .configureOutput(output)
    .enablePositionalOptions();
  for (const { syntax, about, group, is, takes, run } of commandTable) {
    const command = program.command(syntax, is).description(about).exitOverride().configureOutput(output);
    if (group !== undefined) command.helpGroup(`${group}:`);
    (takes?.(command) ?? command)
      .helpOption("-h, --help", "print this")
      .action(async (...given: readonly unknown[]) => {
        const [options, args] = [given.at(-2), given.slice(0, -2)];
        done(await run({ args, options, io, argv, program, main }));
      });
  }
  return program;
}

const colourOf = (argv: readonly string[]): ColourChoice =>
  argv.some((word, at) => word === "--color=never" || (word === "--color" && argv[at + 1] === "never"))
    ? "never"
    : argv.some((word, at) => word === "--color=always" || (word === "--color" && argv[at + 1] === "always"))
      ? "always"
      : "auto";

function bug(error: unknown, asked: Command | undefined, io: CommandIo): ExitCode {
  const verbose = asked?.opts<{ readonly verbose?: boolean }>().verbose === true;
  const offered = asked?.options.some(({ short }) => short === "-v") === true;
  const what = error instanceof Error ? error.message : String(error);
  io.err(
    `bug in ptxrun ${version}: ${what.split("\n")[0]}\n` +
      "The mistake is ours, not your program's: report it with the program and this command line.\n" +
      (verbose && error instanceof Error ? `${error.stack}\n` : offered ? "With -v the stack is printed.\n" : ""),
  );
  return Exit.bug;
}

import type { CommanderError } from "commander";
import { problem } from "../host/problem.ts";
import { nearest } from "../resolve/nearest.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { Source } from "../source/source.ts";

const WORD = /^[\w@%+=:,./-]+$/;

/** A word quoted for a shell. */
export const quoted = (word: string): string => (WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/**
 * An error of commander as a diagnostic that points into the command line. `commands` are the names that a first word
 * may have meant.
 */
export function usageProblem(error: CommanderError, argv: readonly string[], commands: readonly string[]): Diagnostic {
  const { named, message, expected, code } = inWords(error);
  const command = commands.find((name) => name === argv[0]) ?? "run";
  const index = argv.findIndex((word) => named.some((name) => word === name || word.startsWith(`${name}=`)));
  const text = ["ptxrun", ...argv.map(quoted)].join(" ");
  const start = ["ptxrun", ...argv.slice(0, Math.max(index, 0)).map(quoted)].join(" ").length + 1;
  const end = index < 0 ? text.length : start + quoted(argv[index] ?? "").length;
  const hint = /Did you mean (?:one of )?(.*?)\?\)/.exec(error.message)?.[1];
  const meant = hint ?? (commands.includes(argv[0] ?? "") ? undefined : nearest(argv[0] ?? "", commands));
  return problem(code, message, {
    source: new Source("command line", text),
    span: { start: index < 0 ? Math.min(7, text.length) : start, end },
    ...(expected === undefined ? {} : { expected }),
    help: [
      ...(meant === undefined ? [] : [{ message: `did you mean ${meant}?` }]),
      { message: `ptxrun ${command} --help lists what there is` },
    ],
  });
}

/** Commander's sentences in ptxrun's words; `named` is the option's name. */
function inWords({ message, code }: CommanderError): {
  readonly named: readonly string[];
  readonly message: string;
  readonly expected?: string;
  readonly code: "PTX2001" | "PTX2003";
} {
  const [said = ""] = message.replace(/^error: /, "").split("\n");
  const value = /^option '(?:(-\w), )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*?)\.?$/s.exec(said);
  if (value !== null) {
    const [, short = "", long = "", given = "", wanted = ""] = value;
    const expected = wanted.replace(/^wanted |^Allowed choices are /, "");
    return {
      named: [short, long],
      message: `${long} cannot be ${given === "" ? "empty" : given}`,
      expected,
      code: "PTX2003",
    };
  }
  const [, short = "", name = ""] = /'(?:(-\w), )?(--?[\w-]+)[^']*'/.exec(said) ?? [];
  const named = [short, name].filter((each) => each !== "");
  if (code === "commander.unknownOption") return { named, message: `there is no option ${name}`, code: "PTX2001" };
  if (code === "commander.optionMissingArgument") {
    return { named, message: `${name} lacks its value`, expected: "a value behind it", code: "PTX2003" };
  }
  if (code === "commander.excessArguments") {
    return { named: [], message: "too many files", expected: "one, and options", code: "PTX2001" };
  }
  return { named, message: said.replace(/\.$/, ""), code: "PTX2001" };
}

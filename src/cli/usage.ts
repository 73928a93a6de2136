import type { CommanderError } from "commander";
import { problem } from "../host/problem.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import { Source } from "../source/source.ts";

const WORD = /^[\w@%+=:,./-]+$/;

/** A word as a shell would need it. */
export const quoted = (word: string): string => (WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** What commander says about a command line, as a diagnostic that points into it. */
export function usageProblem({ message, code }: CommanderError, argv: readonly string[], command: string): Diagnostic {
  const [said = "", hint = ""] = message.replace(/^error: /, "").split("\n");
  const meant = /Did you mean (?:one of )?(.*?)\?\)/.exec(hint)?.[1];
  const text = ["ptxrun", ...argv.map(quoted)].join(" ");
  const named = /'([^']*)'/.exec(said)?.[1]?.split(" ")[0]?.replace(/,$/, "") ?? "";
  const index = argv.findIndex((word) => named !== "" && (word === named || word.startsWith(`${named}=`)));
  const before = ["ptxrun", ...argv.slice(0, Math.max(index, 0)).map(quoted)].join(" ").length + 1;
  const span =
    index < 0 ? { start: 0, end: text.length } : { start: before, end: before + quoted(argv[index] ?? "").length };
  const help = [
    ...(meant === undefined ? [] : [{ message: `did you mean ${meant}?` }]),
    { message: `ptxrun ${command} --help lists what there is` },
  ];
  return problem(code === "commander.invalidArgument" ? "PTX2003" : "PTX2001", said.replace(/\.$/, ""), {
    source: new Source("command line", text),
    span,
    help,
  });
}

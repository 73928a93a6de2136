import { dirname } from "node:path";
import { quoted } from "../../../environment/quoted.ts";
import { memoryFile } from "../../../launch/value/weak.ts";
import { quotedWords } from "../../shell-line.ts";
import type { CaseLine } from "../file/directive.ts";
import type { CaseOptions } from "../options.ts";

/** The option that sets an input, by the kind of its name. */
export type InputKind = "reg" | "arg" | "global";

/** The one command that runs a case by hand and shows what it expects. */
export function repeatCommand(
  file: string,
  line: CaseLine,
  kinds: readonly InputKind[],
  dumps: readonly string[],
  options: CaseOptions,
): string {
  const dumped = dumps.flatMap((name) => ["-d", name]);
  return ["ptxrun", file, ...launchWords(file, line, kinds, options), ...dumped].map(quoted).join(" ");
}

/** The options of `run` that launch a case: those of its `args:` line, then its inputs. */
export function launchWords(
  file: string,
  { inputs, args }: CaseLine,
  kinds: readonly InputKind[],
  options: CaseOptions,
): readonly string[] {
  // Paths in a check are relative to its folder, those of a command to the working folder.
  const folder = dirname(file) === "." ? "" : `${dirname(file)}/`;
  const given = inputs.flatMap(({ text }, index) => [
    `-${(kinds[index] ?? "reg").charAt(0)}`,
    text.replace(/=@(?!\/)/, `=@${folder}`),
  ]);
  const launch = quotedWords(args?.text ?? "").map((word, at, all) =>
    all[at - 1] === "--memory" && memoryFile({ memory: word }) !== undefined && !word.startsWith("/")
      ? `${folder}${word}`
      : word,
  );
  return [...scheduled(launch, options), ...given];
}

/** The one command that repeats a case of several launches, or a line that must be rejected: a check. */
export const repeatCheck = (file: string, name: string): string =>
  `ptxrun check ${quoted(file)} --filter ${quoted(name)}`;

/** The words of an `args:` line, with the one seed that failed in place of many. */
function scheduled(words: readonly string[], { seeds, schedule }: CaseOptions): readonly string[] {
  if (seeds === undefined || schedule === undefined || schedule === "fixed") return words;
  const kept = words.filter(
    (word, at) => !/^--(seeds|schedule)(=|$)/.test(word) && !/^--(seeds|schedule)$/.test(words[at - 1] ?? ""),
  );
  return [...kept, "--schedule", `random:${schedule.seed}`];
}

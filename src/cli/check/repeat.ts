import { dirname } from "node:path";
import { quotedWords } from "../shell-line.ts";
import { quoted } from "../usage.ts";
import type { CaseLine } from "./directive.ts";
import type { CaseOptions } from "./options.ts";

/** Which option an input belongs to, by what its name means. */
export type InputKind = "reg" | "arg" | "global";

/** The one command that runs a case by hand and shows what it expects. */
export function repeatCommand(
  file: string,
  { inputs, args }: CaseLine,
  kinds: readonly InputKind[],
  dumps: readonly string[],
  options: CaseOptions,
): string {
  // Paths in a check are relative to its folder, those of a command to the working folder.
  const here = (text: string) => text.replace(/=@(?!\/)/, `=@${dirname(file) === "." ? "" : `${dirname(file)}/`}`);
  const given = inputs.flatMap(({ text }, index) => [`-${(kinds[index] ?? "reg").charAt(0)}`, quoted(here(text))]);
  const launch = quotedWords(args?.text ?? "");
  return [
    "ptxrun",
    quoted(file),
    ...scheduled(launch, options).map(quoted),
    ...given,
    ...dumps.flatMap((name) => ["-d", quoted(name)]),
  ].join(" ");
}

/** The one command that runs a case of several launches, or a line that must be rejected: as a check. */
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

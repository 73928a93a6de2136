import { dirname } from "node:path";
import { quoted } from "../usage.ts";
import type { CaseLine } from "./directive.ts";
import type { Expectation } from "./expectation.ts";

/** Which option gives an input, by what its name stands for. */
export type InputKind = "reg" | "arg" | "global";

/** The one command that runs a case by hand and shows what it expects. */
export function repeatCommand(
  file: string,
  { inputs, args }: CaseLine,
  kinds: readonly InputKind[],
  expectations: readonly Expectation[],
): string {
  // Paths in a check start from its own folder, those of a command from where it is typed.
  const here = (text: string) => text.replace(/=@(?!\/)/, `=@${dirname(file) === "." ? "" : `${dirname(file)}/`}`);
  const options = inputs.flatMap(({ text }, index) => [`-${(kinds[index] ?? "reg").charAt(0)}`, quoted(here(text))]);
  const names = new Set(expectations.flatMap((each) => (each.kind === "value" ? [each.name.text] : [])));
  const dumps = [...names].flatMap((name) => ["-d", quoted(name)]);
  const launch = args === undefined || args.text === "" ? [] : [args.text];
  return ["ptxrun", quoted(file), ...launch, ...options, ...dumps].join(" ");
}

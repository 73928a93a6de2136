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
  const options = inputs.flatMap(({ text }, index) => [`-${(kinds[index] ?? "reg").charAt(0)}`, quoted(text)]);
  const names = new Set(expectations.flatMap((each) => (each.kind === "value" ? [each.name.text] : [])));
  const dumps = [...names].flatMap((name) => ["-d", quoted(name)]);
  const launch = args === undefined || args.text === "" ? [] : [args.text];
  return ["ptxrun", quoted(file), ...launch, ...options, ...dumps].join(" ");
}

import { isModuleText, kindOfText, problem } from "../host/index.ts";
import type { Diagnostic } from "../source/diagnostic.ts";
import type { Source } from "../source/source.ts";
import type { RunCommandOptions } from "./options.ts";

/** The options that speak of what the text is. */
type TextWords = {
  readonly [word in "target" | "arch" | "async" | "ptx" | "platform" | "grf" | "entry"]?:
    | RunCommandOptions[word]
    | undefined;
};

/** Options that this text gives no meaning: of vISA for PTX, of PTX for vISA, a kernel's name for a snippet (PTX2003). */
export function withoutUse(
  source: Source,
  { target, arch, async: moving, ptx, platform, grf, entry }: TextWords,
): readonly Diagnostic[] {
  const visa =
    [target, arch, moving, ptx, platform, grf].some((value) => value !== undefined) && kindOfText(source) === "vISA";
  const given: readonly (readonly [option: string, value: unknown, ours: string])[] = visa
    ? [
        ["--target", target, "PTX"],
        ["--arch", arch, "PTX"],
        ["--async", moving, "PTX"],
        ["--ptx", ptx, "PTX"],
      ]
    : [
        ["--platform", platform, "vISA"],
        ["--grf", grf, "vISA"],
      ];
  const found = given.flatMap(([option, value, ours]) =>
    value === undefined
      ? []
      : [
          problem("PTX2003", `${option} is for ${ours}, and ${source.name} is ${visa ? "vISA" : "PTX"}`, {
            expected: `no ${option}`,
          }),
        ],
  );
  if (entry === undefined || isModuleText(source)) return found;
  const message = `--entry names a kernel, and ${source.name} is a snippet, which has none`;
  return [...found, problem("PTX2003", message, { expected: "a module, or no --entry" })];
}

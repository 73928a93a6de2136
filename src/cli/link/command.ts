import type { ColourChoice } from "../../environment/colour.ts";
import { type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { checkTarget } from "../../host/launch/arch.ts";
import { readLinked } from "../run/text.ts";

/** Commander's options of `link`. */
export interface LinkOptions {
  readonly output?: string;
  readonly target?: string;
  readonly color: ColourChoice;
  readonly quiet?: boolean;
}

/** `ptxrun link`: prints one module of all that are in the files, or writes it. */
export function linkCommand(files: readonly string[], options: LinkOptions, io: Io): ExitCode {
  const unknown = checkTarget(options.target);
  const { value, diagnostics } =
    unknown.length > 0 ? { value: undefined, diagnostics: unknown } : readLinked(files, options, io);
  report(diagnostics, options, io);
  const exit = worst(diagnostics.map(exitOf));
  if (value === undefined) return exit;
  if (options.output === undefined) {
    io.out(value.text);
    return exit;
  }
  const wrong = writeFile(options.output, value.text, io.files);
  report(wrong, options, io);
  return worst([exit, ...wrong.map(exitOf)]);
}

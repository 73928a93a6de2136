import { lint } from "../../host/index.ts";
import { problem } from "../../host/problem.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { jsonText } from "../../present/json.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { platformNamed, platforms } from "../../visa/resolve/platform.ts";
import type { ColourChoice } from "../colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../exit.ts";
import { decode, readBytes } from "../file.ts";
import type { Io } from "../io.ts";
import { filesIn } from "../paths.ts";
import { report } from "../report.ts";

export interface LintOptions {
  readonly target?: string;
  readonly ptx?: string;
  readonly platform?: string;
  readonly json?: boolean;
  readonly color: ColourChoice;
  readonly quiet?: boolean;
}

/** `ptxrun lint`: all errors and warnings of the files; nothing is run. */
export function lintCommand(paths: readonly string[], options: LintOptions, io: Io): ExitCode {
  const { platform } = options;
  if (platform !== undefined && platformNamed(platform) === undefined) {
    const expected = platforms.map(({ name }) => name).join(", ");
    report([problem("PTX2003", `there is no platform ${platform}`, { expected })], options, io);
    return Exit.usage;
  }
  const { value: files, diagnostics: missing } = paths.includes("-")
    ? { value: ["-"], diagnostics: [] }
    : filesIn(paths, io.cwd);
  const all: Diagnostic[] = [...missing];
  for (const file of files) all.push(...lintFile(file, options, io));
  const exit = missing.length > 0 ? Exit.usage : worst(all.map(exitOf));
  if (options.json) {
    io.out(
      `${jsonText({ schema: "ptxrun.lint/1", files: files.length, diagnostics: all.map(diagnosticToJson) }, 2)}\n`,
    );
    return exit;
  }
  report(all, options, io);
  if (!options.quiet) io.out(`${summary(files.length, all)}\n`);
  return exit;
}

function lintFile(file: string, { target, ptx, platform }: LintOptions, io: Io): readonly Diagnostic[] {
  const bytes = file === "-" ? { value: io.input(), diagnostics: [] } : readBytes(file, { from: io.cwd });
  if (bytes.value === undefined) return bytes.diagnostics;
  const source = decode(file === "-" ? "<stdin>" : file, bytes.value);
  if (source.value === undefined) return source.diagnostics;
  const chosen = platform === undefined ? undefined : platformNamed(platform);
  return lint(source.value, {
    ...(chosen === undefined ? {} : { platform: chosen }),
    ...(target === undefined ? {} : { target }),
    ...(ptx === undefined ? {} : { version: ptx }),
  });
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

function summary(files: number, all: readonly Diagnostic[]): string {
  const counts = (["error", "warning", "note"] as const).map((severity) =>
    plural(all.filter((each) => each.severity === severity).length, severity),
  );
  return `${plural(files, "file")}: ${counts.join(", ")}`;
}

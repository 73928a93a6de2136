import { readLitmus } from "../../../packages/memory-model/litmus/ptx/read-litmus.ts";
import { prepare } from "../../../packages/memory-model/litmus/verdict.ts";
import { platformNamed, platforms } from "../../../packages/visa/src/resolve/platform.ts";
import type { ColourChoice } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, exitOfSignal, worst } from "../../environment/exit.ts";
import { mostText, readInput, readTextBytes } from "../../environment/file.ts";
import type { Io, Signal } from "../../environment/io.ts";
import { isSet } from "../../environment/is-set.ts";
import { decodeProgram } from "../../environment/program-file.ts";
import { report } from "../../environment/report.ts";
import { inSlices, type WatchedSlicing } from "../../environment/slicing.ts";
import { DEVICE_MEMORY, lint } from "../../host/index.ts";
import { checkTarget } from "../../host/launch/arch.ts";
import { problem } from "../../host/problem.ts";
import { limitTime } from "../../launch/program.ts";
import { diagnosticToJson } from "../../present/diagnostic.ts";
import { findingOf } from "../../present/finding.ts";
import { jsonText } from "../../present/json.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { isLitmus } from "../../source/litmus-mark.ts";
import { limitLoading, loadingBytes } from "../../source/loading.ts";
import type { Source } from "../../source/source.ts";
import { filesIn, type ListedFile, reachOf } from "../../system/paths.ts";
import { annotation, grouped, inRepository, summarise } from "../annotation.ts";
import type { WantedFindings } from "../findings/formats.ts";
import { writeFindings } from "../findings/write.ts";

export interface LintOptions {
  readonly target?: string;
  readonly ptx?: string;
  readonly platform?: string;
  readonly format: "text" | "json" | "github";
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly allowRead?: readonly string[];
  readonly maxMem?: number;
  readonly timeout?: number;
  readonly reporter?: readonly WantedFindings[];
}

/** `ptxrun lint`: all errors and warnings of the files; nothing is run. */
export const lintCommand = (paths: readonly string[], options: LintOptions, io: Io): Promise<ExitCode> =>
  inSlices(io, options.quiet !== true, (slicing) => lintInSlices(paths, options, slicing));

async function lintInSlices(
  paths: readonly string[],
  options: LintOptions,
  slicing: WatchedSlicing,
): Promise<ExitCode> {
  const { io } = slicing;
  const { platform } = options;
  if (platform !== undefined && platformNamed(platform) === undefined) {
    const expected = platforms.map(({ name }) => name).join(", ");
    report([problem("PTX2003", `unknown platform ${platform}`, { expected })], options, io);
    return Exit.usage;
  }
  const unknown = checkTarget(options.target);
  if (unknown.length > 0) {
    report(unknown, options, io);
    return Exit.usage;
  }
  const named = filesIn(
    paths.filter((path) => path !== "-"),
    io.cwd,
  );
  const { diagnostics: missing } = named;
  const files = [...(paths.includes("-") ? [STDIN] : []), ...named.value];
  const all: Diagnostic[] = [...missing];
  let signal: Signal | undefined;
  for (const [at, file] of files.entries()) {
    for (const each of lintFile(file, options, io)) all.push(each);
    slicing.begin(`${at + 1} of ${files.length} files`);
    signal = await slicing.rest();
    if (signal === undefined || at + 1 === files.length) continue;
    all.push(problem("PTX6103", `interrupted: ${at + 1} of ${files.length} files were read`));
    break;
  }
  const findings = all.map((each) => findingOf(each));
  const unwritten = writeFindings(options.reporter ?? [], "lint", findings, io);
  report(unwritten, options, io);
  const exit =
    signal !== undefined
      ? exitOfSignal(signal)
      : missing.length + unwritten.length > 0
        ? Exit.usage
        : worst(all.map(exitOf));
  if (options.format === "json") {
    io.out(
      `${jsonText({ schema: "ptxrun.lint/1", files: files.length, diagnostics: all.map(diagnosticToJson) }, 2)}\n`,
    );
    return exit;
  }
  const shown = options.quiet ? findings.filter(({ severity }) => severity !== "note") : findings;
  const annotations = shown.map((each) => annotation(each, inRepository(io)));
  if (options.format === "github") io.out(annotations.join(""));
  else {
    if (isSet(io.env.GITHUB_ACTIONS)) io.out(grouped(annotations));
    report(all, options, io);
  }
  report(summarise(`ptxrun lint: ${summary(files.length, all)}`, shown, io), options, io);
  if (!options.quiet) io.out(`${summary(files.length, all)}\n`);
  return exit;
}

/** Standard input in the list of files. */
const STDIN: ListedFile = { path: "-" };

function lintFile(
  listed: ListedFile,
  { target, ptx, platform, allowRead = [], maxMem, timeout }: LintOptions,
  io: Io,
): readonly Diagnostic[] {
  const { path } = listed;
  const bytes =
    listed === STDIN ? readInput(io) : readTextBytes(path, reachOf(listed, io.cwd, allowRead), mostText(io));
  if (bytes.value === undefined) return bytes.diagnostics;
  const source = decodeProgram(listed === STDIN ? "<stdin>" : path, bytes.value, reachOf(listed, io.cwd, allowRead), {
    target,
  });
  if (source.value === undefined) return source.diagnostics;
  limitLoading(source.value, { bytes: loadingBytes(maxMem ?? DEVICE_MEMORY) });
  limitTime(source.value, timeout === undefined ? {} : { timeout }, io.now);
  if (isLitmus(source.value.text)) return lintLitmus(source.value);
  const chosen = platform === undefined ? undefined : platformNamed(platform);
  return lint(source.value, {
    ...(chosen === undefined ? {} : { platform: chosen }),
    ...(target === undefined ? {} : { target, override: true }),
    ...(ptx === undefined ? {} : { version: ptx }),
  });
}

/** A litmus test is read as one: its threads are separate programs, and its conditions refer to their names. */
function lintLitmus(source: Source): readonly Diagnostic[] {
  const { value, diagnostics } = readLitmus(source);
  return value === undefined ? diagnostics : [...diagnostics, ...prepare(value).diagnostics];
}

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;

function summary(files: number, all: readonly Diagnostic[]): string {
  const counts = (["error", "warning", "note"] as const).map((severity) =>
    plural(all.filter((each) => each.severity === severity).length, severity),
  );
  return `${plural(files, "file")}: ${counts.join(", ")}`;
}

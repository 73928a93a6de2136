import { dirname, resolve } from "node:path";
import { hasErrors } from "../../source/diagnostic.ts";
import { type ColourChoice, palette } from "../colour.ts";
import { Exit, type ExitCode } from "../exit.ts";
import { decode, readBytes } from "../file.ts";
import type { Io } from "../io.ts";
import { filesIn } from "../paths.ts";
import { report } from "../report.ts";
import { checkFile } from "./file.ts";
import { json, pretty, type Reporter } from "./reporter.ts";
import { count, type FileResult } from "./result.ts";

export interface CheckOptions {
  readonly filter?: string;
  readonly bail?: boolean;
  readonly reporter: "pretty" | "json";
  readonly color: ColourChoice;
  readonly quiet?: boolean;
}

/** `ptxrun check`: exit 1 when anything failed, and when there was nothing to check; 2 when a path is not there. */
export function check(paths: readonly string[], options: CheckOptions, io: Io): ExitCode {
  const { value: files, diagnostics } = filesIn(paths, io.cwd);
  report(diagnostics, options, io);
  const reporter: Reporter = options.reporter === "json" ? json : pretty(palette(options.color, "out", io));
  const results: FileResult[] = [];
  for (const file of files) {
    const result = checkPath(file, options, io.cwd);
    results.push(result);
    io.out(reporter.file(result));
    if (options.bail && count([result]).failed > 0) break;
  }
  io.out(reporter.end(results));
  const { passed, failed } = count(results);
  // A path that is not there is a mistake on the command line, whatever the other files hold.
  if (hasErrors(diagnostics)) return Exit.usage;
  return failed > 0 || passed === 0 ? Exit.check : Exit.ok;
}

function checkPath(file: string, options: CheckOptions, cwd: string): FileResult {
  const { value: bytes, diagnostics } = readBytes(file, { from: cwd });
  if (bytes === undefined) return { file, results: [], diagnostics };
  const source = decode(file, bytes);
  if (source.value === undefined) return { file, results: [], diagnostics: source.diagnostics };
  const folder = dirname(resolve(cwd, file));
  return checkFile(source.value, { from: folder, within: folder }, options);
}

import { dirname, resolve } from "node:path";
import type { ColourChoice } from "../../environment/colour.ts";
import { Exit, type ExitCode, exitOf, worst } from "../../environment/exit.ts";
import { mostText, readText } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { report } from "../../environment/report.ts";
import { WatchedSlicing } from "../../environment/slicing.ts";
import { problem } from "../../host/problem.ts";
import { jsonText } from "../../present/json.ts";
import { printable } from "../../present/text/escape.ts";
import { type Diagnostic, hasErrors } from "../../source/diagnostic.ts";
import { filesFrom } from "../../system/files.ts";
import { rest } from "../../system/limits.ts";
import { runCase } from "../check/case/case.ts";
import { readMarked } from "../check/file/gather.ts";
import { readArgs } from "../check/options.ts";
import { readProgram } from "../run/text.ts";
import { shortForm } from "./short-form.ts";

/** Commander's options of `lit`. */
export interface LitOptions {
  readonly mark?: string;
  readonly format: "text" | "json";
  readonly color: ColourChoice;
  readonly quiet?: boolean;
}

/** What stands before a directive. LLVM's lit takes any line with `RUN:` for one of its own, so there it is the first of these. */
const MARKS = ["PTXTEST:", "PTXRUN:"];

/**
 * `ptxrun lit TEST [PTX]`: runs what a compiler has made of TEST, from standard input or a file, with the inputs in TEST's comments.
 * One line for each failure; exit 1 when there is one, 2 when there is nothing to run.
 */
export async function lit(test: string, ptx: string | undefined, options: LitOptions, terminal: Io): Promise<ExitCode> {
  const slicing = new WatchedSlicing(terminal, false);
  const { io } = slicing;
  try {
    const { value: comments, diagnostics: unread } = readText(test, { files: io.files }, mostText(io));
    const { value: program, diagnostics: none } = readProgram(ptx ?? "-", {}, io);
    report([...unread, ...none], options, io);
    if (comments === undefined || program === undefined) return worst([...unread, ...none].map(exitOf));
    const marks = options.mark === undefined ? MARKS : [options.mark];
    const { cases, diagnostics } = readMarked(comments, marks, shortForm(comments, program, io.now));
    if (cases.length === 0 && diagnostics.length === 0) {
      const expected = `a comment ${marks[0]} FUNCTION(VALUES) -> VALUE`;
      report([problem("PTX7001", `${test} checks nothing`, { source: comments, expected })], options, io);
      return Exit.usage;
    }
    if (hasErrors(diagnostics)) {
      report(diagnostics, options, io);
      return worst(diagnostics.map(exitOf));
    }
    const folder = dirname(resolve(io.cwd, test));
    const reach = { files: filesFrom(folder), within: [folder] };
    const failures: {
      readonly line: number;
      readonly case: string;
      readonly code: string;
      readonly message: string;
    }[] = [];
    for (const line of cases) {
      const { value: launch, diagnostics: wrong } = readArgs(line.source, line.args);
      const result = launch && (await runCase(program, line, launch, reach, { slicing }));
      await rest({ slicing });
      const problems = [...wrong, ...(result?.diagnostics ?? [])].filter(({ severity }) => severity === "error");
      const [first] = problems;
      const { line: at } = line.source.position(line.span.start);
      if (first === undefined) continue;
      const message = inLine(first, line.name);
      failures.push({ line: at, case: line.name, code: first.code, message });
      if (options.format === "text") io.out(`${printable(test)}:${at}: ${line.name}: ${message}\n`);
    }
    const passed = cases.length - failures.length;
    if (options.format === "json")
      io.out(`${jsonText({ schema: "ptxrun.lit/1", file: test, passed, failed: failures.length, failures }, 2)}\n`);
    else if (!options.quiet) io.out(`${passed} of ${cases.length} passed\n`);
    return failures.length > 0 ? Exit.check : Exit.ok;
  } finally {
    slicing.end();
  }
}

/** The message, without the case's name, which stands before it. */
const inLine = ({ message }: Diagnostic, name: string): string =>
  message.startsWith(`case ${name}: `) ? message.slice(`case ${name}: `.length) : message;

import { resolve } from "node:path";
import { type ColourChoice, palette } from "../../environment/colour.ts";
import { openFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { isSet } from "../../environment/is-set.ts";
import { problem } from "../../host/problem.ts";
import { plain } from "../../present/text/palette.ts";
import type { Diagnostic, Staged } from "../../source/diagnostic.ts";
import type { ListedFile } from "../../system/paths.ts";
import { inRepository, summarise } from "../annotation.ts";
import type { WantedReport } from "./arguments.ts";
import { annotating, findingsIn } from "./reporter/github.ts";
import { summary } from "./reporter/pretty.ts";
import type { Occasion, Reporter } from "./reporter/reporter.ts";
import { reporters } from "./reporter/reporters.ts";
import type { FileResult } from "./result.ts";

/** Which reports are wanted, and how detailed they are. */
export interface ReportOptions {
  readonly reporter?: readonly WantedReport[];
  readonly color: ColourChoice;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

/** The reports of one run: one on standard output, others in files. */
export interface Reports {
  file(result: FileResult): void;
  /** Ends all reports, and returns the problems with their files. */
  end(all: readonly FileResult[]): readonly Diagnostic[];
}

/** The destination of a report. */
interface Output {
  readonly reporter: Reporter;
  write(text: string): void;
  close(): readonly Diagnostic[];
}

/** Begins the requested reports; their files are opened, so that a wrong path is reported before anything runs. */
export function openReports(
  { reporter: wanted = [], color, quiet = false, verbose = false }: ReportOptions,
  files: readonly ListedFile[],
  io: Io,
): Staged<Reports | undefined> {
  const { cwd, env } = io;
  const occasion: Occasion = {
    palette: palette(color, "out", io),
    files: files.length,
    quiet,
    verbose,
    inRepository: inRepository(io),
  };
  const outputs: Output[] = [];
  const print = (reporter: Reporter): void => {
    outputs.push({ reporter, write: io.out, close: () => [] });
  };
  const checked = new Set(files.map(({ path }) => resolve(cwd, path)));
  for (const { name, file } of wanted) {
    if (file === undefined) {
      print(reporters[name](occasion));
      continue;
    }
    const opened = checked.has(resolve(cwd, file)) ? overwrites(file) : openFile(file, io.files);
    if (opened.value === undefined) {
      for (const each of outputs) each.close();
      return { value: undefined, diagnostics: opened.diagnostics };
    }
    // A file is not interactive: it contains all details, and no colours unless they are requested.
    const colours = color === "always" ? occasion.palette : plain;
    const reporter = reporters[name]({ ...occasion, palette: colours, quiet: false });
    outputs.push({ reporter, ...opened.value });
  }
  if (wanted.every(({ file }) => file !== undefined)) {
    if (isSet(env.GITHUB_ACTIONS)) print(annotating(occasion));
    print(reporters.pretty(occasion));
  }
  const tell = ({ write }: Output, text: string): void => {
    if (text !== "") write(text);
  };
  const value: Reports = {
    file(result) {
      for (const each of outputs) tell(each, each.reporter.file(result));
    },
    end(all) {
      for (const each of outputs) tell(each, each.reporter.end(all));
      const unwritten = summarise(`ptxrun check: ${summary(all)}`, all.flatMap(findingsIn), io);
      return [...outputs.flatMap((each) => each.close()), ...unwritten];
    },
  };
  return { value, diagnostics: [] };
}

const overwrites = (file: string): Staged<undefined> => ({
  value: undefined,
  diagnostics: [
    problem("PTX2013", `cannot write ${file}: it is one of the files to check`, { expected: "another file" }),
  ],
});

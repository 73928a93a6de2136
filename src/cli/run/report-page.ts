import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Originals } from "../../console/original/originals.ts";
import { writeFile } from "../../environment/file.ts";
import type { Io } from "../../environment/io.ts";
import { reason } from "../../environment/reason.ts";
import { problem } from "../../host/problem.ts";
import type { Kept, RunResult } from "../../launch/once.ts";
import type { RunCommandOptions } from "../../launch/options.ts";
import { MADE_BY, renderReport } from "../../present/report/page.ts";
import { demangle } from "../../source/demangle/index.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { readBounded } from "../bounded.ts";

/** The largest file that is looked at, bytes: no page is larger. */
const MOST = 32 * 2 ** 20;

/**
 * What is wrong with where the page shall be written, said before a run that may be long: a page of an earlier run is
 * replaced, and no other file. What is no file, as a pipe, is written to.
 */
export function pageProblems({ report: path }: Pick<RunCommandOptions, "report">, { cwd }: Io): readonly Diagnostic[] {
  if (path === undefined) return [];
  const wrong = (why: string, help: string): readonly Diagnostic[] => [
    problem("PTX2013", `cannot write ${path}: ${why}`, { help: [{ message: help }] }),
  ];
  const full = resolve(cwd, path);
  const there = statSync(full, { throwIfNoEntry: false });
  if (there?.isDirectory()) return wrong("it is a folder", "--report names the file of the page, such as report.html");
  if (there?.isFile() && there.size > 0) {
    const read = readBounded(full, MOST, { pipes: false, exact: false });
    const start = "bytes" in read ? new TextDecoder().decode(read.bytes.subarray(0, 1024)) : "";
    if (!start.includes(MADE_BY))
      return wrong("it is there, and no page of --report", "name another file, or remove that one");
  }
  if (there !== undefined) return [];
  try {
    statSync(dirname(full));
    return [];
  } catch (error) {
    return wrong(reason(error), "the folder of the page has to be there");
  }
}

/** Writes the page of a launch that has taken place. */
export function writePage(
  path: string,
  result: RunResult,
  { program, grid, block, stats, strips }: Kept,
  originals: Originals,
  io: Io,
): readonly Diagnostic[] {
  const { stop, signal } = result;
  const how = stop.reason === "trap" ? stop.diagnostic.message : "to the end";
  const page = renderReport({
    program,
    name: demangle(program.name)?.full ?? (program.name === "" ? "a snippet" : program.name),
    about: [
      result.source,
      `${grid.join(" x ")} blocks of ${block.join(" x ")} threads`,
      signal === undefined ? how : `interrupted: ${how}`,
    ],
    stats,
    strips,
    original: (file) => originals.find(file),
  });
  return writeFile(path, page, io.files);
}

import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { readText } from "../../../src/environment/file.ts";
import type { Io } from "../../../src/environment/io.ts";
import { problem } from "../../../src/host/problem.ts";
import type { Diagnostic, Staged } from "../../../src/source/diagnostic.ts";
import { filesIn, type ListedFile } from "../../../src/system/paths.ts";

/** Two files to compare. */
export interface Pair {
  readonly a: ListedFile;
  readonly b: ListedFile;
  /** The seeds to compare, where scheduling orders are compared. */
  readonly seeds?: readonly [a: number, b: number];
}

/** The kernels of both sides: `--entry A,B` names one of each, a single name that of both. */
export function entriesOf(entry: string | undefined): readonly [string | undefined, string | undefined] {
  // A comma between template arguments is none between names.
  const [, a, b] = /^([\w$.]+),([\w$.]+)$/.exec(entry ?? "") ?? [];
  return a === undefined ? [entry, entry] : [a, b];
}

/** The largest list of pairs: a text of some 200 MB. */
const MOST_LIST = 2 ** 28;

/**
 * The pairs that a command line names: two files; the files of two folders that lie at the same place in both; or the lines
 * of a list, each with two paths and blanks, or one tab, between them.
 */
export function pairsOf(
  paths: readonly string[],
  batch: string | undefined,
  io: Io,
  itself = false,
): Staged<readonly Pair[]> {
  const [alone] = paths;
  if (itself && alone !== undefined && paths.length === 1 && batch === undefined)
    return { value: [{ a: { path: alone }, b: { path: alone } }], diagnostics: [] };
  if (batch !== undefined && paths.length === 0) return listed(batch, io);
  const [a, b, ...more] = paths;
  if (batch !== undefined || a === undefined || b === undefined || more.length > 0) {
    const expected = "two files, two folders, --batch LIST, or one file with --seeds A..B, --target X,Y or --entry A,B";
    return { value: [], diagnostics: [problem("PTX2002", "there are no two programs to compare", { expected })] };
  }
  const folders = [a, b].map((path) => isFolder(path, io.cwd));
  if (!folders.includes(true)) return { value: [{ a: { path: a }, b: { path: b } }], diagnostics: [] };
  if (folders.includes(false)) {
    const message = `${folders[0] ? a : b} is a folder and ${folders[0] ? b : a} is none`;
    return { value: [], diagnostics: [problem("PTX2003", message, { expected: "two files or two folders" })] };
  }
  return inFolders(a, b, io.cwd);
}

function isFolder(path: string, cwd: string): boolean {
  try {
    return statSync(resolve(cwd, path)).isDirectory();
  } catch {
    // Reading the file reports the error.
    return false;
  }
}

function inFolders(a: string, b: string, cwd: string): Staged<readonly Pair[]> {
  const [ofA, ofB] = [filesIn([a], cwd), filesIn([b], cwd)];
  const diagnostics: Diagnostic[] = [...ofA.diagnostics, ...ofB.diagnostics];
  const placed = (files: readonly ListedFile[], folder: string) =>
    new Map(files.map((file) => [relative(resolve(cwd, folder), resolve(cwd, file.path)), file]));
  const [inA, inB] = [placed(ofA.value, a), placed(ofB.value, b)];
  const lone = (folder: string, place: string, other: string) =>
    problem("PTX7010", `${place} is in ${folder} and not in ${other}`, { expected: "the same files in both folders" });
  const value: Pair[] = [];
  for (const [place, file] of inA) {
    const other = inB.get(place);
    if (other === undefined) diagnostics.push(lone(a, place, b));
    else value.push({ a: file, b: other });
  }
  for (const place of inB.keys()) if (!inA.has(place)) diagnostics.push(lone(b, place, a));
  return { value, diagnostics };
}

function listed(batch: string, io: Io): Staged<readonly Pair[]> {
  const { value: source, diagnostics } = readText(batch, { files: io.files }, MOST_LIST);
  if (source === undefined) return { value: [], diagnostics };
  const value: Pair[] = [];
  const wrong: Diagnostic[] = [];
  let start = 0;
  for (const whole of source.text.split("\n")) {
    const span = { start, end: start + whole.length };
    start += whole.length + 1;
    const line = whole.trim();
    if (line === "" || line.startsWith("#")) continue;
    const words = line.split(line.includes("\t") ? "\t" : /[ ]+/).map((word) => word.trim());
    const [a, b, ...more] = words;
    if (a && b && more.length === 0) value.push({ a: { path: a }, b: { path: b } });
    else if (wrong.length === 0)
      wrong.push(
        problem("PTX2003", "this line names no two files", { source, span, expected: "A B, or a tab between" }),
      );
  }
  return { value, diagnostics: wrong };
}

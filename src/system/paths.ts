import { lstatSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { globPattern, isGlob } from "../environment/glob.ts";
import type { Reach } from "../environment/reach.ts";
import { reason } from "../environment/reason.ts";
import { problem } from "../host/problem.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { filesFrom } from "./files.ts";

/** A file to check or to lint. */
export interface ListedFile {
  readonly path: string;
  /**
   * The folder in which it was found, absent for a file that the command line names itself. A user who
   * names a folder means its contents, not the target of a link out of it, which somebody else may have made.
   */
  readonly folder?: string;
}

/** What may be read for a file: one that was found in a folder must lie below it or below one of the `allowed`. */
export const reachOf = ({ folder }: ListedFile, cwd: string, allowed: readonly string[]): Reach =>
  folder === undefined
    ? { files: filesFrom(cwd) }
    : { files: filesFrom(cwd), within: [folder, ...allowed].map((each) => resolve(cwd, each)) };

/**
 * The files that paths name, each once, in a stable order: a file, all files with some endings (.ptx and .visaasm) in a
 * folder at any depth, or what a pattern matches. A path that names nothing is an error, so that a typing mistake does not pass; so
 * is a folder that cannot be read, whose files would silently be left out.
 */
export function filesIn(
  paths: readonly string[],
  cwd: string,
  endings: RegExp = ENDINGS,
): Staged<readonly ListedFile[]> {
  const files = new Map<string, ListedFile>();
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const before = diagnostics.length;
    const found = filesOf(path, cwd, diagnostics, endings);
    for (const file of found) if (file.folder === undefined || !files.has(file.path)) files.set(file.path, file);
    if (found.length === 0 && diagnostics.length === before) {
      const what = kindOf(path, cwd, []) === "folder" ? `no .ptx files below ${path}` : `there is no ${path}`;
      diagnostics.push(problem("PTX7010", what, { expected: "a .ptx file, a folder or a pattern" }));
    }
  }
  return { value: [...files.values()], diagnostics };
}

function filesOf(path: string, cwd: string, diagnostics: Diagnostic[], endings: RegExp): readonly ListedFile[] {
  const pattern = isGlob(path);
  const kind = kindOf(path, cwd, pattern ? [] : diagnostics);
  if (kind === "file") return [{ path: path.replace(SIDECAR, ".ptx") }];
  if (kind === "folder") return below(path, cwd, diagnostics, endings);
  if (!pattern) return [];
  const fixed = path.slice(0, path.search(/[*?]/));
  const folder = fixed.includes("/") ? fixed.slice(0, fixed.lastIndexOf("/") + 1) : "";
  const matches = globPattern(path.replace(/^\.\//, ""));
  if (kindOf(folder || ".", cwd, []) !== "folder") return [];
  return below(folder || ".", cwd, diagnostics, endings).filter((file) => matches.test(file.path.replace(/^\.\//, "")));
}

function kindOf(path: string, cwd: string, diagnostics: Diagnostic[]): "file" | "folder" | undefined {
  try {
    return statSync(resolve(cwd, path)).isDirectory() ? "folder" : "file";
  } catch (error) {
    // What is not there may be a pattern, or a mistake in typing.
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code !== "ENOENT" && code !== "ENOTDIR") diagnostics.push(unreadable(path, reason(error)));
    return undefined;
  }
}

/** The files with some endings below a folder; hidden folders and node_modules are skipped, links to folders are not followed. */
function below(folder: string, cwd: string, diagnostics: Diagnostic[], endings: RegExp): readonly ListedFile[] {
  const found: ListedFile[] = [];
  const take = (path: string): void => {
    found.push({ path, folder });
  };
  const visit = (inside: string): void => {
    for (const entry of entriesOf(inside, cwd, diagnostics)) {
      const path = inside === "." ? entry.name : join(inside, entry.name);
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") visit(path);
        continue;
      }
      if (!endings.test(entry.name)) continue;
      if (entry.name.includes("\ufffd") && !exists(resolve(cwd, path))) {
        diagnostics.push(unreadable(path, "its name is not UTF-8"));
      } else take(path.replace(SIDECAR, ".ptx"));
    }
  };
  visit(folder);
  return found;
}

function entriesOf(folder: string, cwd: string, diagnostics: Diagnostic[]) {
  try {
    const entries = readdirSync(resolve(cwd, folder), { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    diagnostics.push(unreadable(folder, reason(error)));
    return [];
  }
}

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const unreadable = (path: string, why: string): Diagnostic => problem("PTX2011", `cannot read ${path}: ${why}`);

/** The endings searched in folders by default. */
const ENDINGS = /\.(?:ptx|visaasm|ptxcheck\.json)$/;

/** A sidecar or a snapshot belongs to its PTX file; checking fails when that does not exist. */
const SIDECAR = /\.ptxcheck\.json$/;

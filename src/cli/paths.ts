import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { HostError, problem } from "../host/problem.ts";
import type { Diagnostic, Staged } from "../source/diagnostic.ts";
import { reason } from "./file.ts";
import { globPattern, isGlob } from "./glob.ts";

/**
 * The files that paths name, each once, in a stable order: a file, all .ptx and .visaasm files in a folder at any
 * depth, or what a pattern matches. A path that names nothing is an error, so that a typing mistake does not pass.
 */
export function filesIn(paths: readonly string[], cwd: string): Staged<readonly string[]> {
  const files = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  for (const path of paths) {
    const found = filesOf(path, cwd);
    for (const file of found) files.add(file);
    if (found.length === 0) {
      const what = kindOf(path, cwd) === "folder" ? `no .ptx files below ${path}` : `there is no ${path}`;
      diagnostics.push(problem("PTX7010", what, { expected: "a .ptx file, a folder or a pattern" }));
    }
  }
  return { value: [...files], diagnostics };
}

function filesOf(path: string, cwd: string): string[] {
  const kind = kindOf(path, cwd);
  if (kind === "file") return [path.replace(SIDECAR, ".ptx")];
  if (kind === "folder") return below(path, cwd);
  if (!isGlob(path)) return [];
  const fixed = path.slice(0, path.search(/[*?]/));
  const folder = fixed.includes("/") ? fixed.slice(0, fixed.lastIndexOf("/") + 1) : "";
  const pattern = globPattern(path.replace(/^\.\//, ""));
  if (kindOf(folder || ".", cwd) !== "folder") return [];
  return below(folder || ".", cwd).filter((file) => pattern.test(file.replace(/^\.\//, "")));
}

function kindOf(path: string, cwd: string): "file" | "folder" | undefined {
  try {
    return statSync(resolve(cwd, path)).isDirectory() ? "folder" : "file";
  } catch {
    // Not there, or no name that a file could have.
    return undefined;
  }
}

/** The .ptx and .visaasm files below a folder; hidden folders and node_modules are skipped, links are not followed. */
function below(folder: string, cwd: string): string[] {
  const found: string[] = [];
  const entries = entriesOf(folder, cwd);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === "." ? entry.name : join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!entry.name.startsWith(".") && entry.name !== "node_modules") found.push(...below(path, cwd));
    } else if (/\.(?:ptx|visaasm)$/.test(entry.name)) found.push(path);
    else if (SIDECAR.test(entry.name)) found.push(path.replace(SIDECAR, ".ptx"));
  }
  return found;
}

/** Throws a `HostError` for a folder that cannot be read: its files would silently go unchecked. */
function entriesOf(folder: string, cwd: string) {
  try {
    return readdirSync(resolve(cwd, folder), { withFileTypes: true });
  } catch (error) {
    throw new HostError([problem("PTX2011", `cannot read ${folder}: ${reason(error)}`)]);
  }
}

/** A sidecar or a snapshot belongs to its PTX file; checking fails when that does not exist. */
const SIDECAR = /\.ptxcheck\.json$/;

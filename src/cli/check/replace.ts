import { closeSync, fsyncSync, lstatSync, openSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { reason } from "../../environment/reason.ts";
import { problem } from "../../host/problem.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { readBounded } from "../bounded.ts";

/**
 * Replaces a file's text, whole or not at all: it is written to a file next to it, which is then renamed. `before` is
 * what the file holds as far as the caller knows; with other contents, or through a link, nothing is written. Returns
 * the problems.
 */
export function replaceFile(path: string, before: Uint8Array | undefined, text: string, cwd: string): Diagnostic[] {
  const refused = (why: string): Diagnostic[] => [problem("PTX7015", `${path} is not updated: ${why}`)];
  const full = resolve(cwd, path);
  const folder = dirname(full);
  const temporary = join(folder, `.${basename(full)}.${process.pid}.tmp`);
  try {
    const found = lstatSync(full, { throwIfNoEntry: false });
    if (found?.isSymbolicLink() || isLinked(folder, cwd)) return refused("it lies behind a link");
    if (found !== undefined && !found.isFile()) return refused("it is no file");
    if (before !== undefined && !holds(full, before)) return refused("it has changed meanwhile");
    const descriptor = openSync(temporary, "wx", found === undefined ? 0o666 : found.mode & 0o777);
    try {
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, full);
    return [];
  } catch (error) {
    rmSync(temporary, { force: true });
    return refused(reason(error));
  }
}

/** True when a folder between the working folder and the file is a link. Links above the working folder are allowed. */
function isLinked(folder: string, cwd: string): boolean {
  const way = relative(cwd, folder);
  const inside = way !== ".." && !way.startsWith(`..${sep}`) && resolve(cwd, way) === folder;
  return inside && realpathSync(folder) !== resolve(realpathSync(cwd), way);
}

function holds(path: string, bytes: Uint8Array): boolean {
  const read = readBounded(path, bytes.length, { pipes: false, exact: false });
  return "bytes" in read && Buffer.compare(read.bytes, bytes) === 0;
}

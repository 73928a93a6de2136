import { appendFileSync, closeSync, openSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";
import { crc32, deflateSync, inflateSync } from "node:zlib";
import type { Files, Located, Writing, Zlib } from "../environment/files.ts";
import { reason } from "../environment/reason.ts";
import { readBounded } from "./bounded.ts";
import { plain } from "./plain.ts";

/** Node has its check sum since 20.15 and 22.2. */
export const zlib: Zlib = {
  // In one piece: else the pieces would be there beside what they are joined to.
  inflate: (bytes, most) => plain(inflateSync(bytes, { maxOutputLength: most, chunkSize: Math.max(most, 64) })),
  deflate: (bytes) => plain(deflateSync(bytes)),
  crc32: (bytes) => crc32(bytes) >>> 0,
};

/** The files of this machine; relative paths begin in `cwd`. */
export const filesFrom = (cwd: string): Files => ({
  resolve: (...paths) => resolve(cwd, ...paths),
  folderOf: (path) => dirname(resolve(cwd, path)),
  read: (path, most, trust, isLate) => readBounded(resolve(cwd, path), most, trust, isLate),
  locate: locateWithin,
  write: (path, contents) => why(() => writeFileSync(resolve(cwd, path), contents)),
  append: (path, text) => why(() => appendFileSync(resolve(cwd, path), text)),
  open: (path) => open(resolve(cwd, path)),
  zlib,
});

function open(path: string): Writing | string {
  try {
    const file = openSync(path, "w");
    return { write: (text) => why(() => writeFileSync(file, text)), close: () => why(() => closeSync(file)) };
  } catch (error) {
    return reason(error);
  }
}

/** Why something failed, in words. */
function why(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return reason(error);
  }
}

/** Whether a path, as it is spelled, lies below a folder; both are absolute. */
function spelledBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

function locateWithin(path: string, folders: readonly string[]): Located {
  if (!folders.some((folder) => spelledBelow(path, folder))) return { outside: true };
  try {
    const real = realpathSync.native(path);
    return folders.some((folder) => spelledBelow(real, realFolder(folder))) ? { real } : { outside: true };
  } catch (error) {
    return { wrong: reason(error) };
  }
}

function realFolder(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    // A folder that is not there holds nothing.
    return folder;
  }
}

import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { plain } from "../plain.ts";
import { pack, unpack } from "./container.ts";
import { isOwn, isTrusted, makeFolder } from "./place.ts";

/** Files that a folder may hold: a few versions of Node, and the kinds of command lines of each. */
const MOST = 40;
/** Bytes of a file that is read; V8 makes a tenth of it. */
const LARGEST = 32 * 2 ** 20;

/**
 * A file with the compiled code of some scripts. It is read from the first folder that has it and written to the first
 * that can be used. Whatever goes wrong means the same: do without.
 */
export class CodeCache {
  readonly #name: string;
  readonly #folders: readonly string[];
  readonly #own: string | undefined;
  readonly #user: number | undefined;

  /** A checkout's folder, if it is there, comes before the user's own, which is made when a file has to be written. */
  constructor(name: string, checkout: string, own: string | undefined, user: number | undefined) {
    this.#name = `${name}.code`;
    this.#folders = own === undefined ? [checkout] : [checkout, own];
    this.#own = own;
    this.#user = user;
  }

  /** The code of each script; nothing when there is no file, or not the one that was written. */
  read(): readonly Uint8Array[] {
    for (const folder of this.#folders) {
      if (!isTrusted(folder, this.#user)) continue;
      const bytes = this.#bytes(join(folder, this.#name));
      const parts = bytes && unpack(bytes);
      if (parts !== undefined) return parts;
    }
    return [];
  }

  #bytes(path: string): Uint8Array | undefined {
    let file: number | undefined;
    try {
      // Not to wait for a writer, should it be a pipe.
      file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const stats = fstatSync(file);
      return stats.isFile() && stats.size <= LARGEST && isOwn(stats, this.#user)
        ? plain(readFileSync(file))
        : undefined;
    } catch {
      return undefined;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /**
   * Writes the file in one step, so that nobody reads half of one. `make` costs time, so it is called only when there
   * is a place to write to.
   */
  write(make: () => readonly Uint8Array[]): void {
    for (const folder of this.#folders) {
      try {
        const made = folder === this.#own && makeFolder(folder, this.#user);
        if (!made && !isTrusted(folder, this.#user)) continue;
        this.#write(folder, make);
        return;
      } catch {
        // Read-only, or full: the next folder, or none.
      }
    }
  }

  #write(folder: string, make: () => readonly Uint8Array[]): void {
    const temporary = join(folder, `${this.#name}.${process.pid}`);
    const file = openSync(temporary, "wx", 0o600);
    try {
      try {
        writeFileSync(file, pack(make()));
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, join(folder, this.#name));
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
    trim(folder);
  }
}

/** Removes the oldest files above the limit, and what a process left that died while it wrote. */
function trim(folder: string): void {
  const files = readdirSync(folder).filter((name) => /\.code(?:\.\d+)?$/.test(name));
  if (files.length <= MOST) return;
  // Another process may remove some of them at the same moment.
  const timeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const aged = files.map((name) => join(folder, name)).map((path) => ({ path, time: timeOf(path) }));
  aged.sort((one, other) => other.time - one.time);
  for (const { path } of aged.slice(MOST)) rmSync(path, { force: true });
}

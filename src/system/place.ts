import { lstatSync, mkdirSync, type Stats } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

/** The facts that determine the folder of a cache. */
export interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user that files are made for; undefined where the system has no such number (Windows). */
  readonly user: number | undefined;
}

/** The user's folder for caches of programs, by the rules of the platform; undefined when the surroundings name none. */
function cachesOf({ platform, env }: Surroundings): string | undefined {
  const absolute = (folder: string | undefined) => (folder !== undefined && isAbsolute(folder) ? folder : undefined);
  if (platform === "win32") return absolute(env["LOCALAPPDATA"]);
  const home = absolute(env["HOME"]);
  if (platform === "darwin") return home && join(home, "Library/Caches");
  return absolute(env["XDG_CACHE_HOME"]) ?? (home && join(home, ".cache"));
}

/** The folder of ptxrun's code caches for this user. */
export function userFolder(surroundings: Surroundings): string | undefined {
  const caches = cachesOf(surroundings);
  return caches && join(caches, "ptxrun");
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // A file where a folder should be, or one without access.
    return undefined;
  }
}

/**
 * True when nobody but the user could have written it. A code cache is code: V8 does not compare it with the text that
 * it was made of, so whoever can write one decides what runs.
 */
export function isOwn({ uid, mode }: Pick<Stats, "uid" | "mode">, user: number | undefined): boolean {
  return user === undefined || (uid === user && (mode & 0o022) === 0);
}

/** Whether caches may be read from this folder, and written into it. */
export function isTrusted(folder: string, user: number | undefined): boolean {
  const found = look(folder);
  return found?.isDirectory() === true && isOwn(found, user);
}

/**
 * Makes the user's folder, and the one for caches that it lies in, but never a missing home folder. Only below a
 * folder that belongs to the user: under `sudo`, HOME may be that of somebody who could not use, or remove, what root
 * leaves there.
 */
export function makeFolder(folder: string, user: number | undefined): boolean {
  const caches = dirname(folder);
  const above = look(caches) ?? look(dirname(caches));
  if (above?.isDirectory() !== true || (user !== undefined && above.uid !== user)) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return isTrusted(folder, user);
}

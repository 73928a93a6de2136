import { realpathSync } from "node:fs";
import { relative, resolve, sep } from "node:path";
import { reason } from "./reason.ts";

/** The folder that relative paths start from, and the folders that reading must not leave. */
export interface Reach {
  readonly from: string;
  /** Set for what a file names, and for what is found in a folder: only what lies below one of these may be read, links followed. */
  readonly within?: readonly string[];
  /** The largest buffer in bytes, when the device's memory is limited. */
  readonly maxBytes?: number;
}

/** Whether a path, as it is spelled, lies below a folder; both are absolute. */
export function spelledBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && resolve(folder, way) === path;
}

/** Where a path leads without its links, a reason why that is not known, or that it lies outside of all the folders. */
export type Located = { readonly real: string } | { readonly wrong: string } | { readonly outside: true };

/** Finds a path that must lie below one of the folders, as it is spelled and without its links. */
export function locateWithin(path: string, folders: readonly string[]): Located {
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

import type { Deadline } from "../source/loading.ts";
import type { Files } from "./files.ts";

/** Where paths are read, and the folders that reading must not leave. */
export interface Reach {
  readonly files: Files;
  /** Set for what a file names, and for what is found in a folder: only what lies below one of these may be read, links followed. */
  readonly within?: readonly string[];
  /** The largest buffer in bytes, when the device's memory is limited. */
  readonly maxBytes?: number;
  /** When all must be read, pictures unpacked. */
  readonly time?: Deadline;
  /** Hears of each file, by its absolute path, before it is read. */
  readonly onRead?: (path: string) => void;
}

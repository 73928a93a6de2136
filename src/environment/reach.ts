import type { Deadline } from "../source/loading.ts";
import type { Files } from "./files.ts";

/** How paths are read, and the folders that reading must not leave. */
export interface Reach {
  readonly files: Files;
  /**
   * Set for paths that a file names, and for files found in a folder: only files below one of these may be read, links
   * resolved.
   */
  readonly within?: readonly string[];
  /** The largest buffer in bytes, when the device's memory is limited. */
  readonly maxBytes?: number;
  /** When reading and unpacking pictures must be finished. */
  readonly time?: Deadline;
  /** Called for each file, with its absolute path, before it is read. */
  readonly onRead?: (path: string) => void;
}

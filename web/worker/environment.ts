import { noFiles } from "../../src/environment/files.ts";
import type { Io } from "../../src/environment/io.ts";

/** What a launch finds around it in a page: no files, no terminal. `out` hears what printf prints. */
export const pageIo = (out: (text: string) => void): Io => ({
  out,
  err: () => {},
  input: () => ({ wrong: "there is no standard input here" }),
  env: {},
  cwd: "",
  files: noFiles,
  terminal: { out: false, err: false },
  now: () => performance.now(),
});

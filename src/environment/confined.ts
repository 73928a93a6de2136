import type { Files } from "./files.ts";

/** Files of which those below some folders can be read, links followed, and none can be written. */
export const confined = (files: Files, folders: readonly string[]): Files => ({
  ...files,
  read: (path, most, _trust, isLate) => {
    const at = files.locate(files.resolve(path), folders);
    if ("outside" in at) return { wrong: "it is outside of what may be read" };
    return "wrong" in at ? at : files.read(at.real, most, { pipes: false, exact: true }, isLate);
  },
  write: () => UNWRITTEN,
  append: () => UNWRITTEN,
  open: () => UNWRITTEN,
});

const UNWRITTEN = "nothing is written here";

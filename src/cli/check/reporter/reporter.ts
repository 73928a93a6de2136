import type { FileResult } from "../result.ts";

/** Turns results into text: `file` as soon as a file is done, `end` once. One reporter serves one run. */
export interface Reporter {
  file(result: FileResult): string;
  end(all: readonly FileResult[]): string;
}

import type { Palette } from "../../../present/text/palette.ts";
import type { FileResult } from "../result.ts";

/** Turns results into text: `file` as soon as a file is done, `end` once. One reporter serves one run. */
export interface Reporter {
  file(result: FileResult): string;
  end(all: readonly FileResult[]): string;
}

/** What a reporter may need to know about its run. */
export interface Occasion {
  readonly palette: Palette;
  /** How many files are checked. */
  readonly files: number;
  /** Failures only. */
  readonly quiet: boolean;
  /** Every case. */
  readonly verbose: boolean;
  /** A file's path as its repository calls it. */
  readonly inRepository: (path: string) => string;
}

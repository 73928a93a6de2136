import type { Palette } from "../../../present/text/palette.ts";
import type { FileResult } from "../result.ts";

/** Turns results into text: `file` as soon as a file is done, `end` once. One reporter serves one run. */
export interface Reporter {
  file(result: FileResult): string;
  end(all: readonly FileResult[]): string;
}

/** The settings of a run that a reporter needs. */
export interface Occasion {
  readonly palette: Palette;
  /** How many files are checked. */
  readonly files: number;
  /** Failures only. */
  readonly quiet: boolean;
  /** Every case. */
  readonly verbose: boolean;
  /** A file's path relative to the repository. */
  readonly inRepository: (path: string) => string;
}

import type { Palette } from "../../../present/palette.ts";
import type { ReporterName } from "../arguments.ts";
import type { FileResult } from "../result.ts";
import { github } from "./github.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { pretty } from "./pretty.ts";
import { tap } from "./tap.ts";

/** Turns results into text: `file` as soon as a file is done, `end` once. One reporter serves one run. */
export interface Reporter {
  file(result: FileResult): string;
  end(all: readonly FileResult[]): string;
}

/** By the names that `--reporter` takes. */
export const reporters: Readonly<Record<ReporterName, (palette: Palette) => Reporter>> = {
  pretty,
  tap,
  junit,
  json,
  github,
};

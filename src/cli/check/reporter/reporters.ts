import type { Palette } from "../../../present/palette.ts";
import type { ReporterName } from "../arguments.ts";
import { github } from "./github.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { pretty } from "./pretty.ts";
import type { Reporter } from "./reporter.ts";
import { tap } from "./tap.ts";

/** By the names that `--reporter` takes. */
export const reporters: Readonly<Record<ReporterName, (palette: Palette) => Reporter>> = {
  pretty,
  tap,
  junit,
  json,
  github,
};

import type { ReporterName } from "../arguments.ts";
import { github } from "./github.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { pretty } from "./pretty.ts";
import type { Occasion, Reporter } from "./reporter.ts";
import { tap } from "./tap.ts";

/** By the names that `--reporter` takes. */
export const reporters: Readonly<Record<ReporterName, (occasion: Occasion) => Reporter>> = {
  pretty,
  tap,
  junit,
  json,
  github,
};

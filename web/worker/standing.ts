import type { LoadedProgram } from "../../packages/debugger/console/program/loaded-program.ts";
import type { RunCommandOptions } from "../../src/launch/options.ts";
import type { Source } from "../../src/source/source.ts";

/** The launch that the page looks at. */
export interface Standing {
  readonly source: Source;
  readonly options: RunCommandOptions;
  readonly program: LoadedProgram;
  /** What printf has printed, and after how many warp instructions. */
  readonly printed: readonly { readonly position: number; readonly text: string }[];
}

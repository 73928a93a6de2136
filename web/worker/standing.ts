import type { LoadedProgram } from "../../packages/debugger/console/program/loaded-program.ts";
import type { RunCommandOptions } from "../../src/launch/options.ts";
import type { Source } from "../../src/source/source.ts";

/** The launch that the page looks at. */
export interface Standing {
  readonly source: Source;
  readonly options: RunCommandOptions;
  readonly program: LoadedProgram;
  /** What printf has printed, and after how many warp instructions. */
  /** Contents of buffers and variables before the launch, by name, of those that are not too large to keep. */
  readonly before: ReadonlyMap<string, Uint8Array>;
  /** Where it was to stop by itself. */
  readonly bound?: number;
  readonly printed: readonly { readonly position: number; readonly text: string }[];
}

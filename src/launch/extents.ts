import { type Extents, extentsOf } from "../host/index.ts";
import { volume } from "../interp/contract/dim3.ts";
import type { Program } from "../interp/contract/program.ts";
import type { RunCommandOptions } from "./options.ts";

type Sized = Pick<Program, "limits" | "dispatchSlot">;

/** The options that say how large a launch is. */
export type LaunchSizes = "grid" | "block" | "cluster";

/** Blocks and threads of a launch whose registers can be looked at; a vISA kernel runs as one thread. */
export function launchExtents(program: Sized, options: Pick<RunCommandOptions, LaunchSizes>): Extents {
  if (program.dispatchSlot !== undefined) return { grid: [1, 1, 1], block: [1, 1, 1] };
  const { grid, block, cluster } = options;
  return extentsOf(program, { ...(grid && { grid }), ...(block && { block }), ...(cluster && { cluster }) });
}

/** How many blocks a launch has, and how many threads each of them. */
export function threadsIn(program: Sized, options: Pick<RunCommandOptions, LaunchSizes>) {
  const { grid, block } = launchExtents(program, options);
  return { blocks: volume(grid), threads: volume(block) };
}

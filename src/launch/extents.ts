import { type Extents, extentsOf } from "../host/index.ts";
import { volume } from "../interp/contract/launch/dim3.ts";
import { LANES } from "../interp/contract/launch/lane-mask.ts";
import type { ThreadId } from "../interp/contract/launch/thread-id.ts";
import type { Program } from "../interp/contract/program.ts";
import type { RunCommandOptions } from "./options.ts";

type Sized = Pick<Program, "limits" | "simd">;

/** The options that say how large a launch is. */
export type LaunchSizes = "grid" | "block" | "cluster";

/** Blocks and threads of a launch whose registers can be shown; for vISA kernels its work-items. */
export function launchExtents(program: Sized, options: Pick<RunCommandOptions, LaunchSizes>): Extents {
  const { grid, block, cluster } = options;
  const extents = extentsOf(program, { ...(grid && { grid }), ...(block && { block }), ...(cluster && { cluster }) });
  return extents.items === undefined ? extents : { ...extents, block: extents.items };
}

/** Threads of a warp: lanes, or the work-items of a SIMD thread. */
const widthOf = ({ simd }: Pick<Program, "simd">): number => simd?.width ?? LANES;

/** A thread by its linear index in its block, as a session names it; of a vISA kernel a work-item, which is a channel. */
export const threadId = (
  { block, thread }: { readonly block: number; readonly thread: number },
  program: Pick<Program, "simd">,
): ThreadId => ({ block, warp: Math.floor(thread / widthOf(program)), lane: thread % widthOf(program) });

/** The linear index of a thread in its block: the inverse of `threadId`. */
export const threadIndex = ({ warp, lane }: Omit<ThreadId, "block">, program: Pick<Program, "simd">): number =>
  warp * widthOf(program) + lane;

/** How many blocks a launch has, and how many threads each of them. */
export function threadsIn(program: Sized, options: Pick<RunCommandOptions, LaunchSizes>) {
  const { grid, block } = launchExtents(program, options);
  return { blocks: volume(grid), threads: volume(block) };
}

import type { Dim3 } from "../../interp/contract/launch/dim3.ts";
import { LANES } from "../../interp/contract/launch/lane-mask.ts";
import type { Program } from "../../interp/contract/program.ts";
import type { Diagnostic } from "../../source/diagnostic.ts";
import { problem } from "../problem.ts";
import { lanesOfGroup } from "./simd-threads.ts";

/** Numbers of blocks or threads in x, y and z; a number alone is x. */
export type Extent = number | readonly [x: number, y?: number, z?: number];

/** How large a launch is. */
export interface Extents {
  /** Blocks. */
  readonly grid: Dim3;
  /** Threads of a block. */
  readonly block: Dim3;
  /** Blocks of a cluster; absent when neither the launch nor the kernel names one. */
  readonly cluster?: Dim3;
  /** Work-items of a group, where threads are SIMD threads. */
  readonly items?: Dim3;
}

/** The size that a launch requests. */
export interface AskedExtents {
  readonly grid?: Extent;
  readonly block?: Extent;
  readonly cluster?: Extent;
}

/**
 * The size of a launch. Missing values follow from the kernel: the block and the cluster are those that `.reqntid` and
 * `.reqnctapercluster` require, the grid is one cluster, and everything else is 1. `.maxntid` only bounds a block.
 */
export function extentsOf(
  { limits, simd }: Pick<Program, "limits" | "simd">,
  { grid, block, cluster }: AskedExtents,
): Extents {
  // For SIMD threads a block's size is in work-items: one thread executes as many as it has
  // channels.
  if (simd !== undefined) {
    const items = triple(block ?? simd.width);
    return { grid: triple(grid ?? 1), block: block === undefined ? [LANES, 1, 1] : lanesOfGroup(simd, items), items };
  }
  const clustered = cluster === undefined ? limits.requiredCluster : triple(cluster);
  return {
    // An invalid cluster is one error, not two.
    grid: triple(grid ?? (clustered?.every((size) => size >= 1) ? clustered : 1)),
    block: triple(block ?? limits.requiredThreads ?? 1),
    ...(clustered && { cluster: clustered }),
  };
}

const triple = (given: Extent): Dim3 =>
  typeof given === "number" ? [given, 1, 1] : [given[0], given[1] ?? 1, given[2] ?? 1];

/** PTX2207 for every size that no launch of the program can have. */
export function checkExtents(program: Program, { grid, block, cluster }: Extents): readonly Diagnostic[] {
  return [...checkSizes(program, grid, block), ...checkCluster(program, grid, cluster ?? [1, 1, 1])];
}

function checkSizes({ name, limits, simd }: Program, grid: Dim3, block: Dim3): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const wrong = (message: string, expected: string) => {
    diagnostics.push(problem("PTX2207", message, { expected }));
  };
  const whole = (each: Dim3) => each.every((size) => Number.isInteger(size) && size >= 1);
  const [gx, gy, gz] = grid;
  const [x, y, z] = block;
  if (!whole(grid) || gx > 2 ** 31 - 1 || gy > 65535 || gz > 65535) {
    wrong(`a grid of ${grid.join(",")} cannot be launched`, "1 to 2147483647 blocks in x, 1 to 65535 in y and z");
  }
  const count = gx * gy * gz * Math.ceil((x * y * z) / LANES);
  // The host sets registers; with many threads it could not address a single one.
  if (simd !== undefined && count > 1 && simd.inputs.length + simd.fills.length === 0)
    wrong(
      `a vISA kernel runs as one thread, not in ${gx * gy * gz > 1 ? `${gx * gy * gz} blocks` : `${count}`}, where no .input says which`,
      "a kernel with .input, or one thread",
    );
  const required = limits.requiredThreads;
  if (!whole(block) || x > 1024 || y > 1024 || z > 64 || x * y * z > 1024) {
    const own = required?.every((size, axis) => size === block[axis]) ? ", and .reqntid demands it" : "";
    wrong(`a block of ${block.join(",")} cannot be launched${own}`, "1 to 1024 threads, z at most 64");
    return diagnostics;
  }
  const most = limits.maxThreads;
  if (most !== undefined && x * y * z > most[0] * most[1] * most[2])
    wrong(`a block of ${x * y * z} threads is more than .maxntid of ${name} allows`, `${most.join(",")} at most`);
  if (required !== undefined && (x !== required[0] || y !== required[1] || z !== required[2]))
    wrong(`a block of ${block.join(",")} is not what .reqntid of ${name} demands`, required.join(","));
  return diagnostics;
}

function checkCluster({ limits }: Program, grid: Dim3, cluster: Dim3): readonly Diagnostic[] {
  const [x, y, z] = cluster;
  const required = limits.requiredCluster;
  const wrong = (expected: string): readonly Diagnostic[] => [
    problem("PTX2207", `clusters of ${cluster.join(",")} cannot be launched`, { expected }),
  ];
  // 16 is the limit of sm_90 with nonportable sizes; 8 is portable.
  if (!cluster.every((size) => Number.isInteger(size) && size >= 1) || x * y * z > 16) return wrong("1 to 16 blocks");
  if (required?.some((size, axis) => size !== cluster[axis]))
    return wrong(`${required.join(",")}, by .reqnctapercluster`);
  if (grid.some((size, axis) => size % (cluster[axis] ?? 1) !== 0))
    return wrong(`divisors of the grid, ${grid.join(",")}`);
  return [];
}

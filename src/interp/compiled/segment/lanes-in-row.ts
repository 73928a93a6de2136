import type { Dim3 } from "../../contract/launch/dim3.ts";

/** How many threads lie in a row along x wherever a warp is cut: all of its lanes, each chunk of four, or one. */
export type LanesInRow = 32 | 4 | 1;

export function lanesInRow([x, y, z]: Dim3): LanesInRow {
  if (x % 32 === 0 || y * z === 1) return 32;
  return x % 4 === 0 ? 4 : 1;
}

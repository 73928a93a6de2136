import { type Extent, unlinear, volume } from "../contract/extent.ts";

/** The linear index of the block with this rank in this cluster: a cluster is a box of neighbours in the grid. */
export function blockOf(cluster: number, rank: number, grid: Extent, extent: Extent): number {
  const [x, y, z] = unlinear(cluster, clustersOf(grid, extent));
  const [i, j, k] = unlinear(rank, extent);
  return x * extent[0] + i + grid[0] * (y * extent[1] + j + grid[1] * (z * extent[2] + k));
}

/** How many clusters there are in each direction. */
export const clustersOf = (grid: Extent, extent: Extent): Extent => [
  grid[0] / extent[0],
  grid[1] / extent[1],
  grid[2] / extent[2],
];

/** Where a block lies in its cluster, and which cluster that is. */
export function placeOf(
  block: number,
  grid: Extent,
  extent: Extent,
): { readonly cluster: Extent; readonly at: Extent } {
  const [x, y, z] = unlinear(block, grid);
  return {
    cluster: [Math.floor(x / extent[0]), Math.floor(y / extent[1]), Math.floor(z / extent[2])],
    at: [x % extent[0], y % extent[1], z % extent[2]],
  };
}

/** The linear index of a block within its cluster. */
export function rankOf(block: number, grid: Extent, extent: Extent): number {
  const [x, y, z] = placeOf(block, grid, extent).at;
  return x + extent[0] * (y + extent[1] * z);
}

export const sizeOf = (extent: Extent | undefined): number => (extent === undefined ? 1 : volume(extent));

import { type Dim3, unlinear, volume } from "./dim3.ts";

/** The linear index of the block with this rank in this cluster: a cluster is a box of neighbours in the grid. */
export function blockOf(cluster: number, rank: number, grid: Dim3, cluster3: Dim3): number {
  const [x, y, z] = unlinear(cluster, clustersOf(grid, cluster3));
  const [i, j, k] = unlinear(rank, cluster3);
  return x * cluster3[0] + i + grid[0] * (y * cluster3[1] + j + grid[1] * (z * cluster3[2] + k));
}

/** How many clusters there are in each direction. */
export const clustersOf = (grid: Dim3, shape: Dim3): Dim3 => [
  grid[0] / shape[0],
  grid[1] / shape[1],
  grid[2] / shape[2],
];

/** The position of a block in its cluster, and that cluster's position. */
export function positionOf(block: number, grid: Dim3, shape: Dim3): { readonly cluster: Dim3; readonly at: Dim3 } {
  const [x, y, z] = unlinear(block, grid);
  return {
    cluster: [Math.floor(x / shape[0]), Math.floor(y / shape[1]), Math.floor(z / shape[2])],
    at: [x % shape[0], y % shape[1], z % shape[2]],
  };
}

/** The linear index of the cluster that a block belongs to. */
export function clusterOf(block: number, grid: Dim3, shape: Dim3): number {
  const [x, y, z] = positionOf(block, grid, shape).cluster;
  const [width, height] = clustersOf(grid, shape);
  return x + width * (y + height * z);
}

/** The linear index of a block within its cluster. */
export function rankOf(block: number, grid: Dim3, shape: Dim3): number {
  const [x, y, z] = positionOf(block, grid, shape).at;
  return x + shape[0] * (y + shape[1] * z);
}

/** Blocks of a cluster; 1 without clusters. */
export const sizeOf = (shape: Dim3 | undefined): number => (shape === undefined ? 1 : volume(shape));

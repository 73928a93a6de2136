import { clustersOf, positionOf, rankOf, sizeOf } from "../contract/launch/cluster-rank.ts";
import { type Dim3, unlinear, volume } from "../contract/launch/dim3.ts";
import { LANES, lowest } from "../contract/launch/lane-mask.ts";

/** The inputs of the fixed special registers. */
export interface LaunchGeometry {
  readonly grid: Dim3;
  readonly block: Dim3;
  /** Blocks of a cluster; undefined for a launch without clusters, where each block is one. */
  readonly cluster: Dim3 | undefined;
  /** Bytes of shared memory without the reserved ones, and how many of them are dynamic, added by the launch. */
  readonly sharedBytes: number;
  readonly dynamicShared: number;
  /** Offset in shared memory of the bytes that the system reserves; 0 when the program does not use them. */
  readonly reserved: number;
  /** The address of a cooperative launch's grid-wide barrier; 0n for an ordinary launch. */
  readonly workspace: bigint;
  /** The global memory that blocks have for themselves: where that of block 0 begins, and how many bytes each has. */
  readonly blockMemory?: { readonly address: bigint; readonly bytes: number } | undefined;
}

type ThreadValue = (block: number, warp: number, lane: number) => number;

/**
 * The value of a special register that is fixed for a thread's life (PTX ISA 10), as a function of the thread.
 * Undefined when there is no such register. There is one SM and one grid.
 */
export function fixed(name: string, launch: LaunchGeometry): ThreadValue | undefined {
  const { grid, block } = launch;
  const cluster = launch.cluster ?? ([1, 1, 1] as const);
  const axis = ["x", "y", "z", "w"].indexOf(name.split(".")[1] ?? "");
  if (axis >= 0) {
    // The fourth component is there for alignment and reads as 0.
    const along = (extent: Dim3): number => extent[axis] ?? 0;
    switch (name.split(".")[0]) {
      case "tid":
        return (_block, warp, lane) => along(unlinear(warp * LANES + lane, block));
      case "ntid":
        return () => along(block);
      case "ctaid":
        return (linear) => along(unlinear(linear, grid));
      case "nctaid":
        return () => along(grid);
      case "clusterid":
        return (linear) => along(positionOf(linear, grid, cluster).cluster);
      case "nclusterid":
        return () => along(clustersOf(grid, cluster));
      case "cluster_ctaid":
        return (linear) => along(positionOf(linear, grid, cluster).at);
      case "cluster_nctaid":
        return () => along(cluster);
    }
    return undefined;
  }
  // Cooperative groups find the launch's workspace in these two.
  if (name === "envreg1") return () => Number(launch.workspace >> 32n);
  if (name === "envreg2") return () => Number(BigInt.asUintN(32, launch.workspace));
  if (/^envreg([12]?\d|3[01])$/.test(name)) return () => 0;
  return scalars(launch).get(name);
}

/** Bytes of shared memory that the system reserves, from sm_80 on. */
const RESERVED = 1024;

/**
 * The system's part of shared memory: behind the program's, and only if the program reads one of the registers that
 * describe it. Cooperative groups exchange data between warps there, from `reserved_smem_offset_1` on.
 */
export function reservedShared(
  { specials }: { readonly specials: readonly { readonly name: string }[] },
  sharedBytes: number,
): { readonly reserved: number; readonly reservedBytes: number; readonly bytes: number } {
  if (!specials.some(({ name }) => name.startsWith("reserved_smem_offset_")))
    return { reserved: 0, reservedBytes: 0, bytes: sharedBytes };
  const reserved = Math.ceil(sharedBytes / 128) * 128;
  return { reserved, reservedBytes: RESERVED, bytes: reserved + RESERVED };
}

const scalars = ({
  grid,
  block,
  cluster,
  sharedBytes,
  dynamicShared,
  reserved,
  blockMemory,
}: LaunchGeometry): ReadonlyMap<string, ThreadValue> =>
  new Map<string, ThreadValue>([
    ["laneid", (_block, _warp, lane) => lane],
    ["warpid", (_block, warp) => warp],
    ["nwarpid", () => Math.ceil(volume(block) / LANES)],
    ["smid", () => 0],
    ["nsmid", () => 1],
    ["gridid", () => 1],
    ["is_explicit_cluster", () => (cluster === undefined ? 0 : 1)],
    ["cluster_ctarank", (linear) => (cluster === undefined ? 0 : rankOf(linear, grid, cluster))],
    ["cluster_nctarank", () => sizeOf(cluster)],
    ["current_graph_exec", () => 0],
    ["lanemask_eq", (_block, _warp, lane) => (1 << lane) >>> 0],
    ["lanemask_le", (_block, _warp, lane) => lowest(lane + 1)],
    ["lanemask_lt", (_block, _warp, lane) => lowest(lane)],
    ["lanemask_ge", (_block, _warp, lane) => ~lowest(lane) >>> 0],
    ["lanemask_gt", (_block, _warp, lane) => ~lowest(lane + 1) >>> 0],
    ["reserved_smem_offset_begin", () => reserved],
    ["reserved_smem_offset_0", () => reserved],
    ["reserved_smem_offset_1", () => reserved + RESERVED / 2],
    ["reserved_smem_offset_end", () => reserved + RESERVED],
    ["reserved_smem_offset_cap", () => RESERVED],
    ["total_smem_size", () => sharedBytes],
    ["aggr_smem_size", () => sharedBytes],
    ["dynamic_smem_size", () => dynamicShared],
    // An address has 47 bits, and is a number without loss.
    ["perctamemoryoffset", (linear) => Number(blockMemory?.address ?? 0n) + linear * (blockMemory?.bytes ?? 0)],
    ["perctamemorysize", () => blockMemory?.bytes ?? 0],
  ]);

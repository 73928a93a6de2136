import type { Since } from "./form/define.ts";
import { least } from "./form/since.ts";

/** A special register (PTX ISA 10), without its percent sign. */
export interface SpecialRegister {
  readonly name: string;
  /** `u32`, `u64`, or `pred`; with components, of each of them. */
  readonly type: "u32" | "u64" | "pred";
  /** Also readable 64 bits wide (%gridid, which grew in PTX 3.0). */
  readonly long?: true;
  /** `x y z` (and `w`, which reads 0) of `%tid`. */
  readonly vector: boolean;
  /** Fixed for a thread's life; the others change while the program runs. */
  readonly fixed: boolean;
  readonly since: Since;
  /** Its value, in a few words. */
  readonly about: string;
}

const made = new Map<string, SpecialRegister>();

/** `names` are separated by blanks; `[4]` after one says it has components. */
function add(
  names: string,
  type: SpecialRegister["type"],
  fixed: boolean,
  ptx: number,
  sm: number,
  about: string,
): void {
  for (const word of names.split(" ")) {
    const vector = word.endsWith("[4]");
    const name = vector ? word.slice(0, -3) : word;
    made.set(name, { name, type, vector, fixed, since: least({ ptx, sm }), about });
  }
}

add("tid[4]", "u32", true, 10, 10, "the thread within its block");
add("ntid[4]", "u32", true, 10, 10, "threads of a block along each axis");
add("ctaid[4]", "u32", true, 10, 10, "the block within the grid");
add("nctaid[4]", "u32", true, 10, 10, "blocks of the grid along each axis");
made.set("gridid", {
  name: "gridid",
  type: "u32",
  long: true,
  vector: false,
  fixed: true,
  since: least(),
  about: "the launch, counted",
});
add("laneid", "u32", true, 13, 10, "the lane of the thread in its warp, 0 to 31");
add("warpid", "u32", true, 13, 10, "the warp within its block; on a GPU it may change");
add("nwarpid", "u32", true, 20, 20, "how many warps there may be at once");
add("smid", "u32", true, 13, 10, "the multiprocessor that runs the block");
add("nsmid", "u32", true, 20, 20, "how many multiprocessors there may be");
add("lanemask_eq", "u32", true, 20, 20, "a mask with the bit of the thread's own lane");
add("lanemask_le", "u32", true, 20, 20, "a mask of the lanes up to the thread's own, and of this one");
add("lanemask_lt", "u32", true, 20, 20, "a mask of the lanes before the thread's own");
add("lanemask_ge", "u32", true, 20, 20, "a mask of the thread's own lane and of those behind it");
add("lanemask_gt", "u32", true, 20, 20, "a mask of the lanes behind the thread's own");
add("clock", "u32", false, 10, 10, "a counter of cycles, its low 32 bits");
add("clock_hi", "u32", false, 50, 20, "the high 32 bits of %clock64");
add("clock64", "u64", false, 20, 20, "a counter of cycles");
add("globaltimer", "u64", false, 31, 30, "nanoseconds");
add("globaltimer_lo", "u32", false, 31, 30, "the low 32 bits of %globaltimer");
add("globaltimer_hi", "u32", false, 31, 30, "the high 32 bits of %globaltimer");
add("pm0 pm1 pm2 pm3", "u32", false, 13, 10, "a counter for profilers");
add("pm4 pm5 pm6 pm7", "u32", false, 30, 20, "a counter for profilers");
add(
  "pm0_64 pm1_64 pm2_64 pm3_64 pm4_64 pm5_64 pm6_64 pm7_64",
  "u64",
  false,
  40,
  50,
  "a counter for profilers, 64 bits of it",
);
const registers = Array.from({ length: 32 }, (_, index) => `envreg${index}`).join(" ");
add(registers, "u32", true, 10, 10, "a word that the driver fills in before the launch");
add("total_smem_size", "u32", true, 41, 20, "bytes of shared memory of the block, those of the driver left out");
add("dynamic_smem_size", "u32", true, 41, 20, "bytes of shared memory that the launch gave");
add("aggr_smem_size", "u32", true, 81, 90, "bytes of shared memory of the block, those of the driver included");
const reserved =
  "reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap reserved_smem_offset_0 reserved_smem_offset_1";
add(reserved, "u32", true, 76, 80, "a place in the shared memory that is the driver's own");
add("clusterid[4]", "u32", true, 78, 90, "the cluster within the grid");
add("nclusterid[4]", "u32", true, 78, 90, "clusters of the grid along each axis");
add("cluster_ctaid[4]", "u32", true, 78, 90, "the block within its cluster");
add("cluster_nctaid[4]", "u32", true, 78, 90, "blocks of a cluster along each axis");
add("cluster_ctarank", "u32", true, 78, 90, "the block within its cluster, as one number");
add("cluster_nctarank", "u32", true, 78, 90, "how many blocks the cluster has");
add("is_explicit_cluster", "pred", true, 78, 90, "whether the launch asked for clusters");
add("current_graph_exec", "u64", true, 80, 50, "the CUDA graph that launched the kernel; 0 for none");
add("perctamemoryoffset", "u64", true, 94, 80, "where memory of the block's own begins");
add("perctamemorysize", "u32", true, 94, 80, "bytes of memory of the block's own");

/** All special registers by name. */
export const specialRegisters: ReadonlyMap<string, SpecialRegister> = made;

const components: ReadonlyMap<string, string> = new Map([
  ["x", "x"],
  ["y", "y"],
  ["z", "z"],
  ["w", "w"],
  ["r", "x"],
  ["g", "y"],
  ["b", "z"],
  ["a", "w"],
]);

/** `x` for `x` and `r`, and so on; undefined for anything else. */
export const component = (written: string): string | undefined => components.get(written);

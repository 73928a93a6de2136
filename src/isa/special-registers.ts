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
}

const made = new Map<string, SpecialRegister>();

/** `names` are separated by blanks; `4` after one says it has components. */
function add(names: string, type: SpecialRegister["type"], fixed: boolean, ptx: number, sm: number): void {
  for (const word of names.split(" ")) {
    const vector = word.endsWith("[4]");
    const name = vector ? word.slice(0, -3) : word;
    made.set(name, { name, type, vector, fixed, since: least({ ptx, sm }) });
  }
}

add("tid[4] ntid[4] ctaid[4] nctaid[4]", "u32", true, 10, 10);
made.set("gridid", { name: "gridid", type: "u32", long: true, vector: false, fixed: true, since: least() });
add("laneid warpid", "u32", true, 13, 10);
add("nwarpid", "u32", true, 20, 20);
add("smid", "u32", true, 13, 10);
add("nsmid", "u32", true, 20, 20);
add("lanemask_eq lanemask_le lanemask_lt lanemask_ge lanemask_gt", "u32", true, 20, 20);
add("clock", "u32", false, 10, 10);
add("clock_hi", "u32", false, 50, 20);
add("clock64", "u64", false, 20, 20);
add("globaltimer", "u64", false, 31, 30);
add("globaltimer_lo globaltimer_hi", "u32", false, 31, 30);
add("pm0 pm1 pm2 pm3", "u32", false, 13, 10);
add("pm4 pm5 pm6 pm7", "u32", false, 30, 20);
add("pm0_64 pm1_64 pm2_64 pm3_64 pm4_64 pm5_64 pm6_64 pm7_64", "u64", false, 40, 50);
add(Array.from({ length: 32 }, (_, index) => `envreg${index}`).join(" "), "u32", true, 10, 10);
add("total_smem_size dynamic_smem_size", "u32", true, 41, 20);
add("aggr_smem_size", "u32", true, 81, 90);
add(
  "reserved_smem_offset_begin reserved_smem_offset_end reserved_smem_offset_cap reserved_smem_offset_0 reserved_smem_offset_1",
  "u32",
  true,
  76,
  80,
);
add("clusterid[4] nclusterid[4] cluster_ctaid[4] cluster_nctaid[4]", "u32", true, 78, 90);
add("cluster_ctarank cluster_nctarank", "u32", true, 78, 90);
add("is_explicit_cluster", "pred", true, 78, 90);
add("current_graph_exec", "u64", true, 80, 50);

add("perctamemoryoffset", "u64", true, 94, 80);
add("perctamemorysize", "u32", true, 94, 80);

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

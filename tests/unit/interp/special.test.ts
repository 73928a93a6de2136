import { expect, test } from "vitest";
import { changes } from "../../../src/interp/javascript/bind/other.ts";
import { fixed } from "../../../src/interp/state/special-registers.ts";
import { specialRegisters } from "../../../src/isa/special-registers.ts";

const sizes = { sharedBytes: 96, dynamicShared: 32, reserved: 128, workspace: 0x4f00_0000_1200n };
const launch = { grid: [5, 4, 3], block: [40, 2, 2], cluster: undefined, ...sizes } as const;

test("the machine knows every special register of the table", () => {
  for (const { name, vector, fixed: isFixed } of specialRegisters.values())
    for (const full of vector ? ["x", "y", "z", "w"].map((part) => `${name}.${part}`) : [name])
      if (isFixed) expect(typeof fixed(full, launch)?.(0, 0, 0), full).toBe("number");
      else expect(changes.has(full), full).toBe(true);
});

test.each([
  ["tid.x", 7, 3, 4, (3 * 32 + 4) % 40],
  ["tid.y", 7, 3, 4, 0],
  ["tid.z", 7, 3, 4, 1],
  ["tid.w", 7, 3, 4, 0],
  ["ntid.x", 0, 0, 0, 40],
  ["ctaid.x", 47, 0, 0, 2],
  ["ctaid.y", 47, 0, 0, 1],
  ["ctaid.z", 47, 0, 0, 2],
  ["nctaid.z", 0, 0, 0, 3],
  ["cluster_nctaid.x", 0, 0, 0, 1],
  ["nwarpid", 0, 0, 0, 5],
  ["lanemask_eq", 0, 0, 31, 0x8000_0000],
  ["lanemask_le", 0, 0, 31, 0xffff_ffff],
  ["lanemask_gt", 0, 0, 31, 0],
  ["lanemask_ge", 0, 0, 0, 0xffff_ffff],
  ["total_smem_size", 0, 0, 0, 96],
  ["dynamic_smem_size", 0, 0, 0, 32],
  ["envreg1", 0, 0, 0, 0x4f00],
  ["envreg2", 0, 0, 0, 0x1200],
  ["envreg31", 0, 0, 0, 0],
])("%%%s of block %d, warp %d, lane %d", (name, block, warp, lane, expected) => {
  expect(fixed(name, launch)!(block, warp, lane)).toBe(expected);
});

test.each([
  // Block 47 is (2,1,2); without clusters every block is one.
  ["clusterid.x", undefined, 2],
  ["nclusterid.y", undefined, 4],
  ["cluster_ctaid.y", undefined, 0],
  ["cluster_ctarank", undefined, 0],
  ["cluster_nctarank", undefined, 1],
  ["is_explicit_cluster", undefined, 0],
  ["clusterid.x", [1, 2, 3], 2],
  ["clusterid.y", [1, 2, 3], 0],
  ["clusterid.z", [1, 2, 3], 0],
  ["nclusterid.x", [1, 2, 3], 5],
  ["nclusterid.y", [1, 2, 3], 2],
  ["nclusterid.z", [1, 2, 3], 1],
  ["cluster_ctaid.x", [1, 2, 3], 0],
  ["cluster_ctaid.y", [1, 2, 3], 1],
  ["cluster_ctaid.z", [1, 2, 3], 2],
  ["cluster_nctaid.z", [1, 2, 3], 3],
  ["cluster_ctarank", [1, 2, 3], 0 + 1 * (1 + 2 * 2)],
  ["cluster_nctarank", [1, 2, 3], 6],
  ["is_explicit_cluster", [1, 2, 3], 1],
] as const)("%%%s of block 47 in clusters of %s is %d", (name, cluster, expected) => {
  expect(fixed(name, { ...launch, cluster })!(47, 0, 0)).toBe(expected);
});

test("a name that is no special register is not known", () => {
  for (const name of ["tid", "tid.q", "envreg32", "constructor", "__proto__"])
    expect(fixed(name, launch)).toBeUndefined();
});

import { expect, test } from "vitest";
import { changes } from "../../../src/interp/bind-other.ts";
import { fixed } from "../../../src/interp/special.ts";
import { specialRegisters } from "../../../src/isa/special.ts";

const launch = { grid: [5, 4, 3], block: [40, 2, 2], sharedBytes: 96, dynamicShared: 32, workspace: 0x7f00_0000_1200n } as const;

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
  ["envreg1", 0, 0, 0, 0x7f00],
  ["envreg2", 0, 0, 0, 0x1200],
  ["envreg31", 0, 0, 0, 0],
])("%%%s of block %d, warp %d, lane %d", (name, block, warp, lane, expected) => {
  expect(fixed(name, launch)!(block, warp, lane)).toBe(expected);
});

test("a name that is no special register is not known", () => {
  for (const name of ["tid", "tid.q", "envreg32", "constructor", "__proto__"])
    expect(fixed(name, launch)).toBeUndefined();
});

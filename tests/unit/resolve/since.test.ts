import { describe, expect, it } from "vitest";
import { lint } from "../../../src/index.ts";

const found = (instruction: string, target: string, version: string) =>
  lint(
    `.version ${version}\n.target ${target}\n.address_size 64\n.entry k() { .reg .b8 q; .reg .b16 h; .reg .b32 r; .reg .b64 l; .reg .f32 f; .reg .pred p; ${instruction} ret; }`,
  ).filter(({ severity }) => severity === "error");

const conversions = ["e4m3x2", "e5m2x2"].flatMap((type) =>
  ["", ".relu"].flatMap((relu) => [
    `cvt.rn.satfinite${relu}.${type}.f32 h, f, f;`,
    `cvt.rn.satfinite${relu}.${type}.f16x2 h, r;`,
    `cvt.rn${relu}.f16x2.${type} r, h;`,
  ]),
);

// What ptxas 13.0 takes of all targets and versions around the borders.
describe.each(conversions)("%s", (instruction) => {
  it.each([
    ["sm_90", "7.8"],
    ["sm_90a", "8.0"],
    ["sm_90", "8.0"],
    ["sm_90", "8.1"],
    ["sm_89", "8.1"],
    ["sm_89", "8.7"],
    ["sm_100", "8.6"],
    ["sm_120", "8.7"],
  ])("is there for %s in PTX %s", (target, version) => expect(found(instruction, target, version)).toEqual([]));

  it.each([
    ["sm_89", "8.0", "PTX1212", "sm_90", ".target sm_90 or later, or .version 8.1"],
    ["sm_89", "7.8", "PTX1212", "sm_90", ".target sm_90 or later, or .version 8.1"],
    ["sm_87", "8.0", "PTX1212", "sm_90", ".target sm_90 or later"],
    ["sm_87", "8.1", "PTX1212", "sm_89", ".target sm_89 or later"],
    ["sm_80", "7.4", "PTX1212", "sm_90", ".target sm_90 and .version 7.8 or later"],
  ])("is not there for %s in PTX %s", (target, version, code, needs, expected) => {
    const [error] = found(instruction, target, version);
    expect(error).toMatchObject({ code, expected });
    expect(error?.message).toContain(`needs ${needs}, the target is ${target}`);
  });

  it("is not there in a version before 7.8", () => {
    // A target of its time: sm_90 came with 7.8 itself.
    expect(found(instruction, "sm_90", "7.7").map(({ code }) => code)).toContain("PTX1213");
  });
});

/** An instruction, targets with versions that have it, and those that have not, with the code of what is said. */
type Borders = [instruction: string, there: [target: string, version: string][], not: [string, string, string][]];

// As PTX ISA 9.4 has it: no ptxas that was measured knows these.
describe.each<Borders>([
  [
    "cvt.rn.satfinite.s2f6x2.f32 h, f, f;",
    [
      ["sm_100a", "9.1"],
      ["sm_121a", "9.1"],
      ["sm_107a", "9.4"],
    ],
    [
      ["sm_100f", "9.1", "PTX1212"],
      ["sm_90a", "9.1", "PTX1212"],
      ["sm_100a", "9.0", "PTX1213"],
    ],
  ],
  [
    "cvt.rz.satfinite.scaled::n2::ue8m0.s2f6x2.bf16x2 h, r, h;",
    [["sm_100a", "9.4"]],
    [
      ["sm_100f", "9.4", "PTX1212"],
      ["sm_100a", "9.3", "PTX1213"],
    ],
  ],
  [
    "cvt.rn.scaled::n2::ue8m0.bf16x2.e4m3x2 r, h, h;",
    [
      ["sm_100f", "9.2"],
      ["sm_120a", "9.2"],
    ],
    [
      ["sm_100", "9.2", "PTX1212"],
      ["sm_100f", "9.1", "PTX1213"],
    ],
  ],
  ...[
    "add.u8x4 r, r, r;",
    "add.sat.s8x4 r, r, r;",
    "add.sat.s16x2 r, r, r;",
    "add.sat.u32 r, r, r;",
    "sub.sat.u8x4 r, r, r;",
    "min.relu.s8x4 r, r, r;",
    "max.u8x4 r, r, r;",
    "neg.s8x4 r, r;",
  ].map(
    (instruction): Borders => [
      instruction,
      [
        ["sm_120f", "9.2"],
        ["sm_121a", "9.2"],
        ["sm_107f", "9.4"],
      ],
      [
        ["sm_120", "9.2", "PTX1212"],
        ["sm_100f", "9.2", "PTX1212"],
        ["sm_120f", "9.1", "PTX1213"],
      ],
    ],
  ),
  [
    "clmad.hi.u64 l, l, l, l;",
    [["sm_80", "9.3"]],
    [
      ["sm_75", "9.3", "PTX1212"],
      ["sm_80", "9.2", "PTX1213"],
    ],
  ],
  ...["atom.global.add.noftz.f32 f, [l], f;", "red.add.noftz.v2.f32 [l], {f, f};"].map(
    (instruction): Borders => [
      instruction,
      [["sm_90", "9.4"]],
      [
        ["sm_89", "9.4", "PTX1212"],
        ["sm_90", "9.3", "PTX1213"],
      ],
    ],
  ),
  ["add.u16x2 r, r, r;", [["sm_90", "8.0"]], [["sm_89", "8.1", "PTX1212"]]],
  ["min.relu.s16x2 r, r, r;", [["sm_90", "8.0"]], [["sm_89", "8.1", "PTX1212"]]],
  ...[
    "set.lo.u8x4 r, r, r;",
    "set.ge.s16x2 r, r, r;",
    "cvt.rz.satfinite.e4m3x2.f16x2 h, r;",
    "cvt.rn.satfinite.scaled::n1::ue8m0.e2m1x2.f32 q, f, f, q;",
    "cvt.rn.pzo.bf16.f32 h, f;",
    "cvt.rn.relu.pzo.f16x2.f32 r, f, f;",
    "cvt.rn.pzo.tf32.f32 r, f;",
    "cvt.rp.ue5m3x2.bf16x2 h, r;",
    "cvt.rn.f16x2.ue5m3x2 r, h;",
  ].map(
    (instruction): Borders => [
      instruction,
      [
        ["sm_107f", "9.4"],
        ["sm_107a", "9.4"],
      ],
      [
        ["sm_107", "9.4", "PTX1212"],
        ["sm_100a", "9.4", "PTX1212"],
        ["sm_120f", "9.4", "PTX1212"],
      ],
    ],
  ),
])("%s", (instruction, there, not) => {
  it.each(there)("is there for %s in PTX %s", (target, version) =>
    expect(found(instruction, target, version)).toEqual([]),
  );
  it.each(not)("is not there for %s in PTX %s", (target, version, code) =>
    expect(found(instruction, target, version).map((each) => each.code)).toEqual([code]),
  );
});

it.each([
  ["setmaxnreg.inc.sync.aligned.u32 240;", "8.0", ".target sm_90a or a later one that ends in a or f"],
  ["setmaxnreg.inc.sync.aligned.u32 240;", "7.8", ".target sm_90a and .version 8.0 or a later one that ends in a or f"],
  ["wgmma.fence.sync.aligned;", "8.0", ".target sm_90a"],
  ["tcgen05.fence::before_thread_sync;", "8.6", ".target sm_100f, sm_101f, sm_103f, sm_107f, sm_110f"],
])("%s in PTX %s expects %s", (instruction, version, expected) =>
  expect(found(instruction, "sm_80", version)).toMatchObject([{ code: "PTX1212", expected }]),
);

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readView } from "../../../src/launch/dump/view.ts";
import { twice, World } from "./world.ts";

const world = new World().write("twice.ptx", twice);
afterAll(() => world.remove());

const run = (x: string, ...argv: string[]) =>
  world.ptxrun(["twice.ptx", "--block", "1", "-q", "-a", `x=${x}`, "-a", "y=f32x64", "-a", "n=0", ...argv]);

describe("a view", () => {
  it.each([
    ["all", { all: true }],
    ["f16x2", { type: "f16x2", ofRegisters: "f16x2" }],
    ["f16x2x3", { type: "f16x2", shape: [3] }],
    ["f32x4x4", { type: "f32", shape: [4, 4] }],
    ["2x3x4", { shape: [2, 3, 4] }],
    ["e4m3", { type: "e4m3", ofRegisters: "e4m3" }],
    ["u128", { ofRegisters: "u128" }],
    ["ue8m0x2", { type: "ue8m0", shape: [2], ofRegisters: "ue8m0x2" }],
  ])("%s is read", (text, view) => expect(readView(text)).toEqual(view));

  it.each(["", "4", "x", "f32x", "f33", "f32x0", "0x4", "4x-1", "4x4x", "f32xx4", "pred", "1x1x1x1x1x1x1x1x1"])(
    "%s is none",
    (text) => expect(readView(text)).toBeUndefined(),
  );
});

describe("--dump NAME:VIEW", () => {
  it("shows numbers in rows, with their indices", async () => {
    expect((await run("f32x2x3:iota", "-d", "0:2x3")).out).toBe("x  f32x2x3\n  [0] 0.0 1.0 2.0\n  [1] 3.0 4.0 5.0\n");
    expect((await run("s8x8:-1,2,-3,4,5,6,7,100", "-d", "x:2x2x2")).out).toBe(
      "x  s8x2x2x2\n  [0,0]  -1   2\n  [0,1]  -3   4\n  [1,0]   5   6\n  [1,1]   7 100\n",
    );
  });

  it("reads the bytes as another type, f8 too", async () => {
    expect((await run("f32x1:1.5", "-d", "x:u8")).out).toBe("x  u8x4\n  [0]   0   0 192  63\n");
    // 0x38 is 1, 0x7e the largest number, 0x01 2^-9, 0xff NaN (OCP 8-bit floating point, section 5).
    expect((await run("u8x4:0x38,0x7e,0x01,0xff", "-d", "x:e4m3x2x2")).out).toBe(
      "x  e4m3x2x2\n  [0]         1.0       448.0\n  [1] 0.001953125         nan\n",
    );
    expect((await run("u8x4:0x21,0xf7,0x00,0x98", "-d", "x:e2m1x2x2x2")).out).toBe(
      "x  e2m1x2x2x2\n  [0]   0.5,1.0  6.0,-6.0\n  [1]   0.0,0.0 -0.0,-0.5\n",
    );
    expect((await run("u8x2:0x3c,0x7c", "-d", "x:e5m2")).out).toBe("x  e5m2x2\n  [0] 1.0 inf\n");
    expect((await run("f16x2x2:1,2,3,4", "-d", "x:f16x2")).out).toBe("x  f16x2x2\n  [0] 1.0,2.0 3.0,4.0\n");
  });

  it("may be the beginning of a buffer, and not more than it", async () => {
    expect((await run("f32x8:iota", "-d", "x:f32x2")).out).toBe("x  f32x2\n  [0] 0.0 1.0\n");
    const { exit, err } = await run("f32x8:iota", "-d", "x:3x3");
    expect(exit).toBe(2);
    expect(err).toContain("error PTX2210: 3x3 elements are 36 bytes, and x has 32");
    expect(err).toContain("at most 8 elements");
    expect((await run("f32x8:iota", "-d", "x:u128")).err).toContain("error PTX2210: u128 is not a view of a buffer");
    expect((await run("f32x8:iota", "-d", "x:4xx")).err).toContain("error PTX2210: 4xx is not a view of a buffer");
    expect((await run("f32x8:iota", "-d", "y:f16", "-d", "nosuch:f16")).exit).toBe(2);
  });

  it("is a shape in JSON and in a .npy file, and --as is for all that say nothing else", async () => {
    const { out } = await run("f32x4:iota", "--as", "2x2", "--json", "-d", "x", "-d", "y:u32x2");
    const { buffers } = JSON.parse(out) as { buffers: { shape: number[]; values: string[]; type: string }[] };
    expect(buffers.map(({ shape, type }) => [shape, type])).toEqual([
      [[2, 2], "f32"],
      [[2], "u32"],
    ]);
    expect(buffers[0]?.values).toEqual(["0.0", "1.0", "2.0", "3.0"]);
    await run("f32x4:iota", "-d", "x:2x2=@x.npy");
    expect(readFileSync(join(world.folder, "x.npy"), "latin1")).toContain("'shape': (2, 2)");
    expect((await run("f32x4:iota", "--as", "2x2", "-d", "x")).out).toBe("x  f32x2x2\n  [0] 0.0 1.0\n  [1] 2.0 3.0\n");
    expect((await run("f32x4:iota", "--as", "f99")).err).toContain("error PTX2003: --as cannot be f99");
    expect((await run("f32x4:iota", "--as", "9x9")).err).toContain("x has 16");
  });

  it("folds what is long, with a count, unless all is asked for", async () => {
    const { out } = await run("f32x1024:fill=0", "-d", "x");
    const lines = out.trimEnd().split("\n");
    expect(lines).toHaveLength(66);
    expect(lines.at(-2)).toBe("  ... (64 more lines; x:all shows them)");
    expect(lines.at(-1)).toContain("[1016]");
    expect((await run("f32x1024:fill=0", "-d", "x:all")).out.trimEnd().split("\n")).toHaveLength(129);
    expect((await run("f32x512:fill=0", "-d", "x")).out.trimEnd().split("\n")).toHaveLength(65);
    const json = JSON.parse((await run("f32x1024:fill=0", "-d", "x", "--json")).out) as { buffers: { bits: [] }[] };
    expect(json.buffers[0]?.bits).toHaveLength(1024);
  });
});

describe("a buffer with several sizes", () => {
  it("is shown in rows, in lines of its last axis", async () => {
    expect((await run("f32x2x3:iota", "-d", "x")).out).toBe("x  f32x2x3\n  [0] 0.0 1.0 2.0\n  [1] 3.0 4.0 5.0\n");
    // A long one is shown in full where it is asked for.
    expect((await run("u8x100x4:fill=7")).out).toMatch(/^x +u8x100x4 +7 7 7 7 7 7 7 7 \.\.\. \(392 more\)\n/);
    expect((await run("f32x2x3:iota")).out).toContain("x  f32x2x3\n  [0] 0.0 1.0 2.0\n");
    expect((await run("f32x2x3:iota", "-d", "x:6x1")).out).toContain("x  f32x6x1\n  [0] 0.0\n");
  });

  it("has them in a .npy file and in JSON", async () => {
    await run("f32x2x3:iota", "-d", "x=@shape.npy");
    expect(readFileSync(join(world.folder, "shape.npy"), "latin1")).toContain("'shape': (2, 3)");
    const { out } = await run("@shape.npy", "--json");
    expect(JSON.parse(out).buffers[0]).toMatchObject({
      type: "f32",
      length: 6,
      shape: [2, 3],
      bits: expect.anything(),
      values: ["0.0", "1.0", "2.0", "3.0", "4.0", "5.0"],
      rows: [
        ["0.0", "1.0", "2.0"],
        ["3.0", "4.0", "5.0"],
      ],
    });
    const views = await run("f32x8:iota", "--json", "-d", "x:2x2x2", "-d", "y:u32x2", "-d", "x");
    const [deep, flat, none] = JSON.parse(views.out).buffers;
    expect(deep.rows).toEqual([
      [
        ["0.0", "1.0"],
        ["2.0", "3.0"],
      ],
      [
        ["4.0", "5.0"],
        ["6.0", "7.0"],
      ],
    ]);
    // One axis is what values are already.
    expect([flat.shape, "rows" in flat, "rows" in (none ?? flat)]).toEqual([[2], false, false]);
  });

  it("is shown by its bits as .bN alone", async () => {
    expect((await run("f32x2:1,2", "-d", "x")).out).toBe("x  f32x2\n  [0] 1.0 2.0\n");
    expect((await run("f32x2:1,2", "-d", "x:b32")).out).toBe("x  b32x2\n  [0] 0x3f800000 0x40000000\n");
  });
});

import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/explain-1.json" with { type: "json" };
import { violations } from "./json-schema.ts";
import { World } from "./world.ts";

const world = new World();
afterAll(() => world.remove());
const explain = (...words: string[]) => world.ptxrun(["explain", ...words]);
const MMA = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";

/** As the manual's figures of the fragments have them. */
describe("which lane and register hold an element", () => {
  it.each([
    [MMA, "c[5][3]", "lane 21, c1: register 2 of 4"],
    [MMA, "d[13][6]", "lane 23, d2: register 3 of 4"],
    [MMA, "a[9][12]", "lane 6, a6: register 4 of 4, bits 15:0"],
    [MMA, "b[3][7]", "lane 29, b1: register 1 of 2, bits 31:16"],
    ["mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "a[7][3]", "lane 31, a0: register 1 of 1"],
    ["mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "a[1][2][3]", "lane 6, a3: register 2 of 2, bits 31:16"],
    ["mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "a[0][33]", "lane 1, a1: register 1 of 4, bit 1"],
    [
      "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
      "e[3][2]",
      "lane 12 + selector, e2: register 1 of 1, bits 11:8",
    ],
    ["ldmatrix.sync.aligned.m8n8.x4.shared.b16", "r[2][3][4]", "lane 14, r0: register 3 of 4, bits 15:0"],
    ["movmatrix.sync.aligned.m8n8.trans.b16", "d[1][2]", "lane 5, d0: register 1 of 1, bits 15:0"],
    [
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16",
      "d[40][9]",
      "warp 2 of the warpgroup, lane 0, d7: register 8 of 8",
    ],
    [
      "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16",
      "a[17][3]",
      "warp 1 of the warpgroup, lane 5, a1: register 1 of 4, bits 31:16",
    ],
    ["tcgen05.ld.sync.aligned.16x128b.x2.b32", "r[9][3]", "lane 7, r1: register 2 of 4"],
    [
      "wmma.load.a.sync.aligned.row.m16n16k16.f16",
      "a[3][4]",
      "lane 14, a0: register 1 of 8, bits 15:0; a copy in lane 14, a8: register 5 of 8, bits 15:0",
    ],
  ])("%s %s", async (spelling, element, text) => {
    const { out, err } = await explain(spelling, element);
    expect([out, err]).toEqual([`${spelling}\n  ${element}  ${text}\n`, ""]);
  });

  it("is told of each element, and of all where a matrix is named, with the same lanes", async () => {
    const { out } = await explain(MMA, "c");
    const rows = out
      .split("\n")
      .flatMap((line) => [/^ +(\d+) {2}( *\d+:\d.*)$/.exec(line)?.[2]?.trim().split(/ +/) ?? []]);
    const cells = rows.filter((row) => row.length > 0);
    expect([cells.length, cells[0]?.length, new Set(cells.flat()).size]).toEqual([16, 8, 128]);
    const asked = cells.flatMap((row, y) => row.map((_, x) => `c[${y}][${x}]`));
    const each = (await explain(MMA, ...asked)).out.matchAll(/lane (\d+), c(\d)/g);
    expect([...each].map(([, lane, element]) => `${lane}:${element}`)).toEqual(cells.flat());
  });

  it("is data with --json", async () => {
    const { out } = await explain(MMA, "a[9][12]", "--json");
    expect(violations(JSON.parse(out), schema)).toEqual([]);
    expect(JSON.parse(out)).toMatchObject({
      kind: "elements",
      elements: [{ element: "a[9][12]", holders: [{ lane: 6, element: 6, register: 3, low: 0, bits: 16 }] }],
    });
  });

  it.each([
    [MMA, "c[16][0]", "c[16][0] is not in c, which is 16x8", "row 0 to 15, column 0 to 7"],
    [MMA, "e[0][0]", `${MMA} has no matrix e in registers`, "a, b, c, d"],
    [MMA, "q", `${MMA} has no matrix q in registers`, "a, b, c, d"],
    ["mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "a[2][2]", "a is 4 of 8x4", "a[0..3][2][2]"],
    ["add.f32", "c[1][1]", "add.f32 has no matrix in the registers of a warp", "mma, wmma"],
  ])("is refused of %s %s", async (spelling, element, message, expected) => {
    const { err, exit } = await explain(spelling, element);
    expect([exit, err]).toEqual([2, expect.stringContaining(`error PTX2301: ${message}\n`)]);
    expect(err).toContain(`expected: ${expected}`);
  });

  it("stands in the page of a whole spelling, each letter defined once", async () => {
    const { out } = await explain(MMA);
    expect(out).toMatch(/\n {2}lies +a: 16x16 \.f16\n +groupID = %laneid >> 2\n[\s\S]*\n +d: 16x8 \.f32\n +row = /);
    expect(out.match(/groupID = /g)).toHaveLength(1);
    expect((await explain("mma.sync.aligned.m16n8k16")).out).not.toContain("lies");
  });
});

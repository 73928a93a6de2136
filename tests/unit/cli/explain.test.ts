import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

let world: World;
beforeAll(() => {
  world = new World();
});
afterAll(() => world.remove());

const explain = (...words: string[]) => world.ptxrun(["explain", ...words]);

describe("explain with values", () => {
  it("works an instruction through", async () => {
    const { exit, out, err } = await explain("fma.rn.f16", "a=0x3e94", "b=0x134c", "c=0x3e22");
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toBe(
      [
        "fma.rn.f16 d, a, b, c",
        "  does     d = round.rn.f16(a * b + c)",
        "  a        f16 0x3e94  0|01111|1010010100",
        "           0b1.10100101 x 2^0 = 421 x 2^-8 = 1.64453125",
        "  b        f16 0x134c  0|00100|1101001100",
        "           0b1.11010011 x 2^-11 = 467 x 2^-19 = 0.0008907318115234375",
        "  c        f16 0x3e22  0|01111|1000100010",
        "           0b1.100010001 x 2^0 = 785 x 2^-9 = 1.533203125",
        "  a * b    196607 x 2^-27 = 0.001464836299419403076171875",
        "  exactly  0b1.1000100011|01111111111111111 x 2^0",
        "           = 205979647 x 2^-27 = 1.534667961299419403076171875",
        "  below    0x3e23 = 1.5341796875",
        "  above    0x3e24 = 1.53515625",
        "  lies     0.499992... of the way up: below the half",
        "  .rn      to the nearest: down to 0x3e23",
        "  d        f16 0x3e23  0|01111|1000100011",
        "           0b1.1000100011 x 2^0 = 1571 x 2^-10 = 1.5341796875",
        "",
      ].join("\n"),
    );
  });

  it("reads values in the operands' types", async () => {
    expect((await explain("add.f32", "a=1.5", "b=0f3f800000")).out).toContain("= 2.5");
    expect((await explain("add.bf16x2 a=1.0,2.0 b=1,1")).out).toMatch(/d +bf16x2 0x40404000 = 2, 3/);
    expect((await explain("add.s64", "%a=-1", "b=1")).out).toContain("s64 0xffffffffffffffff = -1");
    expect((await explain("add.u32", "a:f32=1.0", "b=0")).out).toContain("u32 0x3f800000");
    expect((await explain("cvt.rn.tf32.f32", "a=0f3f801000")).out).toContain("a tie");
    expect((await explain("addc.cc.u32", "a=0xffffffff", "b=0", "cc.cf=1")).out).toMatch(/CC\.CF +1\n$/);
    expect((await explain("lop3.b32", "a=0xf0", "b=0xcc", "c=0xaa", "immLut=0x80")).out).toContain("0x00000080");
    expect((await explain("selp.b32", "a=1", "b=2", "c=true")).out).toContain("0x00000001: c is 1, so a");
  });

  it("names the operand of each lane, and the word that is newer than its form", async () => {
    const { out } = await explain("cvt.rz.satfinite.e4m3x2.f32");
    expect(out).toMatch(/does +d = round\.rz\.satfinite\.e4m3\(b\) \| round\.rz\.satfinite\.e4m3\(a\)\n/);
    expect(out).toMatch(/since +PTX 9\.4, sm_107f, for \.rz\n/);
    expect((await explain("cvt.rn.satfinite.e4m3x2.f32")).out).toMatch(/since +PTX 7\.8, sm_90 or PTX 8\.1, sm_89\n/);
    expect((await explain("add.f16x2")).out).toContain("d = 2 lanes of round.rn.f16(a + b)");
  });

  it("takes a comma in a number for a point that was meant", async () => {
    expect((await explain("add.f32", "a=0,1", "b=2")).err).toContain("0,1 is not one value of .f32");
    expect((await explain("add.f32", "a=0,1", "b=2")).err).toContain("0.1, with a point");
  });

  it("names the option where a text has no .target", async () => {
    const { err } = await world.ptxrun(["-e", "cvt.rz.satfinite.e4m3x2.f32 d, 0f3f800000, 0f40000000;"]);
    expect(err).toContain("= help: give --target sm_107f");
  });

  it("takes a vector's elements in one value", async () => {
    const { out } = await explain("cvt.rs.satfinite.e4m3x4.f32", "a=1.0625,1,1,1", "e=0x80000000");
    expect(out).toMatch(/a\[0\] +f32 0x3f880000 .*\n.* = 1\.0625\n/);
    expect(out).toMatch(/\n {2}d +e4m3x4 0x39383838 = 1, 1, 1, 1\.125\n$/);
  });

  it("chooses the form that has the operands", async () => {
    expect((await explain("cvt.rn.relu.f16x2.f32", "a=1", "b=2")).out).toContain("f16x2 0x3c004000");
  });

  it("takes values without names in the order of the operands", async () => {
    const { exit, out, err } = await explain("cvt.rn.bf16.f32", "3.14159");
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toMatch(/\n {2}d +bf16 0x4049 .*\n.* = 3\.140625\n$/);
    for (const [words, named] of [
      [
        ["add.bf16", "1.5", "-2"],
        ["add.bf16", "a=1.5", "b=-2"],
      ],
      [
        ["add.bf16", "1.5,", "2"],
        ["add.bf16", "a=1.5", "b=2"],
      ],
      [
        ["add.bf16", "2", "a=1.5"],
        ["add.bf16", "a=1.5", "b=2"],
      ],
      [
        ["selp.f32", "1", "2", "true"],
        ["selp.f32", "a=1", "b=2", "c=true"],
      ],
      [
        ["add.bf16x2", "1,-2", "3,inf"],
        ["add.bf16x2", "a=1,-2", "b=3,inf"],
      ],
      [
        ["cvt.f16.f32", "0.1", "--rnd", "all"],
        ["cvt.f16.f32", "a=0.1", "--rnd", "all"],
      ],
      [
        ["wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "1,2", "3"],
        ["wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "a=1,2", "b=3"],
      ],
    ] as const) {
      const got = await explain(...words);
      expect([words, got.exit]).toEqual([words, 0]);
      expect(got).toEqual(await explain(...named));
    }
    // An instruction as it stands in a text has operands, not values.
    expect((await explain("add.f32 %f1, %f2, 1.5;")).out).toMatch(/^add\{\.rnd\}/);
  });

  it("reads an address as one, whatever type lies there", async () => {
    expect((await explain("atom.global.add.f32", "16", "1")).out).toMatch(/\[a\] +0x0000000000000010\n/);
  });

  it("names the operands that nobody gave", async () => {
    const { exit, out, err } = await explain("add.f32", "a=1.5");
    expect(exit).toBe(0);
    expect(out).toContain("= 1.5");
    expect(err).toContain("note PTX2205: b is 0, because no value was given");
  });

  it.each([
    [["add.f16", "q=1"], "PTX2201", "add.f16 reads no operand q", "expected a, b"],
    [["add.f16", "d=1"], "PTX2201", "add.f16 reads no operand d", "expected a, b"],
    [["add.u32", "cc.cf=1"], "PTX2201", "add.u32 reads no operand cc.cf", "expected a, b"],
    [["add.f16", "a=1", "a=2"], "PTX2004", "a is given twice", ""],
    [["add.bf16", "1.5"], "PTX2205", "add.bf16 takes 2 values (a, b), and 1 is given", ""],
    [["add.bf16", "a=1", "2", "3"], "PTX2201", "add.bf16 takes 2 values (a, b), and 3 are given", ""],
    [["bar.sync", "1", "2", "3"], "PTX2201", "bar.sync takes 1 value (a) or 2 values (a, b), and 3 are given", ""],
    [["ret", "1"], "PTX2201", "ret takes no values, and 1 is given", ""],
    [["add.f16", "a=0x12345"], "PTX2102", "0x12345 has 17 bits", "16 bits"],
    [
      ["mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "a=500.0"],
      "PTX2102",
      "500.0 is too large for .e4m3",
      "a smaller number",
    ],
    [["add.f16", "a=fish"], "PTX2101", "fish is not a value", ""],
    [["add.rz.f16", "a=1"], "PTX2301", "add.rz.f16 is not a form of add", ""],
    [["adn.f16", "a=1"], "PTX2301", "adn.f16 is not a code, value, instruction, type", "did you mean"],
  ])("refuses %j with %s", async (words, code, message, more) => {
    const { exit, out, err } = await explain(...words);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(`${code}: ${message}`);
    expect(err).toContain(more);
  });
});

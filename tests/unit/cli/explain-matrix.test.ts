import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

let world: World;
beforeAll(() => {
  world = new World();
});
afterAll(() => world.remove());

const mma = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
const explain = (...words: string[]) => world.ptxrun(["explain", ...words]);
/** The bits that a working ends in. */
const end = (out: string): string | undefined => /^ {2}d +\w+ (0x[\da-f]+)/m.exec(out)?.[1];

describe("explain with a row of A, a column of B and an element of C", () => {
  it("works one element of D through", async () => {
    const { exit, out, err } = await explain(
      mma,
      "a=1.5,0x3f81,-1",
      "b=2,0x3f81,0x3283",
      "c=0x3f800001",
      "--arch",
      "sm_90",
    );
    expect(exit).toBe(0);
    expect(err).toContain("the last 13 of a are 0, the last 13 of b are 0");
    expect(out).toMatchInlineSnapshot(`
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32, one element of D
        rule     sm_90: 16 products and c are one sum; each is cut to 25 bits below the largest exponent
                 hardware: recorded from a GPU
        c        f32 0x3f800001  0|01111111|00000000000000000000001
                 0b1.00000000000000000000001 x 2^0 = 8388609 x 2^-23 = 1.00000011920928955078125
        top      2^1, of a0 * b0
        unit     2^-24: what a term has below it is cut
        a0 * b0  1.5 * 2 = 3, at 2^1: 50331648 units
        a1 * b1  1.0078125 * 1.0078125 = 16641 x 2^-14 = 1.01568603515625, at 2^0: 17040384 units
        a2 * b2  -1 * 1.5250407159328460693359375e-8 = -131 x 2^-33 = -1.5250407159328460693359375e-8, at 2^-26: 0 units, all of it is cut
        c        8388609 x 2^-23 = 1.00000011920928955078125, at 2^0: 16777218 units
        zero     a3 * b3, a4 * b4, a5 * b5 and 10 more
        sum      84149250 units = 5.01568615436553955078125
        exactly  0b1.01000001000000010000000|01 x 2^2
                 = 42074625 x 2^-23 = 5.01568615436553955078125
        below    0x40a08080 = 5.01568603515625
        above    0x40a08081 = 5.015686511993408203125
        lies     0.25 of the way up: below the half
        .rz      toward zero, what is after the bar is cut: down to 0x40a08080
        d        f32 0x40a08080  0|10000001|01000001000000010000000
                 0b1.0100000100000001 x 2^2 = 82177 x 2^-14 = 5.01568603515625
      "
    `);
  });

  it("differs by target", async () => {
    const words = [mma, `a=${Array(16).fill("0x3980")}`, `b=${Array(16).fill("0x3900")}`, "c=1"];
    const bits = async (arch: string) => end((await explain(...words, "--arch", arch)).out);
    expect(await bits("sm_80")).toBe("0x3f800000");
    expect(await bits("sm_90a")).toBe("0x3f800004");
    expect(end((await explain(...words)).out)).toBe("0x3f800004");
  });

  it("takes scales, integers, bits and halves of 64 bits", async () => {
    const scaled = "mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32.ue4m3";
    const block = await explain(scaled, "a=3,0.5", "b=2,0x7", "c=0.25", "sa=1.5,1", "sb=0x30");
    expect([block.exit, end(block.out)]).toEqual([0, "0x40e00000"]);
    expect(block.out).toContain("9 * 1.5 * 0.5 = 27 x 2^-2 = 6.75");
    expect(block.out).toContain("sm_120a: 16 products are one exact sum");
    const whole = await explain(
      "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32",
      "a=-128",
      "b=255",
      "c=-2147483648",
    );
    expect(end(whole.out)).toBe("0x80000000");
    const bits = await explain(
      "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc",
      "a=0xff",
      "b=0xf0f",
      "c=-1",
    );
    expect(end(bits.out)).toBe("0x00000007");
    const double = await explain("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "a=0.1", "b=3.0", "c=-0.3");
    expect(end(double.out)).toBe("0x3c80000000000000");
  });

  it("takes what warpgroups and tensor memory multiply, of types that only a descriptor has", async () => {
    const words = ["a=1.5,2", "b=0.0078125,3", "c=100"];
    const group = await explain("wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3", ...words);
    expect([end(group.out), group.out.includes("sm_90a: 32 products")]).toEqual(["0x42d40400", true]);
    const kind = "tcgen05.mma.cta_group::1.kind::f8f6f4";
    expect(end((await explain(kind, "a:e2m1=1,2", "b:e5m2=3,7", "c:f16=1")).out)).toBe("0x4c80");
    expect((await explain(kind, "a:f16=1")).err).toContain("expected e4m3, e5m2, e2m3, e3m2, e2m1");
    const blocks = "tcgen05.mma.cta_group::1.kind::mxf4nvf4.block_scale.scale_vec::4X";
    expect(end((await explain(blocks, "a=1,2", "b=3,6", "c=1", "sa=0x7e")).out)).toBe("0x45d20800");
  });

  it.each([
    [["a=1", "z=2"], "has no z for one element", "a (16: a row of A, .bf16)"],
    [["a=1", "a=2"], "a is given twice", ""],
    [["c=1,2"], "2 values for an element of C, .f32", "1 at most"],
    [["a=1,x"], "x is not a value", "0x.., a number, inf or nan"],
    [["a=0x10000"], "0x10000 has 17 bits, and .bf16 has 16", "16 bits"],
    [["a=257"], ".bf16 does not hold 257 exactly", "257.0 for the nearest"],
    [["a:f32=1"], "a is a row of A, .bf16", "a=..."],
    [["a=1", "--arch", "sm_42"], "unknown target sm_42", "sm_70 or later"],
  ])("refuses %j", async (words, message, expected) => {
    const { exit, out, err } = await explain(mma, ...words);
    expect([exit, out]).toEqual([2, ""]);
    expect(err).toContain(message);
    expect(err).toContain(expected);
  });

  it("refuses what a narrow format does not have", async () => {
    const narrow = "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e4m3.f32";
    expect((await explain(narrow, "a=inf")).err).toContain(".e2m1 has no infinity");
    expect((await explain(narrow, "a=0x10")).err).toContain("0x10 has 5 bits, and .e2m1 has 4");
    expect((await explain(narrow, "b=nan", "a=0")).out).toContain("a0 * b0  0 * NaN = NaN");
    const bits = "mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.and.popc";
    expect((await explain(bits, "a=7")).err).toContain("7 is not 128 bits");
  });
});

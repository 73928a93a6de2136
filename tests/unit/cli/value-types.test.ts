import { afterAll, describe, expect, it } from "vitest";
import { repl } from "./conversation.ts";
import { World } from "./world.ts";

const declared = `.version 8.7
.target sm_90
.address_size 64
.entry k()
{
  .reg .b16 %rs<3>;
  .reg .b32 %r<4>;
  add.bf16 %rs0, %rs1, %rs2;
  add.bf16x2 %r1, %r2, %r3;
  ret;
}
`;
const world = new World().write("k.ptx", declared).write(
  "cases.ptx",
  `//@ case sum: a=1.5 b=2 -> d=3.5
//@ case near: a=1.5 b=2 -> d~3.515625 ulp 1
add.bf16 d, a, b;
`,
);
afterAll(() => world.remove());

const snippet = (text: string, ...argv: string[]) => world.ptxrun(["-e", text, "-q", ...argv]);
const inputs = (...values: string[]) => values.flatMap((value) => ["-r", value]);

describe("a register that nobody declared has the type of the instruction", () => {
  it.each([
    ["add.bf16 d, a, b;", ["a=1.5", "b=2"], "d  bf16  0x4060  3.5"],
    ["cvt.rn.bf16.f32 d, a;", ["a=3.14159"], "d  bf16  0x4049      3.140625"],
    ["cvt.rna.tf32.f32 d, a;", ["a=3.14159"], "d  tf32  0x40490000  3.140625"],
    ["cvt.rn.f16x2.e4m3x2 d, a;", ["a=1.5,-2"], "d  f16x2   0xc0003e00  1.5, -2.0"],
    ["cvt.rn.satfinite.e2m1x2.f32 d, a, b;", ["a=3", "b=0.5"], "d  e2m1x2  0x51        0.5, 3.0"],
    ["cvt.rn.bf16x2.ue8m0x2 d, a;", ["a=2,4"], "d  bf16x2   0x40804000  2.0, 4.0"],
    ["add.u16x2 d, a, b;", ["a=1,2", "b=0x00030004"], "d  u16x2  0x00050005  5, 5"],
    ["fma.rn.f32x2 d, a, a, a;", ["a=1,2"], "d  f32x2  0x40c0000040000000  2.0, 6.0"],
  ])("%s of %j", async (text, values, line) => {
    const { out, err } = await snippet(text, ...inputs(...values));
    expect([out.split("\n")[0], err]).toEqual([line, ""]);
  });

  it("and no value outside of its format", async () => {
    const { err } = await snippet("cvt.rn.f16x2.e4m3x2 d, a;", ...inputs("a=inf,1"));
    expect(err).toContain("error PTX2102: .e4m3 has no infinity");
    expect((await snippet("cvt.rn.f16x2.e2m1x2 d, a;", ...inputs("a=7,1"))).err).toContain(".e2m1 does not hold 7");
    expect((await snippet("cvt.rn.f16x2.e2m1x2 d, a;", ...inputs("a=0x1f,1"))).err).toContain("and .e2m1 has 4");
  });

  it("as JSON and in golden cases, too", async () => {
    const { out } = await snippet("add.bf16 d, a, b;", ...inputs("a=1.5", "b=2"), "--json");
    expect(JSON.parse(out).threads[0].registers[0]).toEqual({ name: "d", type: "bf16", bits: "0x4060", value: "3.5" });
    expect((await world.ptxrun(["check", "cases.ptx"])).exit).toBe(0);
  });

  it("in the REPL, where later statements know it by that", async () => {
    const { text } = await repl(
      world,
      [],
      ["add.bf16 c, a, b;", "set a = 1.5", "add.bf16 d, a, a;", "p d + 1.0", "p d:e4m3x2", "p/e5m2 d"],
    );
    expect(text).toContain("a = 1.5 (bf16 0x3fc0)");
    expect(text).toContain("d = 3.0 (bf16 0x4040)");
    expect(text).toContain("$1 = 4.0 (bf16 0x4080)");
    expect(text).toContain("$2 = 2.0, 2.0 (e4m3x2 0x4040)");
    expect(text).toContain("$3 = 2.0, 2.0\n");
  });
});

describe("a number for a register of bits", () => {
  it.each([
    ["%rs1=1.5", ":bf16=1.5, as the instructions read %rs1, or 0x.. for bits"],
    ["%r2=1,2", ":bf16x2=1,2, as the instructions read %r2, or 0x.. for bits"],
  ])("%s is refused with the type that it has there", async (value, expected) => {
    const { err, exit } = await world.ptxrun(["k.ptx", "-r", value]);
    expect([exit, err.includes(`expected ${expected}\n`)]).toEqual([2, true]);
  });

  it("is refused with both types where nothing says which", async () => {
    const { err } = await snippet("mov.b16 d, a;", "-r", "a=1.5");
    expect(err).toContain("expected :f16=1.5 or :bf16=1.5 for a number, or 0x.. for bits");
  });
});

describe("a register is shown in another type", () => {
  const values = inputs("%rs1:bf16=1.5", "%rs2:bf16=2");
  it("by --dump NAME:TYPE", async () => {
    const { out } = await world.ptxrun(["k.ptx", "-q", ...values, "-d", "%rs0:bf16", "-d", "rs1:e5m2x2", "-d", "%rs2"]);
    expect(out).toBe("%rs0  bf16    0x4060  3.5\n%rs1  e5m2x2  0x3fc0  -2.0, 1.75\n%rs2  b16     0x4000  16384\n");
    const { err, exit } = await world.ptxrun(["k.ptx", "-q", "-d", "%rs0:f32"]);
    expect(exit).toBe(2);
    expect(err).toContain("error PTX2210: f32 is not a type of 16 bits, as %rs0 has");
  });

  it("by --as, where it is as wide", async () => {
    expect((await world.ptxrun(["k.ptx", "-q", ...values, "--as", "bf16", "-d", "regs"])).out).toMatch(
      /%rs0 +bf16 +0x4060 +3\.5\n[\s\S]*%r1 +b32/,
    );
    const { out } = await snippet("cvt.rn.satfinite.e4m3x2.f32 d, a, b;", ...inputs("a=2", "b=1"), "--as", "e5m2x2");
    expect(out.split("\n")[0]).toBe("d  e5m2x2  0x4038      0.5, 2.0");
  });
});

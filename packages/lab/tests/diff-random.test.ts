import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/diff-1.json" with { type: "json" };
import { Device } from "../../../src/host/index.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { violations } from "../../../tests/unit/cli/json-schema.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { constantsOf, edgesOf } from "../launches/constants.ts";
import { drawnAmong } from "../launches/draw.ts";

const header = ".version 8.0\n.target sm_80\n.address_size 64\n";

/** y[i] of n elements is what `body` makes of x[i]: r, or f and d for the same bits, and the number m. */
const mapped = (body: string, type = "u32", params = ""): string => `${header}
.entry k(.param .u64 x, .param .u64 y, .param .u32 n${params}) {
  .reg .pred %p<3>; .reg .b32 %r<6>, r, m; .reg .f32 f; .reg .b64 %a, %x, %y, %o; .reg .f64 d;
  ld.param.u64 %x, [x]; ld.param.u64 %y, [y]; ld.param.u32 %r2, [n]; mov.u32 %r1, %tid.x;
  setp.ge.u32 %p1, %r1, %r2; @%p1 ret;
  mul.wide.u32 %o, %r1, ${type.endsWith("64") ? 8 : 4}; add.s64 %a, %x, %o; mul.wide.u32 %o, %r1, 4; add.s64 %y, %y, %o;
  ld.global.${type} ${{ u32: "r", f32: "f", f64: "d" }[type]}, [%a];
  ${body}
  st.global.u32 [%y], %r4; ret; }\n`;
const chosen = (condition: string): string => `${condition} selp.b32 %r4, 1, 0, %p2;`;

const world = new World();
afterAll(() => world.remove());
const diff = (...argv: readonly string[]) => world.ptxrun(["diff", ...argv, "-q", "--outputs-only"]);

/** Writes two texts, and compares them without inputs. */
const compared = (a: string, b: string, ...more: readonly string[]) => {
  world.write("a.ptx", a).write("b.ptx", b);
  return diff("a.ptx", "b.ptx", ...more);
};

const programOf = (text: string): Program => {
  const { value } = new Device().module(
    `${header}.entry k() { .reg .pred p; .reg .b32 r; .reg .f32 f; .reg .b32 h; ${text} ret; }`,
  );
  const kernel = value?.kernel("k").value;
  if (kernel === undefined) throw new Error(text);
  return kernel.program;
};

describe("diff without inputs", () => {
  it.each([
    ["an integer", chosen("setp.gt.s32 %p2, r, 123456;"), "u32", ""],
    ["a negative integer", chosen("setp.gt.s32 %p2, r, -123456;"), "u32", ""],
    ["a float", chosen("setp.gt.f32 %p2, f, 0f42F6E979;"), "f32", ""],
    ["a double", chosen("setp.gt.f64 %p2, d, 0d40934A456D5CFAAD;"), "f64", ""],
    ["a constant that is moved to a register", `mov.b32 %r5, 0f42F6E979; ${chosen("mov.b32 f, %r5; mov.b32 f, r; setp.gt.f32 %p2, f, 0f42F6E979;")}`, "u32", ""], // biome-ignore format: a row
    ["a parameter", `ld.param.u32 m, [most]; ${chosen("setp.gt.u32 %p2, m, 70001;")}`, "u32", ", .param .u32 most"],
    [
      "a float parameter",
      `ld.param.f32 f, [most]; ${chosen("setp.gt.f32 %p2, f, 0f42F6E979;")}`,
      "u32",
      ", .param .f32 most",
    ],
  ])("tells > from >= where %s is compared", async (_, body, type, params) => {
    const { exit, out } = await compared(mapped(body, type, params), mapped(body.replace(".gt", ".ge"), type, params));
    expect([exit, out]).toEqual([1, expect.stringContaining("y[0] is 0x00000000 (0) in the first, 0x00000001 (1)")]);
    const [, again = ""] = /^ {2}again: ptxrun (.*)$/m.exec(out) ?? [];
    expect(again).toContain("--block 1 ");
    expect((await world.ptxrun([...again.split(" "), "-q", "--outputs-only"])).exit).toBe(1);
  });

  it("tells constants apart that only differ by one", async () => {
    const [a, b] = [777_777, 777_778].map((each) => mapped(chosen(`setp.gt.u32 %p2, r, ${each};`)));
    expect((await compared(a!, b!)).exit).toBe(1);
  });

  it("says that inputs were drawn, and where nothing differs no more than that", async () => {
    world.write("a.ptx", mapped("add.u32 %r4, r, 5;"));
    const { exit, out } = await world.ptxrun(["diff", "a.ptx", "a.ptx"]);
    expect([exit, out]).toEqual([
      0,
      "no difference  a.ptx  a.ptx  2 buffers\n" +
        "  in 100 launches of sizes 64 and 27 with drawn inputs, which is no proof; bits compared\n" +
        "  no inputs were given: -a gives some, --random N draws more\n",
    ]);
    const asked = await world.ptxrun(["diff", "a.ptx", "a.ptx", "--random", "3"]);
    expect(asked.out).toMatch(/^no difference.*\n {2}in 3 launches .*\n$/);
  });

  it("compares a kernel whose constants would lead it out of bounds or into long loops", async () => {
    const loop = "mov.u32 %r4, 0; L: add.u32 %r4, %r4, r; add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, m; @%p2 bra L;";
    const text = mapped(
      `mov.u32 %r5, 0; ld.param.u32 m, [most]; ${loop} xor.b32 %r4, %r4, 0x7fffff00;`,
      "u32",
      ", .param .u32 most",
    );
    const { exit, out } = await compared(text, text, "--random", "30");
    expect([exit, out]).toEqual([0, expect.stringMatching(/in 30 launches of sizes 64 and 27 with/)]);
  });

  it("takes parameters of bytes for zeros", async () => {
    const text = mapped("ld.param.u16 %h, [s+2]; add.u32 %r4, r, 5;", "u32", ", .param .align 4 .b8 s[4]").replace(
      "m; .reg .f32",
      "m; .reg .b16 %h; .reg .f32",
    );
    expect((await compared(text, text, "--random", "3")).out).toContain("no difference  a.ptx  b.ptx  2 buffers\n");
  });
});

describe("diff of snippets without inputs", () => {
  it.each([
    ["an integer", "setp.gt.s32 p, a, 123456; selp.b32 d, 1, 0, p;"],
    ["a half", "setp.gt.f16 p, a, b; mov.b16 c, 0x5640; setp.gt.f16 q, a, c; selp.b32 d, 1, 0, q;"],
    ["a number in memory", "ld.global.u32 a, [at+4]; setp.gt.u32 p, a, 50; selp.b32 d, 1, 0, p;"],
  ])("tells > from >= where %s is compared", async (_, text) => {
    const { exit, out } = await compared(`${text}\n`, `${text.replaceAll(".gt", ".ge")}\n`);
    expect([exit, out]).toEqual([1, expect.stringMatching(/^different {2}a.ptx {2}b.ptx\n/)]);
    const [, again = ""] = /^ {2}again: ptxrun (.*)$/m.exec(out) ?? [];
    expect((await world.ptxrun([...again.split(" "), "-q", "--outputs-only"])).exit).toBe(1);
    const [, line = ""] = /^ {4}(\/\/@ case .*)$/m.exec(out) ?? [];
    world.write("golden.ptx", `${line}\n${text}\n`).write("wrong.ptx", `${line}\n${text.replaceAll(".gt", ".ge")}\n`);
    expect((await world.ptxrun(["check", "golden.ptx"])).exit).toBe(0);
    expect((await world.ptxrun(["check", "wrong.ptx"])).exit).toBe(1);
  });

  it("draws the carry flag, predicates and all bits of wide registers", async () => {
    const carried = "addc.u32 d, a, b;";
    expect((await compared(`${carried}\n`, "add.u32 d, a, b;\n")).exit).toBe(1);
    const wide = ".reg .b128 w; .reg .b64 l, h; mov.b128 {l, h}, w; add.u64 d, l, h;";
    const { exit, out } = await compared(`${wide}\n`, `${wide.replace("add.u64", "sub.u64")}\n`);
    expect([exit, out]).toEqual([1, expect.stringMatching(/ -r w=0x[\da-f]{17,}/)]);
    const both = await compared("selp.b32 d, 1, 2, p;\n", "selp.b32 d, 2, 1, p;\n");
    expect([both.exit, both.out]).toEqual([1, expect.stringMatching(/ -r p=[01]\n/)]);
  });

  it("keeps the values that are given, and refuses a program that reads none", async () => {
    const { exit, out } = await compared("add.u32 d, a, b;\n", "sub.u32 d, a, b;\n", "--random", "40", "-r", "b=0");
    expect([exit, out]).toEqual([0, expect.stringMatching(/^no difference .*\n {2}in 40 runs with drawn inputs/)]);
    const none = await compared("mov.u32 d, 1;\n", "mov.u32 d, 1;\n", "--random", "4");
    expect([none.exit, none.err]).toEqual([2, expect.stringContaining("PTX2003: --random draws registers, and a.ptx")]);
    expect((await compared("mov.u32 d, 1;\n", "mov.u32 d, 1;\n")).out).toBe("equal      a.ptx  b.ptx  1 register\n");
  });

  it("draws what only the second one reads, and leaves at 0 what only one has", async () => {
    expect((await compared("mov.u32 b, 7;\nadd.u32 d, a, b;\n", "add.u32 d, a, b;\n")).exit).toBe(1);
    expect((await compared("mov.u32 d, a;\n", "add.u32 d, a, b;\n")).out).toMatch(/^no difference/);
    expect((await compared("mov.u32 d, 0;\n", "add.u32 d, a, b;\n")).out).toMatch(/^equal/);
  });

  it("leaves out runs that take too long", async () => {
    const loop = "L:\nsub.u32 a, a, 1;\nsetp.ne.u32 p, a, 0;\n@p bra L;\n";
    const { exit, out } = await compared(loop, loop, "--random", "8", "--max-steps", "1000");
    expect([exit, out]).toEqual([0, expect.stringMatching(/in 1 run \(7 more took too many steps\) with drawn/)]);
  });

  it("refuses a range of values, and names what takes one", async () => {
    const { exit, err } = await compared("not.b32 d, a;\n", "not.b32 d, a;\n", "-r", "a=0..65535");
    expect([exit, err]).toEqual([
      2,
      expect.stringMatching(/PTX2003: -r a=0\.\.65535 is many values[\s\S]*ptxrun sweep FORM --against/),
    ]);
    expect((await compared("abs.f32 d, a;\n", "abs.f32 d, a;\n", "-r", "a=.5")).exit).toBe(0);
  });
});

describe("diff of many pairs", () => {
  const folders = new World()
    .write("x/a.ptx", mapped("add.u32 %r4, r, 5;"))
    .write("y/a.ptx", mapped("add.u32 %r4, 5, r;"))
    .write("x/b.ptx", mapped("add.u32 %r4, r, 5;"))
    .write("y/b.ptx", mapped("sub.u32 %r4, r, 5;"));
  afterAll(() => folders.remove());

  it("is no verdict where parameters have no values and nothing was compared", async () => {
    for (const words of [
      ["x", "y"],
      ["x/a.ptx", "--schedule", "random", "--seeds", "0..2"],
      ["x/a.ptx", "y/a.ptx", "-a", "n=4"],
    ]) {
      const { exit, err } = await folders.ptxrun(["diff", ...words, "-q"]);
      expect([exit, err]).toEqual([
        2,
        expect.stringMatching(/PTX2002: nothing was compared, since x of x\/a.ptx[\s\S]*-a VALUE/),
      ]);
      expect(err.includes("--random N")).toBe(!words.includes("--seeds"));
    }
  });

  it("draws for each of them", async () => {
    const { exit, out } = await folders.ptxrun(["diff", "x", "y", "--random", "4", "-q"]);
    expect([exit, out]).toEqual([
      1,
      expect.stringMatching(
        /^no difference {2}x\/a.ptx.*\n {2}in 4 launches.*\ndifferent {2}x\/b.ptx[\s\S]*again: ptxrun diff x\/b.ptx y\/b.ptx[\s\S]*2 pairs: 1 without a difference, 1 different, 0 failed\n$/,
      ),
    ]);
    const json = JSON.parse((await folders.ptxrun(["diff", "x", "y", "--random", "4", "--json"])).out);
    expect(violations(json, schema)).toEqual([]);
    expect(json.pairs.map(({ random }: { random: { compared: number } }) => random.compared)).toEqual([4, 1]);
  });
});

describe("constants", () => {
  it("are those of two programs, what they differ in first", () => {
    const [a, b] = ["setp.gt.s32 p, r, -7;", "setp.ge.s32 p, r, -7;"].map((each) =>
      programOf(`add.f32 f, f, 0f3FC00000; ${each}`),
    );
    expect(constantsOf([a!, a!])).toEqual({ integers: [-7n], floats: [1.5] });
    const shared = programOf("add.u32 r, r, 3; setp.gt.u32 p, r, 9;");
    const own = programOf("add.u32 r, r, 3; setp.ge.u32 p, r, 9;");
    expect(constantsOf([shared, own])?.integers).toEqual([9n, 3n]);
    expect(constantsOf([programOf("add.u32 r, r, r;")])).toBeUndefined();
    expect(constantsOf([a!, b!])?.integers).toEqual([-7n]);
  });

  it("may be floats where the program has bits", () => {
    expect(constantsOf([programOf("mov.b32 r, 0x3fc00000;")])).toEqual({ integers: [0x3fc0_0000n], floats: [1.5] });
    expect(constantsOf([programOf("mov.b32 r, 5;")])).toEqual({ integers: [5n], floats: [] });
  });

  it("are drawn with what lies beside them", () => {
    expect(edgesOf({ integers: [5n], floats: [] }, "u32")).toEqual([5n, 4n, 6n]);
    expect(edgesOf({ integers: [300n, -1n], floats: [] }, "u8")).toEqual([255n, 254n, 0n]);
    expect(edgesOf({ integers: [], floats: [1.5] }, "f32")).toEqual([0x3fc0_0000n, 0x3fc0_0001n, 0x3fbf_ffffn, 0x3f00_0000n, 0x4020_0000n]); // biome-ignore format: a row
    expect(edgesOf({ integers: [], floats: [0] }, "f16")).toEqual([0n, 1n, 0xbc00n, 0x3c00n]);
    expect(edgesOf({ integers: [], floats: [1.5] }, "s32")).toEqual([2n, 1n, 3n]);
    expect(edgesOf({ integers: [], floats: [2] }, "f16x2").slice(0, 1)).toEqual([0x4001_4000n]);
    expect(
      edgesOf({ integers: Array.from({ length: 99 }, (_, at) => BigInt(10 * at)), floats: [] }, "u32"),
    ).toHaveLength(64);
  });

  it("are the values of each parameter in its turn", () => {
    const buffer = { kind: "buffer", type: "s32", count: 2, reads: true, writes: false, zeroed: false } as const;
    const values = [buffer, { ...buffer, reads: false }, { ...buffer, count: 4096 }, { kind: "text", text: "64", type: "u32" }] as const; // biome-ignore format: a row
    const constants = { integers: [100n, 200n], floats: [] };
    const at = (turn: number, alone: boolean) => Object.fromEntries(drawnAmong({ constants, turn, alone }, values, 1));
    expect(at(0, true)).toEqual({ 0: "=s32x2:100,99" });
    expect(at(1, true)).toEqual({ 2: "=s32x4096:fill=100" });
    expect(at(2, true)).toEqual({ 3: ":u32=100" });
    expect(at(4, true)).toEqual({ 2: "=s32x4096:fill=99" });
    expect(at(5, false)).toEqual({ 0: expect.stringMatching(/^=s32x2:(\d+),(\d+)$/), 3: ":u32=99" });
  });
});

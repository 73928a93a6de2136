import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compare } from "../../../../src/cli/check/case/compare.ts";
import { readDirectives } from "../../../../src/cli/check/file/gather.ts";
import { codes, Source } from "../../../../src/source/index.ts";
import { twice, World } from "../world.ts";

const add = "add.f16 d, a, b;\n";
const good = "//@ case one: a=0x3c00 b=0x3c00 -> d=0x4000\n";
const world = new World()
  .write("good.ptx", good + add)
  .write("sub/deep/also.ptx", good + add)
  .write("sub/note.txt", "not PTX")
  .write("outside.bin", new Uint8Array(4));
afterAll(() => world.remove());

/** Checks one file with this text. */
const check = (text: string, ...more: string[]) =>
  world.write("sub/case.ptx", text).ptxrun(["check", "sub/case.ptx", ...more]);

describe("a check that holds", () => {
  const kernel = (line: string, args = "--block 4") => `//@ args: ${args}\n//@ case it: ${line}\n${twice}`;
  it.each([
    ["a snippet's registers", good + add],
    ["carry in and out", "//@ case c: a=0xffffffff b=0 cc.cf=1 -> d=0 cc.cf=1\naddc.cc.u32 d, a, b;\n"],
    ["numbers and NaN", `//@ case n: a=nan b=1 -> d=nan\n//@ case m: a=1.5 b=-0.5 -> d=1\n${add}`],
    ["a tolerance", `//@ case t: a=0x3c00 b=0x0000 -> d~0x3c02 ulp 2\n${add}`],
    ["lanes of another type", "//@ case l: a:f16x2=1,2 b:f16x2=1,2 -> d:f16x2=2,4\nadd.f16x2 d, a, b;\n"],
    ["a module's buffers", kernel("x=f32x3:1,2,3 y=f32x3 n=3 -> y=2,4,6")],
    ["one element of a buffer", kernel("x=f32x3:1,2,3 1=f32x3 n=3 -> y[2]=6.0 1[0]=0x40000000")],
    ["a register and a variable of a module", kernel("x=f32x3:1,2,3 y=f32x3 n=3 calls=u32x1:8 -> %r1=0 calls=8")],
    ["a whole buffer as another type", kernel("x=f32x1:1 y=f32x1 n=1 -> y=u32x1:0x40000000")],
    ["a fault", kernel("x=f32x2:1,2 y=f32x8 n=3 -> fault mem")],
    ["a fault by its code", "//@ case t: -> fault PTX3004\ntrap;\n"],
    ["an uninitialised read", kernel("x=f32x3 y=f32x3 n=3 -> fault init")],
    ["a limit", "//@ args: --max-steps 100\n//@ case t: -> fault limit\nL: bra L;\n"],
    ["a gap", "//@ case t: -> fault gap\n.shared .b32 t[4]; .reg .b32 d, r; mov.u32 d, t[r];\n"],
    ["a line that must be rejected", "add.rz.f16 d, a, b;   //~ error PTX1203\n"],
    ["a snippet's buffer", "//@ case b: p=f32x2:1,2 -> a=1.0 p=1,1\nld.global.f32 a, [p]; st.global.f32 [p+4], a;\n"],
    ["lines that end as on Windows", good.replace("\n", "\r\n") + add],
  ])("%s", async (_, text) => {
    const { exit, out, err } = await check(text);
    expect(out).not.toContain("FAIL");
    expect([exit, err]).toEqual([0, ""]);
  });
});

/** A text, the diagnostic it draws, and words of the report. */
const failures: readonly (readonly [name: string, text: string, code: string, words: string])[] = [
  ["nothing to check", add, "PTX7001", "checks nothing"],
  ["an empty right side", `//@ case one: a=1 b=1 ->\n${add}`, "PTX7002", "case one expects nothing"],
  ["no arrow", `//@ case one: a=1 b=1\n${add}`, "PTX7002", "-> and what must hold"],
  ["no name", `//@ case : a=1 -> d=1\n${add}`, "PTX7002", "a case without a name"],
  ["another directive", `//@ cse one: a=1 -> d=1\n${add}`, "PTX7002", "did you mean case?"],
  ["a mark without a code", "add.rz.f16 d, a, b; //~ error\n", "PTX7002", "a mark without a code"],
  ["an unknown fault", "//@ case t: -> fault memm\ntrap;\n", "PTX7002", "did you mean mem?"],
  ["a tolerance without ~", `//@ case t: a=1 b=1 -> d=2 ulp 1\n${add}`, "PTX7002", "NAME~VALUE ulp N"],
  ["a pipeline of a snippet", "//@ launch k\n//@ case t: a=1 -> d=1\nnot.b32 d, a;\n", "PTX7011", "expected a module"],
  ["a right side left open", `//@ case o: a=1 b=1 -> ?\n${add}`, "PTX7013", "expected d=0x4000"],
  ["a value left open", `//@ case o: a=1 b=1 -> d=?\n${add}`, "PTX7013", "d is left open"],
  ["a word on the right", `//@ case t: a=1 b=1 -> d\n${add}`, "PTX7002", "d expects nothing"],
  ["an option that is none", `//@ args: --blcok 3\n${good}${add}`, "PTX7002", "unknown option '--blcok'"],
  ["an option of run that a check has not", `//@ args: -o x\n${good}${add}`, "PTX7002", "unknown option '-o'"],
  ["two cases of one name", good + good + add, "PTX7003", "two cases are called one"],
  ["a missing register", `//@ case one: a=1 -> d=1\n${add}`, "PTX7004", "case one gives no b"],
  ["a missing carry", "//@ case one: a=1 b=1 -> d=2\naddc.u32 d, a, b;\n", "PTX7004", "case one gives no cc.cf"],
  ["a missing parameter", `//@ case one: n=0 -> calls=7\n${twice}`, "PTX7004", "case one gives no x, y"],
  ["another value", `//@ case one: a=1 b=1 -> d=0x4001\n${add}`, "PTX7005", "expected 0x4001 (2.002), 1 ulp away"],
  ["a value beyond the tolerance", `//@ case t: a=1 b=0 -> d~0x3c03 ulp 2\n${add}`, "PTX7005", "3 ulp away"],
  [
    "a lane",
    "//@ case l: a:f16x2=1,2 b:f16x2=1,2 -> d:f16x2=2,5\nadd.f16x2 d, a, b;\n",
    "PTX7005",
    "d lane 1 is 0x4400 (4.0)",
  ],
  ["an element", `//@ case e: x=f32x1:1 y=f32x1 n=1 -> y=3\n${twice}`, "PTX7005", "y[0] is 0x40000000 (2.0)"],
  [
    "an element of a parameter by its number",
    `//@ case e: x=f32x1:1 y=f32x1 n=1 -> 1=3\n${twice}`,
    "PTX7005",
    "y[0] is 0x40000000 (2.0)",
  ],
  ["the carry", "//@ case c: a=1 b=1 -> d=2 cc.cf=1\nadd.cc.u32 d, a, b;\n", "PTX7005", "cc.cf is 0"],
  ["a fault that did not come", `//@ case f: a=1 b=1 -> fault mem\n${add}`, "PTX7006", "the run ended without a fault"],
  ["another fault", "//@ case f: -> fault mem\ntrap;\n", "PTX7006", "the run ended with PTX3004"],
  [
    "a fault that nobody expects",
    "//@ case f: p=1 -> a=0\nld.global.u32 a, [p];\n",
    "PTX7006",
    "expected a run without faults",
  ],
  ["a finding", `//@ case f: x=f32x1 y=f32x1 n=1 -> y=0\n${twice}`, "PTX7006", "PTX4001"],
  ["cases in a file that is rejected", `${good}add.rz.f16 d, a, b; //~ error PTX1203\n`, "PTX7006", "cannot run"],
  [
    "an error that does not come",
    `${add.trim()} //~ error PTX1203\n`,
    "PTX7007",
    "no error PTX1203 on this line, but nothing",
  ],
  ["another error", "add.rz.f16 d, a, b; //~ error PTX1201\n", "PTX7007", "but PTX1203"],
  [
    "an error that no line expects",
    "add.rz.f16 d, a, b; //~ error PTX1203\nadd.rz.f16 d, a, b;\n",
    "PTX7008",
    "expected //~ error PTX1203, or none",
  ],
  ["a mistake in a file without marks", `${good}addd.f16 d, a, b;\n`, "PTX1201", "did you mean add?"],
  [
    "a file above its folder",
    `//@ case f: x=@../outside.bin y=f32x1 n=1 -> y=0\n${twice}`,
    "PTX7009",
    "is not below the folder",
  ],
  ["a file at the root", `//@ case f: x=@/etc/hostname y=f32x1 n=1 -> y=0\n${twice}`, "PTX7009", "/etc/hostname"],
  ["an unknown register", `//@ case f: a=1 b=1 -> sum=0\n${add}`, "PTX2201", "the program uses no register sum"],
  ["no buffer of that name", `//@ case f: x=f32x1:1 y=f32x1 n=1 -> z=0\n${twice}`, "PTX2210", "z is neither a buffer"],
  [
    "too few values",
    `//@ case f: x=f32x2:1,2 y=f32x2 n=1 -> y=0\n${twice}`,
    "PTX2102",
    "1 values, but y has 2 elements",
  ],
  [
    "a claim of a litmus test",
    "//@ litmus t\n.global .u32 x;\n//@ thread P0\nst.weak.global.u32 [x], 1;\n//@ never x == 1\n",
    "PTX7018",
    "some execution ends so",
  ],
  ["an element too far", `//@ case f: x=f32x2:1,2 y=f32x2 n=1 -> y[2]=0\n${twice}`, "PTX2102", "y has no element 2"],
];

/** Provoked in the tests of sidecars, snapshots, updates, reports and findings. */
const elsewhere = ["PTX7012", "PTX7014", "PTX7015", "PTX7016", "PTX7017", "PTX7019"];

describe("a check that fails", () => {
  it.each(failures)("%s", async (_, text, code, words) => {
    const { exit, out } = await check(text);
    expect(out).toContain(`${code}: `);
    expect(out).toContain(words);
    expect(out).toContain("FAIL");
    expect(exit).toBe(1);
  });

  it("follows no link out of the file's folder", async () => {
    symlinkSync("../outside.bin", join(world.folder, "sub/link.bin"));
    const { out } = await check(`//@ case f: x=@link.bin y=f32x1 n=1 -> y=0\n${twice}`);
    expect(out).toContain("PTX7009");
  });

  it("provokes every code of the checks", () => {
    const seen = new Set([...failures.map(([, , code]) => code), "PTX7010", ...elsewhere]);
    expect([...codes.keys()].filter((code) => code.startsWith("PTX7") && !seen.has(code))).toEqual([]);
  });

  it("prints the one command that repeats it, and that command shows the value", async () => {
    const { out } = await check(`//@ args: --target sm_90\n//@ case one: a=0x3c00 b=1 -> d=0x4001\n${add}`);
    const command = "ptxrun sub/case.ptx --target sm_90 -r a=0x3c00 -r b=1 -d d";
    expect(out).toContain(`repeat: ${command}\n`);
    expect((await world.ptxrun(command.split(" ").slice(1))).out).toBe("d  f16  0x4000  2.0\n");
  });

  it("shows a few of very many errors, and how many there are", async () => {
    const text = `//@ case one: a=1 -> d=1\n${"mov.u3 d, a;\n".repeat(5000)}`;
    for (const more of [[], ["--filter", "one"]]) {
      const { out, exit } = await check(text, ...more);
      expect(out.match(/^error PTX1/gm)?.length).toBe(21);
      expect(out).toContain(" more, the first of which is here");
      expect(exit).toBe(1);
    }
  });

  it("says the cause of an error before that no line expects it", async () => {
    const { out } = await check("add.rz.f16 d, a, b; //~ error PTX1203\naddd.f16 d, a, b;\n");
    expect(out.match(/^error PTX\d+/gm)).toEqual(["error PTX1201", "error PTX7008"]);
  });

  it("does not speak of marks in a file that has none", async () => {
    expect((await check(`${good}addd.f16 d, a, b;\n`)).out).not.toContain("PTX7008");
  });

  it("shows the place of a case once, and the first of the values that differ", async () => {
    const { out } = await check("//@ case one: a=1 -> a=2 c=9\nmov.u32 c, a;\n");
    expect(out.match(/ --> /g)?.length).toBe(1);
    expect(out).toContain("case one: a is 0x00000001 (1), the first of 2 values that differ");
    expect(out).toContain("\n   c is 0x00000001 (1), expected 0x00000009 (9)\n   repeat: ");
  });

  it("counts the values that it does not show", async () => {
    const { out } = await check(
      "//@ args: --block 20\n//@ case one: x=u32x20 -> x=u32x20:fill=3\nst.global.u32 [x], 3;\n",
    );
    expect(out).toContain("x[1] is 0x00000000 (0), the first of 19 values that differ");
    expect(out).toContain("\n   x[8] is 0x00000000 (0), expected 0x00000003 (3)\n   and 11 more\n");
  });

  it("says where the value stands", async () => {
    const { out } = await check(`//@ case one: a=0x3c00 b=1 -> d=0x4001\n${add}`);
    expect(out).toContain(" --> sub/case.ptx:1:31\n");
  });
});

describe("paths", () => {
  it("takes files, folders at any depth and patterns, each file once", async () => {
    world.write("sub/case.ptx", good + add);
    expect((await world.ptxrun(["check", "."])).out).toMatch(/3 files: 3 passed, 0 failed\n$/);
    expect((await world.ptxrun(["check", "good.ptx", "good.ptx"])).out).toMatch(/1 file: 1 passed, 0 failed\n$/);
    expect((await world.ptxrun(["check", "sub/**/*.ptx"])).out).toMatch(/2 files/);
    expect((await world.ptxrun(["check", "sub/*/a?so.ptx"])).out).toMatch(/1 file:/);
  });

  it.each([["nothing.ptx"], ["no/*.ptx"], ["sub/note"]])("is a usage error for %s, which is nothing", async (path) => {
    const { exit, err } = await world.ptxrun(["check", path]);
    expect(exit).toBe(2);
    expect(err).toContain("PTX7010");
  });

  it("fails when a filter leaves nothing", async () => {
    expect((await world.ptxrun(["check", "good.ptx", "--filter", "one"])).exit).toBe(0);
    expect((await world.ptxrun(["check", "good.ptx", "--filter", "two"])).exit).toBe(1);
  });

  it("stops at the first failure with --bail", async () => {
    const bad = "//@ case x: a=1 b=1 -> d=0\n//@ case y: a=1 b=1 -> d=0\n";
    expect((await check(bad + add)).out).toContain("0 passed, 2 failed");
    expect((await check(bad + add, "--bail")).out).toContain("0 passed, 1 failed");
  });
});

describe("the json reporter", () => {
  it("holds bits and values of what differs", async () => {
    const { exit, out } = await check(`//@ case one: a=0x3c00 b=1 -> d=0x4001\n${add}`, "--reporter", "json");
    expect(exit).toBe(1);
    const { schema, passed, failed, files } = JSON.parse(out);
    expect([schema, passed, failed]).toEqual(["ptxrun.check/1", 0, 1]);
    expect(files[0].cases[0]).toMatchObject({
      name: "one",
      line: 1,
      passed: false,
      mismatches: [
        {
          what: "d",
          type: "f16",
          expected: { bits: "0x4001", value: "2.002" },
          got: { bits: "0x4000", value: "2.0" },
          ulp: "1",
        },
      ],
      repeat: "ptxrun sub/case.ptx -r a=0x3c00 -r b=1 -d d",
    });
  });

  it("refuses a reporter that there is not", async () => {
    const { exit, err } = await world.ptxrun(["check", "good.ptx", "--reporter", "tab"]);
    expect(exit).toBe(2);
    expect(err).toContain("PTX2003");
  });
});

describe("directives", () => {
  it("gives each case the args line above it", () => {
    const text =
      "//@ case a: -> d=1\n//@ args: --block 2\n//@ case b: -> d=1\n//@ args: --block 3\n//@ case c: -> d=1\n";
    const { cases } = readDirectives(new Source("x", text));
    expect(cases.map(({ name, args }) => [name, args?.text])).toEqual([
      ["a", undefined],
      ["b", "--block 2"],
      ["c", "--block 3"],
    ]);
  });

  it("reads a file of a megabyte quickly", () => {
    const text = "add.f16 d, a, b; // no directive\n".repeat(32_000);
    expect(readDirectives(new Source("x", text)).cases).toEqual([]);
  });
});

describe("distances", () => {
  const ulp = (a: bigint, b: bigint, type: string, width: number) => compare("d", type, width, a, b, 0)[0]?.ulp;
  it("counts representable values, over zero too", () => {
    expect(ulp(0x3c00n, 0x3c02n, "f16", 16)).toBe(2n);
    expect(ulp(0x0001n, 0x8001n, "f16", 16)).toBe(3n);
    expect(ulp(0x0000n, 0x8000n, "f16", 16)).toBe(1n);
    expect(ulp(0x7f7fffffn, 0x7f800000n, "f32", 32)).toBe(1n);
    expect(ulp(0x7fffn, 0x3c00n, "f16", 16)).toBeUndefined();
    expect(ulp(1n, 2n, "b32", 32)).toBeUndefined();
  });

  it("forgives one NaN for another only under a tolerance", () => {
    expect(compare("d", "f16", 16, 0x7fffn, 0x7e00n, 0)).toHaveLength(1);
    expect(compare("d", "f16", 16, 0x7fffn, 0x7e00n, 1)).toEqual([]);
  });
});

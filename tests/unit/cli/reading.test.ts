import { afterAll, describe, expect, it } from "vitest";
import { table } from "../../../src/isa/index.ts";
import { World } from "./world.ts";

const world = new World()
  .write("good.ptx", "add.f16 d, a, b;\n")
  .write("bad.ptx", "add.rz.f16 d, a, b;\nsub.rz.f16 e, a, b;\n")
  .write("unusual.ptx", "add.f16.sat d, a, b;\n");
afterAll(() => world.remove());
const run = (...argv: string[]) => world.ptxrun(argv);

describe("lint", () => {
  it("accepts what is right and counts", async () => {
    expect(await run("lint", "good.ptx")).toEqual({ exit: 0, out: "1 file: 0 errors, 0 warnings, 0 notes\n", err: "" });
  });

  it("reports every mistake of every file and exits 3", async () => {
    const { exit, out, err } = await run("lint", ".");
    expect(exit).toBe(3);
    expect(out).toMatch(/^3 files: 2 errors, /);
    expect(err.match(/error PTX1203/g)).toHaveLength(2);
    expect(err).toContain(" --> bad.ptx:2:4\n");
  });

  it("shows notes, and leaves them out when told to be quiet", async () => {
    expect((await run("lint", "unusual.ptx")).err).toContain("note PTX9001");
    expect(await run("lint", "unusual.ptx", "-q")).toEqual({ exit: 0, out: "", err: "" });
  });

  it("is JSON with --json", async () => {
    const { exit, out, err } = await run("lint", "bad.ptx", "--json");
    expect([exit, err]).toEqual([3, ""]);
    expect(JSON.parse(out)).toMatchObject({
      schema: "ptxrun.lint/1",
      files: 1,
      diagnostics: [{ line: 1 }, { line: 2 }],
    });
  });

  it("reads standard input, and fails for a path that is nothing", async () => {
    expect((await world.ptxrun(["lint", "-"], { stdin: "add.rz.f16 d, a, b;" })).exit).toBe(3);
    expect((await run("lint", "nothing.ptx")).exit).toBe(2);
  });

  it("checks for the target it is told", async () => {
    world.write("new.ptx", "add.bf16 d, a, b;\n");
    expect((await run("lint", "new.ptx")).exit).toBe(0);
    expect((await run("lint", "new.ptx", "--target", "sm_80")).exit).toBe(3);
  });
});

describe("isa", () => {
  const forms = table.flatMap((section) => section.forms);

  it("lists every form of the table", async () => {
    const { exit, out } = await run("isa");
    expect(exit).toBe(0);
    for (const { syntax } of forms) expect(out).toContain(syntax);
  });

  it("describes the form that is spelled, with operands, versions and a worked check", async () => {
    const { out } = await run("isa", "add.sat.f16x2");
    expect(out).toContain("add{.rnd}{.ftz}{.sat}.f16x2 d, a, b\n");
    expect(out).toMatch(/ does +d = 2 lanes of round\.rn\.sat\.f16\(a \+ b\)\n/);
    expect(out).toMatch(/ since +PTX 4\.2, sm_53\n/);
    expect(out).toMatch(/ sources +(ptxas|headers|unspecified|manual): /);
    expect(out.match(/\n$|\n\n/g)).toHaveLength(1);
    // One of this spelling, not of the entry's others.
    expect(out).toMatch(/check +add\.rn\.sat\.f16x2: a=0x\w+ b=0x\w+ -> d=0x\w+\n/);
    expect((await run("isa", "add.f16x2")).out).toMatch(/check +add\.f16x2: a=0x\w+ b=0x\w+ -> d=0x\w+\n/);
  });

  it("says what is computed with the words that are asked for, and what its names stand for", async () => {
    const { out } = await run("isa", "mad.hi.s32");
    expect(out).toMatch(/ does +d = wrap\.s32\(\(t >> 32\) \+ c\)\n +t = a \* b\n/);
    expect((await run("isa", "setp.lt.s32")).out).toMatch(/ does +p = a < b\n/);
    expect((await run("isa", "vote.sync.ballot.b32")).out).toMatch(/ does +d = the lanes whose p holds\n/);
  });

  const syntaxes = async (spelling: string): Promise<string[]> => {
    const { exit, out } = await run("isa", spelling, "--json");
    expect(exit).toBe(0);
    return JSON.parse(out).sections.flatMap((section: { forms: { syntax: string }[] }) =>
      section.forms.map(({ syntax }) => syntax),
    );
  };

  it.each([
    ["add.cc", ["add.cc.type d, a, b"]],
    ["mul.hi", ["mul.part.type d, a, b"]],
    ["mad.lo", ["mad.part.type d, a, b, c", "mad.part.cc.type d, a, b, c"]],
    ["mad.cc", ["mad.part.cc.type d, a, b, c"]],
    ["fma.relu.bf16", ["fma.rnd{.relu}.bf16 d, a, b, c", "fma.rnd.oob{.relu}.bf16 d, a, b, c"]],
  ])("describes the forms that have the words of %s, which lacks some", async (spelling, expected) => {
    expect((await syntaxes(spelling)).sort()).toEqual([...expected].sort());
  });

  it("describes only what is spelled where nothing is missing", async () => {
    expect(await syntaxes("fma.rn.bf16x2")).toHaveLength(1);
    expect((await syntaxes("setp.lt")).length).toBeGreaterThan(3);
    expect(await syntaxes("setp.lt.f32")).toHaveLength(1);
    expect((await run("isa", "add.cc")).out).toContain("since ");
  });

  it("has no form for words that no form has together", async () => {
    for (const spelling of ["add.cc.f32", "mul.hi.lo", "add.zz", "cvt.u32.u32.u32"])
      expect((await run("isa", spelling)).err).toContain(`no form matches ${spelling}`);
  });

  it("lists what may stand behind an operand, and how many others of very many", async () => {
    const { out } = await run("isa", "vadd4.u32.u32.u32.add");
    expect(out).toMatch(/\n {2}\.mask +\.b0 \.b1 \.b10 .* \.b3210\n/);
    expect(out).toMatch(/\n {2}\.asel +\.b0000 \.b0001 .* \.b0017 and 4080 more\n/);
  });

  it("takes patterns", async () => {
    const { out } = await run("isa", "*.bf16x2", "--json");
    const { schema, sections } = JSON.parse(out);
    expect(schema).toBe("ptxrun.isa/1");
    const found = sections.flatMap((section: { forms: { syntax: string }[] }) =>
      section.forms.map(({ syntax }) => syntax),
    );
    expect(found).toContain("add{.rnd}.bf16x2 d, a, b");
    expect(found.every((syntax: string) => syntax.includes("bf16x2") || syntax.includes("type"))).toBe(true);
  });

  it("is complete as JSON and as Markdown", async () => {
    const { sections } = JSON.parse((await run("isa", "--json")).out);
    expect(sections.flatMap((section: { forms: unknown[] }) => section.forms)).toHaveLength(forms.length);
    const markdown = (await run("isa", "--md")).out;
    expect(markdown.match(/^\| `/gm)).toHaveLength(forms.length);
  });
});

describe("explain", () => {
  it("prints a code's page, however it is written", async () => {
    expect((await run("explain", "ptx1203")).out).toContain("PTX1203: ");
  });

  it("takes a value apart", async () => {
    const { out } = await run("explain", "0x3c00", "--as", "f16,bf16");
    expect(out).toContain("0x3c00 as f16: 1.0\n  sign        0\n  exponent    01111 (2^0)\n");
    expect(out).toContain("exactly     0.0078125\n");
    expect((await run("explain", "0x40003c00", "--as", "f16x2")).out).toContain("lane 1: 0x4000 as f16: 2.0\n");
    expect((await run("explain", "0x7f", "--as", "e4m3")).out).toContain("0x7f as e4m3: nan\n");
    expect((await run("explain", "-1", "--as", "s32")).out).toBe("0xffffffff as s32: -1\n");
  });

  it("explains an instruction as it is spelled", async () => {
    expect((await run("explain", "add.rn.ftz.f16", "d,", "a,", "b;")).out).toContain(
      "add{.rnd}{.ftz}{.sat}.f16 d, a, b\n",
    );
  });
});

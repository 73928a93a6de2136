import { afterAll, describe, expect, it } from "vitest";
import schema from "../../../schema/diff-1.json" with { type: "json" };
import { violations } from "../../../tests/unit/cli/json-schema.ts";
import { twice, World } from "../../../tests/unit/cli/world.ts";

const header = ".version 8.0\n.target sm_80\n.address_size 64\n";
const stores = (value: number): string =>
  `${header}.global .b32 out;\n.global .b32 table = ${value};\n.entry k() { st.global.u32 [out], ${value}; ret; }\n`;
const table = (value: number): string => stores(1).replace("table = 1", `table = ${value}`);
const says = (word: string): string => `${header}.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.global .align 1 .b8 text[4] = {${[...word].map((char) => char.charCodeAt(0)).join(", ")}, 10, 0};
.entry k() { .reg .b64 %rd<2>; cvta.global.u64 %rd1, text;
  { .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], %rd1; st.param.b64 [v], 0;
    call.uni (r), vprintf, (f, v); } ret; }\n`;
const world = new World()
  .write("add.ptx", "add.u32 d, a, b;\n")
  .write("sum.ptx", "add.u32 e, a, b;\nmov.u32 d, e;\n")
  .write("sub.ptx", "sub.u32 d, a, b;\n")
  .write("twice.ptx", twice)
  .write(
    "named.ptx",
    twice
      .replaceAll(/\b([xyn])\]/g, "twice_$1]")
      .replace(/\.u64 x, .param .u64 y, .param .u32 n/, ".u64 twice_x, .param .u64 twice_y, .param .u32 twice_n"),
  )
  .write("square.ptx", twice.replace("add.f32 %f2, %f1, %f1", "mul.f32 %f2, %f1, %f1"))
  .write("one.ptx", stores(1))
  .write("two.ptx", stores(2))
  .write("other-table.ptx", table(7))
  .write("hi.ptx", says("hi"))
  .write("ho.ptx", says("ho"))
  .write("trap.ptx", "mov.u32 d, 1;\ntrap;\n")
  .write("late-trap.ptx", "mov.u32 d, 0;\nadd.u32 d, d, 1;\ntrap;\n")
  .write("deadly.ptx", "mov.u32 d, 1;\n")
  .write("loop.ptx", "L: bra L;\n")
  .write("wrong.ptx", "add.u32 d;\n")
  .write("x/a.ptx", "add.u32 d, a, b;\n")
  .write("x/in/b.ptx", "sub.u32 d, a, b;\n")
  .write("y/a.ptx", "add.u32 d, b, a;\n")
  .write("y/in/b.ptx", "sub.u32 d, b, a;\n")
  .write("z/a.ptx", "add.u32 d, b, a;\n");
afterAll(() => world.remove());

const values = ["-r", "a=3", "-r", "b=1"];
const diff = (...argv: readonly string[]) => world.ptxrun(["diff", ...argv, "-q", "--outputs-only"]);
const launch = ["--block", "4", "-a", "0=f32x4:1,2,3,4", "-a", "1=f32x4", "-a", "2=4"];

describe("diff", () => {
  it("says that the registers of two snippets are equal, those that both have", async () => {
    expect(await diff("add.ptx", "sum.ptx", ...values)).toEqual({
      exit: 0,
      out: "equal      add.ptx  sum.ptx  3 registers\n",
      err: "",
    });
  });

  it("says which register differs", async () => {
    const { exit, out } = await diff("add.ptx", "sub.ptx", ...values);
    expect([exit, out]).toEqual([
      1,
      "different  add.ptx  sub.ptx\n  d is 0x00000004 (4) in the first, 0x00000002 (2) in the second\n",
    ]);
    expect((await diff("add.ptx", "sub.ptx", "-r", "a=3", "-r", "b=0")).exit).toBe(0);
    expect((await diff("add.ptx", "sub.ptx", ...values, "-d", "a")).exit).toBe(0);
  });

  it("says where buffers first differ, whatever their parameters are called", async () => {
    expect((await diff("twice.ptx", "named.ptx", ...launch)).out).toBe("equal      twice.ptx  named.ptx  2 buffers\n");
    const { exit, out } = await diff("twice.ptx", "square.ptx", ...launch);
    expect([exit, out.split("\n")[1]]).toEqual([
      1,
      "  y[0] is 0x40000000 (2.0) in the first, 0x3f800000 (1.0) in the second; 3 of 4 differ",
    ]);
    expect((await diff("twice.ptx", "square.ptx", ...launch, "-d", "x")).exit).toBe(0);
  });

  it("compares two kernels of one file, and draws what they are given", async () => {
    const kernel = (name: string, text: string): string =>
      `.entry ${name}(.param .u64 p) { .reg .b64 a; .reg .b32 x; ld.param.u64 a, [p]; ld.global.u32 x, [a]; ${text} st.global.u32 [a], x; ret; }\n`;
    const [three, twice] = ["add.u32 x, x, 3;", "add.u32 x, x, 1; add.u32 x, x, 2;"];
    world.write("kernels.ptx", `${header}${kernel("f", three)}${kernel("g", twice)}${kernel("h", "add.u32 x, x, 4;")}`);
    const { exit, out } = await diff("kernels.ptx", "--entry", "f,h");
    expect([exit, out.split("\n").slice(0, 2)]).toEqual([
      1,
      [
        "different  kernels.ptx --entry f  kernels.ptx --entry h",
        "  p[0] is 0x00000003 (3) in the first, 0x00000004 (4) in the second",
      ],
    ]);
    expect(out).toContain("again: ptxrun diff kernels.ptx kernels.ptx --entry f,h");
    expect(out).toContain("//@ args: --entry f --grid");
    expect((await diff("kernels.ptx", "--entry", "f,g")).exit).toBe(0);
    const { exit: unknown, err } = await diff("kernels.ptx", "--entry", "f,i");
    expect([unknown, err]).toEqual([2, expect.stringContaining("the module has no kernel i")]);
  });

  it("draws launches, and gives the smallest that shows a difference, as a check too", async () => {
    expect(await diff("twice.ptx", "named.ptx", "--random", "12")).toMatchObject({
      exit: 0,
      out: expect.stringMatching(
        /^no difference .*\n {2}in 12 launches of sizes 64 and 27 with drawn inputs, .* bits compared\n$/,
      ),
    });
    const { exit, out } = await diff("twice.ptx", "square.ptx", "--random", "12");
    expect(exit).toBe(1);
    const [, again = ""] = /^ {2}again: ptxrun (.*)$/m.exec(out) ?? [];
    expect(again).toContain("--block 1 ");
    expect((await world.ptxrun([...again.split(" "), "-q", "--outputs-only"])).exit).toBe(1);
    const [args = "", golden = ""] = out.split("\n").filter((line) => line.startsWith("    //@"));
    const checked = `${args}\n${golden}\n`;
    world
      .write("golden.ptx", checked + twice)
      .write("golden-square.ptx", checked + twice.replace("add.f32 %f2, %f1, %f1", "mul.f32 %f2, %f1, %f1"));
    expect((await world.ptxrun(["check", "golden.ptx"])).exit).toBe(0);
    expect((await world.ptxrun(["check", "golden-square.ptx"])).exit).toBe(1);
  });

  it("says of drawn launches when rounding explains a difference, and refuses seeds", async () => {
    const rounded = twice.replace("add.f32 %f2, %f1, %f1", "fma.rz.f32 %f2, %f1, 0f3EAAAAAB, %f1");
    world.write("near.ptx", rounded.replace(".rz", ".rn")).write("nearer.ptx", rounded);
    const { exit, out } = await diff("near.ptx", "nearer.ptx", "--random", "5");
    expect([exit, out]).toEqual([1, expect.stringContaining("with --tolerance 16ulp all results are equal")]);
    const near = await diff("near.ptx", "nearer.ptx", "--random", "5", "--tolerance", "16ulp");
    expect([near.exit, near.out]).toEqual([
      0,
      expect.stringContaining("floats within 16 ulp of each other count as equal"),
    ]);
    const json = JSON.parse((await diff("near.ptx", "nearer.ptx", "--random", "5", "--json")).out);
    expect(violations(json, schema)).toEqual([]);
    expect(json.random).toMatchObject({
      near: "16ulp",
      again: expect.stringContaining("ptxrun diff near.ptx nearer.ptx"),
    });
    expect((await diff("twice.ptx", "--random", "5", "--seeds", "0..3")).exit).toBe(2);
  });

  it("compares the variables that a run changed, and none that nobody wrote", async () => {
    expect((await diff("one.ptx", "other-table.ptx")).out).toBe("equal      one.ptx  other-table.ptx  1 variable\n");
    const { exit, out } = await diff("one.ptx", "two.ptx");
    expect([exit, out]).toEqual([1, expect.stringContaining("  out[0] is 0x00000001 (1) in the first")]);
    expect(out).not.toContain("table");
  });

  it("compares what is printed, and how runs end", async () => {
    expect((await diff("hi.ptx", "ho.ptx")).out).toContain('  line 1 of what they print: "hi" and "ho"\n');
    const { exit, out } = await diff("trap.ptx", "deadly.ptx");
    expect([exit, out]).toEqual([1, expect.stringContaining("the first ends with PTX3004, the second with exit")]);
  });

  it("gives the code of the fault with which both end", async () => {
    const { exit, out } = await diff("trap.ptx", "late-trap.ptx");
    expect([exit, out]).toEqual([4, expect.stringMatching(/^equal .*both end with PTX3004, 1 register/)]);
  });

  it.each([
    ["rejected PTX", ["add.ptx", "wrong.ptx"], 3],
    ["a limit", ["loop.ptx", "add.ptx", "--max-steps", "10"], 6],
    ["a file that is not there", ["add.ptx", "no.ptx"], 2],
    ["an input that one does not have", ["add.ptx", "trap.ptx", "-r", "a=1"], 2],
    ["one file", ["add.ptx"], 2],
    ["three files", ["add.ptx", "add.ptx", "add.ptx"], 2],
    ["a file and a folder", ["add.ptx", "x"], 2],
    ["--seeds", ["add.ptx", "add.ptx", "--seeds", "1..2"], 2],
    ["a dump into a file", ["twice.ptx", "twice.ptx", ...launch, "-d", "y=@y.bin"], 2],
    ["an empty list", ["--batch", "no-list"], 2],
  ])("of %s is no verdict", async (_, argv, code) => {
    const { exit, err } = await diff(...argv);
    expect([exit, err !== ""]).toEqual([code, true]);
  });

  it("takes two folders, file by file", async () => {
    const { exit, out } = await diff("x", "y", ...values);
    expect(exit).toBe(1);
    expect(out).toBe(
      "equal      x/a.ptx  y/a.ptx  3 registers\ndifferent  x/in/b.ptx  y/in/b.ptx\n  d is 0x00000002 (2) in the first, 0xfffffffe (4294967294) in the second\n2 pairs: 1 equal, 1 different, 0 failed\n",
    );
    expect((await diff("x", "z", ...values)).exit).toBe(2);
  });

  it("takes a list of pairs, many in one process", async () => {
    world.write("list", `# pairs\n\n${"add.ptx sum.ptx\n".repeat(60)}add.ptx\tsub.ptx\r\n`);
    const { exit, out } = await diff("--batch", "list", ...values);
    expect([exit, out.split("\n").at(-2)]).toEqual([1, "61 pairs: 60 equal, 1 different, 0 failed"]);
    world.write("bad", "add.ptx sum.ptx sub.ptx\n");
    const { exit: refused, err } = await diff("--batch", "bad", ...values);
    expect([refused, err]).toEqual([2, expect.stringContaining("bad:1:1")]);
  });

  it("gives the same with what it kept", async () => {
    const plain = await diff("twice.ptx", "square.ptx", ...launch);
    for (let time = 0; time < 2; time++)
      expect(await diff("twice.ptx", "square.ptx", ...launch, "--cache", "kept")).toEqual(plain);
  });

  it.each([
    ["registers", ["add.ptx", "sub.ptx", ...values], 1],
    ["buffers", ["twice.ptx", "square.ptx", ...launch], 1],
    ["equal variables", ["one.ptx", "other-table.ptx"], 0],
    ["what is printed", ["hi.ptx", "ho.ptx"], 1],
    ["ends", ["trap.ptx", "deadly.ptx"], 1],
    ["rejected PTX", ["add.ptx", "wrong.ptx"], 3],
    ["nothing", ["add.ptx"], 2],
  ])("of %s as JSON fits schema/diff-1.json", async (_, argv, code) => {
    const { exit, out, err } = await world.ptxrun(["diff", ...argv, "-q", "--json"]);
    const value = JSON.parse(out);
    expect([exit, value.exit, err]).toEqual([code, code, ""]);
    expect(violations(value, schema)).toEqual([]);
    expect(violations({ ...value, more: 1 }, schema)).not.toEqual([]);
  });
});

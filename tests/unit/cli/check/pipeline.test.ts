import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { readDirectives } from "../../../../src/cli/check/file/gather.ts";
import { Source } from "../../../../src/source/index.ts";
import { twice, World } from "../world.ts";

const world = new World();
afterAll(() => world.remove());
const example = readFileSync(new URL("../../../../examples/pipeline/scale.ptx", import.meta.url), "utf8");
const kernels = example.slice(example.indexOf(".version"));
const check = (text: string) => world.write("p.ptx", text).ptxrun(["check", "p.ptx"]);

describe("//@ launch", () => {
  it("runs kernels in turn on one memory, and says so for each case", async () => {
    const { exit, out } = await check(example);
    expect(out).toContain("4 passed");
    expect(exit).toBe(0);
  });

  it("notices when one launch of several is left out", async () => {
    const { exit, out } = await check(example.replace("//@ launch scale --block 4: x==data n=2\n", ""));
    expect(exit).toBe(1);
    expect(out).toContain("data[1] is 0x00000002 (2)");
  });

  it("belongs to the cases behind it, until a case has been and others come", () => {
    const { cases } = readDirectives(
      new Source(
        "t",
        "//@ launch a\n//@ launch b: x=1 y=2\n//@ case 1: -> z=1\n//@ case 2: -> z=1\n//@ launch c --grid 4\n//@ case 3: -> z=1\n",
      ),
    );
    expect(cases.map(({ launches }) => launches.map(({ kernel }) => kernel.text))).toEqual([
      ["a", "b"],
      ["a", "b"],
      ["c"],
    ]);
    expect(cases[0]?.launches[1]?.inputs.map(({ text }) => text)).toEqual(["x=1", "y=2"]);
    expect(cases[2]?.launches[0]?.options.text.trim()).toBe("--grid 4");
  });

  it.each([
    [
      "a name that no launch takes",
      "launch total: x==a",
      "a=u32x4:iota b=1 n=1 out=u32x1 -> out=6",
      "no launch takes b",
    ],
    [
      "a name that nobody gave",
      "launch total: x==b",
      "a=u32x4:iota n=1 out=u32x1 -> out=6",
      "b names no parameter with a buffer",
    ],
    [
      "a parameter that is left open",
      "launch total: x==a",
      "a=u32x4:iota n=1 -> calls=0",
      "the launch of total gives no out",
    ],
    ["a kernel that is not there", "launch totl: x==a", "a=u32x4:iota -> calls=0", "did you mean total?"],
    ["a register", "launch total: x==a", "a=u32x4:iota n=1 out=u32x1 %r1=3 -> out=6", "%r1 is a register"],
    ["a value twice", "launch total: x==a", "a=1 a=2 -> calls=0", "a is given twice"],
    ["no kernel", "launch --grid 4: x==a", "a=1 -> calls=0", "a launch without a kernel"],
    ["an option that is none", "launch total --gird 4: x==a", "a=u32x4 -> calls=0", "unknown option '--gird'"],
    ["a value where a buffer is due", "launch total: x==a n=1", "a=1.5 out=u32x1 -> calls=0", "1.5"],
  ])("%s is told", async (_, launch, line, words) => {
    const { exit, out } = await check(`//@ ${launch}\n//@ case it: ${line}\n${kernels}`);
    expect(out).toContain(words);
    expect(exit).toBe(1);
  });

  it("is nothing for a snippet", async () => {
    const { exit, out } = await check("//@ launch k\n//@ case it: a=1 -> d=2\nnot.b32 d, a;\n");
    expect(out).toContain("PTX7011");
    expect(exit).toBe(1);
  });
});

describe("what a launch can be told", () => {
  const file = new World().write("twice.ptx", twice).write("scale.ptx", kernels);
  afterAll(() => file.remove());
  const scale = ["scale.ptx", "--entry", "scale", "--block", "4", "-a", "x=u32x4:iota", "-a", "n=4"];

  it.each([
    ["a value", "calls=5", "[0] 6\n"],
    ["bits of another type", "calls:f32=1.0", "[0] 1065353217\n"],
    ["bytes", "calls=hex:01000000", "[0] 2\n"],
    ["a buffer", "calls=u32x1:7", "[0] 8\n"],
  ])("--global takes %s, and --dump global:NAME shows it", async (_, value, shown) => {
    const { exit, out } = await file.ptxrun([...scale, "-g", value, "-d", "global:calls"]);
    expect(out).toContain(shown);
    expect(exit).toBe(0);
  });

  it.each([
    ["calls=1,2", "8 bytes for a variable of 4"],
    ["calls=hex:0", "not pairs of hexadecimal digits"],
    ["calls==x", "contents of a variable come as values, a buffer or bytes"],
    ["call=1", "did you mean calls?"],
    ["calls=1.5", "1.5 is not an integer"],
  ])("--global %s is refused", async (value, words) => {
    const { exit, err } = await file.ptxrun([...scale, "-g", value]);
    expect(err).toContain(words);
    expect(exit).toBe(2);
  });

  it("a variable and a parameter of one name are told apart by global:", async () => {
    const { err, exit } = await file.ptxrun([...scale, "-d", "global:x"]);
    expect(err).toContain("there is no global:x to dump");
    expect(exit).toBe(2);
  });

  it("%envreg1 and 2 hold the workspace of a cooperative launch, zero at each start", async () => {
    const read =
      "mov.b32 h, %envreg1; mov.b32 l, %envreg2; mov.b64 p, {l, h}; ld.global.u32 d, [p+4]; st.global.u32 [p+4], 3;";
    const { out, exit } = await file.ptxrun(["-e", read, "--cooperative", "-d", "d", "--seeds", "0..2"]);
    expect(out).toBe("d  b32  0x00000000  0\n");
    expect(exit).toBe(0);
    expect((await file.ptxrun(["-e", "mov.b32 l, %envreg2;", "-d", "l"])).out).toBe("l  b32  0x00000000  0\n");
  });

  it("more blocks than can be resident are no cooperative launch", async () => {
    const { err, exit } = await file.ptxrun([...scale, "--grid", "1025", "--cooperative"]);
    expect(err).toContain("1024 blocks at most");
    expect(exit).toBe(2);
  });

  it.each([
    [["--grid", "4", "--cluster", "3"], "divisors of the grid, 4,1,1"],
    [["--grid", "32", "--cluster", "32"], "1 to 16 blocks"],
    [["--schedule", "random"], "random:SEED"],
    [["--schedule", "random:4294967296"], "random:SEED"],
    [["--seeds", "5"], "FIRST..LAST"],
    [["--seeds", "5..4"], "FIRST..LAST"],
  ])("%j is refused", async (more, words) => {
    const { err, exit } = await file.ptxrun([...scale, ...more]);
    expect(err).toContain(words);
    expect(exit).toBe(2);
  });

  it("--seeds stops at the first seed that fails, with the command that repeats it", async () => {
    const argv = ["-e", "trap;", "--seeds", "7..9", "--schedule=fixed"];
    const { err, exit } = await file.ptxrun(argv);
    expect(err).toContain("PTX9005: the seed is 7");
    expect(err).toContain("repeat it with ptxrun -e 'trap;' --schedule random:7\n");
    expect(exit).toBe(4);
  });
});

describe("a result that depends on the order of blocks", () => {
  const last = new World().write(
    "last.ptx",
    ".version 8.0\n.target sm_80\n.address_size 64\n.entry last(.param .u64 out)\n{ .reg .b64 %rd1; .reg .b32 %r1; ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; st.global.u32 [%rd1], %r1; ret; }\n",
  );
  afterAll(() => last.remove());

  it("is a finding of --seeds, with the two commands that show it", async () => {
    const argv = ["last.ptx", "--grid", "16", "-a", "out=u32x1:0", "--seeds", "0..99"];
    const { err, exit } = await last.ptxrun(argv);
    expect(err).toMatch(/PTX4010: seed \d+ leaves another result than seed 0/);
    expect(err).toMatch(/compare ptxrun last\.ptx --grid 16 -a out=u32x1:0 --schedule random:0\n/);
    expect(exit).toBe(7);
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { World } from "./world.ts";

const examples = join(import.meta.dirname, "../../../examples/visa");
const world = new World()
  .write("add.visaasm", readFileSync(join(examples, "add.visaasm")))
  .write("loop.visaasm", readFileSync(join(examples, "loop.visaasm")))
  .write("bf.visaasm", '.version 3.8\n.kernel "k"\n.decl B v_type=G type=bf num_elts=8\n    ret (M1, 1)\n');
afterAll(() => world.remove());

const line = "add (M1, 4) X(0,0)<1> Y(0,0)<4;4,1> 1:d";

describe("ptxrun on vISA", () => {
  it("runs a text with its variables as registers", async () => {
    const { exit, out } = await world.ptxrun([
      ...["add.visaasm", "-r", "V33=1,2,3,4,5,6,7,8", "-r", "V34=10,20,30,40,50,60,70,80"],
    ]);
    expect(out).toMatch(/^V32 +s32x8 +11 22 33 44 55 66 77 88$/m);
    expect(exit).toBe(0);
  });

  it("shows a value for each channel that an instruction may have, and says what was probably meant", async () => {
    const wide =
      '.version 3.8\n.kernel "w"\n.decl W v_type=G type=d num_elts=32 align=GRF\n    add (M1, 32) W(0,0)<1> W(0,0)<8;8,1> 1:d\n    ret (M1, 1)\n';
    world.write("wide.visaasm", wide).write("slip.visaasm", wide.replace("add", "addd"));
    const { out } = await world.ptxrun(["wide.visaasm", "-r", "W=s32x32:iota"]);
    expect(out).toBe(`W  s32x32  ${Array.from({ length: 32 }, (_, at) => at + 1).join(" ")}\n`);
    const { err } = await world.ptxrun(["lint", "slip.visaasm"]);
    expect(err).toContain("unknown instruction addd\n");
    expect(err).toContain("help: did you mean add?\n");
  });

  it("starts with the channels of %em", async () => {
    const { out } = await world.ptxrun(["-q", "-e", line, "-r", "em=5", "-r", "Y=1,2,3,4"]);
    expect(out).toMatch(/^X +s32x4 +2 0 4 0$/m);
  });

  it("rounds as the host has set %cr0", async () => {
    const sum = "add (M1, 1) F(0,0)<1> 1.0:f 0x33000000:f";
    const { out } = await world.ptxrun(["-q", "-e", sum, "-r", "cr0=0x10", "-d", "F", "--json"]);
    expect(out).toContain("0x3f800001");
  });

  it("takes addresses of variables", async () => {
    const through = "add (M1, 2) X(0,0)<1> r[A0(0),0]<2;2,1>:d 1:d\nmov (M1, 4) Y(0,0)<1> Y(0,0)<4;4,1>";
    const { out } = await world.ptxrun(["-q", "-e", through, "-r", "A0=&Y+8", "-r", "Y=1,2,3,4"]);
    expect(out).toMatch(/^X +s32x2 +4 5$/m);
    const { exit } = await world.ptxrun(["-q", "-e", through, "-r", "A0=&Z"]);
    expect(exit).toBe(2);
  });

  it("checks golden cases, the divergent loop among them", async () => {
    const { exit, out } = await world.ptxrun(["check", "."]);
    expect(out).toContain("4 passed");
    // A file without a case must not pass.
    expect(exit).toBe(1);
  });

  it("finds wrong expectations of predicates and variables", async () => {
    const text = readFileSync(join(examples, "loop.visaasm"), "utf8");
    const good = text.replaceAll(/^\/\/@.*\n/gm, "").concat("//@ case done: A=1 B=1 -> P1=0xfffe I[0]=1\n");
    world.write("more/good.visaasm", good).write("more/bad.visaasm", good.replace("P1=0xfffe", "P1=0xffff"));
    expect((await world.ptxrun(["check", "more/good.visaasm"])).exit).toBe(0);
    expect((await world.ptxrun(["check", "more/bad.visaasm"])).exit).toBe(1);
  });

  it("lints for a platform", async () => {
    expect((await world.ptxrun(["lint", "bf.visaasm"])).exit).toBe(0);
    expect((await world.ptxrun(["lint", "bf.visaasm", "--platform", "TGLLP"])).exit).toBe(3);
    expect((await world.ptxrun(["lint", "bf.visaasm", "--platform", "sm_90"])).exit).toBe(2);
    expect((await world.ptxrun(["bf.visaasm", "--platform", "TGLLP"])).exit).toBe(3);
  });

  it("lists and explains its table", async () => {
    expect((await world.ptxrun(["isa", "visa"])).out).toContain("ADDR_ADD (<exec_size>) <dst> <src0> <src1>");
    expect((await world.ptxrun(["explain", "visa.add"])).out).toContain("0x7fffffff:d, 0x1:d -> 0x80000000:d");
    expect((await world.ptxrun(["explain", "PTX8203"])).out).toContain("types that do not go together");
  });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { repl } from "../conversation.ts";
import { World } from "../world.ts";

const world = new World();
for (const name of ["scale.ptx", "race.ptx"]) world.write(name, readFileSync(join(import.meta.dirname, name)));
afterAll(() => world.remove());
const argv = ["scale.ptx", "--block", "40", "-a", "x=f32x40:fill=1.5", "-a", "n=4", "-q"];

describe("stopping and moving: a refusal", () => {
  it.each([
    ["break op", "PTX2405", "no instruction of the program is meant"],
    ["break op fmaa.rn.f32", "PTX2405", "did you mean fma.rn.f32?"],
    ["break op bar.*", "PTX2405", "no instruction of the program is bar.*"],
    ["catch race", "PTX2407", "ptxrun repl --sanitize race"],
    ["condition", "PTX2402", "condition N [E]"],
    ["condition 3 %r1", "PTX2407", "there is no breakpoint 3"],
    ["commands", "PTX2407", "there is no breakpoint yet"],
    ["commands 3", "PTX2407", "there is no breakpoint 3"],
    ["disassemble nosuch", "PTX2405", "there is no nosuch to go to"],
    ["info line nosuch", "PTX2405", "there is no nosuch to go to"],
    ["x/3i 99", "PTX2405", "there is no instruction on line 99"],
    ["focus warp 9 lane 0", "PTX2407", "there is no 288 in 40,1,1"],
    ["focus warp 0 lane 32", "PTX2407", "lanes 0 to 31 of a warp"],
    ["lane x", "PTX2407", "names no thread"],
    ["cuda thread", "PTX2402", "focus block X thread Y, or warp X lane Y"],
  ])("of %s", async (line, code, message) => {
    const { text, exit } = await repl(world, argv, [line, "print 99"]);
    expect(text).toContain(`error ${code}`);
    expect(text).toContain(message);
    expect(exit).toBe(2);
  });

  it("of a condition for a catchpoint", async () => {
    const { text } = await repl(world, argv, ["catch nan", "condition 1 %r1 == 2"]);
    expect(text).toContain("1 is a catchpoint, which has no condition");
  });
});

describe("commands", () => {
  it("that continue do not nest, and end with the first that is refused", async () => {
    const loop = ["-e", "mov.u32 a, 0;\nL: add.u32 a, a, 1;\nsetp.lt.u32 p, a, 200;\n@p bra L;", "-q"];
    const { text, exit } = await repl(world, loop, [
      "break L if a >= 1",
      "commands",
      "print a",
      "continue",
      "end",
      "run",
    ]);
    expect(exit).toBe(0);
    expect(text).toContain("$199 = 199 (");
    expect(text).toContain("the program has ended");
    const wrong = await repl(world, loop, [
      "break L",
      "commands 1",
      "print nosuch",
      "continue",
      "end",
      "run",
      "print 5",
    ]);
    expect(wrong.exit).toBe(2);
    expect(wrong.text).not.toContain("print 5");
    expect(wrong.text.match(/breakpoint 1\n@/g)).toHaveLength(1);
  });

  it("are saved with the rest", async () => {
    await repl(world, argv, ["break DONE", "commands", "print %r1", "end", "save kept.txt"]);
    expect(readFileSync(join(world.folder, "kept.txt"), "utf8")).toBe("break DONE\ncommands\nprint %r1\nend\n");
    const again = await repl(world, argv, ["source kept.txt", "run"]);
    expect(again.text).toContain("$1 = 0 (b32");
  });
});

describe("catch race", () => {
  it("stops behind the access that races, and names it", async () => {
    const { text } = await repl(world, ["race.ptx", "--block", "64", "--sanitize", "race"], ["catch race", "run"]);
    expect(text).toContain("catchpoint 1: race\n  by:  race+2: 9  ld.shared.u32 %r2, [s];");
    expect(text).toContain("error PTX4002");
  });
});

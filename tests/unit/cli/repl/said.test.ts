import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { table } from "../../../../packages/debugger/console/commands/every-command.ts";
import { answer, repl } from "../conversation.ts";
import { World } from "../world.ts";

const world = new World();
world.write("scale.ptx", readFileSync(join(import.meta.dirname, "scale.ptx")));
afterAll(() => world.remove());
const argv = ["scale.ptx", "--block", "40", "-a", "x=f32x40:fill=1.5", "-a", "n=4", "-q"];

describe("what cannot be meant is refused with a way out", () => {
  it.each([
    ["break if %r1 %r2", "PTX2403", "the remainder is A % %r2, with blanks"],
    ["print %r1 = 5", "PTX2403", "== to compare; set X = V gives a value"],
    ["print &x", "PTX2403", "no &: the name of a variable or a buffer is its address"],
    ["print *", "PTX2403", "a register, a number or [memory]"],
    ["print %r1,", "PTX2403", "the expression ends too early"],
    ["print x[0", "PTX2403", "expected ]"],
    ["print x[40]", "PTX2406", "is outside global memory"],
    ["print (float)%r1", "PTX2404", "a type after the value, %r1:f32"],
    ["print (s32)%r1", "PTX2404", "a type after the value, %r1:s32"],
    ["break if (int) %r1 == 3", "PTX2403", "a type after the value, %r1:s32"],
    ["explain %r1 --as bf61", "PTX2301", "did you mean bf16?"],
    ["p/bf61 %r1", "PTX2402", "did you mean bf16?"],
    ["lanes/all %r1", "PTX2402", "all is not a format"],
    ["print %tid", "PTX2404", "%tid.x, %tid.y or %tid.z"],
    ["explain nonsense", "PTX2402", "there is no nonsense to explain"],
    ["explain fma.qq.f32", "PTX2301", "fma.qq.f32 is not a form of fma"],
    ["explain PTX0001", "PTX2301", "unknown code PTX0001"],
    ["threads", "PTX2401", "did you mean info threads?"],
    ["frame 1", "PTX2407", "this is the kernel, which nothing has called"],
    ["kill", "PTX2401", "did you mean restart?"],
    ["info locals", "PTX2402", "did you mean info regs?"],
    ["info wraps", "PTX2402", "did you mean warps?"],
    ["info warps 3", "PTX2402", "3 does not belong here"],
    ["where 5", "PTX2402", "5 does not belong here"],
    ["list 5 6 7", "PTX2405", "there is no 5 6 7 to go to"],
  ])("%s", async (line, code, message) => {
    const { text, exit } = await repl(world, argv, [line, "print 99"]);
    expect(text).toContain(code);
    expect(text).toContain(message);
    expect(text).not.toContain("$1 = 99");
    expect(exit).toBe(2);
  });
});

describe("commands", () => {
  it("says when the lines of a script end before end", async () => {
    const { text, exit } = await repl(world, argv, ["break 4", "commands", "print 1"]);
    expect(text).toContain("PTX2402: the lines end before end");
    expect(exit).toBe(2);
  });
});

describe("explain", () => {
  it.each([
    ["explain fma.rn.f32", "d = round.rn.f32(a * b + c)"],
    ["explain fma.rn.f32 a=1.5 b=2 c=1", "0x40800000"],
    ["explain %f1", "0x3fc00000 as f32: 1.5"],
    ["explain 0x3c00", "0x3c00 as f16: 1.0"],
    ["explain PTX3002", "access out of bounds"],
  ])("takes what the command takes: %s", async (line, said) => {
    expect((await answer(world, argv, "step 6", line)).join("\n")).toContain(said);
  });
});

describe("help", () => {
  it.each([40, 80, 150])("keeps words and lines whole in %i columns", async (columns) => {
    const words = new Set(table.commands.flatMap(({ help, usage }) => `${help} ${usage}`.split(/\s+/)));
    let text = "";
    const out = (piece: string): void => {
      text += piece;
    };
    const terminal = { out: true, err: true, columns: () => columns };
    await world.ptxrun(["repl", ...argv, "--color", "never"], { stdin: "help\nhelp info\nhelp set\n", out, terminal });
    const lines = text.split("\n");
    expect(lines.length).toBeGreaterThan(60);
    for (const line of lines.filter((each) => each.startsWith("   ")))
      for (const word of line.trim().split(/\s+/)) expect(words).toContain(word);
    // A usage may be longer than a narrow terminal; what a command does is not.
    for (const line of lines.filter((each) => each.startsWith("   "))) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it("shows a group by its name", async () => {
    const lines = await answer(world, argv, "help going back");
    expect(lines[0]).toMatch(/^ {2}reverse-step \[N\] +take back N instructions/);
    expect(lines.join("\n")).not.toContain("continue [N]");
  });
});

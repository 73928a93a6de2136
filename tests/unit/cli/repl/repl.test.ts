import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { summaryOf } from "../../../../packages/debugger/console/commands/command.ts";
import { table } from "../../../../packages/debugger/console/commands/every-command.ts";
import { answer, repl } from "../conversation.ts";
import { World } from "../world.ts";

const { commands } = table;

const folder = import.meta.dirname;
const files = readdirSync(folder).filter((name) => !name.endsWith(".md"));
const transcripts = files.filter((name) => name.endsWith(".transcript"));
const world = new World();
for (const name of files) world.write(name, readFileSync(join(folder, name)));
afterAll(() => world.remove());

/** The words of a command line: blanks part them, but not between quotes. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");

/** The lines that somebody types. */
const typed = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.startsWith("> ") ? [line.slice(2)] : []));

describe("a transcript", () => {
  it.each(transcripts)("%s is what the REPL prints", async (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    const [head = "", ...rest] = text.split("\n");
    const [, program, command, ...argv] = wordsOf(head);
    expect([program, command]).toEqual(["ptxrun", "repl"]);
    const session = await repl(world, argv, typed(text));
    expect(`${session.text}exit ${session.exit}\n`).toBe(rest.join("\n"));
  });

  it("is there for every command", () => {
    const all = transcripts.flatMap((name) => typed(readFileSync(join(folder, name), "utf8")));
    const used = new Set(all.map((line) => line.split(/[ /]/)[0]));
    const missing = commands.filter(({ name, short = [] }) => ![name, ...short].some((word) => used.has(word)));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe("a script", () => {
  it("ends with 2 at the first line that is refused, and does not go on", async () => {
    const { text, exit } = await repl(world, ["not.ptx"], ["print 1", "stepp", "print 2"]);
    expect(exit).toBe(2);
    expect(text).toContain("error PTX2401: unknown command stepp");
    expect(text).toContain("help: did you mean step?");
    expect(text).not.toContain("print 2");
  });

  it("is told which lanes and columns of tensor memory there are", async () => {
    for (const line of ["info tensor 3-1", "info tensor 128", "info tensor 0 512", "info tensor some"]) {
      const { text, exit } = await repl(world, ["tensor.ptx", "--block", "32"], ["until 13", line]);
      expect(exit).toBe(2);
      expect(text).toContain("expected info tensor [LANE[-LANE] [COLUMN[-COLUMN]]]");
    }
  });

  it("is told which elements of D there are to explain", async () => {
    const at = async (line: string) => (await repl(world, ["matrix.ptx", "--block", "32"], ["until 11", line])).text;
    expect(await at("explain 16 0")).toContain("expected a row below 16 and a column below 8");
    expect(await at("explain 3")).toContain("expected explain [ROW COLUMN]");
    expect((await repl(world, ["matrix.ptx", "--block", "32"], ["explain 0 0"])).text).toContain(
      "expected explain alone: the next instruction is not an mma or wmma.mma",
    );
    const head = ".version 8.8\n.target sm_100a\n.entry k() { .reg .b32 %r<3>; .reg .b64 %d<3>; .reg .pred %p;\n";
    world.write("multiply.ptx", `${head}tcgen05.mma.cta_group::1.kind::f16 [%r1], %d1, %d2, %r2, %p; ret; }\n`);
    const { text } = await repl(world, ["multiply.ptx", "-q"], ["explain 1 2"]);
    expect(text).toContain(
      "the operands of tcgen05.mma lie in memory, and its elements are not worked through at a stop",
    );
    expect(text).toContain("ptxrun explain tcgen05.mma.cta_group::1.kind::f16 a=1,2 b=3,4 c=5");
  });

  it.each([
    ["stepp", "step"],
    ["STEP", "step"],
    ["backk", "back"],
    ["cotn", "continue"],
    ["reverse_step 2", "reverse-step"],
    ["help brek", "break"],
  ])("is told for %s that %s may have been meant", async (line, meant) => {
    const { text, exit } = await repl(world, ["not.ptx"], [line]);
    expect([exit, text]).toEqual([2, expect.stringContaining(`help: did you mean ${meant}?`)]);
  });

  it("goes back with `back`, too", async () => {
    const { text } = await repl(
      world,
      ["-e", "add.u32 a, a, 1;\nadd.u32 a, a, 1;", "-q"],
      ["step 2", "back", "print a"],
    );
    expect(text).toContain("$1 = 1 (");
    expect((await repl(world, ["not.ptx"], ["help back"])).text).toContain("short: rs, rsi, reverse-stepi, back");
  });

  it("exits as its program ended: fault, finding, limit, gap, or well", async () => {
    const read = ["-e", "ld.global.u32 a, [p];", "-r", "p=u32x1"];
    expect((await repl(world, read, ["run"])).exit).toBe(7);
    expect((await repl(world, ["-e", "L: bra L;", "--max-steps", "100"], ["run"])).exit).toBe(6);
    expect((await repl(world, ["-e", "trap;"], ["run"])).exit).toBe(4);
    expect((await repl(world, ["-e", "not.b32 d, a;"], ["run"])).exit).toBe(0);
    // One that was left before its end has not failed.
    expect((await repl(world, ["-e", "trap;"], ["print 1"])).exit).toBe(0);
  });

  it("takes -x and --command before standard input, each in order", async () => {
    const more = ["-x", "lines.txt", "-r", "a=1", "--command", "print 3", "--command", "print 4"];
    const { text } = await repl(world, ["not.ptx", ...more], ["print 5"]);
    expect(typed(text)).toEqual(["print a", "print $_ + 1", "print 3", "print 4", "print 5"]);
    expect(text).toContain("$5 = 5 (0x5)\n");
  });

  it("is run by run -i too", async () => {
    const { out, exit } = await world.ptxrun(["run", "-i", "not.ptx", "-q"], { stdin: "step\n" });
    expect(out).toBe("> step\n  d = 4294967295 (b32 0xffffffff)\n@1 b0 t0 *1: the end of the program\n");
    expect(exit).toBe(0);
  });

  it("passes over comments and empty lines", async () => {
    expect((await repl(world, ["not.ptx", "-q"], ["# step", "", "  print 1"])).text).toBe("> print 1\n$1 = 1 (0x1)\n");
  });

  it("ends at quit", async () => {
    expect((await repl(world, ["not.ptx", "-q"], ["quit", "nonsense"])).exit).toBe(0);
  });

  it("refuses a file that is refused, and one that is not there", async () => {
    expect((await repl(world, ["-e", "add.u33 a, b, c;"], [])).exit).toBe(3);
    expect((await repl(world, ["nofile.ptx"], [])).exit).toBe(2);
    expect((await repl(world, ["not.ptx", "-x", "nofile"], [])).exit).toBe(2);
  });

  it("does not nest files without end", async () => {
    world.write("again.txt", "source again.txt\n");
    const { text, exit } = await repl(world, ["not.ptx", "-q"], ["source again.txt"]);
    expect(text).toContain("commands are nested too deeply");
    expect(exit).toBe(2);
  });

  it("never prints control characters of the program or of itself raw", async () => {
    world.write("odd.ptx", "not.b32 d, a; // \x1b[31m\n");
    const { text } = await repl(world, ["odd.ptx"], ["list", "print \x1b[2J"]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
    expect(text).toContain("\\x1b[31m");
  });
});

describe("a refusal", () => {
  const argv = ["count.ptx", "-a", "out=u32x1", "-a", "n=4"];
  it.each([
    ["re", "PTX2401", "re may be several commands"],
    ["help nosuch", "PTX2401", "unknown command nosuch"],
    ["step/x 1", "PTX2402", "step takes no format"],
    ["step -1", "PTX2402", "-1 is not a count"],
    ["step 1.5", "PTX2402", "1.5 is not a count"],
    ["finish now", "PTX2402", "now does not belong here"],
    ["until", "PTX2402", "an argument is missing"],
    ["catch rain", "PTX2402", "rain cannot be caught"],
    ["print/z 1", "PTX2402", "z is not a format"],
    ["x/0 table", "PTX2402", "0 units cannot be shown"],
    ["x/2q table", "PTX2402", "2q does not say how to look at memory"],
    ["info weather", "PTX2402", "weather is not a topic of info"],
    ["set %i", "PTX2402", "nothing is set"],
    ["set %v = 1", "PTX2102", "1 is not one value of .b32"],
    ["focus somebody", "PTX2402", "somebody names no thread"],
    ["print 1 +", "PTX2403", "the expression ends too early"],
    ["print (1", "PTX2403", "the expression ends too early"],
    ["print 1 2", "PTX2403", "2 does not belong here"],
    ["print 1 # 2", "PTX2403", "this belongs to no expression"],
    ["print 1 / 0", "PTX2403", "this divides by zero"],
    ["print ~%f", "PTX2403", "~ takes an integer"],
    ["print %f & 1", "PTX2403", "& takes integers"],
    ["print %v", "PTX2403", "%v has 2 elements"],
    ["print %f:f64", "PTX2403", "32 bits are too few for .f64"],
    ["print 0x10000000000000000", "PTX2403", "0x10000000000000000 has more than 64 bits"],
    [`print ${"(".repeat(100)}1${")".repeat(100)}`, "PTX2403", "this is nested too deeply"],
    [`print ${"-".repeat(100)}1`, "PTX2403", "this is nested too deeply"],
    ["set 5 = 3", "PTX2403", "5 has no place of its own"],
    ["last-write LOOP", "PTX2403", "LOOP has no place of its own"],
    ["print nosuch", "PTX2404", "nosuch means nothing here"],
    ["print $_", "PTX2404", "$_ is the last value that was printed, and there is none"],
    ["info regs table", "PTX2404", "table is not a register"],
    ["add.u32 %q, %i, 1;", "PTX2404", "the program has no register %q"],
    ["break if nosuch == 1", "PTX2404", "nosuch means nothing here"],
    ["break LOPO", "PTX2405", "there is no LOPO to go to"],
    ["break LOOP+99", "PTX2405", "LOOP+99 lies outside the program"],
    ["break *99", "PTX2405", "there is no instruction 99"],
    ["break 99", "PTX2405", "there is no instruction on line 99 or after it"],
    ["print [global:4]:u32", "PTX2406", "0x4 is outside global memory"],
    ["x/5 tile", "PTX2406", "0x0 is outside shared memory"],
    ["set [local:0]:u32 = 1", "PTX2406", "0x0 is outside local memory"],
    ["focus thread 1", "PTX2407", "there is no 1 in 1,1,1"],
    ["delete 7", "PTX2407", "there is no breakpoint 7"],
    ["undisplay 7", "PTX2407", "7 is not displayed"],
    ["bar.sync 0;", "PTX2408", "bar.sync cannot be executed beside the program"],
    ["bra LOOP;", "PTX1320", "LOOP is not declared"],
    ["ret;", "PTX2408", "ret cannot be executed beside the program"],
    [".reg .b32 x;", "PTX2408", "there is nothing to execute in this"],
    ["{ .shared .b32 x; mov.u32 %i, x; }", "PTX2408", "memory cannot be declared beside the program"],
    ["add.u32 %i, %i, %f;", "PTX1302", ""],
    ["ld.global.u32 %i, [%out];", "PTX3002", "ld.global.u32 reads 4 bytes at 0x0"],
    ["set %i = 1.5", "PTX2102", "1.5 is not an integer"],
  ])("of %s is %s", async (line, code, message) => {
    const { text, exit } = await repl(world, argv, [line]);
    expect(text).toContain(`error ${code}: ${message}`);
    expect(exit).toBe(2);
  });

  it("of a condition at its breakpoint stops there, and says why", async () => {
    const { text, exit } = await repl(world, argv, ["break LOOP if [global:%i]:u32 == 1", "run", "print $step"]);
    expect(text).toContain("error PTX2406: 0x0 is outside global memory");
    expect(text).toContain("breakpoint 1\n@5 b0 t0 LOOP:");
    expect(text).toContain("$1 = 5 (0x5)");
    expect(exit).toBe(0);
  });

  it("comes where the focused thread has ended", async () => {
    for (const line of ["explain", "break", "add.u32 %i, %i, 1;"]) {
      const { text, exit } = await repl(world, argv, ["run", line]);
      expect(text).toContain("error PTX2407");
      expect(exit).toBe(2);
    }
  });
});

describe("help", () => {
  it("has a line for every command", async () => {
    const lines = await answer(world, ["not.ptx", "-q"], "help");
    for (const { usage } of commands) expect(lines.filter((line) => line.startsWith(`  ${usage}`))).toHaveLength(1);
  });

  it("says what a command does in at most twelve words, on one line of a hundred columns", () => {
    const long = commands.map(summaryOf).filter((each) => each.split(" ").length > 12 || each.length > 67);
    expect(long).toEqual([]);
  });

  it("knows every command by its name, its short forms, and every beginning that is its own", async () => {
    for (const { name, short = [], usage } of commands)
      for (const word of [name, ...short])
        expect((await answer(world, ["not.ptx", "-q"], `help ${word}`))[0]).toBe(usage);
    expect((await answer(world, ["not.ptx", "-q"], "help reverse-c"))[0]).toBe("reverse-continue");
    expect((await answer(world, ["not.ptx", "-q"], "help disp"))[0]).toBe("display[/FORMAT] E...");
  });
});

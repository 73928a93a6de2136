import { afterAll, describe, expect, it } from "vitest";
import { Exit, type ExitCode, exitOf, worst } from "../../../src/environment/exit.ts";
import { codes, type Diagnostic, Source } from "../../../src/source/index.ts";
import { twice, World } from "./world.ts";

const world = new World()
  .write("twice.ptx", twice)
  .write("passes.ptx", "//@ case t: a=1 -> d=0xfffffffe\nnot.b32 d, a;\n")
  .write("fails.ptx", "//@ case t: a=1 -> d=7\nnot.b32 d, a;\n")
  .write("empty.ptx", "not.b32 d, a;\n")
  .write("rejected.ptx", "//@ case t: a=1 -> d=1\nadd.rz.f16 d, a, b;\n")
  .write("oob.ptx", "//@ case t: a=0x10 -> fault mem\nld.global.u32 d, [a];\n")
  .write("waits.ptx", ".version 8.0\n.target sm_80\n.entry k() { barrier.sync 0, 64; ret; }\n");
afterAll(() => world.remove());

const uninitialised = ".shared .b32 s; ld.shared.u32 a, [s];";
const gap = ".shared .b32 t[4]; .reg .b32 d, r; mov.u32 d, t[r];";

/** An exit code of design.md section 6 and a command line that ends with it, for each way that leads there. */
const ways: readonly (readonly [ExitCode, string, readonly string[]])[] = [
  [Exit.ok, "a run that ends", ["-e", "exit;"]],
  [Exit.ok, "an input that nobody gave", ["-e", "not.b32 d, a;"]],
  [Exit.ok, "help", ["--help"]],
  [Exit.ok, "the version", ["--version"]],
  [Exit.ok, "checks that hold", ["check", "passes.ptx"]],
  [Exit.ok, "a fault that a check expects", ["check", "oob.ptx"]],
  [Exit.ok, "a trace", ["trace", "-e", "exit;"]],
  [Exit.ok, "valid PTX", ["lint", "twice.ptx"]],
  [Exit.ok, "a valid instruction that is not implemented, not run", ["-e", `bra L; ${gap} L: exit;`]],
  [Exit.check, "a check that fails", ["check", "fails.ptx"]],
  [Exit.check, "a file that checks nothing", ["check", "empty.ptx"]],
  [Exit.check, "a check of rejected PTX", ["check", "rejected.ptx"]],
  [Exit.usage, "an option that is not there", ["--nope"]],
  [Exit.usage, "an option without its value", ["twice.ptx", "--grid"]],
  [Exit.usage, "a command without its path", ["check"]],
  [Exit.usage, "a file that is not there", ["nothing.ptx"]],
  [Exit.usage, "a check of nothing", ["check", "nothing.ptx"]],
  [Exit.usage, "a value that does not fit", ["-e", "not.b16 d, a;", "-r", "a=0x12345"]],
  [Exit.usage, "a register that is not there", ["-e", "not.b16 d, a;", "-r", "z=1"]],
  [Exit.usage, "a file that cannot be written", ["-e", "exit;", "-o", "no/such/folder"]],
  [Exit.usage, "a block that cannot be launched", ["twice.ptx", "--block", "4096"]],
  [Exit.rejected, "a modifier that the form has not", ["-e", "add.rz.f16 d, a, b;"]],
  [Exit.rejected, "text that is no PTX", ["-e", "{{{"]],
  [Exit.rejected, "lint of rejected PTX", ["lint", "rejected.ptx"]],
  [Exit.rejected, "a trace of rejected PTX", ["trace", "rejected.ptx"]],
  [Exit.fault, "a trap", ["-e", "trap;"]],
  [Exit.fault, "an address outside", ["-e", "ld.global.u32 a, [p];"]],
  [Exit.fault, "an address that is not aligned", ["-e", "ld.global.u32 a, [p+1];", "-r", "p=u32x4:iota"]],
  [Exit.fault, "a deadlock", ["waits.ptx", "--block", "32"]],
  [Exit.fault, "a trace that ends in a fault", ["trace", "-e", "trap;"]],
  [Exit.gap, "an instruction that is not implemented", ["-e", gap]],
  [Exit.limit, "steps", ["-e", "L: bra L;", "--max-steps", "1000"]],
  [Exit.limit, "time", ["-e", "L: bra L;", "--timeout", "1ms"]],
  [Exit.limit, "memory", ["twice.ptx", "--max-mem", "64K", "-a", "x=f32x100000"]],
  [Exit.finding, "memory that nobody wrote", ["-e", uninitialised]],
];

describe("the exit code", () => {
  it.each(ways)("%i: %s", async (code, _, argv) => {
    const { exit, err } = await world.ptxrun(argv);
    expect(exit).toBe(code);
    expect(err).not.toMatch(/bug in ptxrun|^ {4}at /m);
  });

  it("has a way to each", () => {
    const led = new Set(ways.map(([code]) => code));
    // Signals are for interrupt.test.ts: no command line brings them about.
    const others: readonly ExitCode[] = [Exit.bug, Exit.interrupted, Exit.terminated];
    expect(Object.values(Exit).filter((code) => !led.has(code))).toEqual(others);
  });

  it.each([
    ["run", ["-e", "exit;", "--timeout", "1s"]],
    ["trace", ["trace", "-e", "exit;", "--timeout", "1s"]],
  ])("70: a bug in ptxrun, met by %s", async (_, argv) => {
    const io = {
      now: (): number => {
        throw new Error("the clock is broken\nin two lines");
      },
    };
    const { exit, err } = await world.ptxrun(argv, io);
    expect(exit).toBe(Exit.bug);
    expect(err).toMatch(/^bug in ptxrun \d+\.\d+\.\d+: the clock is broken\n/);
    expect(err).not.toContain("    at ");
    expect((await world.ptxrun([...argv, "-v"], io)).err).toContain("    at ");
  });
});

describe("the most severe wins", () => {
  it.each([
    ["a fault over the finding before it", ["-e", `${uninitialised} trap;`], Exit.fault],
    ["a limit over a finding", ["-e", `${uninitialised} L: bra L;`, "--max-steps", "9"], Exit.limit],
    ["a gap over a finding", ["-e", `${uninitialised} ${gap}`], Exit.gap],
    ["a path that is not there over a check that fails", ["check", "fails.ptx", "nothing.ptx"], Exit.usage],
    ["an unwritten result over a fault", ["-e", "trap;", "-o", "no/such/folder"], Exit.usage],
    ["a check that fails over those that hold", ["check", "passes.ptx", "fails.ptx"], Exit.check],
  ])("%s", async (_, argv, code) => {
    expect((await world.ptxrun(argv)).exit).toBe(code);
  });

  it("in the order of the design", () => {
    const order = [Exit.bug, Exit.rejected, Exit.limit, Exit.fault, Exit.gap, Exit.finding, Exit.check, Exit.ok];
    for (const [at, code] of order.entries())
      for (const lesser of order.slice(at))
        expect([worst([code, lesser]), worst([lesser, code])]).toEqual([code, code]);
    expect(worst([])).toBe(Exit.ok);
    // Nothing has run when the command line is wrong.
    expect(worst([Exit.usage, Exit.rejected])).toBe(Exit.usage);
  });

  it("by the area of a diagnostic's code; warnings and notes ask for nothing", () => {
    const source = new Source("x", "");
    const of = (code: string, severity: Diagnostic["severity"]) =>
      exitOf({ code: code as Diagnostic["code"], severity, message: "", source, span: { start: 0, end: 0 } });
    const areas: readonly (readonly [string, ExitCode])[] = [
      ["1", 3], ["2", 2], ["3", 4], ["4", 7], ["5", 5], ["6", 6], ["7", 1], ["8", 3], ["9", 0],
    ]; // biome-ignore format: a table
    for (const code of codes.keys()) {
      const [, expected] = areas.find(([digit]) => code.charAt(3) === digit) ?? ["", undefined];
      expect([code, of(code, "error")]).toEqual([code, expected]);
      expect(of(code, "note")).toBe(0);
      expect(of(code, "warning")).toBe(0);
    }
  });
});

describe("what help says of the exit codes", () => {
  it("is what they are", async () => {
    const { out } = await world.ptxrun(["help", "exit-codes"]);
    const [table = "", order = ""] = out.split("\n\n");
    const numbers = [...table.matchAll(/(?:^| {2})(\d+) {2}/gm)].map(([, code]) => Number(code));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Object.values(Exit));
    const ordered = [...(/first of ([\d, ]+) counts/.exec(order)?.[1]?.matchAll(/\d+/g) ?? [])].map(([code]) =>
      Number(code),
    );
    expect(ordered.map((_, at) => worst(ordered.slice(at) as ExitCode[]))).toEqual(ordered);
    expect(ordered.toSorted((a, b) => a - b)).toEqual(Object.values(Exit).filter((code) => code !== Exit.ok));
  });
});

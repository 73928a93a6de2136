import { afterAll, describe, expect, it, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { useNativeCompiler } from "../../../src/interp/compiled/module/native-code.ts";
import { writeNpy } from "../../../src/launch/input/npy.ts";
import { codes } from "../../../src/source/index.ts";
import { version } from "../../../src/system/version.ts";
import { looking, twice, World } from "./world.ts";

const two = twice.replace("}\n", "}\n.visible .entry other() { ret; }\n");
const struct = twice.replace(".param .u32 n", ".param .u32 n, .param .align 4 .b8 s[8]");
const world = new World()
  .write("twice.ptx", twice)
  .write("two.ptx", two)
  .write("struct.ptx", struct)
  .write("gone.ptx", twice.replace("mov.u32 %r1, %tid.x;", "mov.u32 %r1, %tid.x; trap;"))
  .write("none.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n")
  .write("function.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n.func f() { ret; }\n")
  .write("latin.ptx", Uint8Array.of(0x2f, 0x2f, 0x20, 0xe9, 0x0a))
  .write("nul.ptx", "exit;\0")
  .write(
    "big.npy",
    Buffer.from(
      Buffer.from(writeNpy(new Uint8Array(8), "f32"))
        .toString("latin1")
        .replace("<f4", ">f4"),
      "latin1",
    ),
  )
  .write("bytes.bin", new Uint8Array(7));
afterAll(() => world.remove());

const not = ["-e", "not.b32 d, a;"];
const add = ["-e", "add.f16 d, a, b;"];

/** A command line, its exit code, the diagnostic it draws, and words of its message. */
const cases: readonly (readonly [argv: readonly string[], exit: number, code: string, words: string])[] = [
  [["--blcok", "3"], 2, "PTX2001", "did you mean --block?"],
  [["chek", "x"], 2, "PTX2001", "did you mean check?"],
  [["check"], 2, "PTX2001", "ptxrun check needs a path"],
  [["lint"], 2, "PTX2001", "usage: ptxrun lint [options] <path...>"],
  [["help", "nope"], 2, "PTX2001", "unknown topic nope"],
  [["help", "value"], 2, "PTX2001", "did you mean values?"],
  [["man", "chek"], 2, "PTX2001", "did you mean check?"],
  [["help", "chek"], 2, "PTX2001", "did you mean check?"],
  [
    ["help", "nope"],
    2,
    "PTX2001",
    "expected run, exec, repl, trace, check, lint, doctor, diff, lit, ce, explain, isa, sweep, litmus, hunt, campaign, dap, lsp, mcp, link, visa, help, man, completion, inputs, values, dumps, sanitize, schedule, targets, formats, exit-codes\n",
  ],
  [["nope"], 2, "PTX2011", "nope is no command either; ptxrun help lists them"],
  [["run", "--bail", "x"], 2, "PTX2001", "--bail is an option of ptxrun check"],
  [["check", "x", "-r", "a=1"], 2, "PTX2001", "-r is an option of ptxrun run, repl, trace, diff"],
  [["check", "x", "-r", "a=1"], 2, "PTX2001", "usage: ptxrun check [options] <path...>"],
  [["-reg", "a=1", "twice.ptx"], 2, "PTX2001", "did you mean --reg? a name of several letters has two dashes"],
  [["twice.ptx", "--grid"], 2, "PTX2003", "expected a value: --grid <x,y,z>"],
  [["twice.ptx", "n=4"], 2, "PTX2001", "n=4 is one argument too many"],
  [["twice.ptx", "n=4"], 2, "PTX2001", "a value for the program is an option"],
  [["man", "run", "x"], 2, "PTX2001", "x is one argument too many"],
  [["mcp", "x"], 2, "PTX2001", "expected mcp alone"],
  [["lsp", "x"], 2, "PTX2001", "expected lsp alone"],
  [["check", "x", "--format", "junit"], 2, "PTX2001", "did you mean --reporter junit?"],
  [["check", "x", "--format=junit"], 2, "PTX2001", "did you mean --reporter junit?"],
  [["check", "x", "--json"], 2, "PTX2001", "did you mean --reporter json?"],
  [["twice.ptx", "--reporter", "json"], 2, "PTX2001", "did you mean --format json?"],
  [["twice.ptx", "--reporter"], 2, "PTX2001", "did you mean --format?"],
  [["check", "x", "--jsbo"], 2, "PTX2001", "did you mean --jobs?"],
  [["twice.ptx", "--agianst", "add"], 2, "PTX2001", "did you mean --against, of ptxrun sweep?"],
  [["twice.ptx", "--format", "jsno"], 2, "PTX2003", "did you mean json?"],
  [["visa", "asmm", "x"], 2, "PTX2001", "did you mean asm?"],
  [["completion", "csh"], 2, "PTX2001", "expected bash, zsh, fish"],
  [["run"], 2, "PTX2002", "there is nothing to run"],
  [["twice.ptx", "-a", "x=tensormap:8x4,box=0x2:f32x32"], 2, "PTX2220", "expected 1 to 256 elements"],
  [["-e", "mov.b64 d, p;", "-r", "p=image:f32x1:99999999x4"], 2, "PTX2230", "expected sizes from 1 to 131072"],
  [["twice.ptx", "-e", "exit;"], 2, "PTX2002", "both twice.ptx and -e were given"],
  [["twice.ptx", "--grid", "1x2"], 2, "PTX2003", "--grid cannot be 1x2"],
  [["twice.ptx", "-r"], 2, "PTX2003", "--reg needs a value"],
  [["twice.ptx", "--format", "xml"], 2, "PTX2003", "expected text, json"],
  [["twice.ptx", "--executor", "cuda"], 2, "PTX2003", "js, wasm or native"],
  [["twice.ptx", "--executor", "native"], 2, "PTX2253", "cc, gcc or clang on the PATH"],
  [["twice.ptx", "--sanitize", "mem,races"], 2, "PTX2003", "unknown check races"],
  [["twice.ptx", "--sanitize", "mem,races"], 2, "PTX2003", "did you mean race?"],
  [["twice.ptx", "--sanitize", "-int"], 2, "PTX2003", "did you mean init?"],
  [
    ["twice.ptx", "--sanitize=+mem,,race"],
    2,
    "PTX2003",
    "expected mem, init, sync, race, bounds, with commas; all, none",
  ],
  [["twice.ptx", "--target", "sm_99"], 2, "PTX2003", "did you mean sm_90?"],
  [["twice.ptx", "--target", "hopper"], 2, "PTX2003", "expected: sm_10 to sm_121f"],
  [[...not, "--target", "sm_99"], 2, "PTX2003", "unknown target sm_99"],
  [["exec", "--target", "sm_99", "true"], 2, "PTX2003", "did you mean sm_90?"],
  [["hunt", "--with", "llc:O0", "--target", "sm_99"], 2, "PTX2003", "did you mean sm_90?"],
  [["lsp", "--stdio", "--target", "sm_99"], 2, "PTX2003", "did you mean sm_90?"],
  [["link", "two.ptx", "--target", "sm_99"], 2, "PTX2003", "did you mean sm_90?"],
  [["lint", "twice.ptx", "--target", "sm_99"], 2, "PTX2003", "unknown target sm_99"],
  [["trace", "twice.ptx", "--target", "sm_99"], 2, "PTX2003", "unknown target sm_99"],
  [["twice.ptx", "--sanitize", ""], 2, "PTX2003", "--sanitize cannot be empty"],
  [[...not, "-r", "a=1", "-r", "a=2"], 2, "PTX2004", "a is given twice"],
  [[...not, "-r", "cc.cf=1", "-r", "cc.cf=1"], 2, "PTX2004", "cc.cf is given twice"],
  [["twice.ptx", "-a", "n=1", "-a", "2=1"], 2, "PTX2004", "2 is given twice"],
  [["nothing.ptx"], 2, "PTX2011", "cannot read nothing.ptx: there is no such file"],
  [["chek"], 2, "PTX2011", "did you mean ptxrun check?"],
  [["."], 2, "PTX2011", "it is a folder"],
  [["latin.ptx"], 3, "PTX1010", "latin.ptx:1:4"],
  [["nul.ptx"], 3, "PTX1003", "NUL"],
  [[...not, "-r", "a=1", "-o", "no/such/folder"], 2, "PTX2013", "cannot write no/such/folder"],
  [["twice.ptx", "-a", "x=@big.npy"], 2, "PTX2014", "big-endian"],
  [["twice.ptx", "-a", "x:f32=@bytes.bin"], 2, "PTX2014", "7 bytes are not a whole number of .f32"],
  [["twice.ptx", "-a", "x=@nothing.npy"], 2, "PTX2011", "cannot read nothing.npy"],
  [[...not, "-r", "a=0xfg"], 2, "PTX2101", "0xfg is not a value"],
  [[...not, "-r", "a"], 2, "PTX2101", "a sets nothing"],
  [[...not, "-r", "a:f99=1"], 2, "PTX2101", ".f99 is not a type"],
  [[...not, "-r", "cc.cf=2"], 2, "PTX2101", "cc.cf cannot be 2"],
  [["struct.ptx", "-a", "s=hex:0"], 2, "PTX2101", "not pairs of hexadecimal digits"],
  [[...add, "-r", "a=0x12345"], 2, "PTX2102", "0x12345 has 17 bits, and .f16 has 16"],
  [[...not, "-r", "a=1.5"], 2, "PTX2102", ":f32=1.5 for a number"],
  [[...not, "-r", "a:f64=1"], 2, "PTX2102", ".f64 has 64 bits, and a has 32"],
  [["twice.ptx", "-a", "x=f32x3:1,2"], 2, "PTX2103", "2 values for 3 elements"],
  [["twice.ptx", "-a", "x=f99x3"], 2, "PTX2103", "f99 is not a type of elements"],
  [["twice.ptx", "-a", "x=u8x300:iota"], 2, "PTX2103", ".u8 does not hold 299"],
  [["twice.ptx", "-a", "x=f64x9999999999"], 2, "PTX2103", "too many"],
  [["twice.ptx", "-a", "x==z"], 2, "PTX2103", "z names no parameter with a buffer"],
  [[...not, "-r", "a==b"], 2, "PTX2103", "a register takes a value or a new buffer"],
  [["twice.ptx", "-g", "calls==x"], 2, "PTX2103", "contents of a variable come as values, a buffer or bytes"],
  [["-e", "not.b32 sum, left;", "-r", "lfet=1"], 2, "PTX2201", "did you mean left?"],
  [["twice.ptx", "-a", "m=1"], 2, "PTX2202", "twice has no parameter m"],
  [["twice.ptx", "-a", "3=1"], 2, "PTX2202", "twice has no parameter 3"],
  [["twice.ptx", "-a", "f32x4=0"], 2, "PTX2202", "twice has no parameter f32x4"],
  [["twice.ptx", "--entry", "twce"], 2, "PTX2203", "did you mean twice?"],
  [["two.ptx", "--entry", "twice,other"], 2, "PTX2203", "twice,other are 2 kernels, and one is launched"],
  [["two.ptx", "--entry", "twice,thrice"], 2, "PTX2203", "the module has no kernel twice,thrice"],
  [["two.ptx"], 2, "PTX2204", "choose one: --entry twice"],
  [["none.ptx"], 2, "PTX2204", "none.ptx has no kernel"],
  [["function.ptx"], 0, "PTX2212", "its only function, f, is called by itself"],
  [[...not], 0, "PTX2205", "a is 0, because no value was given"],
  [["twice.ptx", "-a", "n=0"], 0, "PTX2205", "x and y are 0"],
  [["twice.ptx", "-a", "x=f64x2:iota", "-a", "y=f32x4", "-a", "n=0"], 0, "PTX2214", "help: write x=f32x2:iota"],
  [["twice.ptx", "-a", "n=f32x2"], 2, "PTX2206", "n is a .u32, which cannot hold an address"],
  [["struct.ptx", "-a", "s=1"], 2, "PTX2206", "s is an aggregate"],
  [["struct.ptx", "-a", "s=hex:00"], 2, "PTX2206", "1 bytes for s, which has 8"],
  [[...not, "-r", "a=f32x2"], 2, "PTX2206", "a has 32 bits, and an address 64"],
  [["twice.ptx", "-g", "calls=u32x2:1,2"], 2, "PTX2206", "8 bytes for a variable of 4"],
  [["twice.ptx", "--block", "2000"], 2, "PTX2207", "a block of 2000,1,1 cannot be launched"],
  [["twice.ptx", "--grid", "1,70000"], 2, "PTX2207", "a grid of 1,70000,1 cannot be launched"],
  [["twice.ptx", "--max-mem", "64K", "-a", "x=f32x100000"], 6, "PTX6003", "no room for x"],
  [["-e", "// nothing"], 2, "PTX2002", "-e holds no instruction"],
  [["-e", ".global .b8 g[4000000000000];\n.version 9.0"], 3, "PTX1501", ".version"],
  [["twice.ptx", "-g", "cals=u32x1:1"], 2, "PTX2209", "did you mean calls?"],
  [["twice.ptx", "-d", "cals"], 2, "PTX2210", "there is no cals to dump"],
  [[...not, "-r", "a=1", "-d", "d=@d.bin"], 2, "PTX2210", "d is a register"],
  [["twice.ptx", "--thread", "0/1", "-d", "%r1"], 2, "PTX2003", "--thread 0/1 is not a thread of this launch"],
  [["gone.ptx", "--grid", "2", "--thread", "1/0", "-d", "%r1"], 4, "PTX2210", "block 1, thread 0 has no registers"],
  [["trace", ...not, "--opcode", "nto*"], 2, "PTX2211", "nto* names nothing in the program"],
  [["isa", "wgmma.x*"], 2, "PTX2301", "ptxrun isa wgmma lists its forms"],
  [["isa", "adx*"], 2, "PTX2301", "did you mean add?"],
  [["isa", "add.zz*"], 2, "PTX2301", "ptxrun isa add lists its forms"],
  [["isa", "qqqqqq*"], 2, "PTX2301", "ptxrun isa lists everything"],
  [["explain", "addd.f16"], 2, "PTX2301", "did you mean add?"],
  [["explain", "PTX2300"], 2, "PTX2301", "unknown code PTX2300"],
  [["explain", "1.5", "--as", "f17"], 2, "PTX2301", ".f17 is not a type"],
  [["explain", "add.rz.f16"], 2, "PTX2301", "add.rz.f16 is not a form of add"],
  [["explain", "add.zz"], 2, "PTX2301", "add.zz is not a form of add"],
  [["explain", "add.cc", "a=1"], 2, "PTX2301", "add.cc is not complete"],
  [["explain", "0x138", "--as", "e4m3"], 2, "PTX2102", "0x138 has 9 bits, and .e4m3 has 8"],
  [["repl", "--block", "4"], 2, "PTX2207", "lines that are typed run in one thread, not in 4"],
  [["isa", "sbu"], 2, "PTX2301", "did you mean sub?"],
  [["-e", "L: bra L;", "--timeout", "500ms"], 6, "PTX6101", "still running after 0.5 s"],
];

describe("a wrong command line", () => {
  it.each(cases)("%j exits %i with %s", async (argv, exit, code, words) => {
    const outcome = await world.ptxrun(argv, { now: looking(50) });
    expect(outcome.err).toContain(`${code}: `);
    expect(outcome.err).toContain(words);
    expect(outcome.exit).toBe(exit);
  });

  it("provokes every code of the host", () => {
    const seen = new Set<string>(cases.map(([, , code]) => code));
    // What a folder may hold has tests of its own.
    seen.add("PTX2015");
    // Programs that call CUDA have tests of their own: clients/driver.test.ts, clients/exec.test.ts.
    for (const code of ["PTX2240", "PTX2241", "PTX2250", "PTX2251", "PTX2252"]) seen.add(code);
    // A C compiler that fails: below.
    seen.add("PTX2254");
    // Linking: unit/link.
    for (const code of ["PTX2260", "PTX2261", "PTX2262"]) seen.add(code);
    // Sizes that a vISA kernel takes: unit/visa/kernels.test.ts.
    seen.add("PTX2213");
    // PTX24xx are the REPL's, whose tests provoke them.
    expect([...codes.keys()].filter((code) => /^PTX2[0-3]/.test(code) && !seen.has(code))).toEqual([]);
  });
});

test("a C compiler that fails costs a warning: the launch runs all the same", async () => {
  const failing = (): never => {
    throw new Error("cc: no space left");
  };
  useNativeCompiler(() => ({
    compile: failing,
    compileBeside: failing,
    isThere: () => false,
    instantiate: failing,
  }));
  const { err, out, exit } = await world.ptxrun(["-e", "add.u32 d, a, 1;", "-r", "a=6", "--executor", "native"]);
  useNativeCompiler(() => undefined);
  expect(err).toContain("warning PTX2254: the C compiler failed: cc: no space left");
  expect([exit, out]).toEqual([0, expect.stringMatching(/d .*7/)]);
});

describe("the version", () => {
  it("is the package's", async () => {
    expect(version).toBe(manifest.version);
    expect(await world.ptxrun(["--version"])).toEqual({ exit: 0, out: `${version}\n`, err: "" });
  });
});

describe("help", () => {
  it.each([
    ["--help"],
    ["run", "--help"],
    ["check", "--help"],
    ["lint", "--help"],
    ["isa", "--help"],
    ["explain", "--help"],
    ["trace", "--help"],
    ["completion", "--help"],
    ["man", "--help"],
  ])("%s %s goes to standard output and exits 0", async (...argv) => {
    const { exit, out, err } = await world.ptxrun(argv.filter((word) => word !== undefined));
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toMatch(/^Usage: ptxrun/);
  });
});

describe("colour", () => {
  const escapes = "\u001b[";
  const argv = ["-e", "add.rz.f16 d, a, b;"];
  const terminal = { out: true, err: true };
  it.each([
    ["a pipe", [], {}, { out: false, err: false }, false],
    ["a terminal", [], {}, terminal, true],
    ["a terminal that NO_COLOR forbids", [], { NO_COLOR: "1" }, terminal, false],
    ["a pipe that FORCE_COLOR allows", [], { FORCE_COLOR: "1" }, { out: false, err: false }, true],
    ["a terminal that FORCE_COLOR=0 forbids", [], { FORCE_COLOR: "0" }, terminal, false],
    ["a terminal without abilities", [], { TERM: "dumb" }, terminal, false],
    ["--color always", ["--color", "always"], { NO_COLOR: "1" }, { out: false, err: false }, true],
    ["--color never", ["--color=never"], { FORCE_COLOR: "1" }, terminal, false],
  ] as const)("%s", async (_, more, env, streams, coloured) => {
    const { err } = await world.ptxrun([...argv, ...more], { env, terminal: streams });
    expect(err.includes(escapes)).toBe(coloured);
    expect(err).toContain("PTX1203");
  });
});

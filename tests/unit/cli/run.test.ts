import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readNpy, writeNpy } from "../../../src/launch/input/npy.ts";
import { twice, World } from "./world.ts";

const world = new World().write("twice.ptx", twice);
afterAll(() => world.remove());
const run = (...argv: string[]) => world.ptxrun(argv);

describe("a snippet", () => {
  it("shows every register with its type, bits and value", async () => {
    const { exit, out, err } = await run("-e", "add.f16 d, a, b;", "-r", "a=0x3c00", "-r", "b=2");
    expect(exit).toBe(0);
    expect(err).toBe("");
    expect(out.split("\n").sort()).toEqual(["", "a  f16  0x3c00  1.0", "b  f16  0x4000  2.0", "d  f16  0x4200  3.0"]);
  });

  it("takes the percent sign or leaves it out, and shows the carry flag where it is used", async () => {
    const text = "add.cc.u32 %d, %a, %b;";
    const { out } = await run("-e", text, "-r", "a=0xffffffff", "-r", "%b=1", "-d", "%d", "-d", "cc.cf");
    expect(out).toBe("%d     b32   0x00000000  0\ncc.cf  pred  1           true\n");
  });

  it("reads the carry flag, lanes and other types", async () => {
    const text = "addc.u32 d, a, b;";
    expect((await run("-e", text, "-r", "a=1", "-r", "b=1", "-r", "cc.cf=1", "-d", "d")).out).toBe(
      "d  b32  0x00000003  3\n",
    );
    const lanes = await run("-e", "add.f16x2 d, a, b;", "-r", "a=1,2", "-r", "b:b32=0x40003c00", "-d", "d");
    expect(lanes.out).toBe("d  f16x2  0x44004000  2.0, 4.0\n");
  });

  it("comes from standard input too", async () => {
    const { out } = await world.ptxrun(["-", "-r", "a=5", "-d", "d"], { stdin: "not.b32 d, a;" });
    expect(out).toBe("d  b32  0xfffffffa  4294967290\n");
  });

  it("names inputs that nobody gave, unless told to be quiet", async () => {
    const { exit, err } = await run("-e", "add.f16 d, a, b;", "-r", "a=1");
    expect(exit).toBe(0);
    expect(err).toContain("note PTX2205: b is 0, because no value was given");
    expect((await run("-e", "add.f16 d, a, b;", "-q")).err).toBe("");
  });

  it("says what a pointer takes, and what CUDA's names are in PTX", async () => {
    const { err } = await run("-e", "ld.global.u32 d, [a]; mov.u32 e, threadIdx.x;");
    expect(err).toContain("= help: a pointer takes a buffer, such as f32x64:iota\n");
    expect(err).toContain("= help: threadIdx is written %tid in PTX\n");
  });

  it("holds the address of a buffer in a register", async () => {
    const text = "ld.global.f32 a, [p]; st.global.f32 [p+4], a;";
    const { out } = await run("-e", text, "-r", "p=f32x2:1.5,0", "-d", "p");
    expect(out).toBe("p  f32x2\n  [0] 1.5 1.5\n");
  });

  it("runs in as many threads as asked, with the same inputs in each", async () => {
    const text = "mov.u32 i, %tid.x; mov.u32 b, %ctaid.x; mad.lo.u32 d, b, 100, i; add.u32 d, d, x;";
    const argv = ["-e", text, "-r", "x=5", "--block", "40", "--grid", "2", "-d", "d"];
    expect((await run(...argv)).out).toBe("d  b32  0x00000005  5\n");
    expect((await run(...argv, "--thread", "1/39")).out).toBe("d  b32  0x00000090  144\n");
    const all = (await run(...argv, "--thread", "all")).out;
    expect(all.match(/^block/gm)).toHaveLength(80);
    expect(all).toContain("block 1, thread 2\nd  b32  0x0000006b  107\n");
    expect((await run(...argv, "--thread", "2/0")).err).toContain("expected: 0/0 to 1/39");
  });

  describe("that loads parameters", () => {
    const body = `ld.param.u64 %rd1, [_Z3addPfi_param_0]; ld.param.u32 %r2, [_Z3addPfi_param_1];
      mov.u32 %r1, %tid.x; setp.ge.s32 %p1, %r1, %r2; @%p1 bra $L__BB0_2;
      mul.wide.s32 %rd3, %r1, 4; add.s64 %rd4, %rd1, %rd3;
      ld.global.f32 %f1, [%rd4]; add.f32 %f2, %f1, 0f3F800000; st.global.f32 [%rd4], %f2;
      $L__BB0_2: ret;`;
    const sum = "_Z3addPfi_param_0  f32x4\n  [0] 1.0 2.0 3.0 3.0\n";

    it("takes them by their order or their names, in braces too", async () => {
      const launch = ["--block", "32", "-d", "0"];
      expect((await run("-e", body, "-a", "=f32x4:iota", "-a", "=3", ...launch)).out).toBe(sum);
      const named = ["-a", "_Z3addPfi_param_1=3", "-a", "0=f32x4:iota"];
      const declared = `{ .reg .b64 %rd<5>; .reg .b32 %r<3>; .reg .f32 %f<3>; .reg .pred %p<2>; ${body} }`;
      const { out, err } = await run("-e", declared, ...named, ...launch);
      expect([out, err]).toEqual([sum, ""]);
    });

    it("names those that are missing, and the option that gives them", async () => {
      const { exit, err } = await run("-e", body);
      expect(exit).toBe(0);
      expect(err).toContain("note PTX2205: _Z3addPfi_param_0 and _Z3addPfi_param_1 are 0");
      expect(err).toContain("give them with -a _Z3addPfi_param_0=VALUE -a _Z3addPfi_param_1=VALUE");
    });

    it("says which option takes a register, and which a parameter", async () => {
      const text = "ld.param.u32 a, [p]; add.u32 b, a, c;";
      expect((await run("-e", text, "-r", "p=1")).err).toContain("help: p is a parameter: -a p=1");
      expect((await run("-e", text, "-a", "c=1")).err).toContain("help: c is a register: -r c=1");
      expect((await run("-e", text, "-a", "=1", "-a", "=2")).err).toContain("has its value already");
      expect((await run("-e", "add.u32 b, a, c;", "-a", "=1")).err).toContain("a snippet has no parameters");
    });

    it("takes names as demanglers write them", async () => {
      const text = "ld.param.u32 a, [ns::f(int*, int)_param_1];";
      expect((await run("-e", text, "-a", "ns::f(int*, int)_param_1=7", "-d", "a")).out).toBe(
        "a  b32  0x00000007  7\n",
      );
      expect((await run("-e", text, "-a", "ns::f(int*, int)_param_1:f32=1", "-d", "a")).out).toContain("0x3f800000");
    });

    it("takes an aggregate as bytes or elements", async () => {
      const text = "ld.param.v2.u32 {a, b}, [p+8]; ld.param.u8 c, [p];";
      expect((await run("-e", text, "-a", "p=u32x4:1,2,3,4", "-d", "b")).out).toBe("b  b32  0x00000004  4\n");
    });
  });

  it("has legal names that JavaScript knows otherwise", async () => {
    const { out } = await run("-e", "not.b32 constructor, __proto__;", "-r", "__proto__=1", "-d", "constructor");
    expect(out).toBe("constructor  b32  0xfffffffe  4294967294\n");
  });
});

describe("a module", () => {
  it("has a block of .reqntid, whose threads can be shown, when none is given", async () => {
    const text =
      ".version 9.0 .target sm_90 .address_size 64 .entry k() .reqntid 4, 2 { .reg .b32 r; mov.u32 r, %ntid.y; ret; }";
    const shown = (...more: string[]) => run("-e", text, "-d", "r", ...more);
    expect((await shown("--thread", "0/7")).out).toBe("r  b32  0x00000002  2\n");
    expect((await shown("--thread", "all")).out.match(/^block/gm)).toHaveLength(8);
    expect((await shown("--thread", "0/8")).err).toContain("expected: 0/0 to 0/7");
    expect((await shown("--block", "8")).err).toContain("a block of 8,1,1 is not what .reqntid of k demands");
  });

  const args = ["twice.ptx", "--block", "4", "-a", "x=f32x3:iota", "-a", "1=f32x3:fill=-1", "-a", "n=3"];

  it("shows the beginning of the buffers it was given", async () => {
    const { exit, out, err } = await run(...args);
    expect([exit, err]).toEqual([0, ""]);
    expect(out).toBe("x  f32x3  0.0 1.0 2.0\ny  f32x3  0.0 2.0 4.0\n");
  });

  it("passes one buffer for two parameters", async () => {
    const { out } = await run("twice.ptx", "--block", "2", "-a", "x=f32x2:1,2", "-a", "y==x", "-a", "n=2");
    expect(out).toBe("x  f32x2  2.0 4.0\n");
  });

  it("gives an argument without a name to the next parameter", async () => {
    const named = await run(...args, "-d", "0");
    const alone = ["-a", "f32x3:iota", "-a", "f32x3:fill=-1", "-a", "3"];
    expect(await run("twice.ptx", "--block", "4", ...alone, "-d", "0")).toEqual(named);
    expect((await run("twice.ptx", "-a", "two", "-d", "0")).err.match(/error/g)).toHaveLength(1);
  });

  it("dumps what it is asked for, of the thread it is asked for", async () => {
    expect((await run(...args, "-d", "%r1", "--thread", "0/2")).out).toBe("%r1  b32  0x00000002  2\n");
    expect((await run(...args, "-d", "calls")).out).toBe("calls  b32x1\n  [0] 0x00000007  7\n");
    expect((await run(...args, "-d", "none")).out).toBe("");
    expect((await run(...args, "-d", "regs", "--thread", "all")).out).toContain("block 0, thread 3\n");
    expect((await run(...args, "-d", "changed")).out).not.toContain("%r1");
  });

  it("reads and writes .npy and .bin", async () => {
    const floats = new Uint8Array(new Float32Array([3, 4]).buffer);
    world.write("x.npy", writeNpy(floats, "f32"));
    const files = ["--block", "2", "-a", "x=@x.npy", "-a", "y=f32x2", "-a", "n=2", "-d", "y=@y.npy", "-d", "y=@y.bin"];
    expect(await run("twice.ptx", ...files)).toEqual({ exit: 0, out: "", err: "" });
    const bytes = new Uint8Array(new Float32Array([6, 8]).buffer);
    expect(readNpy(readFileSync(join(world.folder, "y.npy")))).toEqual({
      type: "f32",
      bytes: Buffer.from(bytes),
      shape: [2],
    });
    expect(new Uint8Array(readFileSync(join(world.folder, "y.bin")))).toEqual(bytes);
  });

  it("sets module variables before the launch", async () => {
    expect((await run(...args, "-g", "calls=u32x1:9", "-d", "calls")).out).toContain("0x00000009");
  });
});

describe("JSON", () => {
  it("has its keys in one order, bits as strings, and no times", async () => {
    const { exit, out, err } = await run("-e", "not.b16 d, a;", "-r", "a=0xff", "-d", "d", "--json");
    expect([exit, err]).toEqual([0, ""]);
    expect(JSON.parse(out)).toEqual({
      schema: "ptxrun.run/1",
      exit: 0,
      source: "-e",
      kernel: "",
      stop: { reason: "exit" },
      steps: 2,
      threads: [{ block: 0, thread: 0, registers: [{ name: "d", type: "b16", bits: "0xff00", value: "65280" }] }],
      buffers: [],
      diagnostics: [],
    });
    expect(Object.keys(JSON.parse(out)).join()).toBe(
      "schema,exit,source,kernel,stop,steps,threads,buffers,diagnostics",
    );
  });

  it("holds the diagnostics when there is no result", async () => {
    const { exit, out } = await run("-e", "add.rz.f16 d, a, b;", "--format", "json");
    expect(exit).toBe(3);
    expect(JSON.parse(out)).toMatchObject({ exit: 3, diagnostics: [{ code: "PTX1203", line: 1 }] });
  });

  it("goes into a file", async () => {
    expect((await run("-e", "not.b16 d, a;", "-r", "a=0", "-o", "state.txt", "-d", "d")).out).toBe("");
    expect(readFileSync(join(world.folder, "state.txt"), "utf8")).toBe("d  b16  0xffff  65535\n");
  });
});

describe("the exit code", () => {
  it.each([
    [0, ["-e", "exit;"]],
    [2, ["--nope"]],
    [3, ["-e", "add.rz.f16 d, a, b;"]],
    [4, ["-e", "trap;"]],
    [4, ["-e", "ld.global.u32 a, [p];"]],
    [5, ["-e", ".shared .b32 t[4]; .reg .b32 d, r; mov.u32 d, t[r];"]],
    [6, ["-e", "L: bra L;", "--max-steps", "1000"]],
    [6, ["-e", "L: bra L;", "--timeout", "1ms"]],
    [7, ["-e", ".shared .b32 s; ld.shared.u32 a, [s];"]],
    // A fault is worse than the finding before it.
    [4, ["-e", ".shared .b32 s; ld.shared.u32 a, [s]; trap;"]],
  ] as const)("is %i for %j", async (code, argv) => {
    expect((await run(...argv)).exit).toBe(code);
  });

  it("is 0 when the sanitizer that would complain is off", async () => {
    const argv = ["-e", ".shared .b32 s; ld.shared.u32 a, [s];", "--sanitize", "none"];
    expect((await run(...argv)).exit).toBe(0);
  });

  it("is 70 for a bug in ptxrun, with a short message", async () => {
    const broken = {
      now: () => {
        throw new Error("the clock is broken");
      },
    };
    const argv = ["-e", "exit;", "--timeout", "1s"];
    const { exit, err } = await world.ptxrun(argv, broken);
    expect(exit).toBe(70);
    expect(err).toMatch(/^bug in ptxrun \d+\.\d+\.\d+: the clock is broken\n/);
    expect(err).not.toContain("    at ");
    expect((await world.ptxrun([...argv, "-v"], broken)).err).toContain("    at ");
  });
});

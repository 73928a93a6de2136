import { spawn } from "node:child_process";
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Exit } from "../../src/environment/exit.ts";
import { everything } from "../../tests/share.ts";
import { World } from "../../tests/unit/cli/world.ts";
import { recordSuite } from "../../tests/unit/clients/record-suite.ts";
import { buildDriver, copyPrograms } from "../build.js";
import { noCompiler, Programs } from "./programs.ts";

/** Here the libraries are called as on Linux. */
const linux = process.platform === "linux" && noCompiler === undefined;

function suite(): void {
  let programs: Programs;
  let program: string;
  beforeAll(async () => {
    programs = await Programs.make();
    buildDriver(programs.folder);
    program = programs.build("exec.c", false);
  });
  afterAll(() => programs.remove());

  it("runs a program that looks for ptx_run, and gives its exit code", () => {
    expect(programs.exec(["--", program])).toEqual({ exit: 3, out: "2 4 6 8 5 \n", err: "" });
  });

  it("runs a program that looks for the driver", () => {
    const { exit, out } = programs.exec(["--max-mem", "64M", program, "driver"]);
    expect([exit, out]).toEqual([3, `2 4 6 8 5 of ${64 * 2 ** 20}\n`]);
  });

  it.each(["ptx_run", "driver"])("shows where a fault is, in PTX and in the source: %s", (which) => {
    const file = join(programs.folder, "found.sarif");
    const { exit, err } = programs.exec(["--on-error", "exit", "--reporter", `sarif=${file}`, program, which, "7"]);
    const [run] = JSON.parse(readFileSync(file, "utf8")).runs;
    expect(run.results).toMatchObject([
      {
        ruleId: "PTX3002",
        locations: [{ physicalLocation: { artifactLocation: { uri: "twice.cu" }, region: { startLine: 7 } } }],
      },
    ]);
    expect(exit).toBe(which === "driver" ? 1 : 4);
    expect(err).toMatch(/PTX3002: ld\.global\.u32 reads 4 bytes at 0x\w+, .*in thread \([56],0,0\) of block \(0,0,0\)/);
    expect(err).toContain("twice");
    expect(err).toContain(":11:3\n");
    expect(err).toContain("compiled from twice.cu:7:3");
  });

  it.each(["ptx_run", "driver"])("tells of launches: %s", (which) => {
    const { err } = programs.exec(["--trace", "--stats", program, which]);
    const [traced, counted] = err.split("\n").filter((line) => !line.startsWith("ptxrun: cu"));
    expect(traced).toMatch(/^ptxrun: launch 1: twice\(data=0x\w+, n=4\), grid 1x1x1, block 32x1x1$/);
    expect(counted).toMatch(/^ptxrun: launch 1, twice: 11 warp instructions in \d+\.\d ms \(1 so far: 11 in \d/);
  });

  it("tells of each call of the driver API, with what it gave", () => {
    const { err } = programs.exec(["--trace", program, "driver", "7"]);
    const told = err.split("\n").filter((line) => line.startsWith("ptxrun: cu"));
    expect(told.map((line) => /cu\w+/.exec(line)?.[0])).toEqual([
      ...[
        "cuInit",
        "cuCtxCreate_v2",
        "cuModuleLoadData",
        "cuModuleGetFunction",
        "cuDeviceTotalMem_v2",
        "cuMemAlloc_v2",
      ],
      ...["cuMemcpyHtoD_v2", "cuLaunchKernel", "cuMemcpyDtoH_v2"],
    ]);
    expect(told[3]).toMatch(/\(\*function=0x\w+, module=0x\w+, name="twice"\) = CUDA_SUCCESS$/);
    expect(told[4]).toMatch(/cuDeviceTotalMem_v2\(\*bytes=\d+, device=0\) = CUDA_SUCCESS/);
    expect(told[5]).toMatch(/\(\*address=0x4f0\w+, bytes=20\) = CUDA_SUCCESS$/);
    expect(told[8]).toMatch(/ = CUDA_ERROR_ILLEGAL_ADDRESS$/);
  });

  it("tells of them in a file", () => {
    const log = join(programs.folder, "log");
    rmSync(log, { force: true });
    expect(programs.exec(["--trace", "-o", log, program]).err).toBe("");
    expect(readFileSync(log, "utf8")).toMatch(/^launch 1: twice\(/);
  });

  it.each([
    ["7", "PTX3002"],
    ["101", "PTX3001"],
  ])("records launches that run and check replay with the same fault: %s", async (n, code) => {
    const folder = join(programs.folder, `kept-${n}`);
    const { err } = programs.exec(["--on-error", "exit", "--record", folder, program, "ptx_run", n]);
    const [fault = ""] = err.split("\n").filter((line) => line.startsWith("error"));
    expect(fault).toContain(`error ${code}: ld.global.u32 reads 4 bytes at 0x`);
    const [line = ""] = readFileSync(join(folder, "launches"), "utf8").split("\n");
    const world = new World();
    try {
      const again = await world.ptxrun(["run", ...line.split(" ").slice(1)]);
      expect([again.exit, again.err]).toEqual([4, expect.stringContaining(fault)]);
      const stepped = await world.ptxrun(["repl", ...line.split(" ").slice(1), "--command", "continue"]);
      expect(stepped.out + stepped.err).toContain(fault.slice("error ".length));
      const { exit, out } = await world.ptxrun(["check", folder]);
      expect([exit, out]).toEqual([0, expect.stringContaining("1 passed")]);
    } finally {
      world.remove();
    }
  });

  describe.runIf(everything)("of the driver API, with --record", () => recordSuite(() => programs));

  it("expects of a launch that went well what it left in memory", async () => {
    const folder = join(programs.folder, "kept-well");
    expect(programs.exec(["--record", folder, program]).exit).toBe(3);
    const world = new World();
    try {
      expect(await world.ptxrun(["check", folder])).toMatchObject({
        exit: 0,
        out: expect.stringContaining("1 passed"),
      });
      const text = join(folder, "0001-twice.ptx");
      writeFileSync(text, readFileSync(text, "utf8").replace("shl.b32 %r3, %r3, 1", "shl.b32 %r3, %r3, 2"));
      const { exit, out } = await world.ptxrun(["check", folder]);
      expect([exit, out]).toEqual([
        1,
        expect.stringMatching(/the byte at 0x\w+, byte 0 of data is 0x04.*expected 0x02/s),
      ]);
    } finally {
      world.remove();
    }
  });

  it("writes through nothing that others have put into the folder of --record", () => {
    const folder = join(programs.folder, "planted");
    const victim = join(programs.folder, "victim");
    const planted = ["0001-twice.ptx", "0002-twice.mem", "0003-twice.ptxcheck.json", "launches"];
    mkdirSync(folder);
    writeFileSync(victim, "precious");
    for (const name of planted) symlinkSync(victim, join(folder, name));
    symlinkSync(join(programs.folder, "not-there"), join(folder, "0004-twice.mem"));
    const record = () => programs.exec(["--record", folder, program]);
    const refused = `ptxrun: ${join(folder, "launches")} is not a file that only this user can write: nothing is added to it\n`;
    expect(record()).toMatchObject({ exit: 3, err: refused });
    rmSync(join(folder, "launches"));
    linkSync(victim, join(folder, "launches"));
    expect(record().err).toBe(refused);
    rmSync(join(folder, "launches"));
    expect(record().err).toBe("");
    expect([readFileSync(victim, "utf8"), existsSync(join(programs.folder, "not-there"))]).toEqual(["precious", false]);
    const made = readdirSync(folder).filter((name) => !planted.includes(name) && name !== "0004-twice.mem");
    expect(made.sort()).toEqual(
      ["0005", "0006", "0007"].flatMap((number) =>
        ["mem", "ptx", "ptxcheck.json"].map((kind) => `${number}-twice.${kind}`),
      ),
    );
    expect(readFileSync(join(folder, "launches"), "utf8")).toMatch(/^ptxrun \S*0007-twice\.ptx .*\n$/);
  });

  it("says which variables cannot be read, and goes on", () => {
    const { exit, err } = programs.exec([program], { PTXRUN_SANITIZE: "most", PTXRUN_STATS: "yes" });
    expect([exit, err]).toEqual([3, expect.stringContaining("PTXRUN_SANITIZE is most, and not mem")]);
    expect(err).toContain("PTXRUN_STATS is yes, and not 0 or 1");
  });

  it.runIf(everything)("finds races, and confines kernels, where that is asked for", async () => {
    const race = join(programs.folder, "race.c");
    writeFileSync(
      race,
      `#include "ptxrun.h"
static const char text[] = ".version 7.5\\n.target sm_35\\n.address_size 64\\n"
  ".visible .entry all(.param .u64 to) { .reg .b64 %d; .reg .b32 %r;\\n"
  "ld.param.u64 %d, [to]; mov.u32 %r, %tid.x; st.global.u32 [%d], %r; ret; }\\n";
int main(void) { unsigned x; void *args[] = {&x}; ptx_run(text, 1, args, 64, 1, 1, 1, 1, 1, 0); return 0; }
`,
    );
    const built = programs.build(race);
    expect(programs.exec([built])).toEqual({ exit: 0, out: "", err: "" });
    expect(programs.exec(["--sanitize", "race", built])).toMatchObject({
      exit: Exit.finding,
      err: expect.stringContaining("PTX4002"),
    });
    expect(programs.exec(["--sanitize", "race", "--error-exitcode", "0", built]).exit).toBe(0);
    // It has announced nothing.
    const confined = ["--only-announced", "--on-error", "exit"];
    const kept = join(programs.folder, "kept-confined");
    expect(programs.exec([...confined, "--record", kept, built])).toMatchObject({
      exit: Exit.fault,
      err: expect.stringContaining("PTX3002"),
    });
    const world = new World();
    expect(await world.ptxrun(["check", kept])).toMatchObject({ exit: 0, out: expect.stringContaining("1 passed") });
    world.remove();
    expect(programs.exec([...confined, program])).toMatchObject({ exit: 3, err: "" });
    // A program that fails by itself has its own reasons.
    expect(programs.exec(["--sanitize", "race", "--error-exitcode", "9", "sh", "-c", `${built}; exit 5`]).exit).toBe(5);
    expect(programs.exec(["--sanitize", "race", "--error-exitcode", "9", "sh", "-c", `${built}; true`]).exit).toBe(9);
  });

  it("notes reads of memory that nothing has written, and counts them where that is asked for", () => {
    const reads = join(programs.folder, "reads.c");
    writeFileSync(
      reads,
      `#include "ptxrun.h"
static const char text[] = ".version 7.5\\n.target sm_35\\n.address_size 64\\n"
  ".visible .entry all() { .shared .b32 s; .reg .b32 %r; ld.shared.u32 %r, [s]; ret; }\\n";
int main(void) { ptx_run(text, 0, 0, 1, 1, 1, 1, 1, 1, 0); return 0; }
`,
    );
    const built = programs.build(reads);
    expect(programs.exec([built])).toMatchObject({ exit: 0, err: expect.stringMatching(/^note PTX4001: .*init/s) });
    expect(programs.exec(["--sanitize", "init", built])).toMatchObject({
      exit: Exit.finding,
      err: expect.stringMatching(/^error PTX4001/),
    });
  });

  it("gives what a signal says, and passes signals on", async () => {
    expect(programs.exec(["sh", "-c", "kill -9 $$"]).exit).toBe(137);
    const word = join(programs.folder, "began");
    const script = `trap 'exit 7' TERM; : > ${word}; while :; do sleep 0.05; done`;
    const [command = "", ...argv] = programs.execLine(["sh", "-c", script]);
    const child = spawn(command, argv, { env: { ...process.env, PTXRUN_NATIVE: programs.folder }, stdio: "ignore" });
    while (!existsSync(word)) await new Promise((done) => setTimeout(done, 20));
    const ended = new Promise((done) => child.on("exit", (...how) => done(how)));
    child.kill("SIGTERM");
    expect(await ended).toEqual([7, null]);
  });

  it("leaves what stands behind the program's name to the program", () => {
    expect(programs.exec(["sh", "-c", 'echo "$@"', "sh", "--trace", "-v"]).out).toBe("--trace -v\n");
  });

  describe("before an nvcc", () => {
    const { PATH = "" } = process.env;
    beforeAll(() => {
      copyPrograms(programs.folder);
      const nvcc = join(programs.folder, "theirs/nvcc");
      mkdirSync(join(nvcc, ".."));
      writeFileSync(nvcc, "#!/bin/sh\nprintf '[%s]' \"$@\"\n", { mode: 0o755 });
    });
    const nvcc = (...words: readonly string[]) =>
      programs.exec(["nvcc", ...words], { PATH: `${join(programs.folder, "theirs")}:${PATH}` }).out;

    it.each([
      [
        ["--cubin", "-arch", "sm_80", "-I a b", "/x/k.cu"],
        "[-fatbin][-arch][compute_80][-I a b][/x/k.cu][-o][k.cubin]",
      ],
      [
        ["-gencode=arch=compute_80,code=sm_80", "-cubin", "-o", "sm_1", "k.cu"],
        "[-gencode=arch=compute_80,code=compute_80][-fatbin][-o][sm_1][k.cu]",
      ],
      [["-c", "-arch=sm_80", "k.cu"], "[-c][-arch=sm_80][k.cu]"],
    ])("asks it for PTX in place of machine code alone: %j", (words, asked) => {
      expect(nvcc(...words)).toBe(asked);
    });

    it("is not there where none is, and leaves one inside another alone", () => {
      const sh = 'command -v nvcc; test -z "$PTXRUN_NVCC"';
      expect(programs.exec(["/bin/sh", "-c", sh], { PATH: programs.folder })).toMatchObject({ exit: 0, out: "" });
      const [node = "", ...words] = programs.execLine(["nvcc", "--cubin", "k.cu"]);
      const { out } = programs.exec([node, ...words], { PATH: `${join(programs.folder, "theirs")}:${PATH}` });
      expect(out).toBe("[-fatbin][k.cu][-o][k.cubin]");
    });
  });
}

describe.runIf(linux)("ptxrun exec", suite);
if (!linux) it(`ptxrun exec is not tried: ${noCompiler ?? "this is not Linux"}`, () => {});

describe("ptxrun exec, without a compiler", () => {
  const world = new World()
    .write("native/libptxrun.so", "")
    .write("native/libptxrun.dylib", "")
    .write("text", "no program\n");
  afterAll(() => world.remove());
  const exec = (argv: readonly string[], folder: string) =>
    world.ptxrun(["exec", ...argv], { env: { PTXRUN_NATIVE: folder } });

  it("says where it has looked for the libraries, and how they are built", async () => {
    const { exit, err } = await exec(["true"], "elsewhere");
    expect([exit, err]).toEqual([2, expect.stringContaining(`in ${join(world.folder, "elsewhere")}`)]);
    expect(err).toContain("PTX2250");
    expect(err).toContain("npm run native");
    const home = await world.ptxrun(["exec", "true"], { home: world.folder });
    expect(home.exit).toBe(0);
  });

  it("says why a program cannot be run", async () => {
    expect(await exec(["nowhere"], "native")).toMatchObject({ exit: 2, err: expect.stringContaining("PTX2251") });
    expect((await exec(["./nowhere"], "native")).err).toContain("there is no such file");
    expect((await exec(["./text"], "native")).err).toContain("permission denied");
    const { TMPDIR } = process.env;
    process.env["TMPDIR"] = join(world.folder, "nowhere");
    try {
      const { exit: code, err } = await exec(["true"], "native");
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/PTX2251: cannot run true: in .*nowhere nothing can be made/),
      ]);
    } finally {
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = TMPDIR;
    }
  });

  it("refuses values that cannot be meant", async () => {
    for (const words of [
      ["--target", "90"],
      ["--timeout", "0"],
      ["--on-error", "stop"],
      ["--sanitize", "most"],
      ["--error-exitcode", "256"],
    ])
      expect((await exec([...words, "true"], "native")).exit).toBe(2);
  });
});

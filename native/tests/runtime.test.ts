import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { buildLibrary, redirects } from "../build.js";
import { noCompiler, Programs } from "./programs.ts";

const { CUDA_HOME = "/usr/local/cuda" } = process.env;
const toolkit = join(CUDA_HOME, "include");
const native = import.meta.dirname;

let programs: Programs;
let built: string;
let calls: string;

/** A part of the program; all of its kernels are in the one fat binary. */
const part = (name: string, env: Readonly<Record<string, string>> = {}) =>
  programs.run(built, [name], { FATBIN: join(native, "cudart/kernels.fatbin"), LIBRARIES: programs.folder, ...env });

function suite(): void {
  beforeAll(async () => {
    // Nothing here needs a driver that is quick, and to make one takes twice as long; the driver's own tests have it.
    vi.stubEnv("CFLAGS", "-O0");
    programs = await Programs.make("runtime");
    built = programs.build("runtime.c", "cudart");
    calls = programs.build("runtime-calls.c", "cudart");
  });
  afterAll(() => programs.remove());

  it.each(["variables", "layouts", "arrays", "turns", "graphs", "forms"])("%s", (name) => {
    const { exit, out, err } = part(name);
    expect({ exit, out, err }).toEqual({ exit: 0, out: `${name}: done\n`, err: "" });
  });

  it.each(["memory", "devices", "flows", "pools", "images", "libraries"])("calls without kernels: %s", (name) => {
    const { exit, out, err } = programs.run(calls, [name]);
    expect({ exit, out, err }).toEqual({ exit: 0, out: `${name}: done\n`, err: "" });
  });

  it("binds textures and surfaces that are variables, as programs of CUDA 11 have them", () => {
    const { exit, out, err } = programs.run(calls, ["references"]);
    expect([exit, out, err]).toEqual([0, "references: done\n", expect.stringContaining("bound to the texture line")]);
  });

  it("launches, and prints what kernels print", () => {
    const { exit, out, err } = part("launches");
    expect([exit, out, err]).toEqual([0, "thread 0 speaks\nthread 1 speaks\nlaunches: done\n", ""]);
  });

  it("says once what is not there, and lets a thread go on after its errors", () => {
    const { exit, err } = part("errors");
    expect([exit, err]).toEqual([0, "ptxrun: cudaVDPAUGetDevice is not supported\n"]);
  });

  describe.skipIf(!redirects)("a runtime within the program", () => {
    // What exec looks for.
    beforeAll(() => buildLibrary(programs.folder));

    it("is sent to the library by exec", () => {
      const program = programs.build("inside.c", false);
      expect(programs.run(program, [])).toEqual({ exit: 0, out: "35 35 35 35 35 35 0 0\n", err: "" });
      expect(programs.exec([program])).toEqual({ exit: 0, out: "0 0 0 0 0 35 1 7\n", err: "" });
    });

    it("is not found in a program without symbols, which is said", () => {
      const { out, err } = programs.exec([programs.build("inside.c", false, ["-s"])]);
      expect(out).toBe("35 35 35 35 35 35 0 0\n");
      expect(err).toMatch(/^ptxrun: the program has nvcc's runtime inside and no symbols .* -cudart shared\n$/);
    });
  });

  it("gives a fault of a kernel from then on, and shows it once", () => {
    const { exit, err } = part("fault");
    expect([exit, err]).toEqual([
      0,
      expect.stringMatching(/^ptxrun: the launch of forward failed[\s\S]*error PTX3002/),
    ]);
    expect(err.split("PTX3002")).toHaveLength(2);
  });

  it("asks for PTX where there is none", () => {
    const { exit, err } = part("machine_code");
    expect([exit, err]).toEqual([0, expect.stringContaining("PTX2241")]);
    expect(err.split("PTX2241")).toHaveLength(2);
  });

  it("forgets what is unloaded", () => expect(part("gone").exit).toBe(0));

  it("has the names that programs of each version ask for, and no others", () => {
    const wanted = ["cudaMalloc", "__cudaLaunchKernel_ptsz", "cudaMemcpy_ptds", "cudaGraphLaunch"];
    for (const version of ["11.0", "12", "13"]) {
      const { status, stdout } = spawnSync("nm", ["-D", join(programs.folder, `libcudart.so.${version}`)], {
        encoding: "utf8",
      });
      if (status !== 0) return;
      const names = stdout.match(/(?<= T )\S+/g) ?? [];
      for (const name of wanted) expect(names).toContain(`${name}@@libcudart.so.${version}`);
      expect(names.filter((name) => !/^(__)?cuda[A-Z]/.test(name))).toEqual([]);
    }
  });

  it("has the layouts that programs are compiled with", () => {
    programs.check("runtime-layouts.c");
    if (existsSync(join(toolkit, "cuda_runtime_api.h"))) programs.check("runtime-layouts.c", toolkit);
    else console.log("there is no toolkit's cuda_runtime_api.h to compare with");
  });
}

if (noCompiler === undefined && process.platform === "linux") describe("libcudart", suite);
else
  it("has a runtime library on Linux, where there is a compiler", () => {
    console.log(`${noCompiler ?? "this is not Linux"}: the runtime library is not tested`);
    expect(noCompiler !== undefined || process.platform !== "linux").toBe(true);
  });

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Device } from "../../src/host/index.ts";
import { everything, sample } from "../../tests/share.ts";
import { linkerNames } from "../build.js";
import { has, noCompiler, Programs } from "./programs.ts";
import { pythonSuite } from "./python-suite.ts";

/** Where CUDA's own header is, where it is. */
const { CUDA_HOME = "/usr/local/cuda" } = process.env;
const toolkit = join(CUDA_HOME, "include");

let programs: Programs;

/** Programs of C, and their parts. */
const parts = {
  "driver-launches.c": [
    "vector_add",
    "old_launch",
    "reduction",
    "pointers_in_memory",
    "constants",
    "link",
    "modules",
    "libraries",
    "extra",
    "clusters",
    "occupancy",
  ],
  "driver-memory.c": ["allocations", "copies", "large", "boxes", "sets", "pointers"],
  "driver-errors.c": [
    "devices",
    "errors",
    "contexts",
    "streams",
    "bad_ptx",
    "bad_images",
    "bad_launches",
    "procedures",
    "threads",
    "fork",
    "killed",
  ],
  "driver-settings.c": [
    "device",
    "attributes",
    "settings",
    "primary",
    "flows",
    "transfers",
    "words",
    "batches",
    "advice",
  ],
  "driver-handles.c": ["pools", "hosts", "functions", "library", "room"],
  "graphs.c": ["graphs", "streams"],
  "images.c": [
    "lines",
    "planes",
    "volumes",
    "layers",
    "levels",
    "fractions",
    "memory",
    "surfaces",
    "array_copies",
    "bad_arrays",
    "gone",
  ],
  "references.c": ["references"],
  "virtual.c": ["maps", "aliases", "exports"],
  "processes.c": ["processes"],
} as const;

function suite(): void {
  const built = new Map<string, string>();
  beforeAll(async () => {
    programs = await Programs.make("driver");
    for (const source of Object.keys(parts)) built.set(source, programs.build(source, "cuda"));
  });
  afterAll(() => programs.remove());

  const part = (source: keyof typeof parts, name: string, env: Readonly<Record<string, string>> = {}) =>
    programs.run(built.get(source) ?? "", [name], env);

  describe.each(Object.entries(parts))("%s", (source, names) => {
    it.each(sample(names, 3))("%s", (name) => {
      const { exit, out, err } = part(source as keyof typeof parts, name);
      // What it says shows where it failed.
      expect({ exit, out, err }).toEqual({ exit: 0, out: expect.stringContaining(`${name}: done\n`), err });
    });
  });

  it("draws a graph, and graphs within it", () => {
    const DOT = join(programs.folder, "graph.dot");
    const { exit, err } = part("graphs.c", "clones", { DOT });
    expect([exit, err]).toEqual([0, ""]);
    const text = readFileSync(DOT, "utf8");
    expect(text).toMatch(/^digraph dot \{\n[\s\S]*\}\n$/);
    expect(text).toContain('label="0\\nGRAPH"');
    expect(text).toContain("KERNEL\\nforward<<<(1,1,1), (4,1,1), 0>>>");
    expect(text.match(/->/g)).toHaveLength(1 + 2 * 4);
  });

  it.each(["none", "speed", "balance", "size"])("loads a fat binary: %s", (mode) => {
    const FATBIN = join(import.meta.dirname, `../../tests/unit/host/container/${mode}.fatbin`);
    const { exit, err } = part("driver-launches.c", "fat_binaries", { FATBIN });
    expect([exit, err]).toEqual([0, expect.stringContaining("PTX2241")]);
  });

  it.each(["sm_80-lineinfo.cubin", "ptx.so", "lineinfo.o", "lineinfo.fatbin"])("loads device code: %s", (name) => {
    const CUBIN = join(import.meta.dirname, `../../tests/unit/host/container/${name}`);
    const { exit, err } = part("driver-launches.c", "cubins", { CUBIN, PTXRUN_TARGET: "sm_90" });
    expect([exit, err]).toEqual([0, ""]);
  });

  it("has the attributes of its target", () => {
    // Of the programming guide's tables of compute capabilities: threads and shared memory of a multiprocessor, what a block may
    // have of that, blocks, what the system has of a block, clusters. Before them what all targets have.
    const all = "1024 1024 1024 64 2147483647 65535 65535 49152 65536 32 65536 16";
    const targets = {
      sm_75: "1024 7 5 65536 65536 65536 16 0 0",
      sm_80: "2048 8 0 167936 65536 166912 32 1024 0",
      sm_86: "1536 8 6 102400 65536 101376 16 1024 0",
      sm_89: "1536 8 9 102400 65536 101376 24 1024 0",
      sm_90a: "2048 9 0 233472 65536 232448 32 1024 1",
      sm_100f: "2048 10 0 233472 65536 232448 32 1024 1",
    };
    for (const [target, own] of Object.entries(targets)) {
      const { out, err } = part("driver-settings.c", "attributes", { PTXRUN_TARGET: target });
      expect([out, err]).toEqual([`${all} ${own} \nattributes: done\n`, ""]);
    }
    for (const wrong of ["sm_90x", "sm_91", "90", "sm_", "sm_9000"]) {
      const { out, err } = part("driver-settings.c", "attributes", { PTXRUN_TARGET: wrong });
      expect(out).toContain(targets.sm_90a);
      expect(err).toContain(`PTXRUN_TARGET is ${wrong}, and no target from sm_50 to sm_121`);
    }
  });

  it("encodes tensor maps as the device does", () => {
    const { exit, out } = part("driver-launches.c", "tensor_maps");
    const [device, tensor] = [new Device(), 0x4f00_0000_1000n];
    const flat = { tensor, type: "f32", dims: [64, 32], strides: [256] };
    const deep = { ...flat, dims: [64, 32, 16, 8], strides: [256, 8192, 131072], steps: [1, 1, 2, 1] };
    const columns = { lower: [-1, -2], upper: [1, 2], channels: 32, pixels: 100 };
    const narrow = { ...deep, swizzle: "128B", im2col: columns };
    const wide = { lower: [-3, 0], upper: [3, 0], channels: 16, pixels: 64, wide: true };
    const maps = [
      device.tensorMap({ ...flat, box: [16, 8], swizzle: "64B", l2: "64B", fill: "nan" }),
      device.tensorMap(narrow),
      device.tensorMap({ ...narrow, tensor: 0x4f00_0000_2000n }),
      device.tensorMap({ ...deep, swizzle: "64B", im2col: wide }),
    ];
    const lines = maps.map((map) =>
      [...new BigUint64Array(map.slice().buffer)].map((word) => word.toString(16).padStart(16, "0")).join(""),
    );
    expect([exit, out]).toEqual([0, `${lines.join("\n")}\ntensor_maps: done\n`]);
  });

  it("has the layouts that programs are compiled with", () => {
    programs.check("layouts.c");
    if (existsSync(join(toolkit, "cuda.h"))) programs.check("layouts.c", toolkit);
    else console.log("there is no toolkit's cuda.h to compare with");
  });

  describe("docs/driver.md", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/driver.md"), "utf8");

    it("shows a program that does what it says", () => {
      const [, text = ""] = /```c\n([^`]*)```/.exec(page) ?? [];
      const source = join(programs.folder, "twice.c");
      writeFileSync(source, text);
      const { exit, out } = programs.run(programs.build(source, "cuda"), []);
      expect([exit, page]).toEqual([0, expect.stringContaining(`./twice\n    ${out}`)]);
    });

    it("names all variables that the library asks for", () => {
      const folder = join(import.meta.dirname, "../cuda");
      const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".c"));
      const texts = names.map((name) => readFileSync(join(folder, name), "utf8"));
      const asked = texts.flatMap((text) => [...text.matchAll(/getenv\("(\w+)"\)/g)].map(([, name = ""]) => name));
      expect(asked.sort()).toEqual([
        ...["CUDA_LAUNCH_BLOCKING", "PTXRUN_LOG", "PTXRUN_MAX_MEM", "PTXRUN_TARGET", "PTXRUN_TRACE"],
      ]);
      for (const name of asked) expect(page).toContain(`\`${name}`);
    });
  });

  it("is called from Python as an example does", () => {
    const script = join(import.meta.dirname, "../../examples/python/driver.py");
    if (!has("python3")) return;
    const { exit, out, err } = programs.run("python3", [script], {
      PTXRUN_LIBRARY: join(programs.folder, "libcuda.so.1"),
    });
    expect([exit, out.trim().split("\n")]).toEqual([0, ["[0.5, 1.0, 1.5, 2.0, 2.5]", "CUDA_ERROR_ILLEGAL_ADDRESS"]]);
    expect(err).toContain(
      "error PTX3002: ld.global.f32 reads 4 bytes at 0x4f0000001014, just past the end of buffer 1 (20 bytes)",
    );
  });

  describe("a fault", () => {
    it("is shown whole, and once", () => {
      const { err } = part("driver-errors.c", "bad_launches");
      expect(err).toBe(`ptxrun: the launch of store_word failed (a grid of 1,1,1, blocks of 1,1,1)
error PTX3002: st.global.u32 writes 4 bytes at 0x0, which is a null pointer, in thread (0,0,0) of block (0,0,0)
 --> <module>:7:3
  |
7 |   st.global.u32 [%d], %r;
  |   ^^^^^^^^^^^^^^^^^^^^^^^
`);
    });

    it("is given by the launch itself where that is asked for", () => {
      expect(part("driver-errors.c", "blocking", { CUDA_LAUNCH_BLOCKING: "1" })).toMatchObject({ exit: 0 });
      expect(part("driver-errors.c", "blocking")).toMatchObject({ exit: 99 });
    });

    it("is a timeout where a launch takes too long", () => {
      const { exit, err } = part("driver-errors.c", "endless");
      expect([exit, err]).toEqual([0, expect.stringContaining("took longer than PTXRUN_TIMEOUT allows")]);
    });

    it("in mapped memory says where, and whether it may only be read", () => {
      const { err } = part("virtual.c", "faults");
      expect(err).toMatch(/reads 4 bytes at 0x[0-9a-f]+, just past the end of mapped memory \(2097152 bytes\)/);
      expect(err).toMatch(/PTX3003: st.global.u32 writes 4 bytes at 0x[0-9a-f]+, which is read-only/);
    });

    it("in what the host shares says so", () => {
      const { err } = part("driver-launches.c", "pointers_in_memory");
      expect(err).toMatch(
        /reads 4 bytes at 0x[0-9a-f]+, \d+ bytes (before|past the end of) managed memory \(16 bytes\)/,
      );
    });
  });

  it.runIf(everything)("returns from every call however often its worker is killed", () => {
    const program = programs.build("driver-kills.c", "cuda");
    const { exit, out } = programs.run(program, ["kills", "5", "500000"]);
    expect([exit, out]).toEqual([
      0,
      expect.stringMatching(/^1 threads: [5-9] kills.*\n3 threads: [5-9] kills.*\nkills: done\n$/),
    ]);
  });

  it.each(Object.keys(linkerNames))("links by %s", (library) => {
    const ran = programs.run(programs.build("linker.c", "cuda"), [join(programs.folder, library)]);
    expect(ran).toEqual({ exit: 0, out: "linked\n", err: "" });
  });

  describe("what is not there", () => {
    it("is said once", () => {
      const { err } = part("driver-errors.c", "procedures");
      expect(err).toMatch(
        /^ptxrun: cuVDPAUGetDevice is not supported\nptxrun: .* link the program with nvcc -cudart shared.*\n$/,
      );
    });

    it("is a dead worker, in plain words", () => {
      const { err } = part("driver-errors.c", "killed");
      expect(err).toMatch(/^ptxrun: the worker died: process \d+ was ended by signal 9, Killed/);
      expect(err).toContain("the device's memory is lost with it");
    });

    it("is machine code alone, and a part of a linked program that is none", () => {
      const { exit, err } = part("driver-errors.c", "relocatable");
      expect([exit, err]).toEqual([0, expect.stringMatching(/PTX2241[\s\S]*lists something else as a part/)]);
    });

    it("is a worker that cannot be started", () => {
      const { exit, err } = part("driver-memory.c", "sets", { PTXRUN_NODE: "/nowhere/node" });
      expect([exit, err]).toEqual([99, expect.stringContaining("PTXRUN_NODE is /nowhere/node")]);
      expect(err).toContain("CUDA_ERROR_SYSTEM_NOT_READY");
    });
  });

  describe.runIf(has("python3"))("the package for Python", () => pythonSuite(() => programs));

  it.each([
    ["sm_86", "ptxrun sm_86, 8.6, 101376\n", ""],
    ["sm_120a", "ptxrun sm_120, 12.0, 101376\n", ""],
    ["hopper", "ptxrun sm_90, 9.0, 232448\n", "PTXRUN_TARGET is hopper"],
    ["sm_91", "ptxrun sm_90, 9.0, 232448\n", "PTXRUN_TARGET is sm_91"],
  ])("is a device of the target that is asked for: %s", (target, out, err) => {
    const ran = part("driver-errors.c", "devices", { PTXRUN_TARGET: target });
    expect(ran).toEqual({ exit: 0, out: `${out}devices: done\n`, err: expect.stringContaining(err) });
  });
}

if (noCompiler === undefined && process.platform === "linux") suite();
else
  it("has a driver library on Linux, where there is a compiler", () => {
    console.log(`${noCompiler ?? "this is not Linux"}: the driver library is not tested`);
    expect(noCompiler !== undefined || process.platform !== "linux").toBe(true);
  });

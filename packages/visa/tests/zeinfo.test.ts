import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Device } from "../../../src/host/index.ts";
import { Source } from "../../../src/source/source.ts";
import { World } from "../../../tests/unit/cli/world.ts";
import { layoutsIn } from "../src/zeinfo/layout.ts";
import { archive, besides } from "./archive.ts";

const world = new World();
afterAll(() => world.remove());

const text = (name: string): string => archive.get(name) ?? "";

/** Lines that the compiler writes, a dump's and a `.zeinfo`'s, of a kernel with these inputs and parts of its payload. */
const dump = (version: string, inputs: string, lines = "    ret (M1, 1)"): string => `.version ${version}
.kernel "f"
${inputs}
.kernel_attr SimdSize=8
.function "_main_0"
_main_0:
${lines}
`;

const zeinfo = (payload: string, more = ""): string => `---
version:         '1.73'
kernels:
  - name:            f
    user_attributes:
      intel_reqd_workgroup_walk_order: [ 0, 1, 2 ]
    execution_env:
      inline_data_payload_size: 32
      simd_size:       8
    payload_arguments:
${payload}
kernels_misc_info:
  - name:            f
    args_info:
      - index:           0
        name:            n
        type_name:       'int;4'
      - index:           1
        name:            'it''s'
        type_name:       'struct S;12'
${more}
...
`;

const values = `      - arg_type:        arg_byvalue
        offset:          0
        size:            4
        arg_index:       1
        source_offset:   8
      - arg_type:        arg_byvalue
        offset:          4
        size:            4
        arg_index:       0
      - arg_type:        work_dimensions
        offset:          8
        size:            4
      - arg_type:        buffer_offset
        offset:          12
        size:            4
        arg_index:       0`;

describe("a .zeinfo", () => {
  it("of every dump is read", () => {
    for (const [name, each] of archive)
      if (name.endsWith(".zeinfo")) expect(layoutsIn(new Source(name, each)).diagnostics, name).toEqual([]);
  });

  it("says what the payload has", () => {
    const layout = layoutsIn(new Source("z", text("igc2/dg2/reduce.zeinfo"))).value?.get("reduce");
    expect(layout?.args.map(({ name, type, bytes }) => [name, type, bytes])).toEqual([
      ["a", "int*", 8],
      ["out", "int*", 8],
      ["part", "int*", 8],
    ]);
    const parts = layout?.payload.map(({ type, offset, argument }) => [type, offset, argument]);
    expect(parts?.slice(0, 4)).toEqual([
      ["global_id_offset", 0, undefined],
      ["enqueued_local_size", 12, undefined],
      ["arg_bypointer", 24, 2],
      ["arg_bypointer", 32, 0],
    ]);
  });

  it.each([
    ["a line without a key", "kernels:\n  - name: f\n    word\n", "key: value"],
    ["a list that does not end", "kernels:\n  - name: f\n    order: [ 0, 1\n", "[ 0, 1, 2 ]"],
    ["a word whose quote is open", "version: '1\n", "'word'"],
    ["no kernels", "version: 1\n", "kernels:, and below it - name: of each"],
    ["kernels is no list", "kernels: 5\n", "kernels:, and below it lines with -"],
    ["offset is no number", `kernels:\n  - name: f\n    payload_arguments:\n      - offset: x\n`, "offset: 8"],
    ["argument 5000", `kernels:\n  - name: f\n    payload_arguments:\n      - arg_index: 5000\n`, "1024 at most"],
    ["a line of no block", "kernels:\n    - name: f\n  - name: g\n", "the indentation of the lines above"],
    [
      "blocks nest more than 16 deep",
      Array.from({ length: 20 }, (_, k) => `${" ".repeat(k)}k:\n`).join(""),
      "a .zeinfo of Intel's compiler",
    ],
  ])("is refused: %s", (message, each, expected) => {
    const source = new Source("x.zeinfo", each);
    expect(layoutsIn(source).diagnostics).toEqual([
      { code: "PTX8401", severity: "error", message, source, span: expect.anything(), expected },
    ]);
  });

  it("gives values, parts of a struct, and what the launch knows", async () => {
    const inputs =
      ".decl V40 v_type=G type=d num_elts=2 align=qword\n.decl V41 v_type=G type=ud num_elts=1\n.decl V42 v_type=G type=ud num_elts=1\n.input V40 offset=32 size=8\n.input V41 offset=40 size=4\n.input V42 offset=44 size=4";
    world.write("f.visaasm", dump("4.2", inputs));
    world.write("f.zeinfo", zeinfo(values));
    const launch = [
      "run",
      "f.visaasm",
      "--grid",
      "2,3",
      "--block",
      "8",
      "-a",
      "n=-5",
      "-a",
      "it's=hex:0102030405060708090a0b0c",
    ];
    const dumped = ["V40:u32x2", "V41:u32", "V42:u32"].flatMap((each) => ["--dump", each]);
    const { out, err, exit } = await world.ptxrun([...launch, ...dumped]);
    expect([err, exit]).toEqual(["", 0]);
    expect(out.match(/(?<=\] +)\d.*/g)).toEqual([`${0x0c0b0a09} ${0xffff_fffb}`, "2", "0"]);
  });

  it("is found beside a dump under the compilation's name, and is given by --zeinfo", async () => {
    world.write("OCL_asm1_simd32_entry_0001.visaasm", text("igc2/bmg/saxpy.visaasm"));
    const words = ["--block", "4", "-a", "a=2", "-a", "x=f32x4:iota", "-a", "y=f32x4:fill=1", "--dump", "y"];
    const runs = async (file: string, ...more: string[]) => world.ptxrun(["run", file, ...words, ...more]);
    const run = async (...more: string[]) => runs("OCL_asm1_simd32_entry_0001.visaasm", ...more);
    expect((await run()).exit).not.toBe(0);
    world.write("other.txt", text("igc2/bmg/saxpy.zeinfo"));
    expect(await run("--zeinfo", "other.txt")).toMatchObject({ err: "", exit: 0 });
    world.write("OCL_asm1.zeinfo", text("igc2/bmg/saxpy.zeinfo"));
    expect(await run()).toMatchObject({ err: "", exit: 0, out: expect.stringContaining("1.0 3.0 5.0 7.0") });
    // What the compiler has dumped when it began again has a number more.
    world.write("OCL_asm1_1_simd32_entry_0001.visaasm", text("igc2/bmg/saxpy.visaasm"));
    expect(await runs("OCL_asm1_1_simd32_entry_0001.visaasm")).toMatchObject({ err: "", exit: 0 });
  });

  it("is in the program that was compiled, whose variables a run asks for by that", async () => {
    for (const [end, bytes] of besides("igc2/bmg", "variables")) world.write(`variables.${end}`, bytes);
    const words = ["run", "variables.visaasm", "--block", "64", "-a", "out=s32x64"];
    expect((await world.ptxrun(words)).exit).toBe(0);
    world.write("elsewhere.bin", readFileSync(join(world.folder, "variables.progbin")));
    world.write("variables.progbin", "");
    const { err, exit } = await world.ptxrun(words);
    expect([err, exit]).toEqual([expect.stringMatching(/global_base is 0[\s\S]*--zeinfo PROGRAM\.bin/), 4]);
    expect(await world.ptxrun([...words, "--zeinfo", "elsewhere.bin"])).toMatchObject({ err: "", exit: 0 });
  });

  it("of another kernel or device is refused", async () => {
    world.write("a.visaasm", text("igc2/bmg/saxpy.visaasm"));
    world.write("a.zeinfo", text("igc2/bmg/add.zeinfo"));
    expect((await world.ptxrun(["lint", "a.visaasm"])).err).toContain("error PTX8402: a.zeinfo has no kernel saxpy");
    world.write("a.zeinfo", text("igc2/bmg/saxpy.zeinfo").replace(/simd_size: +32/, "simd_size: 16"));
    expect((await world.ptxrun(["lint", "a.visaasm"])).err).toContain(
      "warning PTX8402: a.zeinfo describes 16 work-items",
    );
    world.write("a.zeinfo", text("igc2/bmg/saxpy.zeinfo").replace(/(arg_byvalue\n +offset: +)\d+/, "$1480"));
    expect((await world.ptxrun(["lint", "a.visaasm"])).err).toMatch(
      /warning PTX8403: a.zeinfo says nothing of V\d+, from byte \d+/,
    );
    // An address where the dump has 4 bytes: the dump is one that the compiler has thrown away.
    const other = text("igc2/bmg/saxpy.zeinfo").replace(/arg_byvalue(\n.*\n +size: +)4/, "private_base_stateless$18");
    world.write("a.zeinfo", other);
    expect((await world.ptxrun(["lint", "a.visaasm"])).err).toMatch(/warning PTX8403: a.zeinfo says nothing of V0034/);
    expect((await world.ptxrun(["run", "a.visaasm", "--block", "1"])).err).toContain("PTX3002");
    world.write("a.zeinfo", "kernels: 1");
    expect((await world.ptxrun(["lint", "a.visaasm"])).err).toContain("error PTX8401: kernels is no list");
    expect((await world.ptxrun(["run", "a.visaasm", "--zeinfo", "nowhere"])).err).toContain("PTX2011");
    world.write("a.ptx", ".version 8.0\n.target sm_90\n.visible .entry k() { ret; }");
    expect((await world.ptxrun(["run", "a.ptx", "--zeinfo", "a.zeinfo"])).err).toContain(
      "PTX2003: --zeinfo is for vISA",
    );
  });

  it("gives each pointer to local memory its own part, behind the kernel's own arrays", async () => {
    const local = (at: number, argument: number): string =>
      `      - arg_type:        arg_bypointer\n        offset:          ${at}\n        size:            4\n        arg_index:       ${argument}\n        addrmode:        slm\n        addrspace:       local`;
    const inputs =
      ".decl V40 v_type=G type=ud num_elts=1\n.decl V41 v_type=G type=ud num_elts=1\n.decl V42 v_type=G type=ud num_elts=8\n.input V40 offset=32 size=4\n.input V41 offset=36 size=4";
    const store = "    lsc_store.slm (M1, 1) flat[V40]:a32 V42:d32\n    ret (M1, 1)";
    world.write("f.visaasm", dump("4.2", inputs, store));
    world.write(
      "f.zeinfo",
      zeinfo(`${local(0, 0)}\n${local(4, 1)}`).replace("simd_size:", "slm_size: 256\n      simd_size:"),
    );
    const run = async (...more: string[]) =>
      (
        await world.ptxrun(["run", "f.visaasm", "--block", "8", ...more, "--dump", "V40:u32", "--dump", "V41:u32"])
      ).out.match(/\b\d+$/gm);
    expect(await run()).toEqual(["256", `${256 + (65536 - 256) / 2}`]);
    // In bytes; what has none shares the rest.
    expect(await run("-a", "n=100", "-a", "it's=128")).toEqual(["256", "384"]);
    expect(await run("-a", "n=0", "-a", "it's=128")).toEqual(["256", `${65536 - 128}`]);
  });
});

describe("without a .zeinfo", () => {
  const triple = (name: string, at: number): string =>
    `.decl ${name} v_type=G type=d num_elts=3 align=dword\n.input ${name} offset=${at} size=12\n`;

  it("a single size is taken for the local size, and that is said", async () => {
    for (const version of ["4.1", "4.2"]) {
      world.write(
        "g.visaasm",
        dump(version, `.decl V42 v_type=G type=uq num_elts=1\n.input V42 offset=32 size=8\n${triple("V37", 40)}`),
      );
      const { err, exit } = await world.ptxrun(["run", "g.visaasm", "--grid", "3", "--block", "8", "-a", "0=s32x4"]);
      expect([err, exit]).toEqual([expect.stringContaining("note PTX2213: V37 is taken for the local size"), 0]);
      expect(err).toContain("or give x, y and z: -a V37=64,1,1");
    }
  });

  it("IGC 2 puts the offset and the local size before the arguments, IGC 1 a header", async () => {
    world.write(
      "g.visaasm",
      dump(
        "4.2",
        `${triple("V36", 32)}${triple("V37", 44)}.decl V42 v_type=G type=uq num_elts=1\n.input V42 offset=56 size=8\n`,
      ),
    );
    const { err, out, exit } = await world.ptxrun([
      "run",
      "g.visaasm",
      "--grid",
      "3",
      "--block",
      "8",
      "-a",
      "0=s32x4",
      "--dump",
      "V36:u32x3",
      "--dump",
      "V37:u32x3",
    ]);
    expect([err, exit]).toEqual(["", 0]);
    expect(out.match(/\[0\] .*/g)).toEqual(["[0] 0 0 0", "[0] 8 1 1"]);
  });

  it("ids along as many axes as the kernel has bytes for them", () => {
    const { value: module } = new Device().module(text("igc2/bmg/saxpy.visaasm"));
    const { fills, assumed } = module!.kernel("saxpy").value!.program.simd!;
    expect(fills.filter(({ of }) => of === "local id").map(({ axis, count }) => [axis, count])).toEqual([[0, 32]]);
    expect(assumed).toEqual([]);
  });

  it("handles of surfaces are taken for those of the pointers, in their order, and that is said", async () => {
    world.write("s.visaasm", text("igc2/dg2/saxpy.visaasm"));
    const words = ["-a", "0=f32x4:iota", "-a", "1=f32x4:fill=1", "-a", "2=2", "--dump", "1"];
    const { err, out } = await world.ptxrun(["run", "s.visaasm", "--block", "4", ...words]);
    expect(out).toContain("1.0 3.0 5.0 7.0");
    expect(err.match(/is taken for the surface of V\d+/g)).toHaveLength(2);
    expect(err).toContain("--zeinfo FILE");
  });
});

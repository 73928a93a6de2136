import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import runSchema from "../../../schema/run-1.json" with { type: "json" };
import traceSchema from "../../../schema/trace-1.json" with { type: "json" };
import { quotedWords, shellLine } from "../../../src/cli/shell-line.ts";
import { answer } from "./conversation.ts";
import { violations } from "./json-schema.ts";
import { World } from "./world.ts";

const program = readFileSync(join(import.meta.dirname, "repl/names.ptx"), "utf8");
const head = ".version 8.0\n.target sm_80\n.address_size 64\n";
const many = (count: number): string =>
  head + Array.from({ length: count }, (_, at) => `.visible .entry _Z6kernelILi${at}EEvv() { ret; }\n`).join("");
const world = new World()
  .write("names.ptx", program)
  .write("many.ptx", many(1000))
  .write("functions.ptx", `${head}.func f() { ret; }\n`)
  .write("plain.ptx", `${head}.visible .entry plain() { trap; }\n`);
afterAll(() => world.remove());
const run = (...argv: string[]) => world.ptxrun(argv);

describe("--entry", () => {
  it.each(["matmul<float>", "_Z6matmulIfEvPT_i", "void matmul<float>( float *, int )", "<float>"])(
    "takes %s",
    async (name) => {
      const { exit, out } = await run("names.ptx", "--entry", name, "-a", "0=f32x2:1,0", "-a", "1=0", "-q");
      expect([exit, out]).toEqual([0, "_Z6matmulIfEvPT_i_param_0  f32x2  1.0 2.0\n"]);
    },
  );

  it("names the candidates for a part of several names", async () => {
    const { exit, err } = await run("names.ptx", "--entry", "matmul");
    expect(exit).toBe(2);
    expect(err).toBe(
      "error PTX2204: matmul may be 2 kernels\n  = expected: 'matmul<float>', 'matmul<double>'\n  = help: --entry '?' lists them all\n",
    );
  });

  it("names a close one, as a shell takes it", async () => {
    const { exit, err } = await run("trace", "names.ptx", "--entry", "matmul<flaot>");
    expect(exit).toBe(2);
    expect(err).toContain("error PTX2203: the module has no kernel matmul<flaot>\n");
    expect(err).toContain("= help: did you mean 'matmul<float>'?\n  = help: --entry '?' lists them all\n");
  });

  it("names a dozen of a thousand", async () => {
    for (const argv of [[], ["--entry", "kernel"], ["--entry", "nothing"]]) {
      const { exit, err } = await run("many.ptx", ...argv);
      expect(exit).toBe(2);
      expect(err).toContain("'kernel<11>', or one of 988 more");
      expect(err.length).toBeLessThan(700);
    }
    expect((await run("many.ptx", "--entry", "kernel<11>")).exit).toBe(0);
  });

  it("takes quoted names in args: of a check", async () => {
    for (const name of ["'matmul<float>'", "matmul<float>", '"matmul<float>(float*, int)"']) {
      world.write("checked.ptx", `//@ args: --entry ${name}\n//@ case one: 0=f32x2:1,0 1=0 -> 0=1.0,2.0\n${program}`);
      expect(await run("check", "checked.ptx")).toMatchObject({ exit: 0 });
    }
    world.write(
      "checked.ptx",
      `//@ args: --entry 'matmul<float>'\n//@ case one: 0=f32x2:1,0 1=0 -> 0=1.0,3.0\n${program}`,
    );
    expect((await run("check", "checked.ptx")).out).toContain("repeat: ptxrun checked.ptx --entry 'matmul<float>' -a");
  });
});

describe("--entry ?", () => {
  it.each([[[]], [["run"]], [["trace"]], [["repl"]]])("lists what there is: %j", async (command) => {
    const { exit, out, err } = await run(...command, "names.ptx", "--entry", "?");
    expect([exit, err]).toEqual([0, ""]);
    expect(out.split("\n")).toEqual([
      ".entry  matmul<float>(float*, int)        _Z6matmulIfEvPT_i",
      ".entry  matmul<double>(double*, int)      _Z6matmulIdEvPT_i",
      ".entry  ns::k(int*)                       _ZN2ns1kEPi",
      ".func   lerp<float>(float, float, float)  _Z4lerpIfET_S0_S0_S0_",
      "",
    ]);
  });

  it("writes an object with --json", async () => {
    const { exit, out } = await run("names.ptx", "--entry", "?", "--json");
    const value = JSON.parse(out);
    expect([exit, violations(value, runSchema)]).toEqual([0, []]);
    expect(value.kernels[2]).toEqual({ name: "_ZN2ns1kEPi", demangled: "ns::k(int*)" });
  });

  it("lists names that are not mangled once, and all of a thousand", async () => {
    expect((await run("plain.ptx", "--entry", "?")).out).toBe(".entry  plain\n");
    expect((await run("many.ptx", "--entry", "?")).out.split("\n")).toHaveLength(1001);
  });

  it("says that a snippet has none, and what is wrong with a file", async () => {
    expect(await run("-e", "not.b32 d, a;", "--entry", "?")).toMatchObject({ exit: 0, out: "" });
    expect(await run("nothing.ptx", "--entry", "?")).toMatchObject({ exit: 2, out: "" });
    world.write("wrong.ptx", `${head}.visible .entry`);
    expect(await run("wrong.ptx", "--entry", "?")).toMatchObject({ exit: 3, out: "" });
  });
});

describe("--list", () => {
  const built = join(import.meta.dirname, "../host/container");

  it("shows the modules of a program, of a text, and of a file without any", async () => {
    expect(await run(join(built, "ptx.fatbin"), "--list")).toEqual({
      exit: 0,
      err: "",
      out: [
        "machine code for sm_80, at byte 16\n    scale(float*)\n",
        "PTX 9.0 for sm_80, zstd, at byte 4024\n    scale(float*)\n",
        "machine code for sm_90, at byte 4552\n    scale(float*)\n",
        "PTX 9.0 for sm_90, zstd, at byte 9144\n    scale(float*)\n",
      ].join(""),
    });
    expect((await run(join(built, "sm_80-lineinfo.cubin"), "--list")).out).toBe(
      "machine code for sm_80, at byte 0, with its PTX 9.0\n    scale(float*)\n",
    );
    expect((await run("plain.ptx", "--list")).out).toBe("PTX 8.0 for sm_80, at byte 0\n    plain\n");
    expect(await run("-e", "not.b32 d, a;", "--list")).toMatchObject({ exit: 0, out: "", err: "there is no module\n" });
    expect(await run("nothing.ptx", "--list")).toMatchObject({ exit: 2, out: "" });
  });

  it("writes an object with --json, and a file with --output", async () => {
    const { out } = await run(join(built, "ptx.o"), "--list", "--json");
    expect(violations(JSON.parse(out), runSchema)).toEqual([]);
    expect(JSON.parse(out).modules[1]).toEqual({
      kind: "PTX",
      target: "sm_80",
      version: "9.0",
      offset: 5064,
      packing: "zstd",
      kernels: [{ name: "_Z5scalePf", demangled: "scale(float*)" }],
    });
    expect(await run("plain.ptx", "--list", "-o", "list")).toEqual({ exit: 0, out: "", err: "" });
  });

  it("has what lint, diff and check of such a file see", async () => {
    const [o, so] = [join(built, "ptx.o"), join(built, "lineinfo.so")];
    expect((await run("lint", o, so)).out).toBe("2 files: 0 errors, 0 warnings, 0 notes\n");
    const values = ["--entry", "scale", "-a", "0=f32x1:2"];
    expect((await run("diff", o, so, ...values)).exit).toBe(0);
    expect((await run(o, ...values, "-d", "0", "-q")).out).toContain("3.0");
    expect((await run(o, "--target", "sm_70", ...values)).err).toContain("has no PTX for sm_70 or older");
    expect((await run(join(built, "sm_90.cubin"))).err).toContain("PTX2241");
  });
});

describe("a text of several modules", () => {
  const module = (target: string, body: string): string =>
    `.version 8.0\n.target ${target}\n.address_size 64\n.global .u32 g = ${target.slice(3)};\n${body}`;
  const kernel = (name: string): string =>
    `.visible .entry ${name}(.param .u64 p) {\n.reg .b64 a; .reg .b32 r;\nld.param.u64 a, [p];\nld.global.u32 r, [g];\nst.global.u32 [a], r;\nret;\n}\n`;
  const value = async (file: string, ...argv: string[]) => {
    const { out, err } = await run(file, "-a", "p=u32x1:0", "-d", "p", ...argv);
    return [/\[0\] (\d+)/.exec(out)?.[1], /PTX9019.*/.exec(err)?.[0]];
  };
  world
    .write("several.ptx", module("sm_80", kernel("first")) + module("sm_75", kernel("second")))
    .write(
      "targets.ptx",
      ["sm_80", "sm_90"]
        .map(
          (target) =>
            `\nFatbin ptx code:\n================\narch = ${target}\ncode version = [8,0]\nhost = linux\ncompile_size = 64bit\ncompressed\nidentifier = a.cu\n\n${module(target, kernel("k"))}`,
        )
        .join(""),
    );

  it("has the kernels of all, each with the variables of its own module", async () => {
    expect(await value("several.ptx", "--entry", "first")).toEqual(["80", undefined]);
    expect(await value("several.ptx", "--entry", "second")).toEqual(["75", undefined]);
    expect((await run("several.ptx", "--entry", "second", "-a", "p=u32x1:0", "-d", "g@2")).out).toContain("75");
    expect((await run("several.ptx", "--entry", "?")).out).toBe(".entry  first\n.entry  second\n");
    expect((await run("several.ptx", "--list")).out).toContain("PTX 8.0 for sm_75, at byte ");
    expect((await run("lint", "several.ptx")).exit).toBe(0);
  });

  it("loses no kernel that one module alone has", async () => {
    const own = kernel("k") + kernel("own");
    world.write("both.ptx", module("sm_80", own) + module("sm_90", kernel("k")));
    expect((await value("both.ptx", "--entry", "k"))[0]).toBe("90");
    expect((await value("both.ptx", "--entry", "own"))[0]).toBe("80");
    expect((await run("both.ptx", "--entry", "?")).out).toBe(".entry  own\n.entry  k\n");
  });

  it("gives a kernel that several have for the newest target, or for the newest up to --target", async () => {
    expect(await value("targets.ptx")).toEqual([
      "90",
      "PTX9019: k of the module for sm_80 is passed over: that for sm_90 has it too",
    ]);
    for (const target of ["sm_80", "sm_86"])
      expect(await value("targets.ptx", "--target", target)).toEqual([
        "80",
        "PTX9019: k of the module for sm_90 is passed over: that for sm_80 has it too",
      ]);
    expect((await run("targets.ptx", "-a", "p=u32x1:0")).err).toContain("cuobjdump's headings are ignored");
  });
});

describe("mangled names", () => {
  const argv = ["names.ptx", "--entry", "matmul<float>", "-a", "0=f32x1:1", "-a", "1=0"];

  it("are short in faults", async () => {
    const { exit, err } = await run(...argv);
    expect(exit).toBe(4);
    expect(err).toContain("just past the end of matmul<float>(...)_param_0 (4 bytes)");
  });

  it("stay in JSON, with what they stand for", async () => {
    const { out } = await run(...argv, "--json");
    const value = JSON.parse(out);
    expect(violations(value, runSchema)).toEqual([]);
    expect(value).toMatchObject({ kernel: "_Z6matmulIfEvPT_i", demangled: "void matmul<float>(float*, int)" });
    expect(value.diagnostics[0].message).toContain("past the end of _Z6matmulIfEvPT_i_param_0 (4 bytes)");
    expect(JSON.parse((await run("plain.ptx", "--json")).out)).not.toHaveProperty("demangled");
    const [first = ""] = (await run("trace", ...argv)).out.split("\n");
    expect(violations(JSON.parse(first), traceSchema)).toEqual([]);
    expect(JSON.parse(first)).toMatchObject({
      kernel: "_Z6matmulIfEvPT_i",
      demangled: "void matmul<float>(float*, int)",
    });
  });

  it("are short where a text has the declarations in their place", async () => {
    const declared = program
      .replaceAll("_Z6matmulIfEvPT_i", "void matmul<float>(float*, int)")
      .replaceAll("_Z4lerpIfET_S0_S0_S0_", "float lerp<float>(float, float, float)");
    world.write("declared.ptx", declared);
    for (const name of ["matmul<float>", "_Z6matmulIfEvPT_i", "void matmul<float>(float*,int)"]) {
      const { exit, err } = await run("declared.ptx", "--entry", name, "-a", "0=f32x1:1", "-a", "1=0", "-q");
      expect(exit).toBe(4);
      expect(err).toContain("just past the end of matmul<float>(...)_param_0 (4 bytes)");
    }
    const lines = await answer(world, ["declared.ptx", "--entry", "matmul<float>"], "break lerp");
    expect(lines.join("\n")).toContain("breakpoint 1 at lerp<float>(...)");
  });

  it("need not be typed in the REPL", async () => {
    const says = async (line: string) => (await answer(world, ["names.ptx", "--entry", "<float>"], line)).join("\n");
    expect(await says("break lerpp")).toContain("did you mean lerp?");
    expect(await says("break float")).toContain("float may be several");
  });
});

describe("the words of a line", () => {
  it("are those of a shell", () => {
    expect(shellLine("a 'b c'd \"e'\\\"f\" g\\ h ").map(({ text }) => text)).toEqual(["a", "b cd", "e'\"f", "g h", ""]);
    expect(shellLine("x 'y z")).toEqual([
      { text: "x", start: 0 },
      { text: "y z", start: 2, open: "'" },
    ]);
  });

  it("have no backslashes in files, and quotes only in pairs", () => {
    expect(quotedWords(" a\\b 'c d'  ")).toEqual(["a\\b", "c d"]);
    expect(quotedWords("it's b")).toEqual(["it's", "b"]);
    expect(quotedWords("")).toEqual([]);
  });
});

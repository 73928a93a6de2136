import { describe, expect, it } from "vitest";
import { Device, must } from "../../../src/host/index.ts";
import { linked } from "../../../src/host/module/linked.ts";
import { Source } from "../../../src/source/source.ts";

const head = (version = "8.0", target = "sm_80"): string =>
  `.version ${version}\n.target ${target}\n.address_size 64\n`;
const link = (...texts: readonly string[]) =>
  linked(
    texts.map((text, at) => new Source(`${"abc"[at]}.ptx`, text)),
    "linked",
  );
const errors = (...texts: readonly string[]): readonly string[] =>
  link(...texts).diagnostics.map(({ code, message, source }) => `${source?.name} ${code} ${message}`);

/** What a kernel of the linked modules stores. */
function result(...texts: readonly string[]): number | bigint | undefined {
  const device = new Device();
  const to = device.buffer(new Uint32Array(1));
  must(must(must(device.module(must(link(...texts)))).kernel("k")).launch({ args: [to] }));
  return to.toArray("u32")[0];
}

const kernel = (body: string, before = ""): string =>
  `${head()}${before}\n.visible .entry k(.param .u64 to) {\n.reg .b64 a; .reg .b32 v, w;\nld.param.u64 a, [to];\n${body}\nst.global.u32 [a], v;\nret;\n}\n`;
const call = (name: string): string => `{ .param .b32 q; call (q), ${name}, (); ld.param.b32 v, [q]; }`;
const func = (linkage: string, name: string, value: string | number): string =>
  `${linkage} .func (.param .b32 r) ${name} () { .reg .b32 v; mov.u32 v, ${value}; st.param.b32 [r], v; ret; }\n`;
const declared = (name: string): string => `.extern .func (.param .b32 r) ${name} ();\n`;

describe("linking", () => {
  it("finds functions and variables in other modules, whichever comes first", () => {
    const caller = kernel(
      `${call("f")} ld.global.u32 w, [x]; add.u32 v, v, w;`,
      `${declared("f")}.extern .global .u32 x;`,
    );
    const callee = `${head()}.visible .global .u32 x = 30;\n${func(".visible", "f", 12)}`;
    for (const texts of [[caller, callee], [callee, caller]]) expect(result(...texts)).toBe(42); // biome-ignore format: one line
  });

  it("keeps what belongs to a module apart from what has its name in another", () => {
    const own = (value: number): string => `.global .u32 x = ${value};\n${func("", "f", value)}`;
    const caller = kernel(
      `${call("f")} ld.global.u32 w, [x]; mad.lo.u32 v, v, 100, w; mov.b32 w, v; ${call("g")} mad.lo.u32 v, w, 10000, v;`,
      `${declared("g")}${own(1)}`,
    );
    const g = `.visible .func (.param .b32 r) g () { .reg .b32 v, w; { .param .b32 q; call (q), f, (); ld.param.b32 v, [q]; } ld.global.u32 w, [x]; mad.lo.u32 v, v, 100, w; st.param.b32 [r], v; ret; }\n`;
    expect(result(caller, `${head()}${own(2)}${g}`)).toBe(1_010_202);
  });

  it("does not take a register or a label of a function for the module's name", () => {
    const caller = kernel(
      "mov.u32 x, 5; mov.u32 v, x; bra y; y: add.u32 v, v, 1;",
      ".global .u32 x = 1; .global .u32 y;",
    ).replace(".reg .b64 a;", ".reg .b64 a; .reg .b32 x;");
    expect(result(caller, `${head()}.global .u32 x = 2; .global .u32 y;\n`)).toBe(6);
  });

  it("takes the first of weak definitions, a strong one before them, and the largest of common ones", () => {
    const caller = kernel(call("f"), declared("f"));
    const weak = (value: number): string => head() + func(".weak", "f", value);
    expect(result(caller, weak(1), weak(2))).toBe(1);
    expect(result(caller, weak(1), head() + func(".visible", "f", 3))).toBe(3);
    const common = (count: number): string => `${head()}.common .global .align 4 .u32 x[${count}];\n`;
    expect(must(link(common(2), common(8), common(4))).text.match(/x\[\d\]/g)).toEqual(["x[8]"]);
    expect(must(link(common(2), `${head()}.visible .global .align 4 .u32 x[3];\n`)).text.match(/x\[\d\]/g)).toEqual([
      "x[3]",
    ]);
  });

  it("puts variables behind those that their values name", () => {
    const caller = kernel(
      "ld.global.u64 a, [p]; ld.global.u32 v, [a]; ld.param.u64 a, [to];",
      ".extern .global .u64 p;",
    );
    const pointer = `${head()}.extern .global .u32 x[];\n.visible .global .u64 p = x+4;\n`;
    expect(result(caller, pointer, `${head()}.visible .global .u32 x[2] = {1, 7};\n`)).toBe(7);
  });

  it("has the newest version and target, and the lines of all", () => {
    const { text } = must(
      link(
        `${head("7.5", "sm_90")}${func(".visible", "f", 1).replace("mov", "\n.loc 1 5 0\nmov")}.file 1 "a.cu"\n`,
        `${head("8.3", "sm_80")}${func(".visible", "g", 1).replace("mov", "\n.loc 2 6 0\nmov")}.file 1 "b.cu"\n.file 2 "b.h"\n`,
      ),
    );
    expect(text).toMatch(/^\.version 8\.3\n\.target sm_90\n/);
    expect(text.match(/^\.(?:loc|file) .*$/gm)).toEqual([".loc 1 5 0", ".loc 3 6 0", '.file 1 "a.cu"', '.file 2 "b.cu"', '.file 3 "b.h"']); // biome-ignore format: one line
  });

  it("declares kernels before those that launch them from the device", () => {
    const parent = kernel(
      "mov.b64 a, child; mov.u32 v, 1; ld.param.u64 a, [to];",
      ".extern .entry child (.param .b32 p);",
    );
    expect(result(parent, `${head()}.visible .entry child(.param .b32 p) { ret; }\n`)).toBe(1);
  });

  it("does without sections of debug information", () => {
    const debug = `${kernel("mov.u32 v, 42;").replace("sm_80", "sm_80, debug")}.section .debug_abbrev { .b8 0 }\n`;
    expect(result(debug, head() + func(".visible", "f", 1))).toBe(42);
  });

  it("says what is missing, twice there, or unlike its declaration, and where", () => {
    const caller = kernel(call("f"), declared("f"));
    expect(errors(caller)).toEqual(["a.ptx PTX2260 f is defined in no module"]);
    const callee = head() + func(".visible", "f", 1);
    expect(errors(caller, callee, callee)).toEqual(["c.ptx PTX2261 f is defined in b.ptx, too"]);
    expect(errors(caller, caller, callee)).toEqual(["b.ptx PTX2261 k is defined in a.ptx, too"]);
    expect(errors(caller, callee.replace("()", "(.param .b32 n)"))).toEqual([
      "a.ptx PTX2262 f is declared as (param b32) (), and defined as (param b32) (param b32) in b.ptx",
    ]);
    const x = (size: string, linkage: string): string => `${head()}${linkage} .global .u32 x${size};\n`;
    expect(errors(x("[]", ".extern"), x("[4]", ".visible"))).toEqual([]);
    expect(errors(x("[4]", ".extern"), x("[4]", ".visible"))).toEqual([]);
    expect(errors(x("[2]", ".extern"), x("[4]", ".visible"))).toEqual([
      "a.ptx PTX2262 x is declared as global b32[2], and defined as global b32[4] in b.ptx",
    ]);
    expect(errors(`${head()}.entry k( {`, callee)[0]).toMatch(/^a\.ptx PTX1/);
  });

  it("is loaded within the limits of the text that the modules are in", () => {
    const body = "add.u32 v, v, 1;\n".repeat(20_000);
    const text = kernel(call("f"), declared("f")) + head() + func(".visible", "f", 1).replace("mov.u32 v, 1;", body);
    const codes = (maxMemory: number): readonly string[] =>
      must(new Device({ maxMemory }).module(text))
        .kernel("k")
        .diagnostics.map(({ code }) => code);
    expect([codes(1 << 22), codes(1 << 30)]).toEqual([["PTX6005"], []]);
  });

  it("leaves out NVIDIA's runtime for the device, whose functions the driver supplies", () => {
    const runtime = `${head()}${declared("cnpGetLastError")}${func(".visible", "cudaGetLastError", 7)}`;
    const user = kernel(call("cudaGetLastError"), declared("cudaGetLastError"));
    expect(result(user, runtime)).toBe(0);
  });

  it("needs no definition of the driver's functions, nor of shared memory that a launch sizes", () => {
    const print = ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n";
    const text = `${head()}${print}.extern .shared .align 16 .b8 s[];\n`;
    expect(errors(text, text + func(".visible", "f", 1))).toEqual([]);
  });
});

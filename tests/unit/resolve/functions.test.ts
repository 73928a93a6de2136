import { describe, expect, it } from "vitest";
import { codesOf, header, load, wrongIn } from "./load.ts";

const program = (text: string, name = "k") => {
  const made = load(header + text).image.kernel(name).value;
  if (!made) throw new Error(`${name} did not resolve`);
  return made;
};

describe("kernel parameters", () => {
  it("are laid out at their natural or given alignment", () => {
    const { parameters, parameterBytes } = program(
      ".entry k(.param .u8 a, .param .u32 b, .param .align 16 .b8 s[20], .param .u64 .ptr .global .align 16 p){ret;}",
    );
    expect(
      parameters.map(({ name, offset, bytes, align, aggregate }) => [name, offset, bytes, align, aggregate]),
    ).toEqual([
      ["a", 0, 1, 1, false],
      ["b", 4, 4, 4, false],
      ["s", 16, 20, 16, true],
      ["p", 40, 8, 8, false],
    ]);
    expect(parameterBytes).toBe(48);
  });

  it.each([
    ["PTX1401", ".entry f(.param .u32 a, .param .u32 a){ret;}"],
    ["PTX1403", ".entry f(.param .v4 .f32 a){ret;}"],
    ["PTX1403", ".entry f(.param .f16x2 a){ret;}"],
    ["PTX1403", ".entry f(.param .pred a){ret;}"],
    ["PTX1405", ".entry f(.param .u64 .ptr .global .align 3 a){ret;}"],
    ["PTX1406", ".entry f(.param .b8 a[]){ret;}"],
    ["PTX1407", ".entry f(.param .b8 a[32765]){ret;}"],
    ["PTX1412", ".entry f(.reg .u32 a){ret;}"],
    ["PTX1418", ".entry f(.param .samplerref a){ret;}"],
  ])("%s: %s", (code, text) => expect(wrongIn(text)).toEqual([code]));

  it("may be 4352 bytes before PTX 8.1", () => {
    const text = ".version 8.0\n.target sm_80\n.entry k(.param .b8 a[4353]) {ret;}";
    expect(load(text).diagnostics.map(({ code }) => code)).toEqual(["PTX1407"]);
  });
});

describe("functions that ptxas 13.0 takes", () => {
  it.each([
    ".func f(); .func f(){ret;}",
    ".func f(.param .b32 a); .func f(.param .b32 b){ret;}",
    ".visible .func f(); .func f(){ret;}",
    ".weak .func f(); .func f(){ret;}",
    ".extern .func f();",
    ".func f() .func f(){ret;}",
    ".func f .func f{ret;}",
    ".func f() .func f(); .func f(){ret;}",
    ".visible .func f(.param .b32 a) .visible .func f(.param .b32 b){ret;}",
    ".func (.reg .u32 r) f (.reg .u32 a) .global .u32 g; .func (.reg .u32 r) f (.reg .u32 a) {ret;}",
    '.func f() .file 1 "a" .func f(){ret;}',
    ".extern .func f() .entry k() {call f; ret;}",
    ".extern .func f()",
    ".func (.reg .u32 r, .reg .u32 s) f(){ret;}",
    ".func f(.param .b32 a, .param .align 8 .b8 v[]){ret;}",
    ".func f(){ret;} .visible .func a(); .alias a, f;",
    ".entry f(); .entry f(){ret;}",
    ".extern .entry f();",
    ".func f() .abi_preserve 8 .abi_preserve_control 2 {ret;}",
    ".entry f() .maxntid 64 .minnctapersm 2 .maxnreg 32 {ret;}",
    ".entry f() .blocksareclusters .reqntid 32 .reqnctapercluster 2 {ret;}",
  ])("%s", (text) => expect(wrongIn(text)).toEqual([]));
});

describe("functions that ptxas 13.0 does not take", () => {
  it.each([
    ["PTX1401", ".func f(){ret;} .func f(){ret;}"],
    ["PTX1401", ".func f(){ret;} .func f();"],
    ["PTX1401", ".visible .entry e(){exit;} .visible .entry e();"],
    ["PTX1401", ".func f(){ret;} .global .u32 f;"],
    ["PTX1401", ".func (.reg .u32 a) f(.reg .u32 a){ret;}"],
    ["PTX1404", ".func f(.reg .u32 a[3]){ret;}"],
    ["PTX1406", ".func (.param .b8 a[]) f(){ret;}"],
    ["PTX1409", ".func f(); .visible .func f(){ret;}"],
    ["PTX1409", ".extern .func f(){ret;}"],
    ["PTX1409", ".extern .func f() .func f(){ret;}"],
    ["PTX1102", ".entry f() .entry f(){ret;}"],
    ["PTX1101", ".func f() x"],
    ["PTX1408", ".extern .func g() .reg .b32 r;"],
    ["PTX1410", ".func f()"],
    ["PTX1410", ".func f();"],
    ["PTX1410", ".entry f();"],
    ["PTX1411", ".func f(.reg .u32 a); .func f(){ret;}"],
    ["PTX1411", ".func f(.param .b32 a); .func f(.param .u32 b){ret;}"],
    ["PTX1411", ".func f(); .entry f(){ret;}"],
    ["PTX1412", ".func (.param .b32 r, .param .b32 s) f(){ret;}"],
    ["PTX1412", ".func f(.param .u32 .ptr a){ret;}"],
    ["PTX1413", ".func f(){ret;} .alias a, f;"],
    ["PTX1413", ".func f(){ret;} .func a(){ret;} .alias a, f;"],
    ["PTX1413", ".func f(){ret;} .func a(.reg .u32 x); .alias a, f;"],
    ["PTX1413", ".func f(){ret;} .func a(); .alias a, f; .alias a, f;"],
    ["PTX1414", ".entry k() .maxntid 0 {ret;}"],
    ["PTX1414", ".entry f() .maxnreg 1,2 {ret;}"],
    ["PTX1414", ".entry f() .reqntid 32 .maxntid 16 {ret;}"],
    ["PTX1414", ".entry f() .blocksareclusters {ret;}"],
    ["PTX1415", ".entry k() .maxnctapersm 2 {ret;}"],
    ["PTX1417", '.file 1 "a.cu"\n.file 1 "b.cu"'],
    ["PTX1419", ".section .foo { .b8 256 }"],
    ["PTX1109", '.file 1 "a.cu"\n.loc 1 1 1'],
    ["PTX1419", ".entry k() {\n.loc 1 4294967296 1\nret; }"],
    ["PTX1419", ".section .s { L: .b8 0 }\n.entry k() {\n.loc 1 1 1, function_name L, inlined_at 1 1 1\nret; }"],
    ["PTX1117", ".func f(.param .u32 _) { ret; }"],
    ["PTX1117", ".func (.reg .u32 _) f() { ret; }"],
    ["PTX1117", ".extern .func (.param .u32 _) f(.param .u32 _);"],
    ["PTX1117", ".entry k() { _: ret; }"],
    ["PTX1401", ".entry k(.param .u32 _, .param .u32 _) { ret; }"],
    ["PTX1320", ".entry k(.param .u32 _) { .reg .u32 r; ld.param.u32 r, [_]; ret; }"],
    ["PTX1420", '.pragma "used_bytes_mask 4";'],
    ["PTX1420", '.pragma "foo";'],
    ["PTX1420", '.pragma "nounrollx";'],
    ["PTX1420", '.pragma "enable_smem_spilling";'],
    ["PTX1420", '.pragma "abi_param_reg";'],
    ["PTX1420", '.entry k() .pragma "frequency 1"; { ret; }'],
    ["PTX1420", '.entry k() { .pragma "frequency 0"; ret; }'],
    ["PTX1420", '.entry k() { .pragma "frequency"; ret; }'],
    ["PTX1420", '.entry k() { .pragma "used_bytes_mask 0b11"; ret; }'],
    ["PTX1420", '.entry k() { .pragma "abi_param_reg 4"; ret; }'],
    ["PTX1421", ".func f(){ call g; ret; } .func g(){ret;}"],
    ["PTX1421", ".entry f(){ .reg .b32 a; call (a), nope, (a); ret; }"],
  ])("%s: %s", (code, text) => expect(wrongIn(text)).toEqual([code]));
});

describe("what ptxas takes beside them", () => {
  it.each([
    ".entry k(.param .u32 _) { ret; }",
    ".entry k() { P: .callprototype (.param .b32 _) _ (.param .b32 _); ret; }",
    '.pragma "nounroll"; .pragma "abi_param_reg all";',
    '.entry k() .pragma "abi_param_reg 4"; { .pragma "enable_smem_spilling"; .pragma "frequency 0x10"; ret; }',
    '.entry k() {\n.pragma "used_bytes_mask 0xff";\n.loc 2 4294967295 0\nret; }',
    ".section .s { L: .b8 0 }\n.entry k() {\n.loc 1 1 1\n.loc 1 2 1, function_name L, inlined_at 1 1 1\nret; }",
  ])("%s", (text) => expect(wrongIn(text)).toEqual([]));

  it("a string that .pragma does not know, in a kernel: a warning", () => {
    const said = load(`${header}.entry k() { .pragma "foo"; ret; }`).diagnostics;
    expect(said).toMatchObject([{ code: "PTX1420", severity: "warning", message: 'unknown pragma "foo"' }]);
  });

  it("a .pragma before PTX 2.0 no string of which is known, and one before its string", () => {
    const old = ".version 1.4\n.target sm_13\n";
    expect(codesOf(`${old}.entry k() { .pragma "nounroll"; ret; }`)).toEqual(["PTX1509"]);
    const before = header.replace("9.0", "8.2").replace("sm_100a", "sm_90");
    expect(codesOf(`${before}.entry k() { .pragma "used_bytes_mask 1"; ret; }`)).toEqual(["PTX1509"]);
  });
});

describe("directives of PTX 9.3 and 9.4", () => {
  const newest = ".version 9.4\n.target sm_80\n.address_size 64\n";
  const files = '.file 1 "a.cu"\n.file 2 "a.ir"\n';
  const sources = (name: string, file: number) =>
    `.nv_intermediate_source_section { .code_block { .ir_name: "${name}" .sourceFileName: ${file} .source_begin } " .source_end } }`;

  it.each([
    '.entry k() .language "ptx", "CUDA C++", 0x7 { ret; } .func f() .language 10 { ret; }',
    ".entry k() .minperctamemory 0 { ret; }",
    ".entry k() .minperctamemory 1 { .reg .b64 a; .reg .b32 b; mov.u64 a, %perctamemoryoffset; mov.u32 b, %perctamemorysize; ret; }",
    '.entry k() .pragma "mma_throughput"; { .pragma "mma_throughput"; ret; }',
    `${files}.entry k() {\n.loc 1 1 1\n.loc_intermediate 2 1 0\nret; }\n${sources("TileIR", 2)}`,
  ])("are taken: %s", (text) => expect(codesOf(newest + text)).toEqual([]));

  it.each([
    ["PTX1414", '.entry k() .language "c" { ret; }'],
    ["PTX1414", ".entry k() .language 11 { ret; }"],
    ["PTX1101", ".entry k() .language { ret; }"],
    ["PTX1101", '.entry k() .maxntid "32" { ret; }'],
    ["PTX1109", ".func f() .minperctamemory 8 { ret; }"],
    ["PTX1306", ".entry k() { .reg .b64 a; mov.u64 a, %perctamemoryoffset; ret; }"],
    ["PTX1306", ".func f() { .reg .b32 a; mov.u32 a, %perctamemorysize; ret; }"],
    ["PTX1420", '.pragma "mma_throughput";'],
    ["PTX1420", '.func f() { .pragma "mma_throughput"; ret; }'],
    ["PTX1419", `${files}.entry k() {\n.loc_intermediate 2 1 0\nret; }`],
    ["PTX1419", `${files}.entry k() {\n.loc 1 1 1\n.loc_intermediate 2 1 0\n.loc_intermediate 2 1 1\nret; }`],
    ["PTX1419", `${files}.entry k() {\n.loc 1 1 1\n.loc_intermediate 3 1 0\nret; }`],
    ["PTX1419", files + sources("NVVM", 2)],
    ["PTX1419", files + sources("TileIR", 3)],
    ["PTX1101", ".nv_intermediate_source_section { }"],
  ])("are refused: %s: %s", (code, text) => expect(codesOf(newest + text)).toEqual([code]));

  it.each([
    ["9.2", "sm_80", "PTX1509", ".entry k() .language 3 { ret; }"],
    ["9.2", "sm_80", "PTX1509", '.entry k() { .pragma "mma_throughput"; ret; }'],
    ["9.3", "sm_80", "PTX1509", ".entry k() .minperctamemory 8 { ret; }"],
    ["9.4", "sm_75", "PTX1510", ".entry k() .minperctamemory 8 { ret; }"],
    ["9.3", "sm_80", "PTX1509", `${files}.entry k() {\n.loc 1 1 1\n.loc_intermediate 2 1 0\nret; }`],
    ["9.3", "sm_80", "PTX1509", files + sources("TileIR", 2)],
  ])("are newer than PTX %s or another target than %s: %s", (version, target, code, text) => {
    expect(codesOf(newest.replace("9.4", version).replace("sm_80", target) + text)).toEqual([code]);
  });
});

describe("launch limits", () => {
  it("come from .maxntid and .reqntid, 1 for what is not said", () => {
    expect(program(".entry k() .maxntid 32,4 {ret;}").limits).toEqual({ maxThreads: [32, 4, 1] });
    expect(program(".entry k() .reqntid 64 {ret;}").limits).toEqual({ requiredThreads: [64, 1, 1] });
    expect(program(".entry k() .reqnctapercluster 2, 3 {ret;}").limits).toEqual({ requiredCluster: [2, 3, 1] });
    expect(program(".entry k() .reqnctapercluster 0, 0, 0 {ret;}").limits).toEqual({});
  });
});

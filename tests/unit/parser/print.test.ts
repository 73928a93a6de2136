import { describe, expect, test } from "vitest";
import { print, printInstruction, printOperand } from "../../../src/parser/index.ts";
import { readVerdicts } from "../../conformance/verdict.ts";
import { share } from "../../share.ts";
import { bare, data, readModule, readSnippet } from "./read.ts";

/** Parsing what was printed gives the same tree. */
function survives(text: string): void {
  const { value, diagnostics } = readModule(text);
  expect(diagnostics).toEqual([]);
  const printed = print(value);
  const again = readModule(printed);
  expect(again.diagnostics.map(({ message }) => message)).toEqual([]);
  expect(bare(again.value)).toEqual(bare(value));
  expect(print(again.value)).toBe(printed);
}

describe("printing and parsing again", () => {
  test("every module that ptxas accepts", () => {
    for (const { text, cat } of share(readVerdicts("lexical.jsonl.gz"), 8)) if (cat === undefined) survives(text);
  });

  test.each(["plain", "debug", "lines", "rdc"])("what nvcc writes: %s", (name) => {
    survives(data(`nvcc/${name}.ptx.gz`));
  });

  test.each([
    ".global .u32 g = 1 + 2 * 3, h = (1 + 2) * 3, i = 1 - (2 - 3), j = (1 ? 2 : 3) ? 4 : 5;",
    ".global .f32 g = -(0f3F800000), h = (0f3F800000);",
    ".global .u64 p = (.s64)-1, q = (.u64)(1 + 2), r = -(1 + 2), s = - -1;",
    ".global .attribute(.managed) .align 8 .v2 .f32 g[2][3], h;",
    ".global .texref t = { width = 4, height = 1 + 2 };",
    ".common .global .u8 g[4] = {0xFF(a+1), 0xFF00(generic(a)+2), {}, 1};",
    ".weak .func (.param .b32 r) f(.reg .u32 a, .param .align 8 .b8 s[]) .noreturn .abi_preserve 8 { ret; }",
    '.entry k(.param .u64 .ptr .shared .align 4 a) .maxntid 0x10, 010 .pragma "a", "b"; ;',
    '.file 1 "a" , 3\n.file 2 "b", 3, 4\n.alias a, b;\n.pragma "x"; .entry k() {\n.loc 1 2 3\nret; }',
    '.func f() .language "ptx", 0x7, "cuda c++" .noreturn { .loc 1 2 3\n.loc_intermediate 2 4 5\nret; }',
    '.nv_intermediate_source_section { .code_block { .ir_name : "TileIR" .sourceFileName:2 .source_begin "{ ü\n*/ .source_end } }',
    ".section .debug_str { L: .b8 1, -1, .x, L+1, L-M .b16 2 }",
    '.func f() { @!p call (r), f, (a, 1, -2), p; {{ .pragma "x"; } L: } .target sm_90 M: .branchtargets L, M; bra L; }',
    ".func f() { tex.2d.v4.f32.s32 {a, b, c, d}|p, [t, s, {x, y}]; setp.eq.u32 p|_, -a, !b; ld.global.u32 a, t[i+1], t[2], t[i]; mov.u32 v.x, a + (1 ? 2 : 3); }",
  ])("%s", survives);
});

describe("one instruction", () => {
  const printed = (text: string): string => {
    const [statement] = readSnippet(text).value.statements;
    return statement?.kind === "instruction" ? printInstruction(statement) : "";
  };

  test.each([
    ["@!%p1  add .rn.f16x2\t%r1,%r2 , %r3 ;", "@!%p1 add.rn.f16x2 %r1, %r2, %r3;"],
    ["ld.global.u32 a,[ b + 4 ];", "ld.global.u32 a, [b+4];"],
    ["ld.global.u32 a,[ b + -4 ];", "ld.global.u32 a, [b+-4];"],
    ["ret  ;", "ret;"],
    ["mov.u32 a, ((1+2)*3);", "mov.u32 a, (1 + 2) * 3;"],
    ["call(r),f,(a,b);", "call (r), f, (a, b);"],
  ])("%s", (text, expected) => {
    expect(printed(text)).toBe(expected);
  });

  test("an operand by itself", () => {
    const [statement] = readSnippet("tex.2d.v4.f32.s32 {a, b}|p, [t, {x, y}];").value.statements;
    const operands = statement?.kind === "instruction" ? statement.operands : [];
    expect(operands.map(printOperand)).toEqual(["{a, b}|p", "[t, {x, y}]"]);
  });
});

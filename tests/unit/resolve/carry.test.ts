import { describe, expect, it } from "vitest";
import { header, load } from "./load.ts";

const warnings = (body: string) =>
  load(`${header}.entry k()\n{\n.reg .b32 %r<4>; .reg .pred %p;\nsetp.eq.u32 %p, 1, 2;\n${body}\nret;\n}\n`)
    .diagnostics.filter(({ severity }) => severity !== "note")
    .map(({ code, source, span }) => `${code} line ${source.position(span.start).line}`);

const set = "add.cc.u32 %r1, 1, 2;";
const read = "addc.u32 %r2, 3, 4;";

describe("the carry flag of a module's function", () => {
  it.each([
    ["set and read", `${set}\n${read}`, []],
    ["only read", `${read}\n${read}`, ["PTX9004 line 8"]],
    ["read and set by one instruction", "addc.cc.u32 %r2, 3, 4;", ["PTX9004 line 8"]],
    ["set under a predicate", `@%p ${set}\n${read}`, ["PTX9004 line 9"]],
    ["set and read under one predicate", `@%p ${set}\n@%p addc.cc.u32 %r2, 3, 4;\n@%p ${read}`, []],
    ["set and read under opposite predicates", `@%p ${set}\n@!%p ${read}`, ["PTX9004 line 9"]],
    ["set under a predicate that then changes", `@%p ${set}\nsetp.eq.u32 %p, 1, 1;\n@%p ${read}`, ["PTX9004 line 10"]],
    ["set under a predicate on one way of two", `@%p bra L;\n@%p ${set}\nL: @%p ${read}`, ["PTX9004 line 10"]],
    ["set on one way of two", `@%p bra L;\n${set}\nL: ${read}`, ["PTX9004 line 10"]],
    ["set on both ways", `@%p bra L;\n${set}\nbra M;\nL: sub.cc.u32 %r1, 1, 2;\nM: ${read}`, []],
    ["set further down, but before", `bra L;\nM: ${read}\nret;\nL: ${set}\nbra M;`, []],
    ["read where nobody comes", `ret;\n${read}`, []],
    ["kept round a loop", `${set}\nL: addc.cc.u32 %r2, 3, 4;\n@%p bra L;`, []],
  ])("%s", (_, body, expected) => expect(warnings(body)).toEqual(expected));

  it("is undefined at the start of a device function", () => {
    const text = `${header}.func f()\n{\n.reg .b32 %r;\n${read.replace("%r2", "%r")}\nret;\n}\n`;
    expect(load(text).diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["PTX9004", "warning"]]);
  });

  it("is an input of a snippet, which lint has nothing to say about", async () => {
    const { lint } = await import("../../../src/index.ts");
    expect(lint(read)).toEqual([]);
  });
});

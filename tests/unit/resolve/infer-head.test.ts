import { describe, expect, it } from "vitest";
import { parseSnippet } from "../../../src/parser/index.ts";
import { resolveSnippet } from "../../../src/resolve/index.ts";
import { Source } from "../../../src/source/source.ts";

function resolve(text: string) {
  const source = new Source("snippet", text);
  const { value, diagnostics } = resolveSnippet(source, parseSnippet(source).value);
  return { program: value, codes: diagnostics.map(({ code }) => code) };
}

/** Name, type or bytes, and offset of each parameter, in their order. */
const parameters = (text: string) =>
  resolve(text).program?.parameters.map(
    ({ name, type, bytes, align, offset, aggregate }) =>
      `${name} ${aggregate ? `${bytes} bytes, aligned to ${align}` : type} at ${offset}`,
  );

describe("the parameters of a snippet", () => {
  it.each([
    ["ld.param.u64 a, [p];", ["p u64 at 0"]],
    ["ld.param.u8 a, [c]; ld.param.f64 b, [d];", ["c u8 at 0", "d f64 at 8"]],
    // Numbers give the order, else the first use does.
    ["ld.param.u32 b, [k_param_10]; ld.param.u64 a, [k_param_2];", ["k_param_2 u64 at 0", "k_param_10 u32 at 8"]],
    ["ld.param.u32 b, [y]; ld.param.u32 a, [x];", ["y u32 at 0", "x u32 at 4"]],
    // Several loads of one: the type that says most.
    ["ld.param.b32 a, [p]; ld.param.f32 b, [p];", ["p f32 at 0"]],
    ["ld.param.b64 a, [p]; ld.param.s64 b, [p];", ["p s64 at 0"]],
    ["ld.param.u32 a, [p]; ld.param.s32 b, [p];", ["p b32 at 0"]],
    // Parts and vectors make an aggregate.
    ["ld.param.u32 a, [p+8];", ["p 12 bytes, aligned to 4 at 0"]],
    ["ld.param.u64 a, [p]; ld.param.u8 b, [p+8];", ["p 16 bytes, aligned to 8 at 0"]],
    ["ld.param.u32 a, [p]; ld.param.u64 b, [p];", ["p 8 bytes, aligned to 8 at 0"]],
    ["ld.param.u8 n, [n0]; ld.param.v4.f32 {a, b, c, d}, [p];", ["n0 u8 at 0", "p 16 bytes, aligned to 16 at 16"]],
    // Its address may be taken.
    ["mov.b64 a, p; ld.param.u32 b, [a+12]; ld.param.u32 c, [p];", ["p 16 bytes, aligned to 4 at 0"]],
    ["cvta.param.u64 a, p; ld.u32 b, [a+4];", ["p 8 bytes, aligned to 4 at 0"]],
    ["mov.b64 a, k_param_0;", ["k_param_0 b64 at 0"]],
    ["{ .reg .b32 a; ld.param.u32 a, [p]; }", ["p u32 at 0"]],
  ])("%s", (text, expected) => expect(parameters(text)).toEqual(expected));

  it.each([
    ["a register that is written", "mov.u64 a, 8; ld.param.u32 b, [a];"],
    ["a register that is read", "add.u64 b, a, 8; ld.param.u32 c, [a];"],
    ["what is declared", ".param .b32 a; ld.param.u32 b, [a];"],
    ["an address in other memory", "ld.global.u32 b, [a];"],
    ["a name that mov reads", "mov.b64 b, a;"],
    ["a pointer that is copied", "mov.b64 b, a; ld.u32 c, [b];"],
    ["an address that mapa reads", "mapa.u64 b, a, 0; ld.u32 c, [b];"],
    ["a name with a number that an instruction reads", "add.u32 b, k_param_0, 1;"],
  ])("are not %s", (_, text) => expect(parameters(text)).toEqual([]));

  it("are no registers", () => {
    const names = resolve("ld.param.u64 a, [p];").program?.registers.map(({ name }) => name);
    expect(names).toEqual(["a"]);
  });

  it("take no more than a kernel's", () => {
    expect(resolve("ld.param.u32 a, [p+32760];").codes).toEqual([]);
    expect(resolve("ld.param.u32 a, [p+32764];").codes).toContain("PTX1407");
    expect(resolve("ld.param.u32 a, [p+4000000000000];").codes).toContain("PTX1407");
  });

  it("are only read", () => {
    expect(resolve("ld.param.u32 a, [p]; st.param.u32 [p], a;").codes).toEqual(["PTX1325"]);
  });
});

describe("the results of a snippet", () => {
  const results = (text: string) =>
    resolve(text).program?.results?.map(({ name, registers }) => `${name}: ${registers.map(({ type }) => type)}`);

  it.each([
    ["st.param.f32 [r+0], a;", ["r: f32"]],
    ["st.param.b32 [f_retval1], a; st.param.s64 [f_retval0], b;", ["f_retval0: s64", "f_retval1: b32"]],
    // Compilers store a float's bits, and a struct part by part.
    ["st.param.b32 [r], a; st.param.f32 [r], b;", ["r: f32"]],
    ["st.param.v2.f32 [r], {a, b}; st.param.f32 [r+8], c;", ["r: f32,f32,f32"]],
    ["st.param.b32 [r], a; st.param.b16 [r+4], b;", ["r: b8,b8,b8,b8,b8,b8"]],
    ["{ st.param.b32 [r], 1; }", ["r: b32"]],
  ])("%s", (text, expected) => expect(results(text)).toEqual(expected));

  it.each([
    ["what is declared", ".param .b32 r; st.param.b32 [r], 1;"],
    ["a register", "mov.u64 r, 0; st.param.b32 [r], 1;"],
    ["other memory", "st.shared.b32 [r], 1;"],
    ["nothing", "add.u32 a, b, c;"],
  ])("are not %s", (_, text) => expect(results(text)).toBe(undefined));

  it("lie next to the variables of its blocks, not below them", () => {
    const { program } = resolve(".local .align 8 .b64 x; st.param.b16 [r], 1; st.local.b64 [x], 2;");
    expect(program?.variables).toMatchObject([{ name: "x", offset: 8, bytes: 8 }]);
    expect(program?.localBytes).toBe(16);
  });

  it("are no more than can be shown", () => {
    expect(resolve("st.param.b8 [r+4095], 1;").codes).toEqual([]);
    expect(resolve("st.param.b8 [r+4096], 1;").codes).toEqual(["PTX1407"]);
    expect(resolve("st.param.b8 [r+4000000000000], 1;").codes).toEqual(["PTX1407"]);
  });
});

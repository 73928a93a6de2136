import { describe, expect, test } from "vitest";
import { hover } from "../../../src/lsp/hover/hover.ts";
import { header, kernel, marked } from "./texts.ts";

const at = (text: string) => {
  const { document, offset } = marked(text);
  const found = hover(document, offset);
  return { text: found?.text ?? "", about: found && document.text.slice(found.span.start, found.span.end) };
};

describe("an instruction", () => {
  test("has its form as the manual writes it, what it means from its data, since when it is there, and where that stands", () => {
    const { text, about } = at(kernel(".reg .f32 %f<3>; fma|.rn.f32 %f0, %f1, %f2, %f1;"));
    expect(about).toBe("fma.rn.f32");
    expect(text).toContain("```ptx\nfma.rnd{.ftz}{.sat}.f32 d, a, b, c\n```");
    expect(text).toContain("`d = round");
    expect(text).toContain("- `a`: of .f32 .b32");
    expect(text).toMatch(/Since PTX 2\.0, sm_20/);
    expect(text).toContain("[PTX ISA 9.7.3 Floating Point](https://docs.nvidia.com/");
  });

  test("is the one of several that its operands choose", () => {
    const body = ".reg .b32 %r; .reg .b16 %h<2>; mov.b32|";
    expect(at(kernel(`${body} %r, {%h0, %h1};`)).text).toMatch(/mov\.\S+ d, \{?a/);
    expect(at(kernel(`${body} {%h0, %h1}, %r;`)).text).not.toBe(at(kernel(`${body} %r, 1;`)).text);
  });

  test("that is not finished has those that it may become", () => {
    expect(at(kernel("add.r|n;")).text).toContain("add{.rnd}");
    expect(at(kernel("nonsense|.f32 a;")).text).not.toContain("```ptx\nnonsense");
  });
});

describe("a name", () => {
  const body = ".reg .b32 %r<4>; mov.u32 %r1, %tid.x;\nadd.u32 %r2, %r1, %r1;\nadd.u32 %r1, %r2, 1; L: bra L;";

  test("of a register has its type and its writers", () => {
    const { text, about } = at(kernel(body.replace("%r1, %r1;", "%r1|, %r1;")));
    expect(about).toBe("%r1");
    expect(text).toContain(".reg .b32 %r1");
    expect(text).toContain("- line 6: `mov.u32 %r1, %tid.x;`\n- line 8: `add.u32 %r1, %r2, 1;`");
    expect(text).toContain("one of `%r<4>`");
  });

  test("of a special register says what it is", () => {
    expect(at(kernel(body.replace("%tid.x", "%t|id.x"))).text).toContain(
      "special register, .u32, with components .x .y .z",
    );
    expect(at(kernel(body.replace("%tid.x", "%tid.|x"))).about).toBe("%tid.x");
  });

  test("of a label, a parameter, a variable and a function", () => {
    expect(at(kernel(body.replace("bra L", "bra |L"))).text).toContain("label in line 8, named in line 8");
    expect(at(kernel(".reg .b64 a; ld.param.u64 a, [|p];")).text).toContain(".param .u64 p");
    expect(at(`${header()}.global .b32 g[4];\n.entry k() { .reg .b64 a; mov.u64 a, g|; }`).text).toContain(
      ".global .b32 g[4];",
    );
    const call = `${header()}.func (.reg .b32 y) twice(.reg .b32 x) { ret; }\n.entry k() { .reg .b32 a; call (a), tw|ice, (a); }`;
    expect(at(call).text).toContain(".func (.reg .b32 y) twice(.reg .b32 x)");
  });

  test("that nothing declares has the type that follows from its uses", () => {
    expect(at("cvt.u64.u32 wide, narrow;\nadd.u64 wi|de, wide, 1;").text).toContain(".reg .b64 wide");
  });
});

test("constants are evaluated", () => {
  expect(at(kernel(".reg .f32 f; mov.f32 f, 0f3F|800000;")).text).toBe("`0f3F800000` = 1.0 (.f32, bits `0x3f800000`)");
  expect(at(kernel(".reg .b32 r; mov.b32 r, 4 * 8| + 1;")).text).toBe("`8` = 8 (`0x8`)  \n`4 * 8 + 1` = 33 (`0x21`)");
  expect(at(kernel(".reg .b32 r; mov.b32 r, -1|;")).text).toContain("`-1` = -1 (`0xffffffffffffffff`");
});

test("directives are named, and diagnostics have their pages", () => {
  expect(at(".version 8.0\n.tar|get sm_80\n.entry k() { ret; }").text).toContain("PTX ISA 11.1.2");
  const wrong = at(kernel(".reg .b16 h; add.u32 h|, h, h;")).text;
  expect(wrong).toContain("**PTX1302: register of a wrong type**");
  expect(wrong).toContain("written by");
});

test("nothing is said of blanks, comments and strings", () => {
  for (const text of [kernel("   |   "), kernel("// add.f|32"), `${header()}.file 1 "a|dd.cu"\n.entry k() { ret; }`])
    expect(at(text).text).toBe("");
});

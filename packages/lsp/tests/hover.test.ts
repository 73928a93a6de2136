import { describe, expect, test } from "vitest";
import { completions as completionsOf, match } from "../../../src/isa/index.ts";
import { Document } from "../src/document.ts";
import { diagnosticTexts } from "../src/hover/diagnostic.ts";
import { hover } from "../src/hover/hover.ts";
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
    expect(at(kernel(body.replace("bra L", "bra |L"))).text).toContain("label on line 8, named on line 8");
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

describe("constants", () => {
  test.each<[text: string, expected: string]>([
    // A signed exponent is part of a number (PTX ISA 4.5.2); 0x3a83126f is 0.001 in binary32.
    ["mov.f64 d, 1e|-3;", "`1e-3` = 0.001 (.f64, bits `0x3f50624dd2f1a9fc`)"],
    ["mov.f64 d, 0d3FF00000000000|00;", "`0d3FF0000000000000` = 1.0 (.f64, bits `0x3ff0000000000000`)"],
    ["mov.f32 d, 0f0000000|1;", "`0f00000001` = 1e-45 (.f32, bits `0x00000001`)"],
    ["mov.b32 d, |7;", "`7` = 7 (`0x7`)"],
    ["mov.b32 d, 7|;", "`7` = 7 (`0x7`)"],
    ["mov.b32 d, 0|;", "`0` = 0 (`0x0`)"],
    [".const .b32 t[2] = {1, 2| + 3};", "`2` = 2 (`0x2`)  \n`2 + 3` = 5 (`0x5`)"],
    ["ld.b32 r, [2| + 3];", "`2` = 2 (`0x2`)  \n`2 + 3` = 5 (`0x5`)"],
    ["mov.b64 q, {1, 2| << 4};", "`2` = 2 (`0x2`)  \n`2 << 4` = 32 (`0x20`)"],
    [
      "mov.b64 q, -(1| + 1);",
      "`1` = 1 (`0x1`)  \n`-(1 + 1)` = -2 (`0xfffffffffffffffe`, unsigned 18446744073709551614)",
    ],
    ["bra 1| + nothing;", "`1` = 1 (`0x1`)"],
  ])("%j are evaluated", (text, expected) => expect(at(text).text.split("\n\n---")[0]).toBe(expected));
});

describe("diagnostics at an offset", () => {
  const texts = (spans: readonly (readonly [string, number, number])[], offset: number) => {
    const diagnostics = spans.map(([code, start, end]) => ({ code, span: { start, end } }));
    return diagnosticTexts({ diagnostics } as never, offset).map(({ text, span }) => [text.slice(2, 9), span.start]);
  };
  test("are those whose first character to behind whose last one it is, each code once", () => {
    const spans = [
      ["PTX1302", 2, 4],
      ["PTX1302", 4, 6],
      ["PTX1320", 4, 4],
    ] as const;
    expect([1, 2, 4, 5, 6, 7].map((offset) => texts(spans, offset))).toEqual([
      ...[[], [["PTX1302", 2]]],
      [
        ["PTX1302", 2],
        ["PTX1320", 4],
      ],
      [
        ["PTX1302", 4],
        ["PTX1320", 4],
      ],
      ...[[["PTX1302", 4]], []],
    ]);
  });

  test("have a wrong and a right example where their page has, and are nothing without a page", () => {
    expect(texts([["PTX0000", 0, 9]], 1)).toEqual([]);
    const [found] = diagnosticTexts({ diagnostics: [{ code: "PTX1302", span: { start: 0, end: 1 } }] } as never, 0);
    expect(found?.text).toMatch(/\n\nwrong:\n```ptx\n[^`]+\n```\n\nright:\n```ptx\n[^`]+\n```$/);
  });
});

describe("an opcode that is not finished", () => {
  test("lists six forms at most, and says how many there are besides", () => {
    const forms = (mnemonic: string) => completionsOf(mnemonic, []).length;
    for (const mnemonic of ["add", "cvt", "mov", "fma", "prefetchu"]) {
      const { text } = at(kernel(`${mnemonic}|;`));
      const lines = /^```ptx\n([\s\S]*?)\n```/.exec(text)?.[1]?.split("\n") ?? [];
      if (match(mnemonic, []).kind === "forms") continue;
      expect(lines.length, mnemonic).toBe(Math.min(6, forms(mnemonic)));
      const more = /and (\d+) more forms/.exec(text)?.[1];
      expect(Number(more ?? 0), mnemonic).toBe(Math.max(0, forms(mnemonic) - 6));
    }
  });

  test("has all of its forms where it is one of several", () => {
    const { text, about } = at(kernel("ld.global.b3|2;"));
    expect(about).toBe("ld.global.b32");
    expect(text).toContain("Since PTX");
  });
});

describe("what an offset is about", () => {
  const about = (text: string) => at(text).about;
  test.each<[text: string, expected: string | undefined]>([
    ["|not.b32 a, b;", "not.b32"],
    ["not|.b32 a, b;", "not.b32"],
    ["not.b32| a, b;", "not.b32"],
    ["not.b32 |a, b;", "a"],
    ["not.b32 a|, b;", "a"],
    ["not.b32 a,| b;", undefined],
    ["@p| ret;", "p"],
    ["@p |ret;", "ret"],
    ["mov.u32 a, |%tid.x;", "%tid"],
    ["mov.u32 a, %tid.x|;", "%tid.x"],
    ["mov.u32 a, WARP_S|Z;", undefined],
  ])("of %j is %j", (text, expected) => expect(about(text)).toBe(expected));

  test("in a head is a parameter, a directive, a function's own name", () => {
    const text = `${header()}.entry k(.param .u64 pp) { ret; }`;
    expect(about(text.replace(".entry", ".ent|ry"))).toBe(".entry");
    expect(about(text.replace("pp", "p|p"))).toBe("pp");
    expect(about(text.replace("k(", "k|("))).toBe("k");
    expect(about(text.replace("u64", "u6|4"))).toBeUndefined();
  });
});

test("a special register says since when it is there, and whether it changes", () => {
  // PTX ISA 10: %clock64 since PTX 2.0, for sm_20.
  expect(at("mov.u64 a, %clock6|4;").text).toBe(
    "```ptx\n%clock64\n```\n\nspecial register, .u64; changes while the program runs\n\nSince PTX 2.0, sm_20. [PTX ISA 10](https://docs.nvidia.com/cuda/parallel-thread-execution/index.html#special-registers)",
  );
  expect(at("mov.u32 a, %lanei|d;").text).toContain("the same for all of a thread's life");
});

test("a form of an instruction that runs says nothing of running", () => {
  for (const each of ["add|.u32 a, b, c;", "bar|.sync 0;"])
    expect(at(kernel(each)).text).not.toContain("does not execute");
});

test("a name is said with its declaration and the line of that", () => {
  const text = `${header()}.global .b32 g[4];
.extern .func q(.param .b32 x);
.entry k(.param .u64 pp) {
  .shared .b32 s;
  .reg .b32 r; .reg .v2 .b32 v;
  ts: .branchtargets L;
  proto: .callprototype _ ();
  L: brx.idx r, ts;
  mov.b32 r, s; mov.b32 v, {r, r}; setp.eq.u32 p, r, 1; st.b32 [r], r;
  ld.param.u64 a, [pp];
}
`;
  const said = (mark: string, from = 0) => {
    const offset = text.indexOf(mark, text.indexOf(mark) + from);
    return at(`${text.slice(0, offset)}|${text.slice(offset)}`).text.split("\n\n---")[0];
  };
  const code = (line: string) => `\`\`\`ptx\n${line}\n\`\`\`\n\n`;
  expect(said("g[4]")).toBe(`${code(".global .b32 g[4];")}variable in .global, line 4\n\n16 bytes`);
  expect(said("s;")).toBe(`${code(".shared .b32 s;")}variable in .shared, line 7\n\nstored as .b32 on line 12`);
  expect(said("pp")).toBe(`${code(".param .u64 pp")}parameter in .param, line 6`);
  expect(said("pp]")).toBe(`${code(".param .u64 pp")}parameter in .param, line 6`);
  expect(said("ts:")).toBe(`${code("ts:")}list on line 9, named on line 11`);
  expect(said("proto")).toBe(`${code("proto:")}prototype on line 10, named on no line`);
  expect(said("L:")).toBe(`${code("L:")}label on line 11, named on line 9`);
  expect(said("q(")).toBe("```ptx\n.extern .func q(.param .b32 x);\n```");
  expect(said("k(")).toBe("```ptx\n.entry k(.param .u64 pp)\n```");
  expect(said("r;")).toBe(`${code(".reg .b32 r")}declared on line 8\n\nwritten by\n- line 12: \`mov.b32 r, s;\``);
  expect(said("v;")).toBe(
    `${code(".reg .v2.b32 v")}declared on line 8\n\nwritten by\n- line 12: \`mov.b32 v, {r, r};\``,
  );
});

test("writers are those that write, into one register, several of them, predicates and results", () => {
  const declared = ".reg .b32 a, b, c, d; .reg .pred x, y; .reg .b64 m;";
  const isWritten = (line: string, name: string) => {
    const text = kernel(`${declared}\n${line}`);
    return / by\n- line 7/.test(hover(new Document("t.ptx", text), text.indexOf(` ${name}`) + 1)?.text ?? "");
  };
  for (const [line, names] of [
    ["shfl.sync.up.b32 b|x, c, 1, 0, -1;", "bx"],
    ["setp.eq.u32 x|y, b, c;", "xy"],
    ["mov.b64 {b, c}, m;", "bc"],
    ["st.b32 [m], b;", ""],
    ["ld.v2.b32 {b, c}, [m];", "bc"],
    ["wmma.load.c.sync.aligned.row.m16n16k16.f16 {a, b, c, d}, [m];", "abcd"],
    ["call (b), f, (c);", "b"],
    ["@x bra b;", ""],
  ] as const)
    expect([..."abcdxy"].filter((name) => isWritten(line, name)).join(""), line).toBe(names);
});

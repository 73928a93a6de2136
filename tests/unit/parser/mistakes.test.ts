import { describe, expect, test } from "vitest";
import { HEADER, marks, readModule, readSnippet } from "./read.ts";

/** What each mistake draws: the code and the text underlined, one message a mistake. */
describe("a mistake in a statement", () => {
  test.each([
    // characters
    ["mov.u32 a, 'x';", ["PTX1001 '"]],
    ['.pragma "nounroll;\nret;', ['PTX1007 "']],
    ["#define N 4;", ["PTX1009 #"]],
    ["mov.f32 f, 1.0f;", ["PTX1008 1.0f"]],
    // separators
    ["add.u32 a, b, c\nret;", ["PTX1102 c"]],
    ["add.u32 a, b, c // ;\nret;", ["PTX1102 c"]],
    ["ld.global.u32 a, [b]\n@p bra L;", ["PTX1102 ]"]],
    ["ret\nadd.u32 a, b, c;", ["PTX1102 t"]],
    ["ret\n}", ["PTX1102 t", "PTX1105 }"]],
    ["add.u32 a b, c;", ["PTX1103 b"]],
    ["mov.b64 {a b}, c;", ["PTX1103 b"]],
    [".reg .u32 a b;", ["PTX1103 b"]],
    ["mov.u32 a, 1 2;", ["PTX1103 2"]],
    ["add.u32 a, b, c,;", ["PTX1115 ,"]],
    ["add.u32 ,a, b, c;", ["PTX1115 ,"]],
    ["add.u32 a,, b, c;", ["PTX1115 ,"]],
    [".reg .u32, a;", ["PTX1115 ,"]],
    ["ret;;", ["PTX1106 ;"]],
    [".loc 1 2 3;\nret;", ["PTX1106 ;"]],
    // brackets
    ["st.global.u32 [a, b;", ["PTX1104 ;"]],
    ["call (a), f, (b;", ["PTX1104 ;"]],
    ["mov.b64 a, {b, c;", ["PTX1104 ;"]],
    ["{ ret;", ["PTX1104 {"]],
    ["ret; }", ["PTX1105 }"]],
    // addresses
    ["ld.global.u32 a, [rd+re];", ["PTX1110 [rd+re"]],
    ["ld.global.u32 a, [rd-4];", ["PTX1110 [rd-"]],
    ["ld.global.u32 a, [rd*4];", ["PTX1110 [rd*"]],
    ["ld.global.u32 a, [4+rd];", ["PTX1110 [4+rd"]],
    ["ld.global.u32 a, [g[4]];", ["PTX1110 [g["]],
    ["ld.global.u32 a, [{b}];", ["PTX1110 [{"]],
    ["ld.global.u32 a, [b, 4];", ["PTX1110 [b, 4"]],
    // constants
    ["and.b32 x, y, ~y;", ["PTX1111 y"]],
    ["add.u32 a, b, c+d;", ["PTX1111 d"]],
    ["mov.u32 a, 1 ? 2 : b;", ["PTX1111 b"]],
    ["add.f32 f, g, -0f3F800000;", ["PTX1112 0f3F800000"]],
    ["add.f32 f, g, 1.0+0f3F800000;", ["PTX1112 0f3F800000"]],
    ["mov.u32 a, 7%3;", ["PTX1120 %3"]],
    ["mov.u64 b, (u64)1;", ["PTX1121 u64"]],
    // words
    ["add. u32 a, b, c;", ["PTX1113 ."]],
    ["add..u32 a, b, c;", ["PTX1113 ."]],
    ["if (a) b;", ["PTX1114 if"]],
    ["if (a == b) { ret; }", ["PTX1114 if"]],
    ["while (a < b) { ret; }", ["PTX1114 while"]],
    ["a = b;", ["PTX1114 a"]],
    [".REG .u32 a;", ["PTX1108 .REG"]],
    [".foo;", ["PTX1108 .foo"]],
    [".maxntid 32;", ["PTX1109 .maxntid"]],
    ['.file 1 "a"\nret;', ["PTX1109 .file"]],
    [".visible .global .u32 g;", ["PTX1109 .visible"]],
    ["add.u32: a, b, c;", ["PTX1116 .u32"]],
    ["@p.x ret;", ["PTX1116 .x"]],
    [".reg .u32 v.x;", ["PTX1116 .x"]],
    [".reg .u32 _;", ["PTX1117 _"]],
    [".reg .u32 WARP_SZ;", ["PTX1117 WARP_SZ"]],
    ["@1 ret;", ["PTX1101 1"]],
    ["@!!p ret;", ["PTX1101 !"]],
    [")", ["PTX1101 )"]],
  ])("%j", (text, expected) => {
    expect(marks(readSnippet(text).diagnostics)).toEqual(expected);
  });
});

describe("a mistake in a module", () => {
  test.each([
    [".version\n9.0\n.target sm_90\n", ["PTX1118 .version\n9.0"]],
    ["version 9.0\n.target sm_90\n", ["PTX1108 version"]],
    [`${HEADER}.file 1 "a", 12try, 09\n`, ["PTX1008 12try", "PTX1008 09"]],
    [`${HEADER}.func f() .maxntid 32 { ret; }`, ["PTX1109 .maxntid"]],
    [`${HEADER}.entry k() .noreturn { ret; }`, ["PTX1109 .noreturn"]],
    [`${HEADER}.entry k() .maxntid { ret; }`, ["PTX1101 .maxntid"]],
    [`${HEADER}.entry (.reg .u32 r) k() { ret; }`, ["PTX1101 ("]],
    [`${HEADER}.entry k(.param .u32 a,) { ret; }`, ["PTX1115 ,"]],
    [`${HEADER}.entry k(a) { ret; }`, ["PTX1101 a"]],
    [`${HEADER}.entry k() { ret; };`, ["PTX1106 ;"]],
    [`${HEADER}.entry k() { ret; } }`, ["PTX1105 }"]],
    [`${HEADER}.entry k() { ret;`, ["PTX1104 {"]],
    [`${HEADER}.global .u32 g[2][];`, ["PTX1101 []"]],
    [`${HEADER}.global .u32 g[4] = {1,2,};`, ["PTX1115 ,"]],
    [`${HEADER}.global .u32 g\n.entry k() { ret; }`, ["PTX1102 g"]],
    [`${HEADER}mov.u32 a, b; add.u32 a, b, c;\n.entry k() { ret; }`, ["PTX1101 mov.u32"]],
    [`${HEADER}{ ret; }`, ["PTX1101 { ret; }"]],
    [`${HEADER}.section .debug_str { .b8 "abc" }\n.entry k() { ret; }`, ['PTX1101 "abc"']],
    [`${HEADER}.section .debug_str { .b8 } .section foo { .b8 1 }`, ["PTX1101 }", "PTX1101 foo"]],
    [`${HEADER}.section .debug_str { .b8 1`, ["PTX1104 "]],
  ])("%j", (text, expected) => {
    expect(marks(readModule(text).diagnostics)).toEqual(expected);
  });
});

describe("one run reports every mistake, each once", () => {
  test("in a body", () => {
    const body = ["add.u32 a b, c;", "ret", "}", "sub.u32 a, [b+c], d;", "{ mov.u32 a, 'x'; }", "ret;;"].join("\n");
    expect(marks(readModule(`${HEADER}.entry k() {\n${body.replace("ret\n}\n", "ret;\n")}\n}`).diagnostics)).toEqual([
      "PTX1103 b",
      "PTX1110 [b+c",
      "PTX1001 '",
      "PTX1106 ;",
    ]);
  });

  test("in several functions, the sound ones untouched", () => {
    const { value, diagnostics } = readModule(
      `${HEADER}.entry a() { add.u32 x y; }\n.entry b(,) { ret; }\n.entry c() { ret; }\n.global .u32 g[];\n.entry d() { bra L }`,
    );
    expect(marks(diagnostics)).toEqual(["PTX1103 y", "PTX1115 ,", "PTX1102 L"]);
    expect(value.items.slice(3).map((item) => ("name" in item ? item.name.text : item.kind))).toEqual([
      "a",
      "c",
      "declaration",
      "d",
    ]);
  });

  test("a body without its brace leaves the next function alone", () => {
    const { value, diagnostics } = readModule(`${HEADER}.entry a() { { ret; }\n.entry b() { ret; }\n`);
    expect(marks(diagnostics)).toEqual(["PTX1104 {"]);
    expect(value.items.slice(3)).toMatchObject([{ name: { text: "a" } }, { name: { text: "b" } }]);
  });

  test("a function inside a body draws one message", () => {
    const { diagnostics } = readModule(`${HEADER}.entry a() {\n.func f() { ret; }\nret;\n}\n.entry b() { ret; }\n`);
    expect(marks(diagnostics)).toEqual(["PTX1104 {"]);
  });

  test("what is between mistakes is kept", () => {
    const { value } = readSnippet("add.u32 a, b, c;\nadd.u32 a b;\nL:\nsub.u32 a, b, c\nret;");
    expect(value.statements.map(({ kind }) => kind)).toEqual(["instruction", "label", "instruction"]);
  });

  test("more than a hundred is no PTX: PTX1119", () => {
    const { diagnostics } = readSnippet("add.u32 a b;\n".repeat(1000));
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)?.code).toBe("PTX1119");
  });
});

describe("a way out that a tool can take", () => {
  const repair = (text: string): string => {
    const replace = readSnippet(text).diagnostics[0]?.help?.[0]?.replace;
    if (replace === undefined) return "";
    return text.slice(0, replace.span.start) + replace.text + text.slice(replace.span.end);
  };

  test.each([
    ["ret", "ret;"],
    ["ret\nadd.u32 a, b, c;", "ret;\nadd.u32 a, b, c;"],
    ["add.u32 a, b, c\nret;", "add.u32 a, b, c;\nret;"],
    ["add.u32 a b, c;", "add.u32 a, b, c;"],
    ["add.u32 a, b, c,;", "add.u32 a, b, c;"],
    ["mov.u32 a, 7%3;", "mov.u32 a, 7% 3;"],
    ["mov.u64 a, (u64)1;", "mov.u64 a, (.u64)1;"],
    [".REG .u32 a;", ".reg .u32 a;"],
    [".rge .u32 a;", ""],
    [".regs .u32 a;", ".reg .u32 a;"],
    ["@p.x ret;", "@p ret;"],
    ["ret;;", "ret;"],
  ])("%j", (text, repaired) => {
    expect(repair(text)).toBe(repaired);
    if (repaired !== "") expect(readSnippet(repaired).diagnostics).toEqual([]);
  });

  test("the negative of 0f bits is spelled out", () => {
    const { diagnostics } = readSnippet("add.f32 f, g, -0f3F800000;");
    expect(diagnostics[0]?.help?.[0]?.message).toBe("the negative is 0fBF800000");
  });
});

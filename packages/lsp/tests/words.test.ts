import { describe, expect, it } from "vitest";
import { completions } from "../src/completion/completion.ts";
import { Document } from "../src/document.ts";
import { hover } from "../src/hover/hover.ts";
import { definition } from "../src/navigate/definition.ts";
import { references } from "../src/navigate/references.ts";
import { rename } from "../src/navigate/rename.ts";
import { folds } from "../src/outline/folding.ts";
import { inlayHints } from "../src/outline/inlay-hints.ts";
import { lenses } from "../src/outline/lenses.ts";
import { semanticTokens } from "../src/outline/semantic-tokens.ts";
import { symbols } from "../src/outline/symbols.ts";
import { quickFixes } from "../src/quick-fixes.ts";
import { signatures } from "../src/signature.ts";
import { oneLine } from "../src/text/excerpt.ts";
import { Lines } from "../src/text/lines.ts";
import { header, kernel, marked } from "./texts.ts";

const document = (text: string) => new Document("text.ptx", text);
const all = ({ text }: Document) => ({ start: 0, end: text.length });
const offered = (text: string) => {
  const { document, offset } = marked(text);
  return completions(document, offset).map(({ label }) => label);
};
const said = (text: string) => {
  const { document, offset } = marked(text);
  return hover(document, offset)?.text ?? "";
};

describe("lines", () => {
  it.each<[text: string, starts: readonly number[], ends: readonly number[]]>([
    ["", [0], [0]],
    ["ab", [0], [2]],
    ["ab\n", [0, 3], [2, 3]],
    ["a\nb\n\nc", [0, 2, 4, 5], [1, 3, 4, 6]],
    ["a\r\nb\rc\nd", [0, 3, 5, 7], [1, 4, 6, 8]],
    ["\r\n\r\n", [0, 2, 4], [0, 2, 4]],
    ["\n\r", [0, 1, 2], [0, 1, 2]],
  ])("of %j begin at %j and end at %j", (text, starts, ends) => {
    const lines = new Lines(text);
    expect(lines.count).toBe(starts.length);
    starts.forEach((start, line) => {
      expect(lines.span(line)).toEqual({ start, end: ends[line] });
      expect(lines.position(start)).toEqual({ line, character: 0 });
      expect(lines.offset({ line, character: 0 })).toBe(start);
      expect(lines.offset({ line, character: 99 })).toBe(ends[line]);
      expect(lines.offset({ line, character: -1 })).toBe(start);
    });
    expect(lines.position(-5)).toEqual({ line: 0, character: 0 });
    expect(lines.position(99)).toEqual(lines.position(text.length));
    expect(lines.offset({ line: -1, character: 3 })).toBe(0);
    expect(lines.offset({ line: 99, character: 0 })).toBe(text.length);
    expect(lines.span(99)).toEqual({ start: text.length, end: text.length });
  });

  it("of a piece become one, of 160 characters at most", () => {
    expect([oneLine("  a\n\tb  c "), oneLine("x".repeat(160)), oneLine("x".repeat(161))]).toEqual([
      ...["a b c", "x".repeat(160), `${"x".repeat(160)}...`],
    ]);
  });
});

describe("directives", () => {
  const linkage = [".const", ".entry", ".func", ".global", ".shared"];
  it.each<[text: string, expected: readonly string[]]>([
    [`${header()}.extern .|`, linkage],
    [`${header()}.weak .|`, linkage],
    [".version 8.0\n.target sm_80\n.address_size |", ["32", "64"]],
    [`${header()}.entry k(|`, [".param"]],
    [`${header()}.entry k(.param .u32 n, |`, [".param"]],
    [`${header()}.func f(|`, [".param", ".reg"]],
    [`${header()}.entry k(.param .u64 .|`, [".ptr"]],
    [`${header()}.entry k(.param .u32 .|`, []],
    [`${header()}.entry k(.param .u64 .ptr .|`, [".align", ".const", ".global", ".local", ".shared"]],
    [`${header()}.func f() .no|`, [".noreturn"]],
    [`${header()}.entry k() .no|`, []],
    [`${header()}.entry k() .max|`, [".maxnreg", ".maxntid"]],
    [kernel(".reg .v|"), [".v2", ".v4"]],
    [kernel(".reg .p|"), [".pred"]],
    [kernel(".local .p|"), []],
    [kernel(".local .al|"), [".align"]],
    [kernel(".reg .v2 .p|"), []],
    [kernel(".shared .align 4 .b3|"), [".b32"]],
    [`${header()}.global .tex|`, [".texref"]],
    [`${header()}.shared .tex|`, []],
    [kernel(".lo|"), [".loc", ".local"]],
    [kernel(".ver|"), []],
    [".lo|", [".loc", ".loc_intermediate", ".local"]],
  ])("%j may be %j", (text, expected) => expect(offered(text).toSorted()).toEqual(expected));

  it.each<[text: string, expected: RegExp]>([
    [".ver|sion 8.0\n.target sm_80\n.entry k() { ret; }", /^`\.version`: the PTX ISA version .*11\.1\.1/],
    [kernel(".re|g .b32 a;"), /^`\.reg`: registers/],
    [kernel(".shar|ed .b32 a;"), /^`\.shared`: memory of a block/],
  ])("%j are said to be what they are", (text, expected) => expect(said(text)).toMatch(expected));
});

describe("golden checks", () => {
  it.each<[text: string, expected: readonly string[]]>([
    [`//@ c|\n${kernel("ret;")}`, ["args", "case", "launch", "snapshot"]],
    [`//@ launch k: |\n${kernel("ret;")}`, ["n", "p"]],
    [`//@ case a: n=1 |\n${kernel("ret;")}`, ["n", "p"]],
    [`//@ snapshot: p|\n${kernel("ret;")}`, ["n", "p"]],
    [`//@ args: |\n${kernel("ret;")}`, []],
    [`/* a| */\n${kernel("ret;")}`, []],
  ])("%j may go on with %j", (text, expected) => expect(offered(text).toSorted()).toEqual(expected));

  it("have lenses and symbols, each with its name, and its line without what ends it", () => {
    const text = `//@ case one: n=1\r\n//@snapshot\n//@ args: x\n//@ case: y\n${kernel("ret;")}`;
    const now = document(text);
    expect(lenses(now).slice(0, 3)).toEqual([
      { title: "check", span: { start: 0, end: 17 }, case: "one" },
      { title: "check", span: { start: 19, end: 30 }, case: "snapshot" },
      { title: "check", span: { start: 43, end: 54 }, case: "case" },
    ]);
    expect(symbols(now).slice(0, 2)).toEqual([
      {
        kind: "case",
        name: "one",
        detail: "golden check",
        children: [],
        whole: { start: 0, end: 17 },
        span: { start: 0, end: 17 },
      },
      expect.objectContaining({ name: "snapshot" }),
    ]);
    expect(lenses(document("//@ case last"))).toEqual([{ title: "check", span: { start: 0, end: 13 }, case: "last" }]);
  });
});

describe("symbols", () => {
  it("have what they are, all of them and their names", () => {
    const text = `${header()}.extern .func e(.param .b32 a);\n.global .v2 .f32 g[4], h;\n.entry k(.param .u64 p)\n{\n.reg .b32 r;\n{ .shared .b32 s; L: ret; }\n}\n.section .debug { .b8 1 }\n`;
    const found = symbols(document(text));
    const flat = (each: (typeof found)[number]): unknown => [
      ...[each.kind, each.name, each.detail, text.slice(each.span.start, each.span.end)],
      each.children.map(flat),
    ];
    expect(found.map(flat)).toEqual([
      ["function", "e", "declared", "e", [["parameter", "a", ".param .b32", "a", []]]],
      ["variable", "g", ".global .v2.f32", "g", []],
      ["variable", "h", ".global .v2.f32", "h", []],
      [
        ...["kernel", "k", ".entry", "k"],
        [
          ["parameter", "p", ".param .u64", "p", []],
          ["variable", "s", ".shared .b32", "s", []],
          ["label", "L", "", "L", []],
        ],
      ],
      ["section", ".debug", "debug data", ".debug", []],
    ]);
    const [, , , last] = found;
    expect(text.slice(last?.whole.start, last?.whole.end)).toMatch(/^\.entry k[\s\S]*\n\}$/);
  });

  it("of a snippet are its labels", () => {
    expect(symbols(document("L: add.u32 d, a, b;\nM: bra L;")).map(({ name }) => name)).toEqual(["L", "M"]);
  });
});

describe("folds", () => {
  it.each<[text: string, expected: readonly object[]]>([
    ["{\n}\n", []],
    ["{\nx\n}\n", [{ start: 0, end: 1 }]],
    [
      "{ {\nx\n}\n}\n",
      [
        { start: 0, end: 2 },
        { start: 0, end: 1 },
      ],
    ],
    ["}\n{\nx\n}", [{ start: 1, end: 2 }]],
    ["// a\n", []],
    ["// a\n// b\n", [{ start: 0, end: 1, comment: true }]],
    ["// a\n\n// b\n", []],
    ["x; // a\n// b\n// c\n", [{ start: 1, end: 2, comment: true }]],
    ["// a\nx; // b\n// c\n", []],
    ["/* a */\n", []],
    ["/* a\n*/\n", [{ start: 0, end: 1, comment: true }]],
    ["x; /* a\n*/\n", []],
    ['"{"\n\n\n"}"\n', []],
    ["/* { */\n\n\n}\n", []],
    ["a / b\n{\nx\n}\n", [{ start: 1, end: 2 }]],
  ])("of %j are %j", (text, expected) => expect(folds(document(text))).toEqual(expected));
});

describe("tokens", () => {
  it.each<[text: string, expected: readonly string[]]>([
    ["add.u32 d, a, 4;", ["keyword add", "type .u32", "variable d", "variable a", "number 4"]],
    ["add: bra add;", ["label add", "keyword bra", "variable add"]],
    [
      "@p add.sat.s32 d, a, b;",
      ["variable p", "keyword add", "decorator .sat", "type .s32", "variable d", "variable a", "variable b"],
    ],
    ["@!p ret;", ["variable p", "keyword ret"]],
    ["{ ret; }", ["keyword ret"]],
    ["mov.u32 d, WARP_SZ;", ["keyword mov", "type .u32", "variable d", "macro WARP_SZ"]],
    ["mov.u32 add, %tid.x;", ["keyword mov", "type .u32", "variable add", "macro %tid", "property .x"]],
    [".reg .b32 x;", ["keyword .reg", "type .b32", "variable x"]],
    ["L: ret;", ["label L", "keyword ret"]],
    ["ret; // c", ["keyword ret", "comment // c"]],
    ['.file 1 "a.cu"', ["keyword .file", "number 1", 'string "a.cu"']],
  ])("of %j", (text, expected) => {
    const now = document(text);
    expect(semanticTokens(now, all(now)).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)).toEqual(
      expected,
    );
  });

  it("know what the module declares", () => {
    const text = `${header()}.func f(.reg .b32 x) { ret; }\n.global .b32 g;\n.entry k() { call f, (g); mov.b32 x, k; }`;
    const now = document(text);
    const words = semanticTokens(now, all(now)).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
    expect(words).toEqual(expect.arrayContaining(["function f", "parameter x", "variable g", "function k"]));
  });
});

describe("hints, signatures, fixes", () => {
  it("of types stand within the stretch that is asked for", () => {
    const text = "mul.wide.u32 d, a, 4;\nadd.u64 d, d, e;";
    const now = document(text);
    const at = (start: number, end: number) => inlayHints(now, { start, end }).map(({ offset }) => offset);
    expect(at(0, text.length)).toEqual([14, 17, 37]);
    expect([at(14, 99), at(13, 14), at(13, 17), at(16, 37), at(37, 99)]).toEqual([
      [17, 37],
      [14],
      [14, 17],
      [17, 37],
      [],
    ]);
  });

  it.each<[text: string, label: string, active: number, operand: string]>([
    ["add.f32 |a, b, c;", "add{.rnd}{.ftz}{.sat}.f32 d, a, b", 0, "d"],
    ["add.f32 a, b, |", "add{.rnd}{.ftz}{.sat}.f32 d, a, b", 2, "b"],
    ["setp.eq.u32 p, |", "setp.CmpOp.type p{|q}, a, b", 2, "a"],
    ["ret; add.u32 a, [b, |", "add.type d, a, b", 1, "a"],
  ])("%j is being written", (text, label, active, operand) => {
    const { document, offset } = marked(kernel(text));
    const [first] = signatures(document, offset);
    expect([first?.label.replace(/\{\.ftz\}\{\.sat\}|\{\.rnd\}|\{\.sat\}/g, ""), first?.active]).toEqual([
      ...[label.replace(/\{\.ftz\}\{\.sat\}|\{\.rnd\}|\{\.sat\}/g, ""), active],
    ]);
    const { start = 0, end = 0 } = first?.operands[active] ?? {};
    expect(first?.label.slice(start, end)).toBe(operand);
  });

  it("are none in comments, outside of bodies, in mnemonics", () => {
    for (const text of [kernel("// add.u32 a, |"), `${header()}add.u32 |`, kernel("|")])
      expect(signatures(...(Object.values(marked(text)) as [Document, number]))).toEqual([]);
  });

  it("are those that touch a stretch", () => {
    const now = document(kernel(".reg .b32 total;\nnot.b32 total, totl;"));
    const [fix] = quickFixes(now, all(now));
    const { start, end } = fix?.edit ?? { start: 0, end: 0 };
    expect(now.text.slice(start, end)).toBe("totl");
    const { span } = fix?.diagnostic ?? { span: { start: 0, end: 0 } };
    const count = (from: number, to: number) => quickFixes(now, { start: from, end: to }).length;
    expect([
      count(span.end, span.end),
      count(span.start, span.start),
      count(0, span.start - 1),
      count(span.end + 1, 999),
    ]).toEqual([...[1, 1, 0, 0]]);
  });
});

describe("names", () => {
  it.each<[text: string, expected: object | undefined]>([
    [`${header()}.file 1 "a.c|u"\n.entry k() { ret; }`, { file: "a.cu", line: 1, column: 1 }],
    [`${header()}.file 1 "a.cu"\n.entry k() {\n.loc 1 7 |5\nret; }`, { file: "a.cu", line: 7, column: 5 }],
    [`${header()}.file 1 "a.cu"\n.entry k() {\n.loc 2 7 |5\nret; }`, undefined],
    [kernel("re|t;"), undefined],
    ["L: bra |L;", { start: 0, end: 1 }],
  ])("%j are declared", (text, expected) => {
    const { document, offset } = marked(text);
    const found = definition(document, offset);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(expected);
  });

  it.each<[to: string, refused: RegExp]>([
    ["", /is not a name/],
    ["a b", /is not a name/],
    ["$", /is not a name/],
    ["WARP_SZ", /^WARP_SZ is a reserved name$/],
    ["_", /^_ is a reserved name$/],
    ["%r1", /^%r1 cannot stand before the numbers of a range$/],
    ["%q", /^%q is taken: a register on line 6$/],
  ])("of a range is not to be %j", (to, refused) => {
    const { document, offset } = marked(kernel(".reg .b32 %r|<4>, %q2;\nadd.u32 %r1, %r2, %q2;"));
    expect(rename(document, offset, to)).toEqual({ refused: expect.stringMatching(refused) });
  });

  it("are found at their ends, and nowhere where there is none", () => {
    const count = (text: string) => {
      const { document, offset } = marked(text);
      return references(document, offset).length;
    };
    const body = ".reg .b32 a; not.b32 a, a;";
    expect([count(kernel(body.replace("2 a,", "2 |a,"))), count(kernel(body.replace("2 a,", "2 a|,")))]).toEqual([
      3, 3,
    ]);
    expect([count(kernel(`${body} |`)), count(kernel(`${body} // a|`)), count(kernel("add|.u32 a, b, c;"))]).toEqual([
      0, 0, 0,
    ]);
  });

  it("of registers are said with their writers, eight of them", () => {
    const writers = (count: number) =>
      said(kernel(`.reg .b32 a, b;\n${"mov.b32 a, 1;\n".repeat(count)}mov.b32 b, |a;`));
    expect(writers(0)).toMatch(/written nowhere\n\n.*PTX9108/s);
    expect(writers(1)).toMatch(/declared on line 6\n\nwritten by\n- line 7: `mov\.b32 a, 1;`$/);
    expect(writers(8).match(/^- line/gm)).toHaveLength(8);
    expect(writers(8)).not.toContain("more");
    expect(writers(10).match(/^- line/gm)).toHaveLength(8);
    expect(writers(10)).toMatch(/\n- and 2 more$/);
  });

  it("of functions are said with their heads, declared or defined", () => {
    const text = (body: string) =>
      `${header()}.func (.reg .b32 y) f(.reg .b32 x)${body}\n.entry k() { .reg .b32 a; call (a), f|, (a); }`;
    expect(said(text(" { ret; }"))).toContain("```ptx\n.func (.reg .b32 y) f(.reg .b32 x)\n```");
    expect(said(`${header()}.extern ${text(";").slice(header().length)}`)).toMatch(
      /```ptx\n(?:\.extern )?\.func \(\.reg \.b32 y\) f\(\.reg \.b32 x\);?\n```/,
    );
  });

  it("of labels are said with the lines that name them", () => {
    expect(said(kernel("|L: ret;"))).toContain("label on line 6, named on no line");
    expect(said(kernel("|L: bra L;\nbra L;"))).toContain("label on line 6, named on lines 6, 7");
    expect(said(kernel(`|L: ret;\n${"bra L;\n".repeat(9)}`))).toContain(
      "named on lines 7, 8, 9, 10, 11, 12, 13, 14 ...",
    );
  });

  it.each<[text: string, expected: string]>([
    [kernel("mov.b32 r, 1| + 2;"), "`1` = 1 (`0x1`)  \n`1 + 2` = 3 (`0x3`)"],
    [kernel("mov.b32 r, {1, 2|};"), "`2` = 2 (`0x2`)"],
    [kernel("ld.global.b32 r, [a+4|];"), "`4` = 4 (`0x4`)"],
    [kernel(".reg .f64 d; mov.f64 d, 1.|5;"), "`1.5` = 1.5 (.f64, bits `0x3ff8000000000000`)"],
  ])("%j have values", (text, expected) => expect(said(text).split("\n\n---")[0]).toBe(expected));
});

it("vISA has none of what is said of PTX", () => {
  const { document: now, offset } = marked(
    '.version 3.8\n.kernel "k"\n// c\n// d\n.decl V| v_type=G type=d num_elts=16 align=GRF\n',
  );
  expect(now.kind).toBe("vISA");
  expect([inlayHints(now, all(now)), semanticTokens(now, all(now)), lenses(now), folds(now), symbols(now)]).toEqual([
    ...[[], [], [], [], []],
  ]);
  expect([signatures(now, offset), references(now, offset), hover(now, offset), definition(now, offset)]).toEqual([
    ...[[], [], undefined, undefined],
  ]);
});

it.each<[text: string, expected: readonly string[]]>([
  ["{ .param .b32 a; .reg .b32 r; .reg .pred p; .shared .b32 s; call f, (|", ["a", "r"]],
  [".reg .v2 .f32 v; .reg .v4 .f32 w; .reg .f32 f; st.global.v2.f32 [0], |", ["v"]],
  [".reg .v2 .f32 v; .reg .f32 f; st.global.v2.f32 [0], {|", ["f"]],
  [".reg .b32 r; .reg .b64 q; .local .b32 l; .shared .b32 s; ld.local.b32 r, [|", ["l", "q", "r"]],
  [".reg .b32 r; .reg .b64 q; .local .b32 l; .shared .b32 s; ld.b32 r, [|", ["l", "q", "s"]],
])("what may stand in %j is %j", (body, expected) => {
  const module = `${header()}.func f(.reg .b32 x) { ret; }\n.entry k() { ${body} ; } }\n`;
  expect(offered(module).toSorted()).toEqual(expected);
});

describe("a document", () => {
  it("counts its versions, and is read anew with other settings", () => {
    const now = new Document("t.ptx", "add.rn.f32x2 d, a, b;", { settings: { target: "sm_80" } });
    expect([now.name, now.version, now.kind, now.text.length]).toEqual(["t.ptx", 0, "snippet", 21]);
    expect(now.diagnostics.map(({ code }) => code)).toContain("PTX1212");
    now.settings = { target: "sm_100" };
    expect([now.settings, now.diagnostics]).toEqual([{ target: "sm_100" }, []]);
    now.edit([{ start: 0, end: 3, text: "sub" }]);
    expect([now.version, now.text]).toEqual([1, "sub.rn.f32x2 d, a, b;"]);
    now.edit([], 9);
    expect(now.version).toBe(9);
    now.edit([{ start: 0, end: 99, text: header() }]);
    expect([now.version, now.kind]).toEqual([10, "module"]);
  });
});

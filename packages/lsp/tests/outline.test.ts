import { expect, test } from "vitest";
import { Document } from "../src/document.ts";
import { folds } from "../src/outline/folding.ts";
import { inlayHints } from "../src/outline/inlay-hints.ts";
import { lenses } from "../src/outline/lenses.ts";
import { semanticTokens } from "../src/outline/semantic-tokens.ts";
import { symbols } from "../src/outline/symbols.ts";
import { quickFixes } from "../src/quick-fixes.ts";
import { signatures } from "../src/signature.ts";
import { visaHover } from "../src/visa/hover.ts";
import { lintVisa } from "../src/visa/lint.ts";
import { visaSymbols } from "../src/visa/outline.ts";
import { header, kernel, marked } from "./texts.ts";

const document = (text: string) => new Document("text.ptx", text);
const all = ({ text }: Document) => ({ start: 0, end: text.length });

test("symbols are what has a name and is not a register", () => {
  const text = `${header()}.global .b32 g;\n.func f(.reg .b32 x) { ret; }\n.entry k(.param .u64 p) { .reg .b32 r; .shared .b32 s; L: ret; }`;
  const found = symbols(document(text)).map(({ kind, name, children }) => [
    kind,
    name,
    children.map((each) => each.name),
  ]);
  expect(found).toEqual([
    ["variable", "g", []],
    ["function", "f", ["x"]],
    ["kernel", "k", ["p", "s", "L"]],
  ]);
});

test("what is folded is a body, a block, comments", () => {
  const text = "// one\n// two\n.version 8.0\n.target sm_80\n.entry k()\n{\n{\nret; // not\n}\n/* a\n b */\n}\n";
  expect(folds(document(text))).toEqual([
    { start: 0, end: 1, comment: true },
    { start: 5, end: 10 },
    { start: 6, end: 7 },
    { start: 9, end: 10, comment: true },
  ]);
});

test("tokens have meanings, wherever reading begins", () => {
  const text = `${header()}.entry k(.param .u64 p)\n{\n@!%p1 ld.param.u64 %a, [p+4]; // c\nL: mov.u32 r, %tid.x;\n}`;
  const now = document(text);
  const words = (span = all(now)) =>
    semanticTokens(now, span).map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
  expect(words().slice(10)).toEqual([
    "parameter p", "variable %p1", "keyword ld", "decorator .param", "type .u64", "variable %a", "parameter p", "number 4", "comment // c",
    "label L", "keyword mov", "type .u32", "variable r", "macro %tid", "property .x",
  ]); // biome-ignore format: a line
  const start = text.indexOf("L:");
  expect(words({ start, end: text.length })).toEqual(words().slice(-6));
});

test("hints say the types of registers that nothing declares", () => {
  const snippet = document("mul.wide.u32 d, a, 4;\nadd.u64 d, d, 1;");
  expect(inlayHints(snippet, all(snippet))).toEqual([
    { offset: 14, text: ": .b64" },
    { offset: 17, text: ": .b32" },
  ]);
  const declared = document(kernel(".reg .b32 a;\nnot.b32 a, a;"));
  expect(inlayHints(declared, all(declared))).toEqual([]);
});

test("lenses stand on kernels and golden checks", () => {
  const found = lenses(document(`//@ case small: n=1 -> p=2\n${kernel("ret;")}.func f() { ret; }`));
  expect(found.map(({ title, kernel, case: name }) => [title, kernel ?? name])).toEqual([
    ["check", "small"],
    ["run", "k"],
    ["debug", "k"],
    ["check", "k"],
  ]);
  expect(lenses(document("add.u32 d, a, b;")).map(({ title }) => title)).toEqual(["run", "debug"]);
});

test("signatures say which operand is being written", () => {
  const at = (text: string) => {
    const { document, offset } = marked(kernel(text));
    return signatures(document, offset).map(({ label, operands, active }) => {
      const { start = 0, end = 0, takes = "" } = operands[active] ?? {};
      return `${label.slice(start, end)}: ${takes}`;
    });
  };
  expect(at("add.f32 a, |")).toEqual(["a: of .f32 .b32, or an f32 constant"]);
  expect(at("setp.eq.u32 |")[0]).toMatch(/^p: to \.pred/);
  expect(at("st.global.v2.f32 [a], {x, |y};")[0]).toMatch(/^b: 2 of/);
  expect(at("add|")).toEqual([]);
});

test("suggestions can be taken", () => {
  const now = document(kernel(".reg .b32 total;\nnot.b32 total, totl;"));
  const [fix] = quickFixes(now, all(now));
  expect(fix).toMatchObject({ title: "write total", preferred: true, edit: { text: "total" } });
});

test("vISA has diagnostics, hovers and symbols", () => {
  const text =
    '.version 3.8\n.kernel "k"\n.decl V v_type=G type=d num_elts=16 align=GRF\nmov (M1, 16) V(0,0)<1> W(0,0)<16;16,1>\nL1:\nret (M1, 1)\n';
  const now = new Document("k.visaasm", text, { visa: lintVisa });
  expect(now.diagnostics.map(({ code }) => code)).toEqual(["PTX8102"]);
  expect(visaSymbols(now).map(({ name, children }) => [name, children.map((each) => each.name)])).toEqual([
    ["k", ["V", "L1"]],
  ]);
  expect(visaHover(now, text.indexOf("mov"))?.text).toContain("MOV");
  expect(visaHover(now, text.indexOf("V(0,0)"))?.text).toContain("type=d num_elts=16");
  expect(visaHover(now, text.indexOf("W("))?.text).toContain("PTX8102");
});

test("vISA variables are those of the kernel and of its scopes, each with its line", () => {
  const text = [
    ...[".version 3.8", '.kernel "k"', ".decl V v_type=G type=d num_elts=16 align=GRF", ".decl P v_type=P num_elts=16"],
    ...[".decl A v_type=A num_elts=1", ".decl S v_type=S num_elts=1", ".decl T v_type=T num_elts=1", "{"],
    ...[
      ".decl W v_type=G type=d num_elts=16 align=GRF",
      "mov (M1, 16) V(0,0)<1> W(0,0)<16;16,1>",
      "}",
      "L1:",
      "ret (M1, 1)",
    ],
    ...['.kernel "m"', ".decl W v_type=G type=f num_elts=4", "ret (M1, 1)", ""],
  ].join("\n");
  const now = new Document("k.visaasm", text, { visa: lintVisa });
  const said = (offset: number) => visaHover(now, offset)?.text.split("\n\n---")[0];
  const first = "```\n.decl W v_type=G type=d num_elts=16 align=GRF\n```\n\ndeclared on line 9";
  expect([said(text.indexOf("W(0")), said(text.indexOf("W(0") + 1)]).toEqual([first, first]);
  expect(said(text.indexOf("W v_type=G type=f"))).toBe(
    "```\n.decl W v_type=G type=f num_elts=4\n```\n\ndeclared on line 15",
  );
  expect(said(text.indexOf("V(0"))).toMatch(/declared on line 3$/);
  expect(said(text.indexOf(" (M1, 16)") + 1)).toBeUndefined();
  expect(visaHover(now, text.indexOf("mov ") + 3)?.span).toEqual({
    start: text.indexOf("mov "),
    end: text.indexOf("mov ") + 3,
  });
  const found = visaSymbols(now);
  expect(
    found.map(({ kind, name, detail, children }) => [
      kind,
      name,
      detail,
      children.map((each) => [each.kind, each.name, each.detail]),
    ]),
  ).toEqual([
    [
      ...["kernel", "k", "vISA"],
      [
        ["variable", "V", "16 of d"],
        ["variable", "P", "predicate"],
        ["variable", "A", "address"],
        ["variable", "S", "sampler"],
        ["variable", "T", "surface"],
        ["variable", "W", "16 of d"],
        ["label", "L1", ""],
      ],
    ],
    ["kernel", "m", "vISA", [["variable", "W", "4 of f"]]],
  ]);
  const piece = ({ start, end }: { start: number; end: number }) => text.slice(start, end);
  expect(found.map(({ span }) => piece(span))).toEqual(['"k"', '"m"']);
  expect(piece(found[0]!.children[0]!.span)).toBe("V");
  expect(piece(found[0]!.children[0]!.whole)).toBe(".decl V v_type=G type=d num_elts=16 align=GRF");
  expect(piece(found[0]!.whole)).toMatch(/^"k"[\s\S]*ret \(M1, 1\)$/);
});

test("a vISA kernel reaches from its name to its last statement, also without anything that has a name", () => {
  const pieces = (text: string) =>
    visaSymbols(new Document("k.visaasm", text, { visa: lintVisa })).map(({ whole }) =>
      text.slice(whole.start, whole.end),
    );
  expect(pieces('.version 3.8\n.kernel "k"\nret (M1, 1)\n')).toEqual(['"k"\nret (M1, 1)']);
  expect(pieces('.version 3.8\n.kernel "k"\n')).toEqual(['"k"']);
  expect(pieces('.version 3.8\n.kernel "k"\nret (M1, 1)\n.kernel "l"\nL:\n')).toEqual(['"k"\nret (M1, 1)', '"l"\nL:']);
});

test("a vISA hover is about what is wrong where it is about nothing else", () => {
  const text =
    '.version 3.8\n.kernel "k"\n.decl V v_type=G type=d num_elts=8 align=GRF\nmov (M1, 16) V(0,0)<1> V(0,0)<16;16,1>\nret (M1, 1)\n';
  const now = new Document("k.visaasm", text, { visa: lintVisa });
  const spans = now.diagnostics.map(({ span }) => ({ start: span.start, end: span.end }));
  const long = spans.filter(({ start, end }) => end - start > 4);
  expect(long.length).toBeGreaterThan(0);
  for (const span of long) {
    const digit = text.indexOf("0", span.start);
    const found = visaHover(now, digit);
    expect(found?.text).toMatch(/^\*\*PTX/);
    expect(spans).toContainEqual(found?.span);
    expect(found?.span.end).toBeGreaterThan(digit + 1);
  }
});

test("hints stand in all bodies of a stretch, and none where a function has no body", () => {
  const text = `${header()}.entry k() {\n mov.u32 d, %tid.x;\n}\n.extern .func q();\n.global .b32 g;\n.func z() { mov.u16 h, 1; }\n`;
  const now = document(text);
  const [d, h] = [text.indexOf("d, %tid"), text.indexOf("h, 1")];
  expect(inlayHints(now, all(now))).toEqual([
    { offset: d + 1, text: ": .b32" },
    { offset: h + 1, text: ": .b16" },
  ]);
  const of = (start: number, end: number) => inlayHints(now, { start, end }).map(({ offset }) => offset - 1);
  expect([of(d, d + 1), of(d + 1, text.length), of(0, d), of(0, h), of(h, h + 1)]).toEqual([[d], [h], [], [d], [h]]);
});

test("bodies of 200 000 characters are not looked into, wherever they stand", () => {
  const names = (length: number) => {
    const body = "{ L: ret; ".padEnd(length - 1);
    const text = `${header()}// ${"x".repeat(100_000)}\n.entry k() ${body}}`;
    return symbols(document(text)).map(({ name, children }) => [name, children.map((each) => each.name)]);
  };
  expect([names(199_999), names(200_000)]).toEqual([[["k", ["L"]]], [["k", []]]]);
});

test("symbols stand in the order of the text", () => {
  const text = `//@ case a: n=1\n${header()}.global .b32 g;\n//@ case b: n=1\n.entry k() { ret; }\n//@ case c: n=1\n`;
  expect(symbols(document(text)).map(({ name }) => name)).toEqual(["a", "g", "b", "k", "c"]);
  expect(symbols(document("//@ case a: n=1\nL: ret;\n//@ case b: n=1\nM: ret;")).map(({ name }) => name)).toEqual([
    ...["a", "L", "b", "M"],
  ]);
});

test("a golden check's name is read from 500 characters of its line at most", () => {
  const name = "x".repeat(600);
  expect(lenses(document(`//@ case ${name}`))[0]).toMatchObject({
    case: "x".repeat(491),
    span: { start: 0, end: 609 },
  });
  expect(lenses(document("//@//@ case b\n")).map(({ case: each }) => each)).toEqual(["b"]);
});

test("what is suggested can be taken, by what it is called", () => {
  const fixes = (text: string) =>
    quickFixes(document(text), { start: 0, end: text.length }).map(({ title, edit, preferred }) => [
      title,
      `${text.slice(0, edit.start)}${edit.text}${text.slice(edit.end)}`,
      preferred,
    ]);
  expect(fixes("add.u32 a b, c;")).toEqual([["add it", "add.u32 a, b, c;", true]]);
  expect(fixes("add.U32 a, b, c;")).toEqual([["write .u32", "add.u32 a, b, c;", true]]);
  expect(fixes("add.u64.sat a, b, c;")).toEqual([["write add.u64", "add.u64 a, b, c;", true]]);
  expect(fixes("add.u32 a, b, c;")).toEqual([]);
});

test("signatures are none before the opcode has ended, and those that a spelling may become after it", () => {
  const labels = (text: string) => {
    const { document, offset } = marked(text);
    return signatures(document, offset).map(({ label, active }) => [label, active]);
  };
  expect(labels("not.b32|")).toEqual([]);
  expect(labels("not.b32 |")).toEqual([["not.type d, a", 0]]);
  expect(labels("not.b32 a|")).toEqual([["not.type d, a", 0]]);
  expect(labels("not.b32 a, b, |")).toEqual([["not.type d, a", 2]]);
  expect(labels("not.b32 a, b, c, |")).toEqual([["not.type d, a", 2]]);
  expect(labels("ret |")).toEqual([["ret{.uni}", 0]]);
  expect(labels("add |").length).toBe(8);
  expect(labels("/* | */ ret;")).toEqual([]);
  const whole = "shfl.sync.up.b32 r| , a, 1, 0, -1;";
  const [second] = signatures(document(whole), whole.indexOf("| ,") + 1);
  expect(second?.label.slice(second.operands[1]?.start, second.operands[1]?.end)).toBe("p");
  expect(second?.active).toBe(1);
});

test("tokens of a stretch are those that it has some of", () => {
  const text = "not.b32 a, b; // c";
  const now = document(text);
  const of = (start: number, end: number) =>
    semanticTokens(now, { start, end }).map((each) => text.slice(each.start, each.end));
  const whole = ["not", ".b32", "a", "b", "// c"];
  expect([of(0, 18), of(2, 4), of(3, 3), of(3, 8), of(7, 9), of(9, 12), of(17, 18)]).toEqual([
    ...[whole, ["not", ".b32"], [], [".b32"], ["a"], ["b"], ["// c"]],
  ]);
});

test("a word's meaning follows from what stands before it", () => {
  const words = (text: string) => {
    const now = document(text);
    return semanticTokens(now, all(now))
      .map(({ type, start, end }) => `${type} ${text.slice(start, end)}`)
      .join(", ");
  };
  expect(words(".reg.v2 .f32 x;")).toBe("keyword .reg, keyword .v2, type .f32, variable x");
  expect(words("add{ add }add;")).toBe("keyword add, variable add, keyword add");
  expect(words("{ add; } add;")).toBe("keyword add, keyword add");
  expect(words("@add add;")).toBe("variable add, keyword add");
  expect(words("x add;")).toBe("variable x, variable add");
  expect(words("L : add;")).toBe("label L, keyword add");
  expect(words("ld.shared::cta.b32 x.y;")).toBe(
    "keyword ld, decorator .shared::cta, type .b32, variable x, property .y",
  );
  expect(words("add .u32;")).toBe("keyword add, type .u32");
  expect(words("mov x, y .z;")).toBe("keyword mov, variable x, variable y, keyword .z");
  const text = `${header()}.func f(.reg .b32 x) { ret; }\n.func g() { not.b32 x, x; }`;
  const types = (from: string, to: string) => {
    const span = { start: text.indexOf(from), end: text.indexOf(to) };
    return semanticTokens(document(text), span).map(({ type }) => type);
  };
  expect(types("x, x", "x; }")).toEqual(["variable"]);
  expect(types("x)", ") {")).toEqual(["parameter"]);
});

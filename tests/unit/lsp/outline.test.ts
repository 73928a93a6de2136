import { expect, test } from "vitest";
import { Document } from "../../../src/lsp/document.ts";
import { folds } from "../../../src/lsp/outline/folding.ts";
import { inlayHints } from "../../../src/lsp/outline/inlay-hints.ts";
import { lenses } from "../../../src/lsp/outline/lenses.ts";
import { semanticTokens } from "../../../src/lsp/outline/semantic-tokens.ts";
import { symbols } from "../../../src/lsp/outline/symbols.ts";
import { quickFixes } from "../../../src/lsp/quick-fixes.ts";
import { signatures } from "../../../src/lsp/signature.ts";
import { visaHover } from "../../../src/lsp/visa/hover.ts";
import { lintVisa } from "../../../src/lsp/visa/lint.ts";
import { visaSymbols } from "../../../src/lsp/visa/outline.ts";
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

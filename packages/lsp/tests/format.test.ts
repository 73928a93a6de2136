import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { parse, print } from "../../../src/parser/index.ts";
import { Source } from "../../../src/source/source.ts";
import { draws } from "../../../tests/share.ts";
import { Document } from "../src/document.ts";
import { applied, format, gapText } from "../src/format/format.ts";

const laid = (text: string) => applied(text, format(new Document("text.ptx", text)));

describe("formatting", () => {
  test("lays statements out as the printer does and keeps comments", () => {
    const text = `// a text
.version 8.0
.target sm_80   // for this
.address_size 64



.visible   .entry k(.param .u64 p,.param .u32 n) .maxntid 32,1,1
{ .reg .b32 %r<3>; // registers
   // the sum
  add.u32   %r1 ,%r2,1; /* and */ ret;
L: { mov.b32 %r1, %r2; }
  /* the end */
}
`;
    expect(laid(text)).toBe(`// a text
.version 8.0
.target sm_80 // for this
.address_size 64

.visible .entry k(
\t.param .u64 p,
\t.param .u32 n
)
.maxntid 32, 1, 1
{
\t.reg .b32 %r<3>; // registers
\t// the sum
\tadd.u32 %r1, %r2, 1; /* and */
\tret;
L:
\t{
\t\tmov.b32 %r1, %r2;
\t}
\t/* the end */
}
`);
  });

  test("changes nothing twice", () => {
    const once = laid(".version 8.0\n.target sm_80\n.entry k() {// c\n ret;}\n\n\n.entry l(){ret;}");
    expect(laid(once)).toBe(once);
  });

  test("lays out a snippet", () => {
    expect(laid("add.u32  d,a,b; // sum\n\n\n  sub.u32 e , d,a;")).toBe(
      "add.u32 d, a, b; // sum\n\nsub.u32 e, d, a;\n",
    );
  });

  test("leaves a text with mistakes in its syntax, and what no printer writes, alone", () => {
    for (const text of [
      ".version 8.0\n.target sm_80\n.entry k() {  add.u32 ; , }",
      '.version 8.0\n.target sm_80\n# 1 "x.cu"\n.entry k() {   ret; }',
    ])
      expect(format(new Document("text.ptx", text))).toEqual([]);
  });

  test("of a range changes that alone", () => {
    const text = ".version 8.0\n.target sm_80\n.entry k()\n{\n  bar.sync   0;\n  ret  ;\n}\n";
    const start = text.indexOf("  ret");
    const edits = format(new Document("text.ptx", text), { start, end: text.indexOf("}") });
    expect(applied(text, edits)).toBe(text.replace("ret  ;", "ret;"));
  });
});

describe("between two statements", () => {
  const gap = (text: string, first = false) => gapText(text, { first, before: "<", after: ">" });
  test.each<[text: string, laid: string | undefined]>([
    ["", "\n>"],
    [" ", "\n>"],
    ["\n", "\n>"],
    ["\n\n", "\n\n>"],
    ["\n\n\n\n", "\n\n>"],
    [" // a\n", " // a\n>"],
    ["\n// a\n", "\n>// a\n>"],
    ["\n\n// a\n\n", "\n\n>// a\n\n>"],
    ["// a\n// b\n", " // a\n>// b\n>"],
    [" /* a */ /* b */ ", " /* a */\n>/* b */\n>"],
    ["# 1", undefined],
  ])("%j becomes %j", (text, laid) => expect(gap(text)).toBe(laid));

  test("at the start nothing stands before, at the end nothing behind", () => {
    expect([gap("", true), gap("\n\n", true), gap("// a\n\n", true), gap("\n// a\n// b\n", true)]).toEqual([
      ...[">", ">", "// a\n\n>", "// a\n>// b\n>"],
    ]);
    const end = (text: string) => gapText(text, { first: false, before: "<", after: undefined });
    expect([end(""), end("\n\n"), end(" // a"), end("\n// a\n\n// b\n\n")]).toEqual([
      ...["\n", "\n", " // a\n", "\n<// a\n\n<// b\n"],
    ]);
  });

  test("a comment above a label or a brace stands as what is above it", () => {
    expect(gapText("\n// a\n", { first: false, before: "<", after: "" })).toBe("\n<// a\n");
    expect(gapText("\n// a\n", { first: false, before: undefined, after: "" })).toBe("\n// a\n");
  });
});

test("what is laid out already is not edited, nor what has comments within it, or debug data", () => {
  const edits = (text: string) => format(new Document("text.ptx", text));
  const good = laid(".version 8.0\n.target sm_80\n.entry k() { ret; }");
  expect(edits(good)).toEqual([]);
  expect(edits("")).toEqual([]);
  const kept = [
    ".global  .b32 /* a */ g;",
    ".entry  k(.param .u64 p /* b */)\n{\n\tret;\n}",
    ".entry l()\n{\n\tadd.u32  a, /* c */  b, 1;\n}",
    ".section  .debug { .b8  1 }",
  ];
  for (const each of kept)
    expect(laid(`.version  8.0\n.target sm_80\n${each}\n`)).toBe(`.version 8.0\n.target sm_80\n${each}\n`);
});

test("a head is written with its parentheses, as the printer has it", () => {
  expect(laid(".version 8.0\n.target sm_80\n.entry k {ret;}")).toMatch(/^\.entry k\(\)\n\{\n\tret;\n\}\n$/m);
});

test("of a range are those edits that lie in it, whole", () => {
  const text = "not.b32  a,b;\nnot.b32  c,d;\n";
  const of = (start: number, end: number) => format(new Document("t", text), { start, end }).map(({ start }) => start);
  expect([of(0, 13), of(1, 99), of(0, 12), of(14, 27), of(14, 26), of(0, 27)]).toEqual([
    ...[[0], [14], [], [14], [], [0, 14]],
  ]);
});

const kernels = new URL("../../../tests/data/kernels/", import.meta.url);
const some = readdirSync(kernels).filter((name, at) => name.endsWith(".gz") && at % draws(120, 40) === 1);

test.each(some)("%s keeps its meaning and its comments", (name) => {
  const text = gunzipSync(readFileSync(new URL(name, kernels))).toString("utf8");
  const now = laid(text);
  const printed = (text: string) => print(parse(new Source("text", text)).value);
  expect(printed(now)).toBe(printed(text));
  expect(laid(now)).toBe(now);
});

import { readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { Document } from "../../../src/lsp/document.ts";
import { applied, format } from "../../../src/lsp/format/format.ts";
import { parse, print } from "../../../src/parser/index.ts";
import { Source } from "../../../src/source/source.ts";
import { draws } from "../../share.ts";

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

const kernels = new URL("../../data/kernels/", import.meta.url);
const some = readdirSync(kernels).filter((name, at) => name.endsWith(".gz") && at % draws(120, 40) === 1);

test.each(some)("%s keeps its meaning and its comments", (name) => {
  const text = gunzipSync(readFileSync(new URL(name, kernels))).toString("utf8");
  const now = laid(text);
  const printed = (text: string) => print(parse(new Source("text", text)).value);
  expect(printed(now)).toBe(printed(text));
  expect(laid(now)).toBe(now);
});

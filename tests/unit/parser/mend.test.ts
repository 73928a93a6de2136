import { describe, expect, it } from "vitest";
import { repair } from "../../../src/lexer/index.ts";
import { parse, parseSnippet, printStatements } from "../../../src/parser/index.ts";
import { Source } from "../../../src/source/source.ts";
import { growth, LINEAR } from "../../cost.ts";

/** What a snippet reads as, printed on one line, and what was said about it. */
function read(text: string): readonly [string, ...string[]] {
  const { value, diagnostics } = parseSnippet(new Source("t", text));
  return [printStatements(value.statements).replaceAll("\n", " "), ...diagnostics.map(({ code }) => code)];
}

const both = "mov.u32 a, 5; add.u32 b, a, 1;";

describe("a text with the marks of a copy", () => {
  it.each([
    ["```ptx\nmov.u32 a, 5;\nadd.u32 b, a, 1;\n```\n", "PTX9013"],
    ["\n~~~\nmov.u32 a, 5;\nadd.u32 b, a, 1;\n~~~", "PTX9013"],
    ["mov.u32 a, 5;\nadd.u32 b, a, 1;\n```", "PTX9013"],
    ["  1\tmov.u32 a, 5;\n  2\n  3\tadd.u32 b, a, 1;\n", "PTX9013"],
    ["41: mov.u32 a, 5;\r\n42: add.u32 b, a, 1;\r\n43:\r\n", "PTX9013"],
    ["> mov.u32 a, 5;\n>\n> add.u32 b, a, 1;\n", "PTX9013"],
    ["mov.u32&nbsp;a, 5; add.u32 b, a, 1;", "PTX9013"],
    ["\uFEFFmov.u32 a, 5; add.u32 b, a, 1;", "PTX1004"],
    ["mov.u32\u00a0a, 5;\u200b add.u32\u2003b, a, 1;", "PTX9012"],
  ])("%j is read without them", (text, code) => expect(read(text)).toEqual([both, code]));

  it("has quotes and signs as PTX writes them", () => {
    expect(read("mov.u32 a, \u22125;")).toEqual(["mov.u32 a, -5;", "PTX9012"]);
    expect(read(".pragma \u201cnounroll\u201d;")).toEqual(['.pragma "nounroll";', "PTX9012"]);
    expect(read(".pragma &quot;nounroll&quot;;")).toEqual(['.pragma "nounroll";', "PTX9013"]);
    expect(read(".reg .b32 r&lt;3&gt;;")).toEqual([".reg .b32 r<3>;", "PTX9013"]);
  });

  it.each([
    [
      'asm volatile("add.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));',
      "add.u32 %0, %1, %2;",
      "%0 is d, which is written; %1 is a; %2 is b",
    ],
    [
      '__asm__ ("mov.u32 %%r1, 5;\\n\\t"\n  "// a comment\\n"\n"add.u32 %0, %%r1, %1;" : "+r"(d[f(1)]) : "n"(12) : "memory")',
      "mov.u32 %r1, 5; add.u32 %0, %r1, 12;",
      "%0 is d[f(1)], which is written; %1 is 12",
    ],
    ['asm("bar.sync 0;");', "bar.sync 0;", ""],
  ])("%j is the text in its strings", (text, read, what) => {
    // biome-ignore format: a table
    const { value, diagnostics } = parseSnippet(new Source("t", text));
    expect(printStatements(value.statements).replaceAll("\n", " ")).toBe(read);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      ["the text within asm() is run", ...(what === "" ? [] : [what])].join("; "),
    ]);
  });

  it.each(["asm(x);", 'asm("ret;" x);', 'asm("ret;', "asm volatile();"])("%j is an error", (text) =>
    expect(read(text).slice(1)).not.toEqual(["PTX9013"]),
  );

  it("has a function's head in front of its module, or cuobjdump's heading", () => {
    const module = ".version 8.0\n.target sm_80\n.visible .entry k() { ret; }\n";
    const fatbin = `\nFatbin ptx code:\n================\narch = sm_80\ncompressed\nidentifier = a.cu\n\n${module}`;
    for (const text of [
      `square(int*, int):\n        ${module}`,
      `void ns::k<float>(float*) const:\n${module}`,
      fatbin,
      fatbin + fatbin,
    ]) {
      const { value, diagnostics } = parse(new Source("t", text));
      expect([diagnostics.map(({ code }) => code), value.items[0]?.kind]).toEqual([["PTX9013"], "version"]);
    }
  });

  it("says where the first one is", () => {
    const { diagnostics } = parseSnippet(new Source("t", "\n```ptx\nret;\n```"));
    expect(diagnostics.map(({ severity, span }) => [severity, span])).toEqual([["note", { start: 1, end: 7 }]]);
    const [note] = parseSnippet(new Source("t", "mov.u32 a,\u00a05;\u00a0")).diagnostics;
    expect([note?.severity, note?.span, note?.message]).toEqual([
      "note",
      { start: 10, end: 11 },
      "U+00A0 is read as a space, and 1 more like it",
    ]);
  });

  it("may be a module that a filter has cut", () => {
    const text = "(\n)\n;\n.entry k()\n{\nret;\n}\n";
    expect(parse(new Source("t", text)).diagnostics).toEqual([]);
  });

  it("keeps every place", () => {
    const text = "```\n1 a &lt; b &quot;\n(\n)\n;\n```";
    expect(repair(new Source("t", text), text).text).toHaveLength(text.length);
    expect(repair(new Source("t", text), text).text.split("\n")).toHaveLength(6);
  });

  it.each([
    ["mov.u32 a, 5\u00e9;", "PTX1002"],
    ["mov.u32 a, 5\u201a;", "PTX1002"],
    ["1 mov.u32 a, 5;\n3 add.u32 b, a, 1;\n4 ret;", "PTX1101"],
  ])("%j is not one", (text, code) => expect(read(text).slice(1)).toContain(code));

  it.each(["```", "&lt;", "&quot;", "(\n", " ", "1 \n", "> ", "(\n)\n"])(
    "is repaired in linear time: %j",
    async (part) => {
      const run = (count: number) => {
        const text = part.repeat(count);
        repair(new Source("t", text), text);
      };
      expect(await growth(run, [10_000, 100_000])).toBeLessThan(LINEAR);
    },
  );
});

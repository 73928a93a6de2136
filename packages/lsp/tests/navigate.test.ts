import { describe, expect, test } from "vitest";
import { lint } from "../../../src/host/lint.ts";
import { applied } from "../src/format/format.ts";
import { definition } from "../src/navigate/definition.ts";
import { references } from "../src/navigate/references.ts";
import { renamable, rename } from "../src/navigate/rename.ts";
import { header, kernel, marked } from "./texts.ts";

const defined = (text: string) => {
  const { document, offset } = marked(text);
  const found = definition(document, offset);
  if (found === undefined || "file" in found) return found;
  return document.text.slice(document.text.lastIndexOf("\n", found.start) + 1, found.end);
};
const used = (text: string, declaration = true) => {
  const { document, offset } = marked(text);
  return references(document, offset, { declaration }).map(({ start, end }) => document.text.slice(start - 6, end));
};
const called = `${header()}.func (.reg .b32 y) twice(.reg .b32 x) { add.u32 y, x, x; ret; }
.global .u64 table[] = {twice};
.entry a() { .reg .b32 r; call (r), twice, (r); }
.entry b() { .reg .b32 twice2; .reg .b64 p; mov.u64 p, twice; { .reg .b32 twice; mov.b32 twice, 1; mov.b32 twice2, twice; } }
`;

describe("a definition", () => {
  test("is the declaration in the innermost block", () => {
    const body = ".reg .b32 a;\n{ .reg .b32 b;\n  .reg .b32 a;\n mov.b32 a|, 1; }\nmov.b32 a, 2;";
    expect(defined(kernel(body))).toBe("  .reg .b32 a");
    expect(defined(kernel(body.replace("|", "").replace("a, 2", "a|, 2")))).toBe(".reg .b32 a");
  });

  test("of a range, a parameter, a label, a function, a variable", () => {
    expect(defined(kernel(".reg .b32 %r<4>;\nmov.b32 %r3|, 1;"))).toBe(".reg .b32 %r");
    expect(defined(kernel(".reg .b64 a; ld.param.u64 a, [|p];"))).toBe(".visible .entry k(.param .u64 p");
    expect(defined(kernel("L:\nbra |L;"))).toBe("L");
    expect(defined(called.replace("(r), twice", "(r), tw|ice"))).toBe(".func (.reg .b32 y) twice");
    expect(defined(called.replace("{twice}", "{|twice}"))).toBe(".func (.reg .b32 y) twice");
    expect(defined(`${header()}.shared .b32 s;\n.entry k() { st.shared.b32 [s|], 1; }`)).toBe(".shared .b32 s");
  });

  test("of a .loc is a line of the program that the text was compiled from", () => {
    const text = `${header()}.file 3 "a.cu"\n.entry k() {\n.loc 3 |7 0\nret; }`;
    expect(defined(text)).toEqual({ file: "a.cu", line: 7, column: 1 });
  });

  test("of a special register, a mnemonic and a comment is none", () => {
    for (const text of ["mov.u32 r, %t|id.x;", "ad|d.u32 a, b, c;", "// a|b"])
      expect(defined(kernel(text))).toBeUndefined();
  });
});

describe("references", () => {
  test("are the uses of one register of a range, and of all where the range is declared", () => {
    const body = ".reg .b32 %r<4>;\nadd.u32 %r1, %r2, %r1; not.b32 %r2, %r1|;";
    expect(used(kernel(body), false)).toHaveLength(3);
    expect(used(kernel(body.replace("|", "").replace("%r<", "%r|<")), false)).toHaveLength(5);
  });

  test("of a function are in every body that has no other thing of its name", () => {
    expect(used(called.replace("(r), twice", "(r), tw|ice"))).toEqual([
      "32 y) twice",
      "[] = {twice",
      " (r), twice",
      "64 p, twice",
    ]);
  });
});

describe("renaming", () => {
  const renamed = (text: string, to: string) => {
    const { document, offset } = marked(text);
    const found = rename(document, offset, to);
    return "refused" in found ? found.refused : applied(document.text, found.edits);
  };

  test("changes every use, and nothing that lint says", () => {
    const now = renamed(called.replace("(r), twice", "(r), tw|ice"), "double");
    expect(now.match(/double/g)).toHaveLength(4);
    expect(lint(now)).toEqual([]);
    const range = renamed(kernel(".reg .b32 %r|<4>;\nadd.u32 %r1, %r2, %r1;"), "%total");
    expect(range).toContain(".reg .b32 %total<4>;\nadd.u32 %total1, %total2, %total1;");
  });

  test("is refused for what is no name, and for a name that is taken", () => {
    const text = ".reg .b32 a, b, %r<4>;\nL: add.u32 a|, b, %r1;";
    expect(renamed(kernel(text), "1a")).toContain("is not a name");
    expect(renamed(kernel(text), "%tid")).toBe("%tid is a special register");
    expect(renamed(kernel(text), "b")).toBe("b is taken: a register on line 6");
    expect(renamed(kernel(text), "%r3")).toBe("%r3 is taken: a register on line 6");
    expect(renamed(kernel(text), "L")).toBe("L is taken: a label on line 7");
    expect(renamed(kernel(text), "k")).toBe("k is taken: a kernel on line 4");
    expect(renamed(called.replace("(r), twice", "(r), tw|ice"), "twice2")).toContain("twice2 is taken: a register");
    expect(renamed(kernel("add.u|32 a, b, c;"), "x")).toContain("no name of this text");
  });

  test("of one register of a range declares it apart, and leaves the others", () => {
    const text = kernel(
      "  .reg .b64 a, %rd<8>;\n  add.u64 %rd7|, %rd1, %rd7;\n{ .reg .b64 %rd<9>; not.b64 %rd7, %rd8; }\nnot.b64 a, %rd7;",
    );
    const now = renamed(text, "%sum");
    expect(now).toContain(
      "  .reg .b64 a, %rd<8>;\n  .reg .b64 %sum;\n  add.u64 %sum, %rd1, %sum;\n{ .reg .b64 %rd<9>; not.b64 %rd7, %rd8; }\nnot.b64 a, %sum;",
    );
    // It reads what nothing writes, before as after.
    expect(lint(now).filter(({ code }) => code !== "PTX9108")).toEqual([]);
    const vectors = renamed(kernel(".reg .v2 .f32 %v<2>;\nmov.f32 %v1|.x, 0f00000000;"), "pair");
    expect(vectors).toContain(".reg .v2 .f32 %v<2>;\n.reg .v2 .f32 pair;\nmov.f32 pair.x, 0f00000000;");
    expect(lint(vectors)).toEqual([]);
    // Another of the range is declared already, unless it is used.
    const plain = kernel(".reg .b64 %rd<8>;\nadd.u64 %rd7|, %rd1, %rd7;");
    expect(renamed(plain, "%rd6")).toContain(".reg .b64 %rd<8>;\nadd.u64 %rd6, %rd1, %rd6;");
    expect(renamed(text, "%rd1")).toMatch(/^%rd1 is taken: a register on line /);
    expect(renamed(text, "a")).toMatch(/^a is taken/);
    // Behind the range, but in the way of the one in the inner block, which has nine.
    expect(renamed(text, "%rd8")).toMatch(/^%rd8 is taken/);
  });

  test("begins with the name, and at a range's declaration with the stem", () => {
    const { document, offset } = marked(kernel(".reg .b32 %r<4>;\nadd.u32 %r1|, %r2, %r1;"));
    expect(renamable(document, offset)?.text).toBe("%r1");
    const range = marked(kernel(".reg .b32 %r|<4>;\nadd.u32 %r1, %r2, %r1;"));
    expect(renamable(range.document, range.offset)?.text).toBe("%r");
  });
});

describe("names at the edges", () => {
  const text = `${header()}.extern .func f(.param .b32 x);
.alias other, g;
.func g(.reg .b32 x) { not.b32 x, x; ret; }
.func f(.param .b32 x) { call other; L: bra L; }
.entry k() { .reg .b32 g, %r<3>; .reg .b64 q; mov.b64 q, f; mov.b32 g, %r2; ts: .branchtargets L; L: brx.idx %r0, ts; }
`;
  /** Lines and columns of what is named where `mark` stands, which begins there at the `at`th time. */
  const places = (mark: string, at = 0, declaration = true) => {
    let offset = -1;
    for (let time = 0; time <= at; time++) offset = text.indexOf(mark, offset + 1);
    const { document } = marked(`${text}|`);
    return references(document, offset, { declaration }).map(({ start, end }) => {
      expect(references(document, end, { declaration })).toContainEqual({ start, end });
      const { line, character } = document.lines.position(start);
      return `${line + 1}:${character + 1}`;
    });
  };

  test.each<[what: string, mark: string, at: number, expected: readonly string[]]>([
    ["a function, where it is declared, defined and named", "f(", 0, ["4:15", "7:7", "8:58"]],
    ["a function that has an alias, and not a register of its name", "g;\n", 0, ["5:15", "6:7"]],
    ["an alias", "other", 0, ["5:8", "7:31"]],
    ["a parameter of one head", "x) {", 0, ["6:19", "6:32", "6:35"]],
    ["a parameter of a head without a body", "x);", 0, ["4:29"]],
    ["a label, and not that of another body", "L:", 0, ["7:38", "7:45"]],
    ["a label that a list names", "L:", 1, ["8:96", "8:99"]],
    ["a list", "ts:", 0, ["8:77", "8:115"]],
    ["all of a range", "%r<", 0, ["8:27", "8:72", "8:110"]],
    ["one of a range", "%r2", 0, ["8:27", "8:72"]],
  ])("%s", (_, mark, at, expected) => expect(places(mark, at)).toEqual(expected));

  test("are in no head of another function", () => {
    expect(places("other", 0, false)).toEqual(["7:31"]);
    expect(places("g;\n", 0, false)).toEqual(["5:15"]);
  });
});

describe("a name that is taken", () => {
  const refused = (text: string, to: string) => {
    const { document, offset } = marked(text);
    const found = rename(document, offset, to);
    return "refused" in found ? found.refused : undefined;
  };
  const blocks = "{ .reg .b32 b|, b1; not.b32 b, b1; } { .reg .b32 c, %q<4>; not.b32 c, %q1; } .reg .b32 d, %r<3>;";
  test.each<[to: string, taken: boolean]>([
    ["b", false],
    ["b1", true],
    // In a block beside it.
    ["c", false],
    ["%q1", false],
    // Around it.
    ["d", true],
    ["%r2", true],
    ["%r3", false],
    ["%r", false],
    ["p", true],
  ])("in its block or one around it: %s, %s", (to, taken) =>
    expect(refused(kernel(blocks), to) !== undefined).toBe(taken),
  );

  test.each<[to: string, taken: boolean]>([
    ["%q", false],
    ["%r", true],
    ["a", true],
    ["b", false],
    ["c", false],
  ])("by one of a range: %s, %s", (to, taken) =>
    expect(refused(kernel(".reg .b32 %s|<3>, %r<3>, a2, b3, c;"), to) !== undefined).toBe(taken),
  );

  test("of a module's name in each body that names it", () => {
    const text = (name: string) =>
      `${header()}.global .b32 |g;\n.func f() { .reg .b32 inF; ret; }\n.entry k() { .reg .b32 inK; .reg .b64 q; mov.b64 q, ${name}; }`;
    expect([
      refused(text("g"), "inF"),
      refused(text("g"), "inK"),
      refused(text("0"), "inK"),
      refused(text("g"), "f"),
    ]).toEqual([...[undefined, "inK is taken: a register on line 6", undefined, "f is taken: a function on line 5"]]);
  });
});

test("a .file and a .loc lead to their file from their first character to their last", () => {
  const text = `${header()}.file 1 "a.cu"\n.file 2 "b.cu"\n.entry k() {\n.loc 2 7 0\nret; }`;
  const { document } = marked(`${text}|`);
  const at = (offset: number) => {
    const found = definition(document, offset);
    return found && "file" in found ? `${found.file}:${found.line}:${found.column}` : undefined;
  };
  const [file, loc] = [text.indexOf(".file 2"), text.indexOf(".loc")];
  expect([file - 20, file - 1, file, file + 14, loc - 1, loc, loc + 10, loc + 11].map(at)).toEqual([
    ...[undefined, "a.cu:1:1", "b.cu:1:1", "b.cu:1:1", undefined, "b.cu:7:1", "b.cu:7:1", undefined],
  ]);
  expect(definition(marked(".loc 1 7 |0; ret;").document, 9)).toBeUndefined();
});

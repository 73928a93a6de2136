import { describe, expect, test } from "vitest";
import { lint } from "../../../src/host/lint.ts";
import { applied } from "../../../src/lsp/format/format.ts";
import { definition } from "../../../src/lsp/navigate/definition.ts";
import { references } from "../../../src/lsp/navigate/references.ts";
import { renamable, rename } from "../../../src/lsp/navigate/rename.ts";
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
.entry b() { .reg .b32 twice2; .reg .b64 p; mov.u64 p, twice; { .reg .b32 twice; mov.b32 twice2, twice; } }
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
    const range = renamed(kernel(".reg .b32 %r<4>;\nadd.u32 %r1|, %r2, %r1;"), "%total");
    expect(range).toContain(".reg .b32 %total<4>;\nadd.u32 %total1, %total2, %total1;");
  });

  test("is refused for what is no name, and for a name that is taken", () => {
    const text = ".reg .b32 a, b, %r<4>;\nL: add.u32 a|, b, %r1;";
    expect(renamed(kernel(text), "1a")).toContain("is no name");
    expect(renamed(kernel(text), "%tid")).toBe("%tid is a special register");
    expect(renamed(kernel(text), "b")).toBe("b is taken: a register in line 6");
    expect(renamed(kernel(text), "%r3")).toBe("%r3 is taken: a register in line 6");
    expect(renamed(kernel(text), "L")).toBe("L is taken: a label in line 7");
    expect(renamed(kernel(text), "k")).toBe("k is taken: a kernel in line 4");
    expect(renamed(called.replace("(r), twice", "(r), tw|ice"), "twice2")).toContain("twice2 is taken: a register");
    expect(renamed(kernel("add.u|32 a, b, c;"), "x")).toContain("no name of this text");
  });

  test("begins with the name, or a range's stem", () => {
    const { document, offset } = marked(kernel(".reg .b32 %r<4>;\nadd.u32 %r1|, %r2, %r1;"));
    expect(renamable(document, offset)?.text).toBe("%r");
  });
});

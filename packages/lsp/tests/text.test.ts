import { describe, expect, it } from "vitest";
import { type Edit, isPlain, moved, narrowed, touches } from "../src/text/edit.ts";
import { firstLine, oneLine } from "../src/text/excerpt.ts";
import { bodyAround, placeAt } from "../src/text/place.ts";
import { sketchOf } from "../src/text/sketch.ts";
import { statementAt } from "../src/text/statement-at.ts";
import { tokensOf } from "../src/text/tokens.ts";
import { header, marked } from "./texts.ts";

describe("tokens", () => {
  const kinds = { comment: "c", string: "s", word: "w", dotted: "d", number: "n", mark: "m" } as const;
  it.each<[text: string, expected: string]>([
    ["", ""],
    [" \t\r\n", ""],
    ["add.u32 d,a", "w:add d:.u32 w:d m:, w:a"],
    ["ld.shared::cta.b8", "w:ld d:.shared::cta d:.b8"],
    ["%r1 $L_0 _x", "w:%r1 w:$L_0 w:_x"],
    ["0 9 10 0x1F 0f3F800000 12U", "n:0 n:9 n:10 n:0x1F n:0f3F800000 n:12U"],
    ["1.5 1.e3 1e-3 .5e+2 1e", "n:1.5 n:1.e3 n:1e-3 n:.5e+2 n:1e"],
    [".5", "n:.5"],
    [" .9", "n:.9"],
    [".0", "n:.0"],
    // A suffix, because it stands against a word.
    ["a.5", "w:a d:.5"],
    ["$.5", "w:$ d:.5"],
    [",.5", "m:, n:.5"],
    [".", "d:."],
    [".:", "d:. m::"],
    ["./", "d:. m:/"],
    ["/5", "m:/ n:5"],
    [":;", "m:: m:;"],
    ['"a.cu" b', 's:"a.cu" w:b'],
    ['"never\nends', 's:"never w:ends'],
    ["!#", "m:! m:#"],
    ["a // b\nc", "w:a c:// b w:c"],
    ["/* a */b", "c:/* a */ w:b"],
    ["/* a", "c:/* a"],
  ])("of %j are %j", (text, expected) =>
    expect([...tokensOf(text)].map((each) => `${kinds[each.kind]}:${each.text}`).join(" ")).toBe(expected),
  );

  it("are those that begin in a stretch, and lie where they stand in the text", () => {
    const of = (from: number, to?: number) => [...tokensOf("ab cd ef", from, to)].map(({ start, end }) => [start, end]);
    expect(of(0)).toEqual([
      [0, 2],
      [3, 5],
      [6, 8],
    ]);
    expect(of(3, 6)).toEqual([[3, 5]]);
    expect(of(3, 7).at(-1)).toEqual([6, 8]);
    expect(of(8)).toEqual([]);
  });
});

describe("edits", () => {
  const edit = (start: number, end: number, text: string): Edit => ({ start, end, text });

  it.each<[edit: Edit, touched: boolean]>([
    // An insertion: touches the part from 2 to 5 where it lies within it.
    [edit(1, 1, "x"), false],
    [edit(2, 2, "x"), false],
    [edit(3, 3, "x"), true],
    [edit(4, 4, "x"), true],
    [edit(5, 5, "x"), false],
    [edit(0, 2, ""), false],
    [edit(0, 3, ""), true],
    [edit(4, 9, ""), true],
    [edit(5, 9, ""), false],
    [edit(0, 9, ""), true],
  ])("%j touches what stands from 2 to 5: %s", (each, touched) =>
    expect(touches(each, { start: 2, end: 5 })).toBe(touched),
  );

  it.each<[offset: number, after: number]>([
    [0, 0],
    [3, 3],
    [4, 3],
    [5, 3],
    [6, 10],
    [9, 13],
  ])("move %i, where 3 to 6 become seven characters, to %i", (offset, after) =>
    expect(moved(offset, edit(3, 6, "sevenCh"))).toBe(after),
  );

  it.each<[whole: string, given: Edit, expected: Edit]>([
    ["abcd", edit(0, 4, "abcd"), edit(4, 4, "")],
    ["abcd", edit(0, 4, "axcd"), edit(1, 2, "x")],
    ["abcd", edit(0, 4, "xbcd"), edit(0, 1, "x")],
    ["abcd", edit(0, 4, "abcx"), edit(3, 4, "x")],
    ["abcd", edit(0, 4, ""), edit(0, 4, "")],
    ["abcd", edit(1, 3, "bxc"), edit(2, 2, "x")],
    // What both share is counted once: of "aa" and "aaa" one "a" is new.
    ["aa", edit(0, 2, "aaa"), edit(2, 2, "a")],
    ["aaa", edit(0, 3, "aa"), edit(2, 3, "")],
    ["abcd", edit(2, 2, "x"), edit(2, 2, "x")],
  ])("of %j: %j changes no more than %j", (whole, given, expected) => expect(narrowed(given, whole)).toEqual(expected));

  it.each<[whole: string, given: Edit, plain: boolean]>([
    ["a\nadd", edit(2, 5, "add"), true],
    ["a\nadd", edit(3, 4, "d"), true],
    ["\nadd", edit(2, 3, "d"), true],
    // The first line may be a marker.
    ["add", edit(1, 2, "d"), false],
    ["a\nb\nc", edit(2, 3, "\n"), false],
    [`a\n${"b".repeat(200)}`, edit(2, 2, "b".repeat(200)), true],
    [`a\n${"b".repeat(201)}`, edit(2, 2, "b".repeat(201)), false],
    [`a\n${"b".repeat(499)}`, edit(2, 3, "b"), true],
    [`a\n${"b".repeat(500)}`, edit(2, 3, "b"), false],
    [`a\n${"b".repeat(499)}\n${"c".repeat(9)}`, edit(2, 3, "b"), true],
    ["a\nf(x)\nb", edit(2, 3, "f"), false],
    ["a\nf\n(x)", edit(2, 3, "f"), true],
    ["(a\nf\n", edit(3, 4, "f"), true],
    ["a\n\n(b", edit(2, 2, ""), true],
    ["a\n 12 b", edit(6, 7, "b"), false],
    ["a\nb 12", edit(2, 3, "b"), true],
  ])("a line of %j after %j is plain: %s", (whole, given, plain) => expect(isPlain(whole, given)).toBe(plain));
});

describe("what is being written", () => {
  const place = (text: string) => {
    const { document, offset } = marked(text);
    const { before, word, whole, after, within, func, inBody } = placeAt(document, offset);
    const slice = ({ start, end }: { start: number; end: number }) => document.text.slice(start, end);
    return {
      before: before.map(slice).join(" "),
      word: word.text,
      whole: slice(whole),
      after: after.map(slice).join(" "),
      ...(within && { within: slice(within) }),
      ...(func && { func: func.name.text }),
      inBody,
    };
  };
  const snippet = { before: "", word: "", whole: "", after: "", inBody: true };

  it.each<[text: string, expected: object]>([
    ["|", {}],
    ["|add.u32", { whole: "add", after: ".u32" }],
    ["a|dd.u32 x;", { word: "a", whole: "add", after: ".u32 x" }],
    ["add|.u32 x;", { word: "add", whole: "add", after: ".u32 x" }],
    ["add.|u32 x;", { before: "add", word: ".", whole: ".u32", after: "x" }],
    ["add.u32 |x, y;", { before: "add .u32", whole: "x", after: ", y" }],
    ["add.u32 x|, y;", { before: "add .u32", word: "x", whole: "x", after: ", y" }],
    ["add.u32 x,| y;", { before: "add .u32 x ,", after: "y" }],
    ["add.u32 x, 1|2;", { before: "add .u32 x ,", word: "1", whole: "12" }],
    ["add.u32 x /* c */, y|", { before: "add .u32 x ,", word: "y", whole: "y" }],
    ["add x; |", {}],
    ["add x;|", {}],
    ["add x|;", { before: "add", word: "x", whole: "x" }],
    // Labels, blocks and their ends begin a statement anew.
    ["L: |", {}],
    ["L: M: a|", { word: "a", whole: "a" }],
    ["add L: a|", { before: "add L :", word: "a", whole: "a" }],
    ["{ a|", { word: "a", whole: "a" }],
    ["} a|", { word: "a", whole: "a" }],
    ["add } a|", { word: "a", whole: "a" }],
    ["add {x} a|", { before: "add { x }", word: "a", whole: "a" }],
    ["add {x} } a|", { word: "a", whole: "a" }],
    ["add [x] } a|", { word: "a", whole: "a" }],
    ["add (x) } a|", { word: "a", whole: "a" }],
    ["add {{x}} a|", { before: "add { { x } }", word: "a", whole: "a" }],
    ["add ] {x} a|", { before: "add ] { x }", word: "a", whole: "a" }],
    ["add {x; } a|", { word: "a", whole: "a" }],
    // In a comment, and in a string.
    ["// a|b", { within: "// ab" }],
    ["// ab|", { within: "// ab" }],
    ["// ab|\nadd", { within: "// ab" }],
    ["|// ab", {}],
    ["/* a| */", { within: "/* a */" }],
    ["/* a */|", {}],
    ["/* a|", { within: "/* a" }],
    ["add // x\n a|", { before: "add", word: "a", whole: "a" }],
    ['.file 1 "a|"', { before: ".file 1", within: '"a"' }],
    ['.file 1 "a"|', { before: '.file 1 "a"' }],
    ['.file 1 "a|', { before: ".file 1", within: '"a' }],
    ['.file 1 |"a"', { before: ".file 1", after: '"a"' }],
  ])("in %j is %j", (text, expected) => expect(place(text)).toEqual({ ...snippet, ...expected }));

  it("goes on to the end of the statement, and not for ever", () => {
    const { document, offset } = marked(`|${"a ".repeat(600)}`);
    expect(placeAt(document, offset).after).toHaveLength(501);
  });

  const module = { before: "", word: "", whole: "", after: "", inBody: false };
  it.each<[text: string, expected: object]>([
    [`${header()}|`, {}],
    [`${header()}.entry| k() { ret; }`, { word: ".entry", whole: ".entry", after: "k ( ) { ret" }],
    [`${header()}.entry k() |{ ret; }`, { before: ".entry k ( )", after: "{ ret" }],
    [`${header()}.entry k() {| ret; }`, { func: "k", inBody: true, after: "ret" }],
    [`${header()}.entry k(){a|`, { func: "k", inBody: true, word: "a", whole: "a" }],
    [`${header()}.entry k() { ret; |}`, { func: "k", inBody: true, after: "}" }],
    [`${header()}.entry k() { ret; }|`, {}],
    [`${header()}.entry k() { r|`, { func: "k", inBody: true, word: "r", whole: "r" }],
    [`${header()}.entry k() { ret; }\n.func f() { ret; }\n.ent|`, { word: ".ent", whole: ".ent" }],
    [`${header()}.global .b32 g;\n.extern |`, { before: ".extern" }],
    [".version 8.0 |\n.target sm_80\n", { before: ".version 8.0", after: ".target sm_80" }],
    [".version 8.0\n|.target sm_80\n", { whole: ".target", after: "sm_80" }],
    [".version 8.0\n.target sm_80|\n", { before: ".target", word: "sm_80", whole: "sm_80" }],
    [".version 8.0\n.target sm_80\n.address_size 64|\n", { before: ".address_size", word: "64", whole: "64" }],
  ])("in the module %j is %j", (text, expected) => expect(place(text)).toEqual({ ...module, ...expected }));

  it("is in a body between its braces", () => {
    const { document } = marked(`${header()}.func f();\n.entry k() { ret; }\n.func g() {|`);
    const { text } = document;
    const open = text.indexOf("{");
    const close = text.indexOf("}");
    const at = [open, open + 1, close, close + 1, text.length - 1, text.length];
    expect(at.map((offset) => bodyAround(document, offset)?.name.text)).toEqual([
      ...[undefined, "k", "k", undefined, undefined, "g"],
    ]);
  });
});

it("a statement is the innermost one from its first character to behind its last", () => {
  const { document } = marked("|ret; { not.b32 a, b; } bar.sync 0;");
  const at = (offset: number) => statementAt(document.block(), offset);
  const { text } = document;
  const [first, inner, last] = ["ret", "not", "bar"].map((word) => text.indexOf(word)) as [number, number, number];
  const kinds = [first, first + 4, inner - 1, inner, text.indexOf("}") - 1, last - 1, last, text.length].map(
    (offset) => at(offset)?.start,
  );
  expect(kinds).toEqual([first, first, undefined, inner, inner, undefined, last, last]);
});

describe("an instruction as far as it is written", () => {
  const sketch = (text: string) => {
    const { guard, guarding, mnemonic, modifiers, operands, open } = sketchOf([...tokensOf(text)]);
    const words = (tokens: readonly { text: string }[]) => tokens.map((each) => each.text).join(" ");
    return [guard?.text, guarding, mnemonic?.text, words(modifiers), operands.map(words), open.join("")];
  };

  it.each<[text: string, expected: unknown[]]>([
    ["", [undefined, false, undefined, "", [""], ""]],
    ["@", [undefined, true, undefined, "", [""], ""]],
    ["@!", [undefined, true, undefined, "", [""], ""]],
    ["@p", ["p", false, undefined, "", [""], ""]],
    ["@!p add.u32 a, b", ["p", false, "add", ".u32", ["a", "b"], ""]],
    ["add.rn.f32 a", [undefined, false, "add", ".rn .f32", ["a"], ""]],
    ["add .u32 a", [undefined, false, "add", "", [".u32 a"], ""]],
    ["add.rn .f32 a", [undefined, false, "add", ".rn", [".f32 a"], ""]],
    ["add a,", [undefined, false, "add", "", ["a", ""], ""]],
    ["ld {a, b}, [c", [undefined, false, "ld", "", ["{ a , b }", "[ c"], "["]],
    ["call (a, b), f, (c, {d", [undefined, false, "call", "", ["( a , b )", "f", "( c , { d"], "({"]],
    [".reg x", [undefined, false, undefined, "", [".reg x"], ""]],
  ])("of %j is %j", (text, expected) => expect(sketch(text)).toEqual(expected));
});

it("a piece of text is shown as one line, cut behind 160 characters, of which the first line may be asked for", () => {
  expect([firstLine("a  b\nc"), firstLine(""), firstLine("abc")]).toEqual(["a b", "", "abc"]);
  // Blanks count only as far as they are shown: 640 characters are looked at.
  expect(oneLine(`a${" ".repeat(638)}b`)).toBe("a b");
  expect(oneLine(`a${" ".repeat(639)}b`)).toBe("a");
});

import { describe, expect, test } from "vitest";
import { bracedEnd, cleanCharacters, commentEnd, lexerOf, tokenize } from "../../../src/lexer/index.ts";
import { bodyTokens, moduleTokens } from "../../../src/lexer/tokens.ts";
import { Source } from "../../../src/source/source.ts";
import { growth, LINEAR } from "../../cost.ts";

const lex = (text: string, as: "body" | "module" = "body") =>
  tokenize({ source: new Source("t", text), text, base: 0, as });
const images = (text: string, as: "body" | "module" = "body") =>
  lex(text, as).tokens.map(({ image }) => image.trimEnd());
const names = (text: string) => lex(text).tokens.map(({ tokenType }) => tokenType.name);

test("both token lists are sound and need no safe mode", () => {
  expect(() => lexerOf(bodyTokens, true)).not.toThrow();
  expect(() => lexerOf(moduleTokens, true)).not.toThrow();
});

test("every pattern starts with the characters that its hint names, and with no others", () => {
  const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  const tails = ["", "1", "0", "A", "_", '"', "=", "&", "|", "<", ">", "ARP_SZ", "f3F800000", "x1", ".", " "];
  for (const { name, PATTERN: pattern, START_CHARS_HINT: hint } of moduleTokens) {
    if (!(pattern instanceof RegExp)) continue;
    const sticky = new RegExp(pattern.source, "y");
    const starts = ["\t", "\n", "\r", ...printable].filter((first) =>
      tails.some((tail) => {
        sticky.lastIndex = 0;
        return sticky.test(first + tail);
      }),
    );
    const expected = name === "LineMarker" ? [] : starts;
    expect([name, ...starts.filter((first) => !hint?.includes(first))]).toEqual([name]);
    expect([name, ...(hint ?? []).filter((first) => expected.length > 0 && !starts.includes(String(first)))]).toEqual([
      name,
    ]);
  }
});

describe("tokens", () => {
  test("an opcode with its suffixes is one", () => {
    expect(images("add.rn.f16x2 %r1, %r2, %r3;")).toEqual(["add.rn.f16x2", "%r1", ",", "%r2", ",", "%r3", ";"]);
    expect(images("tcgen05.wait::ld.sync.aligned;")).toEqual(["tcgen05.wait::ld.sync.aligned", ";"]);
    expect(images("tex.1d.v4.u32.s32")).toEqual(["tex.1d.v4.u32.s32"]);
  });

  test("blanks and comments may stand before a suffix", () => {
    expect(images("add .u32")).toEqual(["add", ".u32"]);
    expect(images("add\n.u32")).toEqual(["add", ".u32"]);
    expect(images("add/* .s32 */.u32")).toEqual(["add", ".u32"]);
  });

  test("a dot and digits are a number, with letters behind them a suffix", () => {
    expect(names(".1 .1e5 .1d .b8")).toEqual(["Float", "Float", "Dotted", "Dotted"]);
  });

  test("names start with a letter, or with one of _ $ % and one more character", () => {
    expect(names("a _ _a $a %a $1 %1 %_ $$a a$b")).toEqual(Array(10).fill("Word"));
    expect(names("% $")).toEqual(["Infix", "Stray"]);
    expect(names("WARP_SZ WARP_SZ1")).toEqual(["WarpSize", "Word"]);
  });

  test("`7%3` is a number and a name, `7 % 3` a remainder, as ptxas has it", () => {
    expect(names("7%3")).toEqual(["Integer", "Word"]);
    expect(names("7 % 3")).toEqual(["Integer", "Infix", "Integer"]);
    expect(names("7%-3")).toEqual(["Integer", "Infix", "Minus", "Integer"]);
  });

  test("directives are told from other dotted words", () => {
    expect(names(".entry .ENTRY .reg .b32 .maxntid")).toEqual(["Entry", "Dotted", "Space", "Dotted", "Tuning"]);
  });

  test("line markers pass, other `#` lines do not", () => {
    expect(images('# 1 "x.cu"\nret;')).toEqual(["ret", ";"]);
    expect(images('#line 3 "x"\nret;')).toEqual(["ret", ";"]);
    expect(images('ret; # 3 "x" 1 2')).toEqual(["ret", ";"]);
    expect(names("# 1")).toEqual(["Stray", "Integer"]);
    expect(names('# 1 "x" ret;')[0]).toBe("Stray");
  });
});

describe("numbers", () => {
  test.each(["0", "00", "010", "42", "1U", "0x1F", "0X1fU", "0b101", "0B11U", "010U"])("%s is an integer", (text) => {
    expect(lex(text)).toMatchObject({ tokens: [{ image: text, tokenType: { name: "Integer" } }], diagnostics: [] });
  });

  test.each([
    "1.5",
    "1.",
    ".1",
    "1e3",
    "1E+3",
    "1.e1",
    ".1e1",
    "010.5",
    "08.5",
    "0d3FF0000000000000",
    "0D3ff0000000000000",
  ])("%s is a float", (text) => {
    expect(lex(text)).toMatchObject({ tokens: [{ image: text, tokenType: { name: "Float" } }], diagnostics: [] });
  });

  test("0f is apart from other floats", () => {
    expect(names("0f3F800000 0F3f800000")).toEqual(["Single", "Single"]);
  });

  test.each([
    ["0x", "`0x` and hexadecimal digits, then at most `U`"],
    ["0b2", "`0b` and binary digits, then at most `U`"],
    ["08", "octal digits after a leading 0"],
    ["1u", "`U` as the only letter after an integer"],
    ["1UL", "`U` as the only letter after an integer"],
    ["1.0f", "a number without a letter after it"],
    ["1e", "digits after the exponent's letter"],
    ["0f3F80000", "`0f` and exactly 8 hexadecimal digits"],
    ["0f3F8000000", "`0f` and exactly 8 hexadecimal digits"],
    ["0d3FF", "`0d` and exactly 16 hexadecimal digits"],
    ["0h3C00", "an integer, a decimal float, or a name that starts with a letter"],
    ["1_0.0", "an integer, a decimal float, or a name that starts with a letter"],
    ["1a", "an integer, a decimal float, or a name that starts with a letter"],
  ])("%s is malformed: PTX1008", (text, expected) => {
    const { tokens, diagnostics } = lex(text);
    expect(tokens).toHaveLength(1);
    expect(diagnostics).toMatchObject([{ code: "PTX1008", span: { start: 0, end: text.length }, expected }]);
  });
});

describe("comments", () => {
  test("end at the line's end or at the first */", () => {
    expect(commentEnd("// a\nb", 0)).toBe(4);
    expect(commentEnd("/* /* */ */", 0)).toBe(8);
    expect(commentEnd("/**/", 0)).toBe(4);
    expect(commentEnd("/ a", 0)).toBe(-1);
  });

  test("one that is never closed: PTX1006", () => {
    expect(lex("ret; /* x").diagnostics).toMatchObject([{ code: "PTX1006", span: { start: 5, end: 7 } }]);
    expect(lex("ret; /*/").diagnostics).toMatchObject([{ code: "PTX1006" }]);
    expect(lex("ret; /* x */").diagnostics).toEqual([]);
  });

  test("a megabyte of unclosed comments takes linear time", async () => {
    const read = (count: number) => expect(lex("/*".repeat(count)).diagnostics).toHaveLength(1);
    expect(await growth(read, [50_000, 500_000])).toBeLessThan(LINEAR);
  });
});

describe("braces", () => {
  test("are counted outside of comments and strings", () => {
    const text = '{ { } /* } */ ".}" // }\n } rest';
    expect(bracedEnd(text, 0)).toEqual({ end: text.indexOf("} rest") + 1, closed: true });
  });

  test("a body gives up in front of the next function", () => {
    const text = "{ ret;\n.visible .entry k() { ret; }";
    expect(bracedEnd(text, 0)).toEqual({ end: text.indexOf(".visible"), closed: false });
    expect(bracedEnd("{ ret; .func f", 0)).toEqual({ end: 7, closed: false });
    expect(bracedEnd("{ ld.entry.u32 } x", 0)).toEqual({ end: 16, closed: true });
  });

  test("the module's lexer takes a body whole and an initialiser apart", () => {
    expect(images(".entry k() { ret; }", "module")).toEqual([".entry", "k", "(", ")", "{ ret; }"]);
    expect(images(".global .u32 a[2] = {1};", "module").slice(-5)).toEqual(["=", "{", "1", "}", ";"]);
    expect(images(".section .debug_str { .b8 1 }", "module").slice(2)).toEqual(["{ .b8 1 }"]);
  });
});

describe("characters that PTX does not know", () => {
  const clean = (text: string) => cleanCharacters(new Source("t", text));

  test("ASCII passes untouched", () => {
    const text = "add.u32 a, b, c;\t// ok\r\n";
    expect(clean(text)).toEqual({ text, diagnostics: [] });
  });

  test.each([
    ["PTX1002", "mov é, 1;", 4, 5],
    ["PTX1003", "ret;\0", 4, 5],
    ["PTX1004", "\uFEFFret;", 0, 1],
    ["PTX1005", "ret\u000b;", 3, 4],
  ])("%s in %j", (code, text, start, end) => {
    const cleaned = clean(text);
    expect(cleaned.diagnostics).toMatchObject([{ code, span: { start, end } }]);
    expect(cleaned.text).toHaveLength(text.length);
  });

  // As ptxas 13.0 has it.
  test.each([
    ['.file 1 "a\x1b[1mb"', "the same"],
    ['.file 1 "a\x01\x0b\x0c\x7fb"', "the same"],
    ["ret; // a\x1bb\nret;", "the same"],
    ["ret; /* a\x07\n\x08 */ ret;", "the same"],
    ["ret\f;", "ret ;"],
  ])("a control character passes in %j", (text, cleaned) => {
    expect(clean(text)).toEqual({ text: cleaned === "the same" ? text : cleaned, diagnostics: [] });
  });

  test.each([
    ['ret; "a" \x1b', 9],
    ['"a\n\x1b"', 3],
    ["/* */ \x07 // */", 6],
    ["// \x07\n\x07", 5],
    ['// "\n\x07"', 5],
    // Never closed.
    ['.pragma "a\x1b', 10],
  ])("and not outside of comments and texts: %j", (text, at) => {
    expect(clean(text).diagnostics).toMatchObject([{ code: "PTX1005", span: { start: at, end: at + 1 } }]);
  });

  test("nor does NUL anywhere", () => {
    expect(clean('.file 1 "a\0b"').diagnostics).toMatchObject([{ code: "PTX1003" }]);
  });

  test("a file full of them is not a file full of messages", () => {
    expect(clean("\0 ".repeat(100_000)).diagnostics).toHaveLength(20);
  });
});

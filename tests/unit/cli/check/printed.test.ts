import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readQuoted, spellQuoted } from "../../../../src/cli/check/file/quoted.ts";
import { World } from "../world.ts";

const root = join(import.meta.dirname, "../../../..");
/** A module with a kernel that prints `format` with `first` plus the thread's index. */
const hello = (format = "hello from %d\n"): string => {
  const bytes = [...Buffer.from(format), 0];
  return readFileSync(join(root, "examples/golden/hello.ptx"), "utf8")
    .replace(/^\/\/.*\n/gm, "")
    .replace(/format\[15\] = \{.*\}/, `format[${bytes.length}] = {${bytes.join(", ")}}`);
};
const world = new World();
afterAll(() => world.remove());
const cased = (right: string, format?: string): string =>
  `//@ args: --block 2\n//@ case it: first=1 -> ${right}\n${hello(format)}`;
const check = (text: string, ...more: string[]) => world.write("p.ptx", text).ptxrun(["check", "p.ptx", ...more]);
const sidecar = (right: string): string =>
  JSON.stringify(
    { schema: "ptxrun.check-sidecar/1", directives: [`args: --block 2`, `case it: first=1 -> ${right}`] },
    undefined,
    2,
  );

describe("printed text", () => {
  it.each([
    ["all of it", 'prints "hello from 1\\nhello from 2\\n"', undefined],
    ["without the line end at its end", 'prints "hello from 1\\nhello from 2"', undefined],
    ["parts of it, in any order", 'prints~"from 2" prints~"from 1\\nhello"', undefined],
    ["beside other results", '%r2=0 prints~"from 1" %r3=1', undefined],
    ["quotes, backslashes and arrows", 'prints "\\"a\\\\b\\" -> 1\\"a\\\\b\\" -> 2"', '"a\\b" -> %d'],
    ["tabs and controls", 'prints "\\t\\x1b1\\t\\u{1b}2"', "\t\u001b%d"],
    ["letters beyond ASCII", 'prints "gr\\u{f6}\\xdfe 1 gr\\xf6\\u{DF}e 2 "', "größe %d "],
    ["nothing", 'prints ""', ""],
    ["spaces that stand together", 'prints "a   1a   2"', "a   %d"],
  ])("holds: %s", async (_, right, format) => {
    const { exit, out } = await check(cased(right, format));
    expect(out).not.toContain("FAIL");
    expect(exit).toBe(0);
  });

  it.each([
    ['prints "hello from 1\\nhello from 3\\n"', 'line 2 that is printed is "hello from 2"', 'expected "hello from 3"'],
    ['prints "hello from 1"', 'line 2 that is printed is "hello from 2"', "expected nothing more"],
    ['prints "hello from 1\\nhello from 2\\nand more"', 'line 3 that is printed is ""', 'expected "and more"'],
    ['prints "hello from 1\\nhello from 2\\n\\n"', "nothing is printed after line 3", "expected a line end"],
    ['prints ""', 'line 1 that is printed is "hello from 1"', 'expected ""'],
    ['prints~"from 3"', '"hello from 1\\nhello from 2\\n" is printed', 'expected "from 3" in it'],
  ])("fails: %s", async (right, message, expected) => {
    const { exit, out } = await check(cased(right));
    expect(exit).toBe(1);
    expect(out).toContain(`PTX7017: case it: ${message}\n`);
    expect(out).toContain(expected);
    expect(out).toContain("repeat: ptxrun p.ptx --block 2 -a first=1\n");
  });

  it("fails where nothing is printed, and points at the text", async () => {
    const { out } = await check('//@ case one: a=1 -> d=0xfffffffe prints "x y"\nnot.b32 d, a;\n');
    expect(out).toContain("PTX7017: case one: nothing is printed\n --> p.ptx:1:42\n");
    expect(out).toContain('^^^^^ expected "x y"');
  });

  it.each([
    "prints",
    "prints d=1",
    "prints hello",
    'prints "hello',
    'prints "hel\\lo"',
    'prints "\\xg0"',
    'prints "\\u{110000}"',
    'prints "\\u{d800}"',
    'prints "a"b',
    'prints~"a',
    'prints~"a"b',
  ])("is refused: %s", async (right) => {
    const { exit, out } = await check(cased(right));
    expect([exit, out]).toEqual([1, expect.stringContaining("PTX7002: a printed text that cannot be read")]);
    expect(out).toContain('expected prints "TEXT", prints~"PART" or prints ?');
  });

  it("leaves a register called prints alone", async () => {
    expect((await check("//@ case one: a=1 -> prints=0xfffffffe\nnot.b32 prints, a;\n")).exit).toBe(0);
  });

  it("is that of all launches, and of a run that ends with a fault", async () => {
    const two = `//@ launch hello: first=1\n//@ launch hello --block 2: first==n\n//@ case it: n=5 -> prints "hello from 1\\nhello from 5\\nhello from 6"\n`;
    expect((await check(two + hello())).exit).toBe(0);
    const traps = hello().replace("ret;", "trap;");
    expect((await check(`//@ case it: first=1 -> fault trap prints "hello from 1"\n${traps}`)).exit).toBe(0);
    expect((await check(`//@ case it: first=1 -> fault trap prints "hello from 2"\n${traps}`)).out).toContain(
      "PTX7017",
    );
  });

  it("shows no control character", async () => {
    const { out } = await check(cased('prints "x"', "\u001b[31m%d"));
    expect(out).toContain('"\\x1b[31m1\\x1b[31m2"');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not come through
    expect(out).not.toMatch(/\u001b/);
  });
});

describe("--update", () => {
  it.each([
    ["?", "%r1=?", 'prints "hello from 1\\nhello from 2\\n"', undefined],
    ["prints ?", "", 'prints "hello from 1\\nhello from 2\\n"', undefined],
    ['prints "hello"', "", 'prints "hello from 1\\nhello from 2\\n"', undefined],
    ["prints ?", "", 'prints "gr\\xf6\\xdfe \\u{20ac}1gr\\xf6\\xdfe \\u{20ac}2"', "größe €%d"],
    ['prints "x"', "", 'prints "\\"a\\\\\\"1\\"a\\\\\\"2"', '"a\\"%d'],
  ])("writes what is printed for %s", async (right, _, now, format) => {
    const { exit } = await check(cased(right, format), "--update");
    expect(exit).toBe(0);
    expect(readFileSync(join(world.folder, "p.ptx"), "utf8")).toBe(cased(now, format));
  });

  it("leaves a part alone, which nobody can choose", async () => {
    expect((await check(cased('prints~"x"'), "--update")).exit).toBe(1);
    expect(readFileSync(join(world.folder, "p.ptx"), "utf8")).toBe(cased('prints~"x"'));
  });

  it("writes no text that is too long for a line", async () => {
    const long = cased("prints ?", "x".repeat(600));
    const { exit, out } = await check(long, "--update");
    expect([exit, out]).toEqual([1, expect.stringContaining("it is too long for a line")]);
    expect(readFileSync(join(world.folder, "p.ptx"), "utf8")).toBe(long);
  });
});

describe("in a sidecar", () => {
  const inSidecar = async (right: string, format?: string, ...more: string[]) => {
    const other = new World().write("s.ptx", hello(format)).write("s.ptxcheck.json", sidecar(right));
    const outcome = await other.ptxrun(["check", "s.ptx", ...more]);
    const text = readFileSync(join(other.folder, "s.ptxcheck.json"), "utf8");
    other.remove();
    return { ...outcome, text };
  };

  it("quotes are JSON's, and places are those of the file", async () => {
    expect((await inSidecar('prints "hello from 1\\nhello from 2\\n"')).exit).toBe(0);
    expect((await inSidecar('prints "a\nb\\n"', "a\nb\n")).exit).toBe(1);
    const { out } = await inSidecar('%r2=0 prints "no"');
    expect(out).toContain(" --> s.ptxcheck.json:5:39\n");
    expect((await inSidecar("prints\t?")).out).toContain("a directive holds no escape, texts in quotes aside");
  });

  it.each([
    ["prints ?", undefined],
    ['prints "\\"\\\\"', undefined],
    ["?", 'a"b\\%d\n'],
  ])("--update keeps it JSON: %s", async (right, format) => {
    const { exit, text } = await inSidecar(right, format, "--update");
    expect(exit).toBe(0);
    const printed = [1, 2].map((n) => (format ?? "hello from %d\n").replace("%d", String(n))).join("");
    expect(text).toBe(sidecar(`prints ${spellQuoted(printed)}`));
  });
});

describe("a text in quotes", () => {
  it("reads back what is spelled, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, inJson) => {
        const spelled = spellQuoted(text, inJson);
        expect(readQuoted(`${spelled} more`, 0)).toEqual({ text, end: spelled.length });
        expect(spelled).toMatch(/^[ -~]*$/);
      }),
    );
  });

  it("is read quickly, however many there are", () => {
    for (const text of [
      '"'.repeat(200_000),
      '\\"'.repeat(200_000),
      '"\\q'.repeat(100_000),
      `"${"\\\\".repeat(200_000)}`,
    ])
      expect(() => readQuoted(text, 0)).not.toThrow();
  });
});

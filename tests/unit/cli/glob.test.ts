import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globPattern } from "../../../src/environment/glob.ts";
import { growth, LINEAR } from "../../cost.ts";

/** What the pattern means, as a regular expression, which backtracks: for short ones only. */
function judge(glob: string): RegExp {
  const source = glob.replace(/\*\*\/|\*\*|\*|\?|[.+^${}()|[\]\\]/g, (piece) => {
    if (piece === "**/") return "(?:[^/]*/)*";
    if (piece === "**") return "[^]*";
    if (piece === "*") return "[^/]*";
    return piece === "?" ? "[^/]" : `\\${piece}`;
  });
  return new RegExp(`^${source}$`);
}

describe("a pattern", () => {
  it.each([
    ["*.ptx", "a.ptx", true],
    ["*.ptx", "a/b.ptx", false],
    ["**/*.ptx", "a.ptx", true],
    ["**/*.ptx", "a/b/c.ptx", true],
    ["a/**/b", "a/b", true],
    ["a/**/b", "a/x/y/b", true],
    ["a/**/b", "axb", false],
    ["add.??.f16", "add.rn.f16", true],
    ["add.??.f16", "add.r.f16", false],
    ["", "", true],
    ["***", "a/b", true],
    ["a.c", "abc", false],
  ])("%s on %s", (glob, name, holds) => {
    expect(globPattern(glob).test(name)).toBe(holds);
    expect(judge(glob).test(name)).toBe(holds);
  });

  it("means what its regular expression means", () => {
    const glob = fc.array(fc.constantFrom("*", "**", "**/", "?", "/", "a", "b", "."), { maxLength: 8 });
    const name = fc.array(fc.constantFrom("/", "a", "b", ".", "\n"), { maxLength: 10 });
    fc.assert(
      fc.property(glob, name, (pieces, characters) => {
        const [pattern, text] = [pieces.join(""), characters.join("")];
        expect([pattern, text, globPattern(pattern).test(text)]).toEqual([pattern, text, judge(pattern).test(text)]);
      }),
      { numRuns: 3000 },
    );
  });

  it.each<readonly [string, (n: number) => string]>([
    ["stars", (n) => `${"*".repeat(n)}zz`],
    ["stars and letters", (n) => "*a".repeat(n)],
    ["stars of folders", (n) => `${"**/".repeat(n)}z`],
    ["marks and stars", (n) => `${"?*".repeat(n)}z`],
  ])("takes time in proportion to its length: %s", async (_, glob) => {
    const match = (n: number) => globPattern(glob(n)).test("a".repeat(60));
    expect(await growth(match, [10_000, 100_000])).toBeLessThan(LINEAR);
  });

  it.each(["*a", "**/a", "?*"])("takes time in proportion to a path's length: %s", async (part) => {
    const pattern = globPattern(`${part.repeat(200)}b`);
    const match = (n: number) => expect(pattern.test(`${"a".repeat(n)}/`.repeat(4))).toBe(false);
    expect(await growth(match, [500, 5000])).toBeLessThan(LINEAR);
  });
});

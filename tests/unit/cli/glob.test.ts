import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globPattern } from "../../../src/environment/glob.ts";

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

  it("with ten thousand stars takes no time", () => {
    const start = process.cpuUsage();
    for (const glob of [
      `${"*".repeat(10_000)}zz`,
      "*a".repeat(10_000),
      `${"**/".repeat(5000)}z`,
      `${"?*".repeat(5000)}z`,
    ])
      for (let at = 0; at < 200; at++) globPattern(glob).test("a".repeat(60));
    for (const glob of [`${"*a".repeat(200)}b`, `${"**/a".repeat(200)}b`, `${"?*".repeat(200)}b`])
      expect(globPattern(glob).test(`${"a".repeat(1000)}/`.repeat(4))).toBe(false);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});

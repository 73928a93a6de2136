import fc from "fast-check";
import { expect, it } from "vitest";
import { bracedEnd, rememberingEnds } from "../../../src/lexer/index.ts";
import { growth, LINEAR } from "../../cost.ts";

const piece = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"[^"\n]*(?:"|(?=\n)|$)|(?<![\w$])\.(?:entry|func)(?![\w$])|[\s\S]/gy;

/** The same by pieces: comments, strings and heads of functions are one each. */
function byPieces(text: string, offset: number): { end: number; closed: boolean } {
  let depth = 0;
  piece.lastIndex = offset;
  for (let found = piece.exec(text); found !== null; found = piece.exec(text)) {
    const [it] = found;
    if (it === "{") depth++;
    else if (it === "}" && --depth === 0) return { end: piece.lastIndex, closed: true };
    else if (it.startsWith(".") && it.length > 1) {
      const before = /\.(?:visible|extern|weak)\s+$/.exec(
        text.slice(Math.max(offset + 1, found.index - 40), found.index),
      );
      return { end: found.index - (before?.[0].length ?? 0), closed: false };
    }
  }
  return { end: text.length, closed: false };
}

const words = ["{", "}", "{", "}", "/", "*", "/*", "*/", "//", '"', "\n", " ", ".entry", ".func f", ".visible .entry"];
const others = [".functions", "ld.entry", "a", ".b32", "$", ".weak\n.func", ";", "e", "f"];
const texts = fc.array(fc.constantFrom(...words, ...others), { maxLength: 40 }).map((all) => `{${all.join("")}`);

it("finds where a body ends, whatever stands in it", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(bracedEnd(text, 0)).toEqual(byPieces(text, 0));
    }),
    { numRuns: 5000 },
  );
});

it("finds the same when it has looked at other bodies of the text", () => {
  const opens = (text: string): readonly number[] => [...text].flatMap((char, at) => (char === "{" ? [at] : []));
  fc.assert(
    fc.property(texts, (text) => {
      const all = opens(text);
      const alone = all.map((at) => bracedEnd(text, at));
      const together = rememberingEnds(text, () => [...all, ...all].map((at) => bracedEnd(text, at)));
      expect(together).toEqual([...alone, ...alone]);
    }),
    { numRuns: 1000 },
  );
});

it("takes linear time on bodies that do not end, and on heads that stand in comments", async () => {
  for (const body of ["{ ret;\n.func f\n", "{ // .entry\nret; }\n", "{ /* } */ .func g {"]) {
    const find = (count: number) => {
      const text = body.repeat(count);
      rememberingEnds(text, () => {
        for (let at = text.indexOf("{"); at >= 0; at = text.indexOf("{", bracedEnd(text, at).end));
      });
    };
    expect(await growth(find, [4000, 40_000])).toBeLessThan(LINEAR);
  }
});

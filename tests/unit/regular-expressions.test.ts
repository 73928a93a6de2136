import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import jsTokens from "js-tokens";
import { beforeAll, describe, expect, it } from "vitest";
import { unit } from "../cost.ts";
import { sourceFiles } from "../folders.ts";

/**
 * Text comes from strangers, so no expression may take more than linear time: each is given long texts that are made to
 * let it try again and again, at 12 and 22 characters (exponential), 200 and 800 (cubic), 6000 (quadratic).
 */
const sizes = [12, 22, 200, 800, 6000];

/** CPU microseconds of a loop of two million rounds: a linear search takes hundredths of that, a quadratic one many times as much. */
let most: number;
beforeAll(async () => {
  most = await unit();
});

interface Literal {
  readonly source: string;
  readonly flags: string;
  readonly at: string;
}

function literals(): Literal[] {
  const root = resolve(import.meta.dirname, "../..");
  const files = sourceFiles.filter((file) => !file.endsWith(".generated.ts"));
  const found = new Map<string, Literal>();
  for (const file of files) {
    let line = 1;
    for (const { type, value } of jsTokens(readFileSync(join(root, file), "utf8"))) {
      if (type === "RegularExpressionLiteral") {
        const end = value.lastIndexOf("/");
        // Chevrotain looks for a token at one place alone.
        const sticky = file.endsWith("tokens.ts") && !value.includes("y", end) ? "y" : "";
        const flags = value.slice(end + 1) + sticky;
        found.set(`${value}${sticky}`, { source: value.slice(1, end), flags, at: `${file}:${line}` });
      }
      line += value.split("\n").length - 1;
    }
  }
  return [...found.values()];
}

/** Characters that many expressions name, and others. */
const usual = [..." \n\r07aez_.,/*\"'("];

/** Pieces to repeat: single characters, pairs of those that the expression names, and its words. */
function pumps({ source }: Literal): { readonly pumps: string[]; readonly prefixes: string[] } {
  const own = [...new Set([...source].filter((character) => !/[()[\]?*+^|]/.test(character)))];
  const few = own.slice(0, 7);
  const plain = source.replace(/\\(\W)/g, "$1");
  const bare = plain.replace(/\[\^?(.)[^\]]*\]/g, "$1").replace(/\\[a-z]|[()*+?^$]/g, "");
  const words = plain.match(/[A-Za-z]{2,}|[^\w\s\\()[\]?*+^|]{2,}/g) ?? [];
  return {
    pumps: [...new Set([...usual, ...own, ...words, bare, ...few.flatMap((a) => few.map((b) => a + b))])],
    prefixes: [...new Set(["", ...words])].slice(0, 3),
  };
}

/** CPU microseconds for finding all that the expression finds. */
function time(pattern: RegExp, text: string): number {
  const start = process.cpuUsage();
  pattern.lastIndex = 0;
  if (pattern.global) text.replace(pattern, "");
  else pattern.exec(text);
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** A text for which the expression takes too long. */
function slow(literal: Literal): string | undefined {
  const pattern = new RegExp(literal.source, literal.flags);
  const { pumps: all, prefixes } = pumps(literal);
  for (const pump of all)
    for (const prefix of prefixes)
      for (const suffix of ["\n!"])
        for (const size of sizes) {
          const text = prefix + pump.repeat(Math.ceil(size / Math.max(pump.length, 1))) + suffix;
          const least = () => Math.min(time(pattern, text), time(pattern, text), time(pattern, text));
          if (time(pattern, text) > most && least() > most)
            return `${JSON.stringify(prefix)} + ${JSON.stringify(pump)} x ${size} + ${JSON.stringify(suffix)}`;
        }
  return undefined;
}

/** Without `*`, `+` or `{2,}` there is nothing to try again, nor with one of them at one place. */
function canBacktrack({ source, flags }: Literal): boolean {
  const bare = source.replace(/\\.|\[(?:\\.|[^\]])*\]/g, "x");
  const repeats = (bare.match(/[*+]|\{\d+,\}/g) ?? []).length;
  const anchored = flags.includes("y") || (bare.startsWith("^") && !flags.includes("m") && !bare.includes("|"));
  return repeats > (anchored ? 1 : 0);
}

describe("regular expressions of src", () => {
  const all = literals();

  it("are found", () => expect(all.length).toBeGreaterThan(250));

  it("take linear time", () => {
    const wrong = all.filter(canBacktrack).flatMap((literal) => {
      const text = slow(literal);
      return text === undefined ? [] : [`${literal.at}: /${literal.source}/${literal.flags} on ${text}`];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ["^case\\s+([^:]*?)\\s*:", ""],
    ["0+$", ""],
    ["(a+)+$", ""],
    ["^(?:[^/]*/?)*z$", ""],
    ["\\/\\/~(.*)$", ""],
    ["^\\s*\\.kernel", "m"],
    ["(.+?)\\s+x", ""],
    ["^(.*?)\\s*(?:([+-])\\s*(\\d+))?$", ""],
    ["\\B(?=(?:\\d{4})+$)", "g"],
    ["[^\\s,;()[\\]{}!=+*]*$", ""],
    ["<.*>", ""],
  ])("of the kind /%s/%s would be noticed", (source, flags) => {
    expect(slow({ source, flags, at: "" })).toBeDefined();
  });
});

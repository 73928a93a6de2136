import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { EmbeddedActionsParser } from "chevrotain";
import { describe, expect, it } from "vitest";
import { token } from "../../../src/lexer/index.ts";
import { decideBy } from "../../../src/parser/grammar.ts";
import { knownDecisions } from "../../../src/parser/known-decisions.ts";
import { ModuleGrammar } from "../../../src/parser/module.ts";
import { SnippetGrammar } from "../../../src/parser/statement.ts";
import { Source } from "../../../src/source/source.ts";
import { share } from "../../share.ts";

type Decide = (this: object, alternatives?: readonly object[]) => unknown;
/** The functions of a parser, by what they decide. */
const functionsOf = (parser: object) => (parser as { lookAheadFuncsCache: Map<number, Decide> }).lookAheadFuncsCache;

/** A parser as the package makes it: its decisions are those that another one has learned. */
function knowing<Parser>(which: "module" | "snippet", decisions: string, make: () => Parser): Parser {
  const known = knownDecisions as { module?: string; snippet?: string };
  known[which] = decisions;
  try {
    return make();
  } finally {
    delete known[which];
  }
}

const learnedModule = new ModuleGrammar("learn");
const learnedSnippet = new SnippetGrammar("learn");
const knownModule = knowing("module", learnedModule.decisions(), () => new ModuleGrammar());
const knownSnippet = knowing("snippet", learnedSnippet.decisions(), () => new SnippetGrammar());

/** The conditions of the first ways fail: of none, of one, of two ... */
const gates = Array.from({ length: 12 }, (_, open) =>
  Array.from({ length: 60 }, (_, at) => ({ GATE: () => at >= open })),
);

describe.each([
  ["module", learnedModule, knownModule],
  ["snippet", learnedSnippet, knownSnippet],
] as const)("the known decisions of the %s grammar", (_, learned, known) => {
  it("are as many as Chevrotain learns", () => {
    expect(functionsOf(known).size).toBeGreaterThan(50);
    expect([...functionsOf(known).keys()].sort()).toEqual([...functionsOf(learned).keys()].sort());
  });

  it("are what Chevrotain decides, for each token and condition", () => {
    const tokens = [...token.vocabulary.map(({ tokenTypeIdx = 0 }) => tokenTypeIdx), 1, 1_000_000];
    const wrong: string[] = [];
    for (const [key, decide] of functionsOf(known)) {
      const theirs = functionsOf(learned).get(key);
      const given = theirs !== undefined && isGated(theirs) ? gates : [undefined];
      for (const tokenTypeIdx of tokens)
        for (const alternatives of given) {
          const parser = standing(tokenTypeIdx);
          const [mine, right] = [decide, theirs].map((each) => each?.call(parser, alternatives));
          if (mine !== right) wrong.push(`${key}, token ${tokenTypeIdx}: ${mine}, not ${right}`);
        }
    }
    expect(wrong).toEqual([]);
  });
});

const standing = (tokenTypeIdx: number): object => ({
  LA: () => ({ tokenTypeIdx }),
  LA_FAST: () => ({ tokenTypeIdx }),
});

/** Whether Chevrotain looks at the conditions of an alternation's ways. */
function isGated(decide: Decide): boolean {
  let asked = false;
  const way = {
    get GATE() {
      asked = true;
      return undefined;
    },
  };
  decide.call(standing(1), Array(60).fill(way));
  return asked;
}

it("a way that may be empty is taken when no earlier one begins with the token", () => {
  const lookAheadFuncsCache = new Map<number, Decide>();
  const tokensMap = { a: { tokenTypeIdx: 5 }, b: { tokenTypeIdx: 6 } };
  const parser: unknown = { lookAheadFuncsCache, tokensMap };
  decideBy("a b\n1|0||1\n2|0|1\n3?\n4?0 1", parser as EmbeddedActionsParser);
  const all = [5, 6, 7].map((token) => [1, 2, 3, 4].map((key) => lookAheadFuncsCache.get(key)?.call(standing(token))));
  expect(all).toEqual([
    [0, 0, true, true],
    [1, 1, true, true],
    [1, undefined, true, false],
  ]);
});

describe("a parser with known decisions", () => {
  const texts = ["examples", "tests/data/bench"].flatMap((folder) => {
    const root = resolve(import.meta.dirname, "../../..", folder);
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ptx"))
      .map((file) => readFileSync(join(root, file), "utf8"));
  });
  /** Each text, and what is left of it without some of its characters. */
  const mutated = texts.flatMap((text, at) =>
    [0, 7, 131].map((step) => {
      const cut = (at * 37 + step * 101) % Math.max(text.length, 1);
      return step === 0 ? text : text.slice(0, cut) + text.slice(cut + (step % 5) + 1);
    }),
  );
  const plain = (found: { readonly value: unknown; readonly diagnostics: readonly object[] }) =>
    JSON.stringify(found, (key, part) => (key === "source" ? undefined : typeof part === "bigint" ? `${part}n` : part));

  it("reads and refuses what one does that has learned them", () => {
    expect(mutated.length).toBeGreaterThan(200);
    for (const text of share(mutated, 8)) {
      const source = new Source("m.ptx", text);
      const stretch = { source, text, base: 0, as: "module" } as const;
      expect(plain(knownModule.parseModule(stretch))).toBe(plain(learnedModule.parseModule(stretch)));
      const body = { source, text: text.slice(0, 5000), base: 0, as: "body" } as const;
      expect(plain(knownSnippet.parseSnippet(body))).toBe(plain(learnedSnippet.parseSnippet(body)));
    }
  });
});

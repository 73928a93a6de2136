import { describe, expect, it } from "vitest";
import { lint } from "../../src/index.ts";
import { match } from "../../src/isa/match/match.ts";
import { mnemonics, table } from "../../src/isa/table.ts";
import { share } from "../share.ts";
import { spellings } from "./spellings.ts";

/** A legal spelling with one thing wrong, and what it was. */
interface Mutant {
  readonly written: readonly string[];
  readonly meant: string;
  /** The text that is wrong; the mnemonic where something is missing. */
  readonly at: string;
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** Two letters of a word swapped, one left out, doubled or replaced: chosen by `seed`. */
function slip(word: string, seed: number): string {
  const at = seed % word.length;
  const letter = letters.charAt(seed % letters.length);
  switch ((seed >> 3) % 4) {
    case 0:
      return at > 0
        ? word.slice(0, at - 1) + word.charAt(at) + word.charAt(at - 1) + word.slice(at + 1)
        : `${word}${letter}`;
    case 1:
      return word.slice(0, at) + word.slice(at + 1);
    case 2:
      return word.slice(0, at) + word.charAt(at) + word.slice(at);
    default:
      return word.slice(0, at) + letter + word.slice(at + 1);
  }
}

const kinds: Readonly<Record<string, (words: readonly string[], seed: number) => Mutant | undefined>> = {
  "a slip in a word": (words, seed) => {
    const at = 1 + (seed % Math.max(1, words.length - 1));
    const word = words[at];
    if (word === undefined) return undefined;
    const wrong = slip(word, seed >> 2);
    if (!/^[A-Za-z]\w*$/.test(wrong)) return undefined;
    return { written: words.with(at, wrong), meant: words.join("."), at: `.${wrong}` };
  },
  "a slip in the name": (words, seed) => {
    const [name = "", ...rest] = words;
    const wrong = slip(name, seed);
    if (!/^[a-z]\w*$/.test(wrong) || mnemonics.includes(wrong)) return undefined;
    return { written: [wrong, ...rest], meant: words.join("."), at: wrong };
  },
  "a word left out": (words, seed) => {
    const at = 1 + (seed % Math.max(1, words.length - 1));
    if (words[at] === undefined) return undefined;
    return { written: words.toSpliced(at, 1), meant: words.join("."), at: words[0] ?? "" };
  },
  "a word said twice": (words, seed) => {
    const at = 1 + (seed % Math.max(1, words.length - 1));
    const word = words[at];
    if (word === undefined) return undefined;
    return { written: words.toSpliced(at, 0, word), meant: words.join("."), at: `.${word}` };
  },
  "two words that changed places": (words, seed) => {
    const at = 1 + (seed % Math.max(1, words.length - 2));
    const [one, other] = [words[at], words[at + 1]];
    if (one === undefined || other === undefined) return undefined;
    return { written: words.with(at, other).with(at + 1, one), meant: words.join("."), at: `.${other}.${one}` };
  },
  "a word of another instruction": (words, seed) => {
    const strange = ["bogus", "xyzzy", "frob"][seed % 3] ?? "";
    const at = 1 + (seed % words.length);
    return { written: words.toSpliced(at, 0, strange), meant: words.join("."), at: `.${strange}` };
  },
};

/** Some spellings of every form: all would be a million. */
function someSpellings(most: number): (readonly string[])[] {
  return table.flatMap(({ forms }) =>
    forms.flatMap((form) => {
      const all = [...spellings(small(form))].map(({ words }) => words);
      return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[(at * 7919) % all.length] ?? []);
    }),
  );
}

/** The form with at most two choices in each place, so that few combinations are left to draw from. */
const small = (form: Parameters<typeof spellings>[0]): Parameters<typeof spellings>[0] =>
  ({
    __proto__: form,
    modifiers: form.modifiers.map((modifier, index) => ({
      ...modifier,
      // Of long lines only a few places have a choice.
      choices: modifier.choices.slice(0, index < 4 ? 3 : 1),
      optional: modifier.optional && index < 5,
    })),
  }) as never;

interface Tally {
  asked: number;
  single: number;
  placed: number;
  suggested: number;
  readonly misses: string[];
}

/** What ptxrun says of the mutant, without operands: only the spelling counts. */
function judge({ written, meant, at }: Mutant, tally: Tally): void {
  const text = `${written.join(".")};`;
  const errors = lint({ name: "m.ptx", text }, { target: "sm_100a", version: "9.0" }).filter(
    ({ severity, code }) => severity === "error" && code !== "PTX1301",
  );
  tally.asked++;
  if (errors.length === 1) tally.single++;
  const [first] = errors;
  const under = text.slice(first?.span.start, first?.span.end);
  if (at.endsWith(under) || under.endsWith(at)) tally.placed++;
  const said = [first?.expected, ...(first?.help ?? []).map(({ message }) => message)].join(" ");
  const fix = first?.help?.find(({ replace }) => replace !== undefined)?.replace;
  const fixed = fix && text.slice(0, fix.span.start) + fix.text + text.slice(fix.span.end);
  const missing = [...meant.split(".")];
  for (const word of written) if (missing.includes(word)) missing.splice(missing.indexOf(word), 1);
  const back = fixed === `${meant};` || (missing.length > 0 && missing.every((word) => said.includes(word)));
  if (back) tally.suggested++;
  else if (tally.misses.length < 40) tally.misses.push(`${text} meant ${meant}: ${first?.message} | ${said}`);
}

const isLegal = (words: readonly string[]): boolean => match(words[0] ?? "", words.slice(1)).kind === "forms";

/** Least shares in a thousand of: one error, at the right place, with the right spelling. */
const least: Readonly<Record<keyof typeof kinds, readonly [single: number, placed: number, suggested: number]>> = {
  "a slip in a word": [990, 990, 960],
  "a slip in the name": [1000, 1000, 980],
  "a word left out": [970, 940, 940],
  "a word said twice": [990, 990, 990],
  "two words that changed places": [990, 990, 950],
  "a word of another instruction": [980, 980, 980],
};

/** Spellings of each form: `MISSPELT=20 npx vitest run tests/conformance/misspelt.test.ts` asks for more, and prints. */
const MOST = Number(process.env["MISSPELT"] ?? 1);

const drawn = someSpellings(MOST);

describe("a spelling with one thing wrong", () => {
  it.each(share(Object.entries(kinds), 6))("%s", (name, mutate) => {
    const tally: Tally = { asked: 0, single: 0, placed: 0, suggested: 0, misses: [] };
    let seed = 1;
    // Every second form, and those between for the next kind; all where few forms have two words to change.
    const first = Object.keys(kinds).indexOf(name) % 2;
    const isAsked = (at: number): boolean => name === "two words that changed places" || at % 2 === first;
    for (const words of drawn.filter((_, at) => isAsked(at))) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1;
      const mutant = mutate(words, seed >> 4);
      if (mutant !== undefined && !isLegal(mutant.written)) judge(mutant, tally);
    }
    const rate = (count: number) => Math.floor((1000 * count) / tally.asked);
    const shares = [rate(tally.single), rate(tally.placed), rate(tally.suggested)];
    if (process.env["MISSPELT"]) console.log(name, tally.asked, shares, tally.misses.join("\n"));
    expect(tally.asked).toBeGreaterThan(20);
    for (const [index, value] of shares.entries())
      expect(value, tally.misses.join("\n")).toBeGreaterThanOrEqual(least[name]?.[index] ?? 0);
  });
});

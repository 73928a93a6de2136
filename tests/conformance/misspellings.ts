import { match } from "../../src/isa/match/match.ts";
import { mnemonics, table } from "../../src/isa/table.ts";
import { spellings } from "./spellings.ts";
import type { Verdict } from "./verdict.ts";

/** A legal spelling with one thing wrong, and the text that is wrong: the mnemonic where something is missing. */
interface Mutant {
  readonly written: readonly string[];
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
    return { written: words.with(at, wrong), at: `.${wrong}` };
  },
  "a slip in the name": (words, seed) => {
    const [name = "", ...rest] = words;
    const wrong = slip(name, seed);
    if (!/^[a-z]\w*$/.test(wrong) || mnemonics.includes(wrong)) return undefined;
    return { written: [wrong, ...rest], at: wrong };
  },
  "a word left out": (words, seed) => {
    const at = 1 + (seed % Math.max(1, words.length - 1));
    if (words[at] === undefined) return undefined;
    return { written: words.toSpliced(at, 1), at: words[0] ?? "" };
  },
  "a word said twice": (words, seed) => {
    const at = 1 + (seed % Math.max(1, words.length - 1));
    const word = words[at];
    if (word === undefined) return undefined;
    return { written: words.toSpliced(at, 0, word), at: `.${word}` };
  },
  "two words that changed places": (words, seed) => {
    const at = 1 + (seed % Math.max(1, words.length - 2));
    const [one, other] = [words[at], words[at + 1]];
    if (one === undefined || other === undefined) return undefined;
    return { written: words.with(at, other).with(at + 1, one), at: `.${other}.${one}` };
  },
  "a word of another instruction": (words, seed) => {
    const strange = ["bogus", "xyzzy", "frob"][seed % 3] ?? "";
    const at = 1 + (seed % words.length);
    return { written: words.toSpliced(at, 0, strange), at: `.${strange}` };
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

/** Spellings of each form: `MISSPELT=20 npx vitest run tests/conformance/verdicts.test.ts -t misspelt` asks for more, and prints. */
const MOST = Number(process.env["MISSPELT"] ?? 1);

const isLegal = (words: readonly string[]): boolean => match(words[0] ?? "", words.slice(1)).kind === "forms";

/** Spellings with one thing wrong, without operands: only the spelling counts. */
export function misspellings(name: string): readonly Verdict[] {
  let seed = 1;
  // Every second form, and those between for the next kind; all where few forms have two words to change.
  const first = Object.keys(kinds).indexOf(name) % 2;
  const isAsked = (at: number): boolean => name === "two words that changed places" || at % 2 === first;
  return someSpellings(MOST).flatMap((words, index) => {
    if (!isAsked(index)) return [];
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1;
    const mutant = kinds[name]?.(words, seed >> 4);
    if (mutant === undefined || isLegal(mutant.written)) return [];
    const { written, at } = mutant;
    const asked = { in: "snippet", decl: {}, target: "sm_100a", version: "9.0" };
    return [{ ...asked, text: `${written.join(".")};`, at, meant: words.join(".") }];
  });
}

import { type Form, formsOf, type ModifierValues, mnemonics } from "../../../../src/isa/index.ts";
import { matchForm } from "../../../../src/isa/match/match-form.ts";
import { has } from "../../../../src/resolve/instruction/since.ts";
import type { Document } from "../document.ts";
import type { Place } from "../text/place.ts";
import { type Sketch, wordsOf } from "../text/sketch.ts";
import { type For, headerOf } from "./header.ts";
import { at, type Completion } from "./item.ts";

/** Spellings that are tried to see whether a word leads to a valid one. */
const TRIES = 300;
/** The same with one word more, of which there are many. */
const FEW = 40;

/**
 * The words that may follow, each with the forms that it leads to: positions after those that are filled, in forms that
 * the version and the target have, so that the spelling can be completed.
 */
function nextWords(mnemonic: string, words: readonly string[], header: For): ReadonlyMap<string, Form[]> {
  const next = new Map<string, Form[]>();
  for (const form of formsOf(mnemonic)) {
    if (!couldBegin(form, words)) continue;
    for (const { choices } of form.modifiers)
      for (const choice of choices) {
        const known = next.get(choice);
        if (known?.includes(form) || !leads(form, [...words, choice], header)) continue;
        if (known === undefined) next.set(choice, [form]);
        else known.push(form);
      }
  }
  return next;
}

/** The same for one word, which is cheaper. */
export const mayFollow = (mnemonic: string, words: readonly string[], next: string, header: For): boolean =>
  formsOf(mnemonic).some((form) => couldBegin(form, words) && leads(form, [...words, next], header));

/** True where a spelling is complete. */
export const isWhole = (mnemonic: string, words: readonly string[], header: For): boolean =>
  formsOf(mnemonic).some((form) => {
    const { cost, mods } = matchForm(form, words);
    return cost === 0 && has(header, form.since(mods), form.until);
  });

const couldBegin = (form: Form, words: readonly string[]): boolean =>
  matchForm(form, words).problems.every((problem) => isOpen(problem) || problem.kind === "conflict");

/**
 * True where these words, perhaps with more behind them, spell a form that the version and the target have: with what has to
 * be there, and with one word more that need not.
 */
export function leads(form: Form, words: readonly string[], header: For): boolean {
  if (!isPossible(form, words, header)) return false;
  let tries = TRIES;
  const search = (words: readonly string[]): boolean => {
    if (tries-- <= 0) return false;
    const { problems, mods, unordered, repeated } = matchForm(form, words);
    if (unordered.length > 0 || repeated.length > 0) return false;
    const [open] = problems;
    if (open === undefined) return has(header, form.since(mods), form.until);
    if (!problems.every(isOpen) || !isOpen(open)) return false;
    return open.modifier.choices.some((choice) => search([...words, choice]));
  };
  if (search(words)) return true;
  return form.modifiers.some(
    ({ optional, choices }) =>
      optional &&
      choices.some((choice) => {
        tries = FEW;
        return search([...words, choice]);
      }),
  );
}

type Problem = ReturnType<typeof matchForm>["problems"][number];
type Open = Extract<Problem, { readonly modifier: unknown }>;
const isOpen = (problem: Problem): problem is Open => problem.kind === "missing" || problem.kind === "incomplete";

/** False where no choice of one more word gives something that the version and the target have, whatever excludes it. */
function isPossible(form: Form, words: readonly string[], header: For): boolean {
  const { mods } = matchForm(form, words);
  const least = Object.fromEntries(
    form.modifiers.map(({ name, optional, flag, choices }) => {
      const written = mods[name];
      if (written !== undefined && written !== false) return [name, written];
      return [name, flag ? !optional : optional ? undefined : choices[0]];
    }),
  );
  const may = (mods: ModifierValues): boolean => has(header, form.since(mods), form.until);
  if (may(least)) return true;
  return form.modifiers.some(({ name, flag, choices }) => {
    const written = mods[name];
    if (written !== undefined && written !== false) return false;
    return choices.some((choice) => may({ ...least, [name]: flag ? true : choice }));
  });
}

const known = new Map<string, readonly string[]>();

/** The mnemonics that the version and the target have. */
function legalMnemonics(header: For): readonly string[] {
  const key = `${header.version} ${header.target.name}`;
  let legal = known.get(key);
  if (legal === undefined) {
    legal = mnemonics.filter((mnemonic) => formsOf(mnemonic).some((form) => leads(form, [], header)));
    if (known.size > 20) known.clear();
    known.set(key, legal);
  }
  return legal;
}

/** Mnemonics where an instruction begins. */
export function completeMnemonic(document: Document, { whole }: Place): readonly Completion[] {
  const item = at(whole);
  return legalMnemonics(headerOf(document)).map((mnemonic) => item("mnemonic", mnemonic));
}

/** The suffixes that may follow those that are written, where the cursor stands against them. */
export function completeSuffix(document: Document, { whole }: Place, sketch: Sketch): readonly Completion[] {
  const header = headerOf(document);
  const mnemonic = sketch.mnemonic?.text ?? "";
  const words = wordsOf(sketch);
  const item = at(whole);
  return [...nextWords(mnemonic, words, header)].map(([word, forms]) => {
    const detail = forms.length === 1 ? forms[0]?.syntax : `${forms.length} forms`;
    // Words that complete the spelling come first.
    const rank = isWhole(mnemonic, [...words, word], header) ? 0 : 1;
    return item("suffix", `.${word}`, { rank, ...(detail !== undefined && { detail }) });
  });
}

import type { Form, ModifierValues } from "../form/define.ts";
import type { Modifier } from "../form/syntax.ts";
import { idleWords, layoutWords, nameParts, repeatable, roundings, typeWords } from "./vocabulary.ts";

/** Why one form does not accept the written words; `at` counts them from 0. */
export type Problem =
  /** The form does not have this word. */
  | { readonly kind: "foreign"; readonly at: number }
  /** A type that the form does not have in this position. */
  | { readonly kind: "type"; readonly at: number }
  | { readonly kind: "missing"; readonly modifier: Modifier }
  /** Two words for one position, such as two roundings. */
  | { readonly kind: "several"; readonly at: number; readonly first: number }
  | { readonly kind: "repeated"; readonly at: number; readonly first: number }
  /** `.xorsign` without `.abs`. */
  | { readonly kind: "incomplete"; readonly at: number; readonly modifier: Modifier }
  /** `.lo` somewhere after the name. */
  | { readonly kind: "misplaced"; readonly at: number }
  /** The form excludes this combination; without `at` the types are what is wrong. */
  | { readonly kind: "conflict"; readonly at: number | undefined; readonly against: string };

export interface FormMatch {
  readonly form: Form;
  readonly mods: ModifierValues;
  readonly problems: readonly Problem[];
  readonly cost: number;
  /** Words in another order than the manual's; repeated words. */
  readonly unordered: readonly number[];
  readonly repeated: readonly number[];
  /** A word of testp on another instruction, which has no effect. */
  readonly idle: number | undefined;
}

/** A form's modifier positions, grouped for matching. */
interface ModifierPositions {
  /** The positions of a word, where several accept it. */
  readonly byWord: ReadonlyMap<string, readonly number[]>;
  readonly types: readonly number[];
  /** mma has .row and .col for each of two matrices. */
  readonly layouts: readonly number[];
}

const positions = new WeakMap<Form, ModifierPositions>();

function positionsOf(form: Form): ModifierPositions {
  const known = positions.get(form);
  if (known) return known;
  const byWord = new Map<string, number[]>();
  const types: number[] = [];
  const layouts: number[] = [];
  form.modifiers.forEach(({ choices }, index) => {
    if (choices.every((choice) => typeWords.has(choice))) types.push(index);
    else if (choices.every((choice) => layoutWords.has(choice))) layouts.push(index);
    else for (const choice of choices) byWord.set(choice, [...(byWord.get(choice) ?? []), index]);
  });
  const made = { byWord, types, layouts };
  positions.set(form, made);
  return made;
}

/** True when the modifier chooses a rounding. */
export const isRounding = ({ choices }: Modifier): boolean => choices.every((choice) => roundings.has(choice));

/** True when the modifier chooses a type. */
export const isType = ({ choices }: Modifier): boolean => choices.every((choice) => typeWords.has(choice));

/** State spaces keep their order, as types do; other words have none. */
const spaces: ReadonlySet<string> = new Set(["global", "shared", "shared::cta", "shared::cluster"]);

/** Types tell best which form was meant, so they cost most; the rest only breaks ties. */
const weights = {
  name: 40, type: 32, foreign: 4, missing: 4, several: 2, repeated: 2, incomplete: 2, misplaced: 3, conflict: 4,
} as const; // biome-ignore format: one thought

/** Assigns the words to the positions of one form: types and layouts in order, other words in any order. */
export function matchForm(form: Form, words: readonly string[]): FormMatch {
  const { byWord, types, layouts } = positionsOf(form);
  const problems: Problem[] = [];
  const taken: (number | undefined)[] = form.modifiers.map(() => undefined);
  const unordered: number[] = [];
  const repeated: number[] = [];
  let idle: number | undefined;
  let nextType = 0;
  let nextLayout = 0;
  let last = -1;
  let lastSpace = -1;
  words.forEach((word, at) => {
    const place = typeWords.has(word) ? typePlace(word) : wordPlace(word);
    if (place === undefined && idle === undefined && idleWords.has(word)) {
      idle = at;
      return;
    }
    if (place === undefined) {
      problems.push(typeWords.has(word) ? { kind: "type", at } : { kind: "foreign", at });
      return;
    }
    const first = taken[place];
    if (first !== undefined) {
      if (words[first] !== word) problems.push({ kind: "several", at, first });
      else if (repeatable.has(word)) repeated.push(at);
      else problems.push({ kind: "repeated", at, first });
      return;
    }
    taken[place] = at;
    if (spaces.has(word)) {
      // The destination of a copy comes before its source.
      if (place < lastSpace) problems.push({ kind: "foreign", at });
      lastSpace = place;
    }
    if (place < last) unordered.push(at);
    last = Math.max(last, place);
    if (at > 0 && form.modifiers[place]?.choices.every((choice) => nameParts.has(choice)))
      problems.push({ kind: "misplaced", at });
  });

  const mods: Record<string, string | boolean | undefined> = {};
  form.modifiers.forEach((modifier, place) => {
    const at = taken[place];
    mods[modifier.name] = modifier.flag ? at !== undefined : at === undefined ? undefined : words[at];
    if (at !== undefined) return;
    const partner =
      modifier.group === undefined
        ? undefined
        : taken.find((other, index) => other !== undefined && form.modifiers[index]?.group === modifier.group);
    if (partner !== undefined) problems.push({ kind: "incomplete", at: partner, modifier });
    else if (!modifier.optional) problems.push({ kind: "missing", modifier });
  });
  if (problems.length === 0) {
    const conflict = form.conflict(mods);
    if (conflict) {
      const at = words.indexOf(conflict[0]);
      problems.push({ kind: "conflict", at: at < 0 ? undefined : at, against: conflict[1] });
    }
  }
  const mistyped = problems.some(({ kind }) => kind === "type");
  const named = form.modifiers.some(({ name }) => name === "CmpOp") ? weights.foreign : weights.name;
  const cost = problems.reduce((sum, problem) => sum + weigh(problem, words, mistyped, named), 0);
  return { form, mods, problems, cost, unordered, repeated, idle };

  function wordPlace(word: string): number | undefined {
    if (layouts.length === 0 || !layoutWords.has(word)) {
      const all = byWord.get(word);
      return all?.find((place) => taken[place] === undefined) ?? all?.[0];
    }
    const place = layouts[nextLayout++];
    return place !== undefined && form.modifiers[place]?.choices.includes(word) ? place : undefined;
  }

  function typePlace(word: string): number | undefined {
    for (let index = nextType; index < types.length; index++) {
      const place = types[index] ?? 0;
      const modifier = form.modifiers[place];
      if (modifier?.choices.includes(word)) {
        nextType = index + 1;
        return place;
      }
      if (!modifier?.optional) return undefined;
    }
    return undefined;
  }
}

/** `mul.wide` names another instruction than `mul.lo`: then the types are what is wrong. In setp `.lo` is a relation. */
function weigh(problem: Problem, words: readonly string[], mistyped: boolean, named: number): number {
  // A wrong type is one problem, not a foreign and a missing one.
  if (problem.kind === "missing" && isType(problem.modifier)) return mistyped ? 1 : weights.type;
  if (problem.kind === "foreign" && nameParts.has(words[problem.at] ?? "")) return named;
  return weights[problem.kind];
}

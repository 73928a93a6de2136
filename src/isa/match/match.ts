import type { Plan } from "../../interp/contract/plan/plan.ts";
import type { Form, ModifierValues, Since } from "../form/define.ts";
import type { OperandClass } from "../form/operands.ts";
import { formsOf, table } from "../table.ts";
import { type FormMatch, matchForm, type Problem } from "./match-form.ts";
import { typeWords } from "./vocabulary.ts";

/**
 * A form that accepts the words, the values of its placeholders, and what follows from them; computed once for
 * each spelling.
 */
export interface Candidate {
  readonly form: Form;
  readonly mods: ModifierValues;
  readonly classes: Readonly<Record<string, OperandClass>>;
  readonly since: Since;
  /** The same plan for all instructions of this spelling. */
  plan(): Plan;
}

function candidateOf({ form, mods }: Pick<FormMatch, "form" | "mods">): Candidate {
  let made: Plan | undefined;
  const plan = (): Plan => {
    made ??= form.plan(mods);
    return made;
  };
  return { form, mods, classes: form.operands(mods), since: form.since(mods), plan };
}

/** The same form with one more flag. */
export const flagged = ({ form, mods }: Candidate, flag: string): Candidate =>
  candidateOf({ form, mods: { ...mods, [flag]: true } });

export type Match =
  /** Forms that share this spelling and differ in their operands; usually one. */
  | {
      readonly kind: "forms";
      readonly candidates: readonly [Candidate, ...Candidate[]];
      readonly unordered: readonly number[];
      readonly repeated: readonly number[];
      readonly idle: number | undefined;
    }
  /** The closest form, and all its problems. */
  | { readonly kind: "none"; readonly form: Form; readonly problems: readonly Problem[] }
  /** More words than any instruction can have. */
  | { readonly kind: "crowded"; readonly most: number }
  | { readonly kind: "unknown" };

/** Spellings that were matched before; a program repeats the same few. Emptied when it is full. */
const memo = new Map<string, Match>();
const memoLimit = 10_000;

/** Several times what the longest opcode of PTX 9.0 has. */
const mostWords = 64;
const crowded: Match = { kind: "crowded", most: mostWords };

/** The dotted name that a mnemonic and its words make. */
const spell = (mnemonic: string, words: readonly string[]): string =>
  words.length === 0 ? mnemonic : `${mnemonic}.${words.join(".")}`;

/**
 * Finds the forms that `add.rn.sat.f16x2` spells (`["rn", "sat", "f16x2"]`), or describes the nearest one. `key` is
 * the whole name, for callers that already have it.
 */
export function match(mnemonic: string, words: readonly string[], key = spell(mnemonic, words)): Match {
  if (words.length > mostWords) return crowded;
  const known = memo.get(key);
  if (known) return known;
  const made = search(mnemonic, words);
  if (memo.size >= memoLimit) memo.clear();
  memo.set(key, made);
  return made;
}

function search(mnemonic: string, words: readonly string[]): Match {
  const forms = formsOf(mnemonic);
  const [first, ...others] = forms.map((form) => matchForm(form, words));
  if (first === undefined) return { kind: "unknown" };
  let best: FormMatch = first;
  for (const other of others) if (other.cost < best.cost) best = other;
  if (best.cost > 0) return { kind: "none", form: best.form, problems: best.problems };
  const rest = others.filter((other) => other.cost === 0 && other !== best);
  const { unordered, repeated, idle } = best;
  return { kind: "forms", candidates: [candidateOf(best), ...rest.map(candidateOf)], unordered, repeated, idle };
}

/**
 * What a word conflicts with, when another form of the same types has it: the words that this other form refuses
 * (`.relu` with `.sat`). Undefined when no form of these types has the word.
 */
export function clash(mnemonic: string, words: readonly string[], at: number): string | undefined {
  for (const form of formsOf(mnemonic)) {
    const { problems } = matchForm(form, words);
    const foreign = problems.filter(({ kind }) => kind === "foreign");
    if (problems.some(({ kind }) => kind === "type")) continue;
    if (problems.some((problem) => problem.kind === "missing" && typeWords.has(problem.modifier.choices[0] ?? "")))
      continue;
    if (foreign.some((problem) => problem.kind === "foreign" && problem.at === at)) continue;
    const [other] = foreign;
    if (other?.kind === "foreign") return words[other.at];
  }
  return undefined;
}

/** Words that could follow: positions that are still empty in a form that accepts everything written so far. */
export function continuations(mnemonic: string, words: readonly string[]): readonly string[] {
  const next = new Set<string>();
  for (const form of formsOf(mnemonic)) {
    const { problems, mods } = matchForm(form, words);
    if (problems.some(({ kind }) => kind !== "missing" && kind !== "incomplete")) continue;
    for (const { name, choices } of form.modifiers)
      if (mods[name] === undefined || mods[name] === false) for (const choice of choices) next.add(choice);
  }
  return [...next];
}

let vocabulary: Set<string> | undefined;

/** Every dotted word that some instruction of PTX 9.0 takes as a modifier or type; made when a message first needs it. */
export function modifierWords(): ReadonlySet<string> {
  if (vocabulary !== undefined) return vocabulary;
  vocabulary = new Set(typeWords);
  for (const { forms } of table)
    for (const { modifiers } of forms)
      for (const { choices } of modifiers) for (const word of choices) vocabulary.add(word);
  // It is part of names (mul.wide), not a modifier.
  vocabulary.delete("wide");
  return vocabulary;
}

import type { Form } from "../../../isa/form/define.ts";
import { isType, matchForm, type Problem } from "../../../isa/match/match-form.ts";
import { meantBy } from "../../../isa/match/other-assemblers.ts";
import { nameParts, typeWords } from "../../../isa/match/vocabulary.ts";
import { formsOf } from "../../../isa/table.ts";
import { apartBy, costOf, type Edit, elsewhere, FAR, isTypo, isUnknown, joined } from "./edit.ts";

/** A legal spelling close to what was written. */
export interface Correction {
  readonly words: readonly string[];
  readonly edits: readonly Edit[];
  /** How far it is from what was written: the least is likeliest to be meant. */
  readonly cost: number;
  /** True where the operands cannot stand in it. */
  readonly misfit?: true;
}

type Found = Pick<Correction, "words" | "edits">;

/** Words beyond which no legal spelling is sought: no instruction has so many, and the search must stay short. */
const MOST_WORDS = 16;

/** Words beyond which two changes are not looked for: the search grows with the square of their number. */
const FEW_WORDS = 9;

/**
 * The legal spellings that single changes lead to, and those that leave out everything foreign; where none is near, those
 * of two changes and each form's own. Nearest first.
 */
export function corrections(mnemonic: string, words: readonly string[]): readonly Correction[] {
  if (words.length > MOST_WORDS) return [];
  const search = new Search(mnemonic);
  const at = words.findIndex((word, index) => index > 0 && nameParts.has(word) && search.names(word));
  const name = words[at];
  if (name === undefined || name === words[0] || words.slice(0, at).some((word) => isUnknown(word, mnemonic)))
    return search.near(words);
  const moved = [name, ...words.toSpliced(at, 1)];
  const first: Edit = { kind: "first", at };
  if (search.isLegal(moved)) return search.ranked([{ words: moved, edits: [first] }], words);
  const back = (index: number) => (index === 0 ? at : index <= at ? index - 1 : index);
  const found = search.near(moved).map(({ words: made, edits }) => ({
    words: made,
    edits: [first, ...edits.map((edit) => elsewhere(edit, back))],
  }));
  return search.ranked(found, words);
}

class Search {
  readonly #mnemonic: string;
  readonly #forms: readonly Form[];
  readonly #legal = new Map<string, boolean>();

  constructor(mnemonic: string) {
    this.#mnemonic = mnemonic;
    this.#forms = formsOf(mnemonic);
  }

  near(words: readonly string[]): readonly Correction[] {
    const found = this.ranked([...this.#single(words), ...this.#renamed(words), ...this.#withoutForeign(words)], words);
    if (found[0] !== undefined && found[0].cost < FAR) return found;
    const double = words.length > FEW_WORDS ? [] : this.#double(words);
    const more = [...found, ...double, ...this.#withoutForeign(words, true)];
    return this.ranked(more.length > 0 ? more : this.#rebuilt(words), words);
  }

  /** The cheapest of each spelling, cheapest first. */
  ranked(found: readonly Found[], words: readonly string[]): readonly Correction[] {
    const bySpelling = new Map<string, Correction>();
    for (const { words: made, edits: all } of found) {
      const edits = joined(all, words, this.#mnemonic);
      const correction = { words: made, edits, cost: costOf(edits, this.#mnemonic, this.#forms, words) };
      const key = made.join(".");
      const known = bySpelling.get(key);
      if (known === undefined || correction.cost < known.cost) bySpelling.set(key, correction);
    }
    return [...bySpelling.values()].sort((a, b) => a.cost - b.cost);
  }

  /** True when the word is a part of this instruction's name; in setp `.lo` is a comparison. */
  names(word: string): boolean {
    return this.#forms.some(({ modifiers }) =>
      modifiers.some(({ choices }) => choices.includes(word) && choices.every((choice) => nameParts.has(choice))),
    );
  }

  isLegal(words: readonly string[]): boolean {
    const key = words.join(".");
    const known = this.#legal.get(key);
    if (known !== undefined) return known;
    const legal = this.#forms.some((form) => takes(form, words));
    this.#legal.set(key, legal);
    return legal;
  }

  #single(words: readonly string[]): Found[] {
    const longer = this.#longer(words);
    // Types that a form has in this order do not stand in another.
    const ordered = longer.some(({ edits }) => edits.every((edit) => edit.kind !== "insert" || !isType(edit.modifier)));
    return [...this.#shorter(words), ...this.#replaced(words), ...longer, ...this.#swapped(words, ordered)];
  }

  #shorter(words: readonly string[]): Found[] {
    return words.flatMap((_, at): Found[] => {
      const left = words.toSpliced(at, 1);
      return this.isLegal(left) ? [{ words: left, edits: [{ kind: "delete", at }] }] : [];
    });
  }

  #replaced(words: readonly string[]): Found[] {
    // A form with more problems than one word can cause is not examined again.
    const close = this.#forms.filter((form) => besideTypes(matchForm(form, words).problems) <= 2);
    return words.flatMap((word, at) => {
      const left = words.toSpliced(at, 1);
      const tried = new Set<string>([word]);
      const found: Found[] = [];
      for (const form of close) {
        const { problems, mods } = matchForm(form, left);
        // Without a type, those after it seem to be wrong too.
        const others = besideTypes(problems);
        if (others > (others < problems.length ? 0 : 1)) continue;
        for (const modifier of form.modifiers) {
          // A type may take the place of another that then moves one further.
          const free = mods[modifier.name] === undefined || mods[modifier.name] === false || isType(modifier);
          if (!free) continue;
          for (const choice of modifier.choices) {
            if (tried.has(choice)) continue;
            const made = words.with(at, choice);
            if (!takes(form, made)) continue;
            tried.add(choice);
            found.push({ words: made, edits: [{ kind: "replace", at, word: choice }] });
          }
        }
      }
      return found;
    });
  }

  /** A word of another language that stands in several places: `.f8.f8`. */
  #renamed(words: readonly string[]): Found[] {
    const foreign = words.find((word, at) => isUnknown(word, this.#mnemonic) && words.lastIndexOf(word) > at);
    if (foreign === undefined) return [];
    return meantBy(foreign).flatMap((meant): Found[] => {
      const made = words.map((word) => (word === foreign ? meant : word));
      if (!this.isLegal(made)) return [];
      return [
        {
          words: made,
          edits: words.flatMap((word, at): Edit[] => (word === foreign ? [{ kind: "replace", at, word: meant }] : [])),
        },
      ];
    });
  }

  /** One word or two added that are missing. */
  #longer(words: readonly string[]): Found[] {
    const tried = new Set<string>();
    return this.#forms.flatMap((form) => {
      const { problems } = matchForm(form, words);
      const missing = problems.flatMap((problem) =>
        problem.kind === "missing" || problem.kind === "incomplete" ? [problem.modifier] : [],
      );
      const [modifier] = missing;
      // Without one of many types, those after it seem to be wrong too.
      const moved = missing.length < problems.length;
      if (modifier === undefined || (moved ? !lacksType(form, words, problems) : missing.length > 2)) return [];
      const second = moved ? undefined : missing[1];
      // Of two that are missing, the first is the one to choose.
      const [then] = second?.choices ?? [];
      // Of several types the first that is missing may be any of them.
      const choices = isType(modifier) ? typesOf(form) : modifier.choices;
      return choices.flatMap((word): Found[] => {
        const added = then === undefined ? [word] : [word, then];
        const at = tried.has(added.join()) ? undefined : placeFor(form, words, added);
        if (at === undefined) return [];
        tried.add(added.join());
        const edits: Edit[] = [{ kind: "insert", at, word, modifier }];
        if (second !== undefined && then !== undefined)
          edits.push({ kind: "insert", at, word: then, modifier: second });
        return [{ words: words.toSpliced(at, 0, ...added), edits }];
      });
    });
  }

  /** Two types that have changed places, unless they are `ordered`, or two neighbours. */
  #swapped(words: readonly string[], ordered: boolean): Found[] {
    const found: Found[] = [];
    words.forEach((word, at) => {
      words.forEach((second, other) => {
        if (other <= at || second === word) return;
        const types = typeWords.has(word) && typeWords.has(second);
        if (types ? ordered : other !== at + 1) return;
        const made = words.with(at, second).with(other, word);
        if (this.isLegal(made)) found.push({ words: made, edits: [{ kind: "swap", at, other }] });
      });
    });
    return found;
  }

  /** Two changes, the first of which repairs or leaves out one word. */
  #double(words: readonly string[]): Found[] {
    const vocabulary = new Set(this.#forms.flatMap(({ modifiers }) => modifiers.flatMap(({ choices }) => choices)));
    return words.flatMap((word, at): Found[] => {
      const near = isUnknown(word, this.#mnemonic) ? closest(word, vocabulary) : undefined;
      if (near === undefined)
        return this.#single(words.toSpliced(at, 1)).map((then) => after([{ kind: "delete", at }], then, [at]));
      return this.#single(words.with(at, near)).map((then) => after([{ kind: "replace", at, word: near }], then));
    });
  }

  /** All words left out that one form does not have: `add.rn.ftz.sat.f64`; `more` allows one more change after that. */
  #withoutForeign(words: readonly string[], more = false): Found[] {
    const seen = new Set<string>();
    return this.#forms.flatMap((form): Found[] => {
      const gone = matchForm(form, words).problems.flatMap((problem) =>
        problem.kind === "foreign" || problem.kind === "several" || problem.kind === "repeated" ? [problem.at] : [],
      );
      const key = gone.join();
      if (gone.length === 0 || gone.length > 6 || seen.has(key)) return [];
      seen.add(key);
      const left = words.filter((_, at) => !gone.includes(at));
      const edits = gone.map((at): Edit => ({ kind: "delete", at }));
      if (this.isLegal(left)) return [{ words: left, edits }];
      return more ? this.#single(left).map((then) => after(edits, then, gone)) : [];
    });
  }

  /** The spelling that each form makes of the words: those that it has, and the first choice for each that it lacks. */
  #rebuilt(words: readonly string[]): Found[] {
    return this.#forms.flatMap((form): Found[] => {
      const { problems, mods } = matchForm(form, words);
      const edits = problems.flatMap((problem): Edit[] =>
        "at" in problem && problem.at !== undefined && problem.kind !== "incomplete"
          ? [{ kind: "delete", at: problem.at }]
          : [],
      );
      const made = form.modifiers.flatMap((modifier): string[] => {
        const has = mods[modifier.name];
        if (has === true) return modifier.choices.slice(0, 1);
        if (typeof has === "string") return [has];
        const lacks = problems.some((problem) => "modifier" in problem && problem.modifier === modifier);
        const [word] = modifier.choices;
        if (!lacks || word === undefined) return [];
        edits.push({ kind: "insert", at: words.length, word, modifier });
        return [word];
      });
      return takes(form, made) ? [{ words: made, edits }] : [];
    });
  }
}

const besideTypes = (problems: readonly Problem[]): number =>
  problems.filter((problem) => problem.kind !== "type" && !(problem.kind === "missing" && isType(problem.modifier)))
    .length;

/** True where a form of four types or more lacks one, and nothing else is wrong. */
function lacksType(form: Form, words: readonly string[], problems: readonly Problem[]): boolean {
  const types = form.modifiers.filter(isType).length;
  return types > 3 && besideTypes(problems) === 0 && words.filter((word) => typeWords.has(word)).length === types - 1;
}

const typesOf = ({ modifiers }: Form): readonly string[] => [
  ...new Set(modifiers.filter(isType).flatMap(({ choices }) => choices)),
];

const takes = (form: Form, words: readonly string[]): boolean => matchForm(form, words).problems.length === 0;

/** The changes of `then`, which counts without the words at `gone`, after others. */
const after = (edits: readonly Edit[], then: Found, gone: readonly number[] = []): Found => ({
  words: then.words,
  edits: [
    ...edits,
    ...then.edits.map((edit) =>
      elsewhere(edit, (at) => gone.reduce((place, out) => (place >= out ? place + 1 : place), at)),
    ),
  ],
});

/** Where the form's line has the words; the end when the written order is not the line's. */
function placeFor(form: Form, words: readonly string[], added: readonly string[]): number | undefined {
  let place: number | undefined;
  for (let at = words.length; at >= 0; at--) {
    const tried = matchForm(form, words.toSpliced(at, 0, ...added));
    if (tried.problems.length > 0) continue;
    if (tried.unordered.length === 0) return at;
    place ??= at;
  }
  return place;
}

/** The word of the vocabulary that `word` may be, misspelt; undefined when none is near. */
function closest(word: string, vocabulary: ReadonlySet<string>): string | undefined {
  const near = [...vocabulary].filter((choice) => isTypo(word, choice));
  return near.sort((a, b) => apartBy(word, a) - apartBy(word, b))[0];
}

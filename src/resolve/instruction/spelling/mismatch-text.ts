import type { Form } from "../../../isa/form/define.ts";
import { clash } from "../../../isa/match/match.ts";
import { isRounding, isType, matchForm } from "../../../isa/match/match-form.ts";
import { layoutWords, nameParts, roundings, typeWords } from "../../../isa/match/vocabulary.ts";
import { formsOf } from "../../../isa/table.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Help } from "../../../source/diagnostic.ts";
import { type Report, reject } from "../../report.ts";
import type { Correction } from "./corrections.ts";
import { type Edit, isTypo, isUnknown } from "./edit.ts";
import { listWords, SpellingText } from "./spelling-text.ts";

const ordinals = ["first", "second", "third", "fourth", "fifth"];

/** The sentences about one instruction's words. `ranked` are the legal spellings near it, likeliest first. */
export class Mismatch {
  readonly #instruction: ast.Instruction;
  readonly #mnemonic: string;
  readonly #words: readonly string[];
  readonly #form: Form;
  readonly #ranked: readonly Correction[];
  readonly #report: Report;
  readonly #text: SpellingText;
  /** With this many changes one error covers all: the corrected spelling. */
  #whole: Correction | undefined;

  constructor(instruction: ast.Instruction, form: Form, ranked: readonly Correction[], report: Report) {
    this.#instruction = instruction;
    this.#mnemonic = instruction.mnemonic.text;
    this.#words = instruction.modifiers.map(({ text }) => text);
    this.#form = form;
    this.#ranked = ranked;
    this.#report = report;
    this.#text = new SpellingText(instruction);
  }

  /** A word that no instruction has; `best` replaces it or leaves it out. */
  #misspelt(at: number, best: Correction): undefined {
    const word = this.#words[at] ?? "";
    const edit = best.edits.find((each) => each.kind === "replace" && each.at === at);
    const choices = edit?.kind === "replace" ? this.#choices(at, edit.word) : [];
    const allTypes = choices.length > 0 && choices.every((choice) => typeWords.has(choice));
    const meant = edit?.kind === "replace" && isTypo(word, edit.word) ? edit.word : undefined;
    const expected =
      choices.length > 0 && edit !== undefined
        ? listWords(choices)
        : edit?.kind === "replace"
          ? `.${edit.word}`
          : this.#optional(best);
    this.#reject(
      "PTX1202",
      this.#text.span(at),
      `${this.#mnemonic} has no ${allTypes ? "type" : "modifier"} .${word}`,
      {
        expected,
        help:
          meant !== undefined
            ? this.#didYouMean(at, meant)
            : edit === undefined
              ? [this.#text.way({ kind: "delete", at }, best)]
              : [],
      },
    );
  }

  /** One error for each change that `best` makes, and one where several are one mistake. */
  explain(best: Correction): void {
    const { edits } = best;
    const [one, other] = edits;
    const several = edits.length > 1;
    const written = new Set(edits.map((edit) => (edit.kind === "replace" ? this.#words[edit.at] : edit)));
    if (edits.length === 2 && one?.kind === "delete" && other?.kind === "insert") this.#instead(one, other, best);
    else if (several && edits.every((edit) => edit.kind === "insert" && edit.modifier.group === undefined))
      this.#lacks(best);
    else if (several && written.size === 1 && one?.kind === "replace" && this.#isUnknown(one.at))
      this.#misspeltEach(one, best);
    else this.#each(best);
  }

  /** One error for each change; words that only have to go, and stand together, share one. */
  #each(best: Correction): void {
    const { edits } = best;
    const gone = edits.flatMap((edit) => (edit.kind === "delete" && this.#isPlain(edit.at) ? [edit.at] : []));
    const together = gone.length > 1 && gone.every((at, index) => at === (gone[0] ?? 0) + index);
    if (together) this.#delete(gone, best);
    // With this many changes, the first of each kind is enough.
    const many = edits.length > 2 && !together;
    if (many) this.#whole = best;
    for (const edit of many ? this.#firstOfEach(edits) : edits)
      if (!together || edit.kind !== "delete" || !gone.includes(edit.at)) this.#change(edit, best);
  }

  /** A word that stands where another is needed: `sqrt.approx.f64`. */
  #instead(
    { at }: Edit & { readonly kind: "delete" },
    insert: Edit & { readonly kind: "insert" },
    best: Correction,
  ): undefined {
    const word = this.#words[at] ?? "";
    if (typeWords.has(word) || this.#isUnknown(at)) {
      this.#change({ kind: "delete", at }, best);
      return this.#change(insert, best);
    }
    const alike = this.#ranked.filter(
      ({ edits: [gone, put, ...more] }) =>
        gone?.kind === "delete" && gone.at === at && put?.kind === "insert" && more.length === 0,
    );
    const fitting = alike.filter(({ misfit }) => !misfit);
    const likely = fitting.length > 0 ? fitting : alike;
    const found = this.#inOrder(
      new Set(likely.flatMap(({ edits: [, put] }) => (put?.kind === "insert" ? [put.word] : []))),
    );
    const choices = found.length > 0 ? found : insert.modifier.choices;
    const [, second] = this.#ranked;
    const clear = choices.length === 1 || second === undefined || second.cost - best.cost >= 0.5;
    const name = this.#text.name(best.words);
    const isWrong = roundings.has(word) ? `.${word} is not a rounding of ${name}` : `${name} has no .${word}`;
    return this.#reject(roundings.has(word) ? "PTX1203" : "PTX1206", this.#text.span(at), isWrong, {
      expected: listWords(choices),
      help: [...this.#elsewhere([at]), ...(clear ? [this.#text.spelling(best)] : [])],
    });
  }

  /** Several words that are missing: `ldmatrix.m8n8.x4.shared.b16`. */
  #lacks(best: Correction): undefined {
    const missing = best.edits.flatMap((edit) => (edit.kind === "insert" ? [edit.modifier] : []));
    const types = best.words.filter((word) => typeWords.has(word)).length;
    if (missing.every(isType))
      return this.#reject("PTX1210", this.#instruction.mnemonic, `${this.#mnemonic} needs ${types} types`, {
        expected: this.#text.show(best),
        help: this.spellings(),
      });
    const each = missing.map(({ choices }) => (choices.length === 1 ? `.${choices[0]}` : listWords(choices)));
    const needs =
      each.length === 2 && each.every((words) => !words.includes(" ")) ? each.join(" and ") : each.join("; and ");
    const mnemonic = this.#instruction.mnemonic;
    return this.#reject("PTX1209", mnemonic, `${this.#mnemonic} needs ${needs}`, {
      expected: this.#text.show(best),
      help: this.spellings(),
    });
  }

  /** A word that no instruction has, and that stands in several places. */
  #misspeltEach({ at, word }: Edit & { readonly kind: "replace" }, best: Correction): undefined {
    const written = this.#words[at] ?? "";
    const meant = this.#ranked.flatMap(({ edits: [edit, ...more], cost }) =>
      edit?.kind === "replace" && edit.at === at && more.length + 1 === best.edits.length && cost - best.cost < 0.05
        ? [edit.word]
        : [],
    );
    const what = typeWords.has(word) ? "type" : "modifier";
    return this.#reject("PTX1202", this.#text.span(at), `${this.#mnemonic} has no ${what} .${written}`, {
      expected: listWords(this.#inOrder(new Set(meant))),
      help: this.spellings(),
    });
  }

  /** A word that is known, no type and no rounding. */
  #isPlain(at: number): boolean {
    const word = this.#words[at] ?? "";
    return !this.#isUnknown(at) && !typeWords.has(word) && !roundings.has(word) && this.#words.indexOf(word) === at;
  }

  /** Of changes of one kind the first: of types, of roundings, of other words, of what is missing. */
  #firstOfEach(edits: readonly Edit[]): readonly Edit[] {
    const kinds = new Set<string>();
    return edits.filter((edit) => {
      const word = edit.kind === "insert" ? edit.word : (this.#words[edit.at] ?? "");
      const known = typeWords.has(word) ? "type" : roundings.has(word) ? "rounding" : edit.kind;
      const kind = edit.kind !== "insert" && this.#isUnknown(edit.at) ? word : known;
      const seen = kinds.has(kind);
      kinds.add(kind);
      return !seen;
    });
  }

  #order(word: string, other: string): string {
    const [types, layouts] = [typeWords, layoutWords].map((set) => set.has(word) && set.has(other));
    if (!types && !layouts) return `.${other} must come before .${word}`;
    return `the ${types ? "types" : "layouts"} of ${this.#mnemonic} are in the wrong order`;
  }

  #isUnknown = (at: number): boolean => isUnknown(this.#words[at] ?? "", this.#mnemonic);

  #change(edit: Edit, best: Correction): undefined {
    switch (edit.kind) {
      case "replace":
        return this.#isUnknown(edit.at) ? this.#misspelt(edit.at, best) : this.#replace(edit, best);
      case "delete":
        return this.#isUnknown(edit.at) ? this.#misspelt(edit.at, best) : this.#delete([edit.at], best);
      case "insert":
        return this.#insert(edit, best);
      case "swap":
        return this.#reject(
          "PTX1210",
          this.#text.across(edit.at, edit.other),
          this.#order(this.#words[edit.at] ?? "", this.#words[edit.other] ?? ""),
          {
            expected: this.#text.show(best),
            help: [this.#text.way(edit, best)],
          },
        );
      case "first":
        return this.#reject(
          "PTX1206",
          this.#text.span(edit.at),
          `.${this.#words[edit.at]} must come right after ${this.#mnemonic}`,
          {
            expected: this.#text.show(best),
            help: [this.#text.way(edit, best)],
          },
        );
    }
  }

  /** The likeliest legal spellings, for a combination that has several ways out; without the word `gone`, where that alone is one. */
  spellings(gone?: number): readonly Help[] {
    const [best, second] = this.#ranked;
    if (best === undefined) return [];
    const without = this.#ranked.find(
      ({ edits: [edit, ...more] }) => edit?.kind === "delete" && edit.at === gone && more.length === 0,
    );
    if (without === best) return [this.#text.spelling(best)];
    if (without !== undefined) return [{ message: `write ${this.#text.show(without)} or ${this.#text.show(best)}` }];
    if (second === undefined || second.cost - best.cost > 1) return [this.#text.spelling(best)];
    const near = this.#ranked.filter(({ cost }) => cost - best.cost <= 1);
    const fitting = near.filter(({ misfit }) => !misfit);
    const equal = (fitting.length > 0 ? fitting : near).slice(0, 3);
    if (equal.length === 1 && equal[0] !== undefined) return [this.#text.spelling(equal[0])];
    return [{ message: `write ${equal.map((correction) => this.#text.show(correction)).join(" or ")}` }];
  }

  #replace({ at, word: meant }: Edit & { readonly kind: "replace" }, best: Correction): undefined {
    const word = this.#words[at] ?? "";
    const choices = this.#choices(at, meant);
    const expected = listWords(choices.length > 0 ? choices : [meant]);
    const help = this.#likely(at, meant, choices, best);
    if (typeWords.has(word)) {
      return this.#reject("PTX1210", this.#text.span(at), this.#noType(at), { expected, help });
    }
    if (roundings.has(word)) {
      const why = this.#form.refuse[word];
      return this.#reject(
        "PTX1203",
        this.#text.span(at),
        `.${word} is not a rounding of ${this.#text.name(best.words)}`,
        {
          expected,
          help: why === undefined ? help : [{ message: why }, ...help],
        },
      );
    }
    const other = clash(this.#mnemonic, this.#words, at);
    if (other !== undefined && this.#words.includes(other))
      return this.#reject("PTX1207", this.#text.span(at), `.${word} cannot be combined with .${other}`, {
        expected,
        help,
      });
    const others = best.words.filter((each) => each !== meant || !nameParts.has(meant));
    return this.#reject("PTX1206", this.#text.span(at), `${this.#text.name(others)} has no .${word}`, {
      expected,
      help,
    });
  }

  /** `.b32 cannot be the second type of cvt`, or `add has no type .b32`. */
  #noType(at: number): string {
    const word = this.#words[at] ?? "";
    const types = this.#words.filter((each) => typeWords.has(each));
    const rest = this.#words.filter((each) => !typeWords.has(each));
    if (types.length > 1) {
      const index = this.#words.slice(0, at).filter((each) => typeWords.has(each)).length;
      const others = this.#words.filter((_, index) => index !== at);
      return `.${word} cannot be the ${ordinals[index] ?? "next"} type of ${[this.#mnemonic, ...others].join(".")}`;
    }
    const elsewhere = formsOf(this.#mnemonic).some(({ modifiers }) =>
      modifiers.some((modifier) => isType(modifier) && modifier.choices.includes(word)),
    );
    return `${(elsewhere ? [this.#mnemonic, ...rest] : [this.#mnemonic]).join(".")} has no type .${word}`;
  }

  #delete(gone: readonly number[], best: Correction): undefined {
    const [at = 0] = gone;
    const word = this.#words[at] ?? "";
    const before = this.#words.indexOf(word);
    const span = this.#text.across(at, gone.at(-1) ?? at);
    const help = [this.#text.without(gone, best)];
    const expected = this.#text.show(best);
    if (before < at && !typeWords.has(word)) {
      const related = [{ span: this.#text.span(before), message: "the first one" }];
      return this.#reject("PTX1208", span, `.${word} is given twice`, { expected: `.${word} once`, related, help });
    }
    if (typeWords.has(word)) {
      const type = listWords(
        best.words.filter((each) => typeWords.has(each)),
        "and",
      );
      const has = type === "" ? `${this.#mnemonic} takes no type` : `${this.#mnemonic} has the type ${type} already`;
      return this.#reject("PTX1210", span, `${has}, and .${word} is one too many`, { expected, help });
    }
    const first = this.#words.findIndex((each, index) => index !== at && roundings.has(each));
    if (roundings.has(word) && first >= 0) {
      const second = Math.max(at, first);
      const kept = this.#words[Math.min(at, first)];
      return this.#reject(
        "PTX1205",
        this.#text.span(second),
        `.${this.#words[second]} is a second rounding beside .${kept}`,
        {
          expected: "one rounding",
          related: [{ span: this.#text.span(Math.min(at, first)), message: "the first one" }],
          help: this.spellings(),
        },
      );
    }
    const other = gone.length > 1 ? undefined : (clash(this.#mnemonic, this.#words, at) ?? this.#samePlace(at));
    if (other !== undefined) {
      return this.#reject("PTX1207", span, `.${word} cannot be combined with .${other}`, {
        expected: `.${word} or .${other}`,
        help: this.spellings(),
      });
    }
    const name = this.#text.name(best.words);
    const words = gone.map((index) => `.${this.#words[index]}`);
    if (gone.length === 1 && roundings.has(word)) {
      const why = this.#form.refuse[word];
      return this.#reject("PTX1203", span, `.${word} is not a rounding of ${name}`, {
        expected: "no rounding",
        help: [...(why === undefined ? [] : [{ message: why }]), ...this.#elsewhere(gone), ...help],
      });
    }
    const has = words.length === 1 ? `no ${words[0]}` : `neither ${words.slice(0, -1).join(", ")} nor ${words.at(-1)}`;
    return this.#reject("PTX1206", span, `${name} has ${has}`, { expected, help: [...this.#elsewhere(gone), ...help] });
  }

  /** The types with which the words are legal: `.ftz exists for add with .f32`. */
  #elsewhere(gone: readonly number[]): readonly Help[] {
    const types = new Set<string>();
    const at = this.#words.findLastIndex((word) => typeWords.has(word));
    if (at < 0) return [];
    for (const form of formsOf(this.#mnemonic))
      for (const modifier of form.modifiers) {
        if (!isType(modifier)) continue;
        for (const choice of modifier.choices)
          if (matchForm(form, this.#words.with(at, choice)).cost === 0) types.add(choice);
      }
    if (types.size === 0) return [];
    const words = listWords(
      gone.map((index) => this.#words[index] ?? ""),
      "and",
    );
    const exist = gone.length === 1 ? "exists" : "exist";
    return [{ message: `${words} ${exist} for ${this.#mnemonic} with ${listWords([...types], "and")}` }];
  }

  #insert(edit: Edit & { readonly kind: "insert" }, best: Correction): undefined {
    const { word, modifier } = edit;
    const single = this.#ranked.filter(
      ({ edits: [other, ...more] }) => other?.kind === "insert" && more.length === 0 && sameKind(other.word, word),
    );
    // Of many types those that the operands go with.
    const fitting = typeWords.has(word) ? single.filter(({ misfit }) => !misfit) : [];
    const alone = this.#inOrder(
      new Set(
        (fitting.length > 0 ? fitting : single).flatMap(({ edits: [other] }) =>
          other?.kind === "insert" ? [other.word] : [],
        ),
      ),
    );
    const choices = alone.length > 0 ? alone : modifier.choices;
    const wanted = listWords(choices);
    const at = this.#instruction.mnemonic;
    const help =
      choices.length <= 1 ? [this.#text.way(edit, best)] : best.edits.length > 1 ? [] : this.#onlyFit(edit, best);
    const partner =
      modifier.group === undefined
        ? -1
        : this.#words.findIndex((each) =>
            formsOf(this.#mnemonic).some(({ modifiers }) =>
              modifiers.some(({ group, choices: its }) => group === modifier.group && its.includes(each)),
            ),
          );
    if (partner >= 0) {
      const has = this.#words[partner];
      return this.#reject("PTX1211", this.#text.span(partner), `.${has} needs .${word}`, {
        expected: `.${has} and .${word}`,
        help,
      });
    }
    const name = best.edits.length > 1 ? this.#mnemonic : this.#text.name(this.#words);
    if (isType(modifier)) {
      const types = this.#words.filter((each) => typeWords.has(each)).length;
      const message = types === 0 ? `${this.#mnemonic} needs a type` : `${name} needs ${types + 1} types`;
      const example = types > 0 && help.length === 0 ? [{ message: `for example ${this.#text.show(best)}` }] : help;
      return this.#reject("PTX1210", at, message, { expected: wanted, help: example });
    }
    if (isRounding(modifier)) {
      const usual = rounds.find(([mode]) => choices.includes(mode));
      const spelled =
        usual &&
        this.#ranked.find(
          ({ edits: [put, ...more] }) => put?.kind === "insert" && put.word === usual[0] && more.length === 0,
        );
      const asC = spelled && usual ? [{ message: `${this.#text.show(spelled)} ${usual[1]}, as C does` }] : [];
      return this.#reject("PTX1204", at, `${name} needs a rounding`, {
        expected: wanted,
        help: help.length > 0 ? help : asC,
      });
    }
    return this.#reject("PTX1209", at, `${name} needs ${wanted}`, { expected: wanted, help });
  }

  /** The words that could stand at `at` in the place of `like`, in the table's order. */
  #choices(at: number, like: string): readonly string[] {
    const places = formsOf(this.#mnemonic).flatMap(({ modifiers }) =>
      modifiers.filter(({ choices }) => choices.includes(like)),
    );
    const shares = (word: string) =>
      (typeWords.has(word) && typeWords.has(like)) || places.some(({ choices }) => choices.includes(word));
    const single = this.#ranked.filter(
      ({ edits: [edit, ...more] }) =>
        edit?.kind === "replace" && edit.at === at && more.length === 0 && shares(edit.word),
    );
    // Of many types those that the operands go with.
    const fitting = typeWords.has(like) ? single.filter(({ misfit }) => !misfit) : [];
    const words = (fitting.length > 0 ? fitting : single).flatMap(({ edits: [edit] }) =>
      edit?.kind === "replace" ? [edit.word] : [],
    );
    return this.#inOrder(new Set(words));
  }

  #inOrder(words: ReadonlySet<string>): readonly string[] {
    const all = formsOf(this.#mnemonic).flatMap(({ modifiers }) => modifiers.flatMap(({ choices }) => choices));
    return [...new Set(all)].filter((word) => words.has(word));
  }

  /** Another word that stands in the place of this one. */
  #samePlace(at: number): string | undefined {
    const word = this.#words[at] ?? "";
    const places = formsOf(this.#mnemonic).flatMap(({ modifiers }) => modifiers);
    return this.#words.find(
      (other, index) => index !== at && places.some(({ choices }) => choices.includes(word) && choices.includes(other)),
    );
  }

  #didYouMean(at: number, meant: string): readonly Help[] {
    const span = this.#text.span(at);
    const [best, second] = this.#ranked;
    const rival = second?.edits[0];
    const word = this.#words[at] ?? "";
    if (
      best !== undefined &&
      second !== undefined &&
      second.cost - best.cost < 0.05 &&
      rival?.kind === "replace" &&
      rival.at === at &&
      isTypo(word, rival.word)
    )
      return [{ message: `did you mean .${meant} or .${rival.word}?` }];
    return [{ message: `did you mean .${meant}?`, replace: { span, text: `.${meant}` } }];
  }

  /** The one word that is right, if only one is, or only one goes with the operands. */
  #likely(at: number, meant: string, choices: readonly string[], best: Correction): readonly Help[] {
    const [first, second] = this.#ranked.filter(({ edits: [each] }) => each?.kind === "replace" && each.at === at);
    const doubtful = second !== undefined && first !== undefined && second.cost - first.cost < 0.5;
    if (best.edits.length === 1 && choices.length > 1 && doubtful) {
      const alike = sameWidth(this.#words[at] ?? "", choices);
      return alike === undefined ? [] : this.#didYouMean(at, alike);
    }
    const replace = best.misfit ? {} : { replace: { span: this.#text.span(at), text: `.${meant}` } };
    return [{ message: `write .${meant}`, ...replace }];
  }

  /** The spelling, if no other goes with the operands as well. */
  #onlyFit(edit: Edit, best: Correction): readonly Help[] {
    const [first, second] = this.#ranked;
    return first === best && second !== undefined && second.cost - first.cost < 0.5 ? [] : [this.#text.way(edit, best)];
  }

  /** The optional words that the spelling may also have, or itself if it has none. */
  #optional(best: Correction): string {
    const form = formsOf(this.#mnemonic).find((each) => matchForm(each, best.words).cost === 0);
    const free = (form?.modifiers ?? []).filter(
      (modifier) => !isType(modifier) && !modifier.choices.some((choice) => best.words.includes(choice)),
    );
    const words = free.flatMap(({ choices }) => choices);
    return words.length === 0 ? this.#text.show(best) : `${listWords(words, ",").replace(/ , /g, ", ")} or nothing`;
  }

  #reject(
    ...[code, span, message, detail]: Parameters<typeof reject> extends [unknown, ...infer Rest] ? Rest : never
  ): undefined {
    const { help: some = [], ...rest } = detail ?? {};
    const help = this.#whole === undefined ? some : [this.#text.spelling(this.#whole)];
    return reject(this.#report, code, span, message, {
      ...rest,
      ...(help.length > 0 && { help }),
      manual: this.#form.manual,
    });
  }
}

/** The type in which the same bits are taken: `.b32` for `.u32` and `.f32`, `.s32` for `.u32` where no other integer is. */
function sameWidth(type: string, choices: readonly string[]): string | undefined {
  const [, kind, width] = /^([busf]|bf)(\d+)$/.exec(type) ?? [];
  if (width === undefined) return undefined;
  if (choices.includes(`b${width}`)) return `b${width}`;
  const integers = choices.filter((each) => each === `u${width}` || each === `s${width}`);
  return integers.length === 1 && (kind === "u" || kind === "s" || kind === "b") ? integers[0] : undefined;
}

/** What C does where a rounding has to be said. */
const rounds = [
  ["rzi", "truncates"],
  ["rn", "rounds to the nearest"],
] as const;

/** Both types, or neither: `.approx` may stand in the place of a rounding. */
const sameKind = (one: string, other: string): boolean => typeWords.has(one) === typeWords.has(other);

import type { Form } from "../../../isa/form/define.ts";
import type { Modifier } from "../../../isa/form/syntax.ts";
import { modifierWords } from "../../../isa/match/match.ts";
import { isType } from "../../../isa/match/match-form.ts";
import { meantBy } from "../../../isa/match/other-assemblers.ts";
import { nameParts, roundings, typeWords } from "../../../isa/match/vocabulary.ts";
import { formsOf } from "../../../isa/table.ts";
import { distance } from "../../nearest.ts";

/** One change of an instruction's words; `at` counts the written words from 0. */
export type Edit =
  | { readonly kind: "replace"; readonly at: number; readonly word: string }
  | { readonly kind: "delete"; readonly at: number }
  /** Before the written word `at`. */
  | { readonly kind: "insert"; readonly at: number; readonly word: string; readonly modifier: Modifier }
  /** Two types that stand in the wrong order. */
  | { readonly kind: "swap"; readonly at: number; readonly other: number }
  /** `.lo` belongs directly behind the name. */
  | { readonly kind: "first"; readonly at: number };

/** What each change costs. A type tells best which instruction was meant, so it is the last to be doubted. */
const costs = {
  typo: 1, stranger: 7, type: 20, notType: 30, rounding: 5, sameRole: 4.5, slip: 3.5, otherRole: 9,
  repeated: 1, deletedStranger: 6.5, second: 3, deleted: 4, deletedRounding: 5.5, deletedType: 16, deletedName: 8.5,
  partner: 2, required: 3, requiredType: 6.4, swap: 2, first: 1,
} as const; // biome-ignore format: one thought

/** The least cost of a change that is no typing slip. */
export const FAR: number = costs.deletedStranger;

/** A word that is no modifier of any instruction; `.wide` is one of mul and mad alone, as a part of their names. */
export const isUnknown = (word: string, mnemonic: string): boolean =>
  !modifierWords().has(word) && !(nameParts.has(word) && hasWord(mnemonic, word));

const hasWord = (mnemonic: string, word: string): boolean =>
  formsOf(mnemonic).some(({ modifiers }) => modifiers.some(({ choices }) => choices.includes(word)));

/** The edit with its places counted otherwise. */
export const elsewhere = (edit: Edit, place: (at: number) => number): Edit =>
  edit.kind === "swap" ? { ...edit, at: place(edit.at), other: place(edit.other) } : { ...edit, at: place(edit.at) };

/** A deleted word and one inserted in its place are one change: two types, two roundings, `.shared` and `.shared::cta`. */
export function joined(edits: readonly Edit[], words: readonly string[], mnemonic: string): readonly Edit[] {
  for (const insert of edits) {
    if (insert.kind !== "insert") continue;
    const gone = edits.find((edit) => edit.kind === "delete" && replaces(insert.word, words[edit.at] ?? "", mnemonic));
    if (gone === undefined) continue;
    const rest = edits.filter((edit) => edit !== insert && edit !== gone);
    return [{ kind: "replace", at: gone.at, word: insert.word }, ...joined(rest, words, mnemonic)];
  }
  return edits;
}

const replaces = (word: string, written: string, mnemonic: string): boolean =>
  isUnknown(written, mnemonic) || sameKind(written, word) || word.startsWith(`${written}::`);

/** Both types, or both roundings. */
const sameKind = (one: string, other: string): boolean =>
  (typeWords.has(one) && typeWords.has(other)) || (roundings.has(one) && roundings.has(other));

/** How unlikely it is that these changes are what was meant. */
export const costOf = (
  edits: readonly Edit[],
  mnemonic: string,
  forms: readonly Form[],
  words: readonly string[],
): number => edits.reduce((sum, edit) => sum + one(edit, mnemonic, forms, words), 0);

function one(edit: Edit, mnemonic: string, forms: readonly Form[], words: readonly string[]): number {
  switch (edit.kind) {
    case "replace":
      return replacement(words[edit.at] ?? "", edit.word, mnemonic, forms);
    case "delete":
      return deletion(words, edit.at, mnemonic);
    case "insert":
      if (edit.modifier.group !== undefined) return costs.partner;
      return isType(edit.modifier) ? costs.requiredType : costs.required;
    case "swap":
    case "first":
      return costs[edit.kind];
  }
}

function replacement(written: string, meant: string, mnemonic: string, forms: readonly Form[]): number {
  const apart = apartBy(written, meant);
  // Of words as near as each other, those that begin alike are likelier.
  const tie = written[0] === meant[0] ? 0 : 0.1;
  if (isUnknown(written, mnemonic))
    return (isTypo(written, meant) ? costs.typo + apart / 2 : costs.stranger + apart / 100) + tie;
  const near = Math.min(apart, 9) / 10 + tie;
  if (meantBy(written).includes(meant)) return costs.slip + near;
  if (typeWords.has(written) !== typeWords.has(meant)) return costs.notType + near;
  // An integer type is rather another integer type than a float.
  if (typeWords.has(written)) return costs.type + near + (isInteger(written) === isInteger(meant) ? 0 : 0.5);
  if (roundings.has(written) && roundings.has(meant)) return costs.rounding + near;
  const share = forms.some(({ modifiers }) =>
    modifiers.some(({ choices }) => choices.includes(written) && choices.includes(meant)),
  );
  if (share) return costs.sameRole + near;
  return (apart <= 1 ? costs.slip : costs.otherRole) + near;
}

const isInteger = (type: string): boolean => /^[usb]\d/.test(type);

function deletion(words: readonly string[], at: number, mnemonic: string): number {
  const word = words[at] ?? "";
  if (isUnknown(word, mnemonic)) return costs.deletedStranger;
  if (words.indexOf(word) < at) return costs.repeated;
  if (roundings.has(word) && words.some((other, index) => index < at && roundings.has(other))) return costs.second;
  if (nameParts.has(word)) return costs.deletedName;
  if (typeWords.has(word)) return costs.deletedType - at / 100;
  return roundings.has(word) ? costs.deletedRounding : costs.deleted - at / 100;
}

/** Edits between two words; capitals count little, and so do what another language calls it and the rest of a longer word. */
export function apartBy(written: string, meant: string): number {
  if (written.length > 32) return 32;
  if (meantBy(written).includes(meant)) return 0.5;
  if (beginsAlike(written, meant)) return 0.9;
  return written.toLowerCase() === meant.toLowerCase() ? 0.2 : distance(written, meant);
}

/** True when `written` may be `meant` misspelt, a third of whose letters may differ, or its beginning, or another word for it. */
export const isTypo = (written: string, meant: string): boolean =>
  apartBy(written, meant) <= Math.max(1, Math.floor(written.length / 3));

/** `.glob` for `.global`, `.uniform` for `.uni`. */
const beginsAlike = (written: string, meant: string): boolean =>
  Math.min(written.length, meant.length) >= 3 && (meant.startsWith(written) || written.startsWith(meant));

import type { Form } from "../form/define.ts";
import { formsOf } from "../table.ts";
import { isType } from "./match-form.ts";
import { typeWords } from "./vocabulary.ts";

/**
 * The forms that have all these words, perhaps among others: `add.cc` begins `add.cc.u32`, `mad.lo` begins
 * `mad.lo.cc.s64`. Types must be in order, other words in any order; conflicts between words are not checked.
 */
export const completions = (mnemonic: string, words: readonly string[]): readonly Form[] =>
  formsOf(mnemonic).filter((form) => hasPlaces(form, words));

/** A separate position for each word. */
function hasPlaces({ modifiers }: Form, words: readonly string[]): boolean {
  const free = new Set(modifiers.keys());
  let nextType = 0;
  for (const word of words) {
    const type = typeWords.has(word);
    const place = [...free].find((at) => {
      const modifier = modifiers[at];
      if (modifier === undefined || !modifier.choices.includes(word)) return false;
      return !type || !isType(modifier) || at >= nextType;
    });
    if (place === undefined) return false;
    free.delete(place);
    if (type) nextType = place + 1;
  }
  return true;
}

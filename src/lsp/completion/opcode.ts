import type { Document } from "../document.ts";
import type { Place } from "../text/place.ts";
import { type Sketch, wordsOf } from "../text/sketch.ts";
import { headerOf } from "./header.ts";
import { at, type Completion } from "./item.ts";
import { isWhole, legalMnemonics, nextWords } from "./legal.ts";

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
    // What ends the spelling first.
    const rank = isWhole(mnemonic, [...words, word], header) ? 0 : 1;
    return item("suffix", `.${word}`, { rank, ...(detail !== undefined && { detail }) });
  });
}

import { types as visaTypes } from "../../packages/visa/src/ast.ts";
import { known, forms as visaForms } from "../../packages/visa/src/isa/table.ts";
import { directives } from "../../src/cli/check/file/directive.ts";
import { typeWords } from "../../src/isa/match/vocabulary.ts";
import { specialRegisters } from "../../src/isa/special-registers.ts";
import { mnemonics, table } from "../../src/isa/table.ts";
import { keywords } from "../../src/lexer/keywords.ts";
import { Space } from "../../src/lexer/tokens.ts";

/**
 * The words of PTX and of vISA, as the tables of ptxrun have them. Every grammar of this folder is made from these lists
 * and has none of its own.
 */
export interface Words {
  readonly ptx: {
    readonly mnemonics: readonly string[];
    /** Without dots; those that are types or state spaces stand in their own lists only. */
    readonly modifiers: readonly string[];
    readonly types: readonly string[];
    /** With dots, `.shared::cta` among them. */
    readonly spaces: readonly string[];
    /** With dots; without the state spaces. */
    readonly directives: readonly string[];
    /** Without percent signs. */
    readonly specials: readonly string[];
  };
  readonly visa: { readonly mnemonics: readonly string[]; readonly types: readonly string[] };
  /** What follows `//@`. */
  readonly golden: readonly string[];
}

/** Collects the words; the same list on every machine, since each is in the order of its characters. */
export function collectWords(): Words {
  const modifiers = table.flatMap(({ forms }) =>
    forms.flatMap((form) => form.modifiers.flatMap(({ choices }) => choices)),
  );
  const types = new Set([...typeWords, "texref", "samplerref", "surfref"]);
  const plain = [...keywords].filter(([, token]) => token === Space).map(([word]) => word);
  const windows = modifiers.map((word) => `.${word}`).filter((word) => plain.includes(word.replace(/::.*/, "")));
  const spaces = [...plain, ...windows];
  const isOther = (word: string): boolean => !types.has(word) && !spaces.includes(`.${word}`);
  return {
    ptx: {
      mnemonics: sorted(mnemonics),
      modifiers: sorted(modifiers.filter(isOther)),
      types: sorted(types),
      spaces: sorted(spaces),
      directives: sorted([...keywords.keys()].filter((word) => !spaces.includes(word))),
      specials: sorted(specialRegisters.keys()),
    },
    visa: { mnemonics: sorted([...visaForms.map(({ mnemonic }) => mnemonic), ...known]), types: sorted(visaTypes) },
    golden: directives,
  };
}

const sorted = (words: Iterable<string>): string[] => [...new Set(words)].sort();

/** A pattern for exactly these words. Longer words come first, since an alternation takes the first that fits. */
export const anyOf = (words: readonly string[]): string =>
  [...words]
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("|");

import { mnemonics, modifierWords, specialRegisters } from "../../src/isa/index.ts";
import { keywords } from "../../src/lexer/keywords.ts";
import type { Words } from "../page/client.ts";

/** What the table knows, for colours. The build has the answer, because asking loads every section of the table. */
export const words = (): Words => ({
  mnemonics: [...mnemonics],
  modifiers: [...modifierWords()],
  directives: [...keywords.keys()],
  specials: [...specialRegisters.keys()].map((name) => `%${name}`),
});

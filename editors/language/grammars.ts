import { ptxGrammar } from "./ptx-grammar.ts";
import { visaGrammar } from "./visa-grammar.ts";
import { collectWords } from "./words.ts";

/** The files of the TextMate grammars: their names and what stands in them. */
export function grammarFiles(): ReadonlyMap<string, string> {
  const words = collectWords();
  return new Map([
    ["ptx.tmLanguage.json", `${JSON.stringify(ptxGrammar(words), null, 1)}\n`],
    ["visa.tmLanguage.json", `${JSON.stringify(visaGrammar(words), null, 1)}\n`],
  ]);
}

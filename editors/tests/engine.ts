import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import onig from "vscode-oniguruma";
import textmate from "vscode-textmate";
import { ptxGrammar } from "../language/ptx-grammar.ts";
import type { Grammar } from "../language/textmate.ts";
import { visaGrammar } from "../language/visa-grammar.ts";
import { collectWords } from "../language/words.ts";

const require = createRequire(import.meta.url);
await onig.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
const words = collectWords();
const grammars = new Map<string, Grammar>(
  [ptxGrammar(words), visaGrammar(words)].map((grammar) => [grammar.scopeName, grammar]),
);
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: (patterns) => new onig.OnigScanner(patterns),
    createOnigString: (text) => new onig.OnigString(text),
  }),
  loadGrammar: async (scope) => textmate.parseRawGrammar(JSON.stringify(grammars.get(scope)), `${scope}.json`),
});

/** Colours a text as VS Code does: the innermost scope of each character; "" where the grammar has none. */
export async function colour(text: string, scopeName: "source.ptx" | "source.visa"): Promise<(at: number) => string> {
  const grammar = await registry.loadGrammar(scopeName);
  if (grammar === null) throw new Error(`no grammar for ${scopeName}`);
  const scopes: string[] = new Array(text.length + 1).fill("");
  let state = textmate.INITIAL;
  let base = 0;
  for (const line of text.split("\n")) {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
    for (const { startIndex, endIndex, scopes: all } of tokens) {
      const name = all.slice(1).findLast((scope) => !scope.startsWith("meta.")) ?? "";
      scopes.fill(name, base + startIndex, base + endIndex);
    }
    state = ruleStack;
    base += line.length + 1;
  }
  return (at) => scopes[at] ?? "";
}

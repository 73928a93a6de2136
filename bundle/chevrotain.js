// Chevrotain without what only a grammar that is still being written needs: its own checks, its analysis of patterns, its
// recovery from errors, and the parts of lodash that it does not ask for. Tests make the grammars with all of it.
//
// Each change names the text that it changes, and the build ends when a later version has another one.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Pairs of a text and what stands in its place, by the end of a file's path. */
const edits = {
  "scan/lexer.js": [
    // A table of all 65,536 characters, filled on each start to save a division for each character beyond 255 that it
    // meets later. Texts of PTX have few; here the division is made.
    [": charCodeToOptimizedIdxMap[charCode]", ": 255 + ~~(charCode / 255)"],
    ["if (isEmpty(charCodeToOptimizedIdxMap)) {", "if (false) {"],
  ],
  "scan/lexer_public.js": [["this.config.skipValidations === false", "false", 2]],
  "parse/parser/parser.js": [
    ["isEmpty(resolverErrors) && this.skipValidations === false", "false"],
    ["if (this.recoveryEnabled) {", "if (false) {"],
  ],
  "parse/grammar/llk_lookahead.js": [[", defaultGrammarValidatorErrorProvider)", ")", 4]],
};

/** Files of which nothing but these exports is used. */
const standIns = {
  // All tokens say what they begin with (`start_chars_hint`), and none asks for lines.
  "scan/reg_exp.js": `export const failedOptimizationPrefixMsg = "";
    export const canMatchCharCode = () => { throw new Error("lines are counted elsewhere"); };
    export const getOptimizedStartCodesIndices = () => { throw new Error("a token without start_chars_hint"); };`,
  "scan/reg_exp_parser.js": `export const getRegExpAst = () => { throw new Error("no pattern is checked"); };
    export const clearRegExpParserCache = () => {};`,
  "parse/grammar/checks.js": `const none = () => [];
    export { none as validateAmbiguousAlternationAlternatives, none as validateEmptyOrAlternative,
      none as validateNoLeftRecursion, none as validateSomeNonEmptyLookaheadPath, none as validateLookahead,
      none as validateGrammar,
      none as validateRuleIsOverridden };`,
  // No parser of ours recovers within a rule, makes a concrete syntax tree, or completes.
  "parse/parser/traits/recoverable.js": `export const EOF_FOLLOW_KEY = {};
    export const IN_RULE_RECOVERY_EXCEPTION = "InRuleRecoveryException";
    export class InRuleRecoveryException extends Error {}
    export class Recoverable {
      initRecoverable() { this.recoveryEnabled = false; }
      attemptInRepetitionRecovery() {}
      getHumanReadableRuleStack() {
        return this.RULE_STACK.slice(0, this.RULE_STACK_IDX + 1).map((rule) => this.shortRuleNameToFullName(rule));
      }
    }`,
  "parse/parser/traits/context_assist.js": `export class ContentAssist { initContentAssist() {} }`,
  "parse/cst/cst_visitor.js": `const none = () => { throw new Error("there is no concrete syntax tree"); };
    export { none as createBaseSemanticVisitorConstructor, none as createBaseVisitorConstructorWithDefaults };`,
};

const at = /[/\\]chevrotain[/\\]lib[/\\]src[/\\](.+\.js)$/;
const small = fileURLToPath(new URL("lodash.js", import.meta.url));

/** The plugin for esbuild. */
export const smallChevrotain = {
  name: "small chevrotain",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^lodash-es$/ }, () => ({ path: small, sideEffects: false }));
    onLoad({ filter: at }, ({ path }) => {
      const file = at.exec(path)[1].replaceAll("\\", "/");
      if (file in standIns) return { contents: standIns[file] };
      if (!(file in edits)) return undefined;
      let contents = readFileSync(path, "utf8");
      for (const [from, to, times = 1] of edits[file]) {
        if (contents.split(from).length !== times + 1) throw new Error(`${path} is not what it was: ${from}`);
        contents = contents.replaceAll(from, to);
      }
      return { contents };
    });
  },
};

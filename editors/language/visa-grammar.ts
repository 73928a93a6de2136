import { comments, type Grammar, SCHEMA } from "./textmate.ts";
import { anyOf, type Words } from "./words.ts";

/** The TextMate grammar of vISA: a statement is a line. */
export function visaGrammar({ visa, golden }: Words): Grammar {
  const include = (...names: readonly string[]) => names.map((name) => ({ include: `#${name}` }));
  return {
    $schema: SCHEMA,
    name: "vISA",
    scopeName: "source.visa",
    patterns: include("comments", "statement", "operands"),
    repository: {
      comments: { patterns: comments("visa", anyOf(golden)) },
      statement: {
        patterns: [
          { name: "keyword.other.directive.visa", match: "^[ \\t]*\\.[A-Za-z_]\\w*" },
          {
            match: "^([A-Za-z_$@?][\\w\\-$@?]*)(:)",
            captures: { 1: { name: "entity.name.label.visa" }, 2: { name: "punctuation.separator.label.visa" } },
          },
          {
            match: `^[ \\t]*(?:(\\()(!?)(\\w+)((?:\\.\\w+)?)(\\))[ \\t]*)?(${anyOf(visa.mnemonics)})(?!\\w)((?:\\.\\w+)*)`,
            captures: {
              1: { name: "punctuation.section.visa" },
              2: { name: "keyword.operator.guard.visa" },
              3: { name: "variable.other.predicate.visa" },
              4: { name: "entity.other.attribute-name.modifier.visa" },
              5: { name: "punctuation.section.visa" },
              6: { name: "keyword.mnemonic.visa" },
              7: { name: "entity.other.attribute-name.modifier.visa" },
            },
          },
        ],
      },
      operands: {
        patterns: [
          { name: "string.quoted.double.visa", match: '"[^"]*"' },
          { name: "storage.type.visa", match: `:(?:${anyOf(visa.types)})(?!\\w)` },
          // What a message moves, and how long its addresses are: `:d32x4t`, `:a64`.
          { name: "storage.type.visa", match: ":(?:d\\d+(?:c32)?(?:x\\d+)?t?|a\\d+)(?!\\w)" },
          {
            match: "(?<!\\w)([a-z_]+)(=)",
            captures: { 1: { name: "variable.parameter.visa" }, 2: { name: "keyword.operator.visa" } },
          },
          { name: "keyword.operator.modifier.visa", match: "\\((?:-abs|abs|-|~)\\)" },
          { name: "variable.language.predefined.visa", match: "%\\w+" },
          { name: "constant.language.mask.visa", match: "(?<!\\w)(?:M[1-8]|M[1-8]_NM|NoMask)(?!\\w)" },
          {
            name: "constant.numeric.visa",
            match: "(?<![\\w%])(?:0[xX][\\da-fA-F]+|\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)(?!\\w)",
          },
          { name: "variable.other.visa", match: "[A-Za-z_][\\w$@?]*" },
          { name: "keyword.operator.visa", match: "[-+*&=!~<>]" },
          { name: "punctuation.separator.visa", match: "[,;:.]" },
          { name: "punctuation.section.visa", match: "[\\[\\](){}]" },
        ],
      },
    },
  };
}

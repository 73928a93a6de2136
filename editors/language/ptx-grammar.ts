import { comments, type Grammar, type Pattern, SCHEMA } from "./textmate.ts";
import { anyOf, type Words } from "./words.ts";

/** The TextMate grammar of PTX: which colours a text has before, or without, a language server. */
export function ptxGrammar({ ptx, golden }: Words): Grammar {
  const include = (...names: readonly string[]): Pattern[] => names.map((name) => ({ include: `#${name}` }));
  const name = "[A-Za-z_$%][\\w$]*";
  const suffixes = "(?:\\.[\\w$]+(?:::[\\w$]+(?::\\d+)?)*)*";
  const beforeStatement = "(?:^|(?<=[;{}:]|\\*/))[ \\t]*";
  const over = "(?![\\w$:])";
  return {
    $schema: SCHEMA,
    name: "PTX",
    scopeName: "source.ptx",
    patterns: include("comments", "marker", "function", "label", "instruction", "operands"),
    repository: {
      comments: { patterns: comments("ptx", anyOf(golden)) },
      marker: { patterns: [{ name: "meta.preprocessor.line.ptx", match: "^[ \\t]*#.*$" }] },
      function: {
        patterns: [
          {
            name: "meta.function.head.ptx",
            begin: "(\\.(?:entry|func))(?![\\w$])",
            end: "(?=[;{])",
            beginCaptures: { 1: { name: "keyword.other.directive.ptx" } },
            patterns: [
              { match: `(?<=\\.entry|\\.func)[ \\t]+(${name})`, captures: { 1: { name: "entity.name.function.ptx" } } },
              { name: "entity.name.function.ptx", match: `(?<![\\w$%.])${name}(?=[ \\t]*(?:\\(|$))` },
              ...include("comments", "operands"),
            ],
          },
        ],
      },
      label: {
        patterns: [
          {
            match: `${beforeStatement}(${name})[ \\t]*(:)(?!:)`,
            captures: { 1: { name: "entity.name.label.ptx" }, 2: { name: "punctuation.separator.label.ptx" } },
          },
        ],
      },
      instruction: {
        patterns: [
          {
            name: "meta.instruction.ptx",
            begin: `${beforeStatement}(?:(@)[ \\t]*(!?)[ \\t]*(${name})\\s+)?(${anyOf(ptx.mnemonics)})${"(?![\\w$])"}(${suffixes})(?![ \\t]*:)`,
            end: ";",
            beginCaptures: {
              1: { name: "keyword.operator.guard.ptx" },
              2: { name: "keyword.operator.guard.ptx" },
              3: { name: "variable.other.register.ptx" },
              4: { name: "keyword.mnemonic.ptx" },
              5: { patterns: include("suffix") },
            },
            endCaptures: { 0: { name: "punctuation.terminator.ptx" } },
            patterns: include("comments", "operands"),
          },
        ],
      },
      suffix: {
        patterns: [
          { name: "storage.type.ptx", match: `\\.(?:${anyOf(ptx.types)})${over}` },
          { name: "storage.modifier.space.ptx", match: `(?:${anyOf(ptx.spaces)})(?![\\w$])` },
          { name: "entity.other.attribute-name.modifier.ptx", match: `\\.(?:${anyOf(ptx.modifiers)})${over}` },
        ],
      },
      operands: {
        patterns: [
          { name: "string.quoted.double.ptx", match: '"[^"]*"' },
          {
            match: `(%(?:${anyOf(ptx.specials)}))(?![\\w$])(\\.[xyzw])?`,
            captures: {
              1: { name: "variable.language.special-register.ptx" },
              2: { name: "variable.other.member.ptx" },
            },
          },
          {
            match: "([%$][\\w$]+)((?:\\.[\\w$]+)*)",
            captures: { 1: { name: "variable.other.register.ptx" }, 2: { name: "variable.other.member.ptx" } },
          },
          { name: "constant.language.ptx", match: "(?<![\\w$%.])WARP_SZ(?![\\w$])" },
          {
            name: "constant.numeric.float.ptx",
            match:
              "(?<![\\w$%])(?:0[fF][\\da-fA-F]{8}|0[dD][\\da-fA-F]{16}|\\d+\\.\\d*(?:[eE][+-]?\\d+)?|\\d+[eE][+-]?\\d+|\\.\\d+(?:[eE][+-]?\\d+)?)(?![\\w$.])",
          },
          {
            name: "constant.numeric.integer.ptx",
            match: "(?<![\\w$%.])(?:0[xX][\\da-fA-F]+|0[bB][01]+|\\d+)U?(?![\\w$.])",
          },
          { name: "keyword.other.directive.ptx", match: `(?:${anyOf(ptx.directives)})(?![\\w$])` },
          ...include("suffix"),
          { name: "entity.other.attribute-name.ptx", match: "\\.[A-Za-z_\\d][\\w$]*(?:::[\\w$]+(?::\\d+)?)*" },
          { name: "variable.other.ptx", match: "[A-Za-z_][\\w$]*" },
          { name: "keyword.operator.ptx", match: "<<|>>|<=|>=|==|!=|&&|\\|\\||[-+*/%&^|~!=<>?@]" },
          { name: "punctuation.separator.ptx", match: "[,:;]" },
          { name: "punctuation.section.ptx", match: "[\\[\\](){}]" },
        ],
      },
    },
  };
}

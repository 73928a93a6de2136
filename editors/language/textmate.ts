/** As much of a TextMate grammar as those of this folder need. */
export interface Grammar {
  readonly $schema: string;
  readonly name: string;
  readonly scopeName: string;
  readonly patterns: readonly Pattern[];
  readonly repository: Readonly<Record<string, { readonly patterns: readonly Pattern[] }>>;
}

export type Pattern =
  | { readonly include: string }
  | { readonly name: string; readonly match: string; readonly captures?: Captures }
  | { readonly match: string; readonly captures: Captures }
  | {
      readonly name?: string;
      readonly begin: string;
      readonly end: string;
      readonly beginCaptures?: Captures;
      readonly endCaptures?: Captures;
      readonly patterns?: readonly Pattern[];
    };

type Captures = Readonly<Record<string, { readonly name: string } | { readonly patterns: readonly Pattern[] }>>;

export const SCHEMA = "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json";

/** Comments, and the lines in them that `ptxrun check` reads. `language` ends every scope. */
export const comments = (language: string, golden: string): readonly Pattern[] => [
  {
    name: `comment.line.golden.${language}`,
    match: `(//@)[ \\t]*(?:(${golden})\\b)?([^:]*)(.*)$`,
    captures: {
      1: { name: `punctuation.definition.comment.golden.${language}` },
      2: { name: `keyword.control.golden.${language}` },
      3: { name: `entity.name.function.golden.${language}` },
      4: {
        patterns: [
          { name: `keyword.operator.golden.${language}`, match: "->(?=[ \\t]|$)" },
          { name: `string.quoted.golden.${language}`, match: '"[^"]*"' },
          {
            match: "([^ \\t=:]+)(==?)",
            captures: {
              1: { name: `variable.parameter.golden.${language}` },
              2: { name: `keyword.operator.golden.${language}` },
            },
          },
        ],
      },
    },
  },
  {
    name: `comment.line.golden.${language}`,
    match: "(//~)[ \\t]*(\\w+)[ \\t]*(\\w*)",
    captures: {
      1: { name: `punctuation.definition.comment.golden.${language}` },
      2: { name: `keyword.control.golden.${language}` },
      3: { name: `constant.other.code.golden.${language}` },
    },
  },
  { name: `comment.line.double-slash.${language}`, match: "//.*$" },
  { name: `comment.block.${language}`, begin: "/\\*", end: "\\*/" },
];

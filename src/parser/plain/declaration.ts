import type { Declaration, Pragma, Variable } from "../ast.ts";

const HEAD = /\.(reg|param)([ \t]+)\.(pred|[bsuf]\d{1,3}(?:x2)?)[ \t]+/y;
const VARIABLE = /([A-Za-z_][\w$]*|[$%][\w$]+)(?:<(0|[1-9]\d{0,9})>)?[ \t]*([,;])[ \t]*/y;

/** A declaration, and its number of tokens. */
interface Found {
  readonly declaration: Declaration;
  readonly tokens: number;
}

/** The declaration of scalars on one line at `at`, as the grammar parses it; undefined for any other. */
export function declarationAt(text: string, at: number): Found | undefined {
  HEAD.lastIndex = at;
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const [, space = "", blank = "", type = ""] = head;
  const spaceEnd = at + 1 + space.length;
  const typeStart = spaceEnd + blank.length;
  const variables: Variable[] = [];
  let tokens = 2;
  let end = HEAD.lastIndex;
  for (let separator = ","; separator === ","; ) {
    const start = end;
    VARIABLE.lastIndex = start;
    const found = VARIABLE.exec(text);
    if (found === null) return undefined;
    const [whole, name = "", count, mark = ""] = found;
    if (name === "_" || name === "WARP_SZ") return undefined;
    variables.push(variable(name, count, start));
    tokens += count === undefined ? 2 : 5;
    separator = mark;
    end = start + (mark === ";" ? whole.indexOf(";") + 1 : whole.length);
  }
  return {
    declaration: {
      kind: "declaration",
      space: { text: space, start: at, end: spaceEnd },
      attributes: [],
      align: [],
      type: { text: type, start: typeStart, end: typeStart + 1 + type.length },
      variables,
      start: at,
      end,
    },
    tokens,
  };
}

const PRAGMA = /(\.pragma[ \t]+)"([^"\n]*)"[ \t]*;/y;

/** The `.pragma "nounroll";` at `at` on one line; undefined for any other. */
export function pragmaAt(text: string, at: number): Pragma | undefined {
  PRAGMA.lastIndex = at;
  const found = PRAGMA.exec(text);
  if (found === null) return undefined;
  const [, before = "", said = ""] = found;
  const start = at + before.length;
  return {
    kind: "pragma",
    texts: [{ text: said, start, end: start + said.length + 2 }],
    start: at,
    end: PRAGMA.lastIndex,
  };
}

function variable(text: string, digits: string | undefined, start: number): Variable {
  const end = start + text.length;
  const name = { text, start, end };
  if (digits === undefined) return { name, dimensions: [], start, end };
  const count = { kind: "integer", text: digits, start: end + 1, end: end + 1 + digits.length } as const;
  return { name, count, dimensions: [], start, end: count.end + 1 };
}

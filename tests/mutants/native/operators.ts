import type { Mutation } from "../mutation.ts";

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKENS =
  /\/\*[\s\S]*?\*\/|\/\/.*|^[ \t]*#(?:\\\n|.)*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[A-Za-z_]\w*|\.?\d[\w.]*|->|\+\+|--|<<=|>>=|[<>=!]=|&&|\|\||<<|>>|[-+*/%&|^]=|\.\.\.|\S/gm;

/** Binary operators from those that bind least on, and what each becomes. */
const levels: readonly Readonly<Record<string, readonly string[]>>[] = [
  { "||": ["&&"] },
  { "&&": ["||"] },
  { "|": ["&"] },
  { "^": ["|"] },
  { "&": ["|"] },
  { "==": ["!="], "!=": ["=="] },
  { "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"] },
  { "<<": [">>"], ">>": ["<<"] },
  { "+": ["-"], "-": ["+"] },
  { "*": ["+"], "/": ["*"], "%": ["/"] },
];

const isName = (token: Token | undefined): boolean => token !== undefined && /^[A-Za-z_]/.test(token.text);
const opens = ["(", "[", "{"];
const closes = [")", "]", "}"];

/** The text's tokens without comments and directives, and for each bracket the other one. */
function read(text: string): { tokens: readonly Token[]; partner: ReadonlyMap<number, number> } {
  const tokens = [...text.matchAll(TOKENS)]
    .filter(([word]) => !/^(\/\*|\/\/|\s*#)/.test(word))
    .map(({ 0: word, index }) => ({ text: word, start: index, end: index + word.length }));
  const partner = new Map<number, number>();
  const open: number[] = [];
  for (const [at, token] of tokens.entries())
    if (opens.includes(token.text)) open.push(at);
    else if (closes.includes(token.text)) {
      const from = open.pop() ?? 0;
      partner.set(from, at).set(at, from);
    }
  return { tokens, partner };
}

/**
 * Changes of one place in the functions of a C file: in conditions, operators, constants, results, and statements that are left
 * out. It reads tokens and no types, so that some do not compile.
 */
export function mutationsOfC(text: string): readonly Mutation[] {
  const { tokens, partner } = read(text);
  const found: Mutation[] = [];
  const of = (at: number): string => tokens[at]?.text ?? "";
  const replace = (from: number, to: number, by: string, statement = false): void => {
    const [start, end] = [tokens[from]!.start, tokens[to]!.end];
    if (text.slice(start, end) !== by) found.push({ start, end, text: by, statement });
  };
  const source = (from: number, to: number): string =>
    from > to ? "" : text.slice(tokens[from]!.start, tokens[to]!.end);
  /** Whether a bracket begins a cast, or what looks like one: names of types alone. */
  const isCast = (at: number): boolean => {
    const inside = tokens.slice(at + 1, partner.get(at)).map((token) => token.text);
    const type = /^(const|struct|enum|unsigned|int|char|void|double|float|long|short|bool|CU\w+|\w+_t|\*)$/;
    return inside.length > 0 && (inside.includes("struct") || inside.every((word) => type.test(word)));
  };
  /** Where what is at this depth has one of these tokens, up to `to`. */
  const outside = (from: number, to: number, wanted: (at: number) => boolean): number[] => {
    const all: number[] = [];
    for (let at = from; at <= to; at++) {
      if (wanted(at)) all.push(at);
      const end = partner.get(at);
      if (opens.includes(of(at)) && end !== undefined) at = end;
    }
    return all;
  };
  /** Whether an operator stands after a value, and so between two. */
  const afterValue = (at: number, from: number): boolean => {
    if (at <= from) return false;
    const last = of(at - 1);
    if (last === ")") return !isCast(partner.get(at - 1) ?? at);
    return last === "]" || last === "++" || last === "--" || /^[\w."']/.test(last);
  };

  function condition(from: number, to: number): void {
    if (from > to || (from === to && /^\d/.test(of(from)))) return;
    replace(from, to, "1");
    replace(from, to, "0");
  }

  function expression(from: number, to: number): void {
    if (from > to || of(from) === "{") return;
    const [question] = outside(from, to, (at) => of(at) === "?");
    if (question !== undefined) {
      let depth = 0;
      const [colon] = outside(question + 1, to, (at) => {
        if (of(at) === "?") depth++;
        return of(at) === ":" && depth-- === 0;
      });
      if (colon === undefined) return;
      condition(from, question - 1);
      expression(from, question - 1);
      expression(question + 1, colon - 1);
      expression(colon + 1, to);
      return;
    }
    for (const level of levels) {
      const at = outside(from, to, (here) => Object.hasOwn(level, of(here)) && afterValue(here, from)).at(-1);
      if (at === undefined) continue;
      for (const by of level[of(at)]!) replace(from, to, `${source(from, at - 1)} ${by} ${source(at + 1, to)}`);
      expression(from, at - 1);
      expression(at + 1, to);
      return;
    }
    if (of(from) === "!") replace(from, to, `!!(${source(from + 1, to)})`);
    if (from === to && /^\d/.test(of(from)))
      for (const by of [`(${of(from)} + 1)`, `(${of(from)} - 1)`, "0"]) replace(from, to, by);
  }

  const commas = (from: number, to: number, mark: string): [number, number][] => {
    const marks = outside(from, to, (at) => of(at) === mark);
    return [from - 1, ...marks].map((at, index) => [at + 1, (marks[index] ?? to + 1) - 1]);
  };

  /** Where a statement ends that may be left out: a call, an assignment, a step. */
  function plainStatement(at: number): number | undefined {
    let here = of(at) === "*" ? at + 1 : at;
    if (!isName(tokens[here]) || ["return", "goto", "else", "do", "case", "default", "break"].includes(of(here)))
      return;
    here++;
    let called = false;
    for (;;)
      if (["->", "."].includes(of(here))) here += 2;
      else if (["[", "("].includes(of(here))) {
        called = of(here) === "(";
        here = partner.get(here)! + 1;
      } else break;
    if (["++", "--"].includes(of(here)) && of(here + 1) === ";") return here + 1;
    if (called && of(here) === ";") return here;
    if (!/^([-+*/%&|^]|<<|>>)?=$/.test(of(here))) return;
    return outside(here, tokens.length - 1, (end) => of(end) === ";")[0];
  }

  function body(from: number, to: number): void {
    for (let at = from; at <= to; at++) {
      const [word, last] = [of(at), of(at - 1)];
      const beginsStatement =
        [";", "{", "}", "else"].includes(last) ||
        (last === ")" && ["if", "while", "for"].includes(of((partner.get(at - 1) ?? 0) - 1)));
      if (beginsStatement && word === "static") {
        at = outside(at, to, (end) => of(end) === ";")[0] ?? to;
        continue;
      }
      const end = beginsStatement ? plainStatement(at) : undefined;
      if (end !== undefined && !["if", "while", "for", "switch"].includes(word)) replace(at, end, ";", true);
      const close = partner.get(at) ?? at;
      if (word === "(" && last === "for") {
        const [, middle] = commas(at + 1, close - 1, ";");
        if (middle) expression(...middle);
        at = close;
      } else if (word === "(" && last !== "sizeof" && !isCast(at)) {
        if (last === "if") condition(at + 1, close - 1);
        for (const part of commas(at + 1, close - 1, ",")) expression(...part);
      } else if (word === "return") {
        const stop = outside(at, to, (here) => of(here) === ";")[0]! - 1;
        if (stop > at && !/^(false|NULL|CUDA_SUCCESS|cudaSuccess)$/.test(source(at + 1, stop)))
          replace(at + 1, stop, "0");
        expression(at + 1, stop);
      } else if (/^([-+*/%&|^]|<<|>>)?=$/.test(word)) {
        const stop = outside(at + 1, to, (here) => [";", ",", ")", "}"].includes(of(here)))[0];
        if (stop !== undefined) expression(at + 1, stop - 1);
      }
    }
  }

  for (let at = 0; at < tokens.length; at++) {
    if (of(at) !== "{") continue;
    const end = partner.get(at) ?? at;
    if (of(at - 1) === ")") body(at + 1, end - 1);
    at = end;
  }
  return found;
}

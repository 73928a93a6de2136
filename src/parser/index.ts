import {
  cleanCharacters,
  commentEnd,
  type DemangledNames,
  findDemangled,
  longLine,
  repair,
  withoutDemangled,
} from "../lexer/index.ts";
import { type Diagnostic, hasErrors, type Staged } from "../source/diagnostic.ts";
import { checkLoadingTime, demandRoom, noteTokens } from "../source/loading.ts";
import type { Source } from "../source/source.ts";
import type { Block, Func, Item, Module, Section } from "./ast.ts";
import { ModuleGrammar } from "./module.ts";
import { readPlain } from "./plain/reader.ts";
import { SnippetGrammar, type StatementGrammar } from "./statement.ts";

let whole: ModuleGrammar | undefined;
let small: SnippetGrammar | undefined;

/** One parser is shared, because setting a grammar up takes longer than parsing most texts. */
function grammar(): ModuleGrammar {
  whole ??= new ModuleGrammar();
  return whole;
}

function snippetGrammar(): StatementGrammar {
  if (whole !== undefined) return whole;
  small ??= new SnippetGrammar();
  return small;
}

/** A source as the lexer reads it. */
interface Clean {
  readonly text: string;
  /** C++ names that stand in it. */
  readonly names?: DemangledNames | undefined;
}

/** Bodies of one module are parsed one after the other: its text is searched for invalid characters only once. */
const cleaned = new WeakMap<Source, Clean>();
/** Sources for which repairs were searched, or need not be. */
const searched = new WeakSet<Source>();
/** Those that were repaired. */
const repairs = new WeakSet<Source>();

function cleanOf(source: Source): Clean {
  let clean = cleaned.get(source);
  if (clean === undefined) {
    clean = { text: cleanCharacters(source).text };
    cleaned.set(source, clean);
  }
  return clean;
}

/**
 * The source without the marks of a copy, its C++ names found; undefined where there are none, or where it was repaired
 * already.
 */
function repairedOf(source: Source): { readonly clean: Clean; readonly notes: readonly Diagnostic[] } | undefined {
  if (searched.has(source)) return undefined;
  searched.add(source);
  const before = cleanOf(source).text;
  const { text, notes } = repair(source, before);
  const names = findDemangled(text);
  if (names === undefined && text === before) return undefined;
  const clean = names === undefined ? { text } : { text: withoutDemangled(text, names), names };
  cleaned.set(source, clean);
  repairs.add(source);
  return { clean, notes };
}

/**
 * Parses a stretch of a source. Where that fails, the text may have come through a page or a demangler: it is parsed
 * again without their additions. Nothing of these is PTX, so a text that parses costs no extra time.
 */
function reading<T>(source: Source, read: (clean: Clean) => Staged<T>): Staged<T> {
  const first = read(cleanOf(source));
  if (!hasErrors(first.diagnostics)) return first;
  const repaired = repairedOf(source);
  if (repaired === undefined) return first;
  const { value, diagnostics } = read(repaired.clean);
  return { value, diagnostics: [...repaired.notes, ...diagnostics] };
}

export { inOneWord } from "./foreign-text.ts";

/** True where a source parsed only after the additions of a page or a demangler were removed. */
export const wasRepaired = (source: Source): boolean => repairs.has(source);

/** True where a search for such additions found none. */
export const isClean = (source: Source): boolean => searched.has(source) && !repairs.has(source);

/**
 * Marks a source as clean without a search: it differs from a clean one only in text that cannot be such an
 * addition.
 */
export const noteClean = (source: Source): void => {
  searched.add(source);
};

export interface ParseOptions {
  /** `index` finds the bodies and leaves them to `parseBody` and `parseSection`; `all` (the default) parses them. */
  readonly bodies?: "all" | "index";
}

/** Parses a module. Never throws for bad input: text that cannot be parsed is left out and reported. */
export function parse(source: Source, { bodies = "all" }: ParseOptions = {}): Staged<Module> {
  const long = longLine(source);
  if (long !== undefined)
    return { value: { kind: "module", items: [], start: 0, end: source.text.length }, diagnostics: [long] };
  const { text, diagnostics: characters } = cleanCharacters(source);
  if (!cleaned.has(source)) cleaned.set(source, { text });
  const { value, diagnostics } = reading(source, (clean) =>
    grammar().parseModule({ ...clean, source, base: 0, as: "module" }),
  );
  const found = [...characters, ...diagnostics];
  if (bodies === "index") return { value, diagnostics: withoutShadows(found) };
  const items = value.items.map((item): Item => {
    if (item.kind === "section") {
      const { value: section, diagnostics } = parseSection(source, item);
      for (const diagnostic of diagnostics) found.push(diagnostic);
      return section;
    }
    if (item.kind !== "function" || item.body === undefined) return item;
    const { value: block, diagnostics } = parseBody(source, item);
    for (const diagnostic of diagnostics) found.push(diagnostic);
    return { ...item, block };
  });
  found.sort((a, b) => a.span.start - b.span.start);
  return { value: { ...value, items }, diagnostics: withoutShadows(found) };
}

/** A comment that never ends hides the braces after it, so these missing braces are not reported. */
function withoutShadows(found: readonly Diagnostic[]): readonly Diagnostic[] {
  if (!found.some(({ code }) => code === "PTX1006")) return found;
  return found.filter(({ code }) => code !== "PTX1104");
}

/** Parses the body of a function that `parse` found in the same source; a function without one has no statements. */
export function parseBody(source: Source, { body, end }: Func): Staged<Block> {
  if (body === undefined) return { value: { kind: "block", statements: [], start: end, end }, diagnostics: [] };
  const { value, diagnostics } = reading(source, ({ text, names }) =>
    grammar().parseBody({ source, text: text.slice(body.start, body.end), base: body.start, as: "body", names }),
  );
  return { value, diagnostics: withoutShadows(diagnostics) };
}

/** Functions whose bodies' tokens have been noted. */
const counted = new WeakSet<Func>();

/**
 * Like `parseBody`, for callers that need few parts of the tree: usual instructions are `PlainInstruction`s, which
 * build theirs on demand.
 */
export function readBody(source: Source, func: Func): Staged<Block> {
  const { body } = func;
  const { text, names } = cleanOf(source);
  if (body === undefined || names !== undefined) return parseBody(source, func);
  const { start, end } = body;
  checkLoadingTime(source, start);
  // A caller that reads a body again has dropped the earlier result.
  const again = counted.has(func);
  if (!again) demandRoom(source, text.slice(start, end), start);
  const read = readPlain(text, start, end, {
    statement: (from, to) => grammar().parseStatement({ source, text: text.slice(from, to), base: from, as: "body" }),
    tick: (at) => checkLoadingTime(source, at),
  });
  if (read === undefined) return parseBody(source, func);
  if (!again) noteTokens(source, read.tokens);
  counted.add(func);
  return { value: read.block, diagnostics: [] };
}

export { PlainInstruction } from "./plain/instruction.ts";

/** Reads the lines of a section that `parse` found in the same source. Nothing but a debugger needs them. */
export function parseSection(source: Source, section: Section): Staged<Section> {
  const { start, end } = section.body;
  const text = cleanOf(source).text.slice(start, end);
  const { value, diagnostics } = grammar().parseSection({ source, text, base: start, as: "body" });
  return { value: { ...section, lines: value }, diagnostics };
}

/**
 * Parses statements without a module around them, as at a prompt. The last one may go without its `;`, as in some of
 * the manual's examples; a note says so.
 */
export function parseSnippet(source: Source): Staged<Block> {
  const long = longLine(source);
  if (long !== undefined)
    return { value: { kind: "block", statements: [], start: 0, end: source.text.length }, diagnostics: [long] };
  const { text, diagnostics: characters } = cleanCharacters(source);
  const read = (text: string, names?: DemangledNames): Staged<Block> =>
    snippetGrammar().parseSnippet({ source, text, base: 0, as: "body", names });
  if (!cleaned.has(source)) cleaned.set(source, { text });
  const { value, diagnostics } = reading(source, (clean) => read(clean.text, clean.names));
  const last = diagnostics.at(-1);
  if (last?.code !== "PTX1102" || !isTrivia(text, last.span.end))
    return { value, diagnostics: [...characters, ...diagnostics] };
  // The comment may hide the semicolon too.
  if (diagnostics.some(({ code }) => code === "PTX1006"))
    return { value, diagnostics: [...characters, ...diagnostics.slice(0, -1)] };
  const { end } = last.span;
  const clean = cleanOf(source);
  const repaired = read(`${clean.text.slice(0, end)};${clean.text.slice(end)}`, clean.names);
  const note: Diagnostic = { ...last, code: "PTX9003", severity: "note", message: "the last `;` is missing" };
  return { value: repaired.value, diagnostics: [...characters, ...repaired.diagnostics, note] };
}

/** True when nothing but blanks and comments follows. */
function isTrivia(text: string, from: number): boolean {
  let at = from;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) at++;
    else if (text.startsWith("//", at) || text.startsWith("/*", at)) at = commentEnd(text, at);
    else return false;
  }
  return true;
}

/** True for a text that has a `.version`, an `.entry` or a `.func` outside of comments and strings; else a snippet. */
export function isModule(text: string): boolean {
  const mark = /\/[/*]|"[^"\n]*"?|\.(?:version|entry|func)(?![\w$])/g;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0].startsWith(".")) return true;
    if (found[0].startsWith("/")) mark.lastIndex = commentEnd(text, found.index);
  }
  return false;
}

export type * from "./ast.ts";
export {
  print,
  printBlock,
  printExpr,
  printInstruction,
  printOperand,
  printStatement,
  printStatements,
} from "./print/index.ts";

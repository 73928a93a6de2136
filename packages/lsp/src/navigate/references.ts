import type * as ast from "../../../../src/parser/ast.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { type Definition, isOf } from "../names/definition.ts";
import { inInitial } from "../names/mentioned.ts";
import { moduleNames, namesIn } from "../names/text-names.ts";
import { type NameAt, nameAt } from "./name-at.ts";

/** All uses of the name at an offset, in their order. */
export function references(
  document: Document,
  offset: number,
  { declaration = true }: { readonly declaration?: boolean } = {},
): readonly Span[] {
  const found = nameAt(document, offset);
  return found === undefined ? [] : usesOf(document, found, { declaration });
}

/** The same for a given name; of a range of registers one register, unless `all` are requested. */
export function usesOf(
  document: Document,
  { name, func, definition }: NameAt,
  { declaration = true, all = false }: { readonly declaration?: boolean; readonly all?: boolean } = {},
): readonly Span[] {
  const own = func !== undefined || document.kind === "snippet" ? namesIn(document, func) : undefined;
  const spans = own?.definitions.includes(definition)
    ? [
        ...(declaration ? [definition.span] : []),
        ...own.mentions.filter((each) => each.definition === definition && (all || named(each, name, definition))),
      ]
    : inModule(document, definition.name, declaration);
  const seen = new Set<number>();
  return [...spans]
    .filter(({ start }) => !seen.has(start) && seen.add(start))
    .sort((a, b) => a.start - b.start)
    .map(({ start, end }) => ({ start, end }));
}

/** For a range, with the cursor on its declaration, all registers. */
const named = (mention: ast.Name, name: ast.Name, definition: Definition): boolean =>
  name.text === mention.text || !isOf(definition, name.text);

/** The uses of a name that the module declares: in other heads, and in bodies that do not redeclare it. */
function inModule(document: Document, name: string, declaration: boolean): readonly Span[] {
  const spans: Span[] = declaration
    ? moduleNames(document)
        .filter((each) => each.name === name)
        .map(({ span }) => span)
    : [];
  const take = (each: ast.Name): void => {
    if (each.text === name) spans.push(each);
  };
  for (const item of document.module.value.items) {
    if (item.kind === "declaration") for (const { initial } of item.variables) if (initial) inInitial(initial, take);
    if (item.kind === "alias") take(item.aliasee);
    if (item.kind !== "function" || !mentions(document, item, name)) continue;
    for (const each of namesIn(document, item).mentions) if (each.definition === undefined) take(each);
  }
  return spans;
}

/** Only bodies whose text contains the name are parsed. */
function mentions({ text }: Document, { body }: ast.Func, name: string): boolean {
  return body !== undefined && text.slice(body.start, body.end).includes(name);
}

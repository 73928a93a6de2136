import { isSpecial } from "../../../../src/resolve/instruction/operand/special-register.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { type Definition, isOf } from "../names/definition.ts";
import { moduleNames, namesIn } from "../names/text-names.ts";
import type { Edit } from "../text/edit.ts";
import { type NameAt, nameAt } from "./name-at.ts";
import { usesOf } from "./references.ts";

/** The result of a rename: edits of the text, or the reason against it. */
export type Renaming = { readonly edits: readonly Edit[] } | { readonly refused: string };

/** What would be renamed at an offset: a name, or at the declaration of a range of registers the stem before their numbers. */
export function renamable(document: Document, offset: number): (Span & { readonly text: string }) | undefined {
  const found = nameAt(document, offset);
  if (found === undefined) return undefined;
  const { start, text } = found.name;
  return { start, end: start + text.length, text };
}

/**
 * Renames the name at an offset everywhere. One register of a range gets a declaration of its own. Refused where the new
 * name is invalid or taken.
 */
export function rename(document: Document, offset: number, to: string): Renaming {
  const found = nameAt(document, offset);
  if (found === undefined) return { refused: "there is no name of this text here" };
  const { definition } = found;
  const apart = definition.count !== undefined && isOf(definition, found.name.text);
  if (!/^(?:[A-Za-z_][\w$]*|[$%][\w$]+)$/.test(to))
    return { refused: `${to} is not a name: letters, digits, _ and $, after an optional %` };
  if (isSpecial(to)) return { refused: `${to} is a special register` };
  if (to === "WARP_SZ" || to === "_") return { refused: `${to} is a reserved name` };
  if (definition.count !== undefined && !apart && /\d$/.test(to))
    return { refused: `${to} cannot stand before the numbers of a range` };
  const { count: _, ...single } = { ...definition, name: found.name.text };
  const own = apart ? { ...found, definition: single } : found;
  const spans = usesOf(document, found, apart ? { declaration: false } : { all: true });
  const taken = clash(document, own, spans, to) ?? (apart ? another(document, found, to) : undefined);
  if (taken !== undefined) {
    const { line } = document.lines.position(taken.span.start);
    return { refused: `${to} is taken: a ${taken.kind} on line ${line + 1}` };
  }
  if (apart) {
    const edits = spans.map(({ start, end }) => ({ start, end, text: to }));
    // A register of the same range is declared already.
    return { edits: isOf(definition, to) ? edits : [declarationOf(document, definition, to), ...edits] };
  }
  const length = definition.name.length;
  return {
    edits: spans.map(({ start, end }) => ({
      start,
      end: definition.count === undefined ? end : start + length,
      text: to,
    })),
  };
}

/** Declares one register of a range under another name, behind the range. */
function declarationOf({ text }: Document, { whole, type = "b32" }: Definition, to: string): Edit {
  const line = text.lastIndexOf("\n", whole.start) + 1;
  const indent = /^[ \t]*/.exec(text.slice(line, whole.start))?.[0] ?? "";
  const at = whole.end;
  return { start: at, end: at, text: `\n${indent}.reg .${type.replace(".", " .")} ${to};` };
}

/** The range itself, where another of its registers that has the name is used. */
function another(document: Document, { definition, func }: NameAt, to: string): Definition | undefined {
  const uses = namesIn(document, func).mentions.some((each) => each.definition === definition && each.text === to);
  return uses ? definition : undefined;
}

/** A definition that has the new name, or one of the range's, where the renamed one may be used. */
function clash(
  document: Document,
  { definition, func }: NameAt,
  uses: readonly Span[],
  to: string,
): Definition | undefined {
  const overlaps = ({ scope }: Definition): boolean =>
    scope.start < definition.scope.end && definition.scope.start < scope.end;
  const same = (other: Definition): boolean => {
    if (other === definition || other.span.start === definition.span.start) return false;
    if (definition.count === undefined) return isOf(other, to) || (other.count === undefined && other.name === to);
    return other.count === undefined ? isOf({ ...definition, name: to }, other.name) : other.name === to;
  };
  const inModule = moduleNames(document);
  const global = inModule.find(same);
  if (global !== undefined && global.name !== definition.name) return global;
  // Names of the module are used in other bodies, too, which may declare the new name themselves.
  const funcs = inModule.includes(definition)
    ? document.module.value.items.filter(
        (item) => item.kind === "function" && uses.some(({ start }) => item.start <= start && start < item.end),
      )
    : [func];
  for (const each of funcs) {
    if (each !== undefined && each.kind !== "function") continue;
    const taken = namesIn(document, each).definitions.find((other) => same(other) && overlaps(other));
    if (taken !== undefined) return taken;
  }
  return undefined;
}

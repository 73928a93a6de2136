import type * as ast from "../../../../src/parser/ast.ts";
import type { Document } from "../document.ts";
import type { Definition } from "../names/definition.ts";
import { definitionOf } from "../names/text-names.ts";
import { placeAt } from "../text/place.ts";

/** The name at the cursor, and its definition. */
export interface NameAt {
  readonly name: ast.Name;
  readonly func: ast.Func | undefined;
  readonly definition: Definition;
}

/** The name at an offset, at its end too; undefined for a word that the text does not declare. */
export function nameAt(document: Document, offset: number): NameAt | undefined {
  if (document.kind === "vISA") return undefined;
  const { whole, before } = placeAt(document, offset);
  // Nor is there a word in a comment or in a string.
  if (whole.end === whole.start) return undefined;
  const last = before.at(-1);
  const owner = document.text.charAt(whole.start) === "." && last?.end === whole.start ? last : whole;
  const { start, end } = owner;
  const name = { text: document.text.slice(start, end), start, end };
  const func = funcAround(document, start);
  const definition = definitionOf(document, name, func);
  return definition && { name, func, definition };
}

/** The function whose head or body a place stands in. */
export function funcAround(document: Document, offset: number): ast.Func | undefined {
  if (document.kind !== "module") return undefined;
  for (const item of document.module.value.items)
    if (item.kind === "function" && item.start <= offset && offset < item.end) return item;
  return undefined;
}

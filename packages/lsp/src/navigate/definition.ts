import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { bodyAround } from "../text/place.ts";
import { statementAt } from "../text/statement-at.ts";
import { nameAt } from "./name-at.ts";

/** A position in another file: the source program that the text was compiled from. Lines and columns count from 1. */
export interface Original {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The declaration of the name at an offset: in this text, or for a `.loc` and a `.file` in another file. */
export function definition(document: Document, offset: number): Span | Original | undefined {
  const found = nameAt(document, offset);
  if (found !== undefined) return found.definition.span;
  if (document.kind !== "module") return undefined;
  const { items } = document.module.value;
  const file = items.find((item) => item.kind === "file" && item.start <= offset && offset <= item.end);
  if (file?.kind === "file") return { file: file.path.text, line: 1, column: 1 };
  const func = bodyAround(document, offset);
  const statement = func && statementAt(document.block(func), offset);
  if (statement?.kind !== "loc") return undefined;
  const named = items.find((item) => item.kind === "file" && item.index === statement.file);
  return named?.kind === "file"
    ? { file: named.path.text, line: statement.line, column: Math.max(1, statement.column) }
    : undefined;
}

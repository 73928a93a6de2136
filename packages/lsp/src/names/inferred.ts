import type * as ast from "../../../../src/parser/ast.ts";
import { isRegisterType } from "../../../../src/resolve/declaration/fundamental-types.ts";
import { resolveSnippet } from "../../../../src/resolve/index.ts";
import type { Span } from "../../../../src/source/source.ts";
import type { Document } from "../document.ts";
import { namesIn } from "./text-names.ts";

/** A register without a declaration, with the type that follows from its uses. */
export interface Inferred {
  readonly name: string;
  readonly type: string;
  /** The type of a declaration: only instructions have some. */
  readonly declared: string;
  /** Where it is used first. */
  readonly span: Span;
}

const known = new WeakMap<object, Map<ast.Func | undefined, readonly Inferred[]>>();

/** The undeclared registers of a body whose type can be inferred; none where their uses disagree. */
export function inferredIn(document: Document, func: ast.Func | undefined): readonly Inferred[] {
  const all = known.get(document.source) ?? new Map<ast.Func | undefined, readonly Inferred[]>();
  known.set(document.source, all);
  const found = all.get(func) ?? infer(document, func);
  all.set(func, found);
  return found;
}

function infer(document: Document, func: ast.Func | undefined): readonly Inferred[] {
  const { mentions } = namesIn(document, func);
  const undeclared = new Map<string, Span>();
  for (const { text, start, end, definition } of mentions)
    if (definition === undefined && !undeclared.has(text)) undeclared.set(text, { start, end });
  if (undeclared.size === 0) return [];
  const program =
    func === undefined
      ? resolveSnippet(document.source, document.block(), document.settings).value
      : document.reading.alone(func).value;
  return (program?.registers ?? []).flatMap(({ name, type, bits, elements }) => {
    const span = undeclared.get(name);
    const vector = elements > 1 ? `v${elements}.` : "";
    const declared = isRegisterType(type) ? type : `b${bits}`;
    return span === undefined ? [] : [{ name, span, type: vector + type, declared: vector + declared }];
  });
}

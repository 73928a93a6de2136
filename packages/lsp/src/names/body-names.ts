import type * as ast from "../../../../src/parser/ast.ts";
import { integerLiteral } from "../../../../src/resolve/constant/literal.ts";
import { labelSymbol } from "../../../../src/resolve/declaration/block-names.ts";
import type { Span } from "../../../../src/source/source.ts";
import { type Definition, isOf } from "./definition.ts";
import { inStatement } from "./mentioned.ts";

/** A use of a name. */
export interface Mention extends ast.Name {
  /** Its definition, if the body declares it. */
  readonly definition: Definition | undefined;
  /** The statement that contains it. */
  readonly statement: ast.Statement;
}

/** The names of one body: declarations, and uses. */
export interface BodyNames {
  readonly definitions: readonly Definition[];
  readonly mentions: readonly Mention[];
}

/** Collects the names of a body; `around` are those that its function's head declares. */
export function bodyNames(block: ast.Block, around: readonly Definition[] = []): BodyNames {
  const definitions: Definition[] = [...around];
  const found: { readonly name: ast.Name; readonly statement: ast.Statement; readonly inside: readonly ast.Block[] }[] =
    [];
  const walk = (block: ast.Block, inside: readonly ast.Block[]): void => {
    block.statements.forEach((statement, index) => {
      if (statement.kind === "block") {
        walk(statement, [...inside, statement]);
        return;
      }
      if (statement.kind === "label") definitions.push(labelled(statement, block.statements[index + 1], block));
      if (statement.kind === "declaration") definitions.push(...declared(statement, block));
      inStatement(statement, (name) => found.push({ name, statement, inside }));
    });
  };
  walk(block, [block]);
  const byName = new Map<string, Definition[]>();
  for (const each of definitions) byName.set(each.name, [...(byName.get(each.name) ?? []), each]);
  const mentions = found.map(({ name, statement }): Mention => {
    return { ...name, statement, definition: innermost(candidates(byName, name.text), name) };
  });
  return { definitions, mentions };
}

/** All definitions that a name may refer to: those of the same name, and ranges that may contain it. */
function candidates(byName: ReadonlyMap<string, readonly Definition[]>, written: string): readonly Definition[] {
  let end = written.length;
  while (/\d/.test(written.charAt(end - 1))) end--;
  const stem = written.slice(0, end);
  const ranges = stem === written ? [] : (byName.get(stem) ?? []).filter(({ count }) => count !== undefined);
  return [...(byName.get(written) ?? []), ...ranges].filter((each) => isOf(each, written));
}

/** The definition among these with the smallest block around a position. */
export function innermost(all: readonly Definition[], { start }: Span): Definition | undefined {
  let best: Definition | undefined;
  for (const each of all) {
    if (each.from > start || each.scope.end <= start) continue;
    if (best === undefined || each.scope.end - each.scope.start < best.scope.end - best.scope.start) best = each;
  }
  return best;
}

function labelled(label: ast.Label, next: ast.Statement | undefined, block: Span): Definition {
  const kind = labelSymbol(label, next).kind as "label" | "list" | "prototype";
  const scope = { start: block.start, end: block.end };
  return { kind, name: label.name.text, span: label.name, whole: label, scope, from: block.start };
}

/** The names that a declaration declares. */
export function declared(node: ast.Declaration, { start, end }: Span): readonly Definition[] {
  const space = node.space.text;
  const type = typeOf(node);
  return node.variables.map(({ name, count }) => ({
    ...({ kind: space === "reg" ? "register" : "variable", name: name.text, type, space } as const),
    ...(count && { count: countOf(count) }),
    span: name,
    whole: node,
    scope: { start, end },
    from: name.start,
  }));
}

/** `b32`, `v2.f32`. */
export const typeOf = ({ vector, type }: Pick<ast.Declaration, "vector" | "type">): string =>
  vector === undefined ? type.text : `${vector.text}.${type.text}`;

const countOf = (count: ast.Expr): number =>
  count.kind === "integer" ? Number(integerLiteral(count.text)?.value ?? 0n) : 0;

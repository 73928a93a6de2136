import type * as ast from "../parser/ast.ts";
import { evaluateInteger } from "./constant.ts";
import type { Scope } from "./scope.ts";
import { isSpecial } from "./special.ts";

type Element = Extract<ast.Operand, { kind: "element" }>;

/** `t[2]` as the variable and the bytes from its start: an index counts elements. Undefined after a diagnostic. */
export function elementOffset({ array, index }: Element, scope: Scope): bigint | undefined {
  const symbol = scope.lookup(array.text);
  const [, vector, bits] =
    /^(?:v(\d)\.)?[a-z]+(\d+)(?:x2)?$/.exec(symbol?.kind === "variable" ? symbol.type : "") ?? [];
  const bytes = (Number(vector ?? 1) * Number(bits ?? 8)) / 8;
  const expr: ast.Expr | undefined =
    index.kind === "expr" ? index.value : index.kind === "name" ? { ...index, kind: "symbol" } : undefined;
  const value = expr && evaluateInteger(expr, scope);
  return value === undefined ? undefined : BigInt.asIntN(64, value) * BigInt(bytes);
}

/** `t[%r1]`: the index is known only at run time. */
export function isIndexed(operand: ast.Operand | undefined, scope: Scope): boolean {
  if (operand?.kind !== "element") return false;
  const { index } = operand;
  const name = index.kind === "name" ? index.name : index.kind === "expr" ? symbolIn(index.value) : undefined;
  return name !== undefined && (scope.lookup(name.text)?.kind === "register" || isSpecial(name.text));
}

/** The name at the left end of `%r1+1`. */
function symbolIn(expr: ast.Expr): ast.Name | undefined {
  let node = expr;
  while (node.kind === "binary") node = node.left;
  return node.kind === "symbol" ? node.name : undefined;
}

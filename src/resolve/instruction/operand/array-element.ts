import type { Operand } from "../../../interp/contract/operand.ts";
import type * as ast from "../../../parser/ast.ts";
import { evaluate, evaluateInteger } from "../../constant/constant.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { slotOf } from "./register.ts";
import { isSpecial } from "./special-register.ts";

type ArrayElement = Extract<ast.Operand, { kind: "element" }>;

/** Bytes of one element of an array. */
function elementBytes(array: ast.Name, scope: Scope): number {
  const symbol = scope.lookup(array.text);
  const [, vector, bits] =
    /^(?:v(\d)\.)?[a-z]+(\d+)(?:x2)?$/.exec(symbol?.kind === "variable" ? symbol.type : "") ?? [];
  return (Number(vector ?? 1) * Number(bits ?? 8)) / 8;
}

const exprOf = (index: ast.Operand): ast.Expr | undefined =>
  index.kind === "expr" ? index.value : index.kind === "name" ? { ...index, kind: "symbol" } : undefined;

/** `t[2]` as the variable and the bytes from its start: an index counts elements. Undefined after a diagnostic. */
export function elementOffset({ array, index }: ArrayElement, scope: Scope): bigint | undefined {
  const expr = exprOf(index);
  const value = expr && evaluateInteger(expr, scope);
  return value === undefined ? undefined : BigInt.asIntN(64, value) * BigInt(elementBytes(array, scope));
}

/** `t[%r1+2]` as the offset from the array's address; undefined after a diagnostic. */
export function elementIndex(
  { array, index }: ArrayElement,
  scope: Scope,
): NonNullable<(Operand & { kind: "address" })["index"]> | undefined {
  const expr = exprOf(index);
  const sum = expr && evaluate(expr, scope);
  if (sum === undefined) return undefined;
  const symbol = sum.kind === "address" ? scope.lookup(sum.name.text) : undefined;
  const slot = symbol?.kind === "register" && symbol.elements === 1 ? slotOf(scope.use(symbol)) : undefined;
  if (
    sum.kind !== "address" ||
    symbol?.kind !== "register" ||
    !/^[bus](32|64)$/.test(symbol.type) ||
    slot?.kind !== "slot"
  )
    return reject(scope, "PTX1315", index, "this is not an index", {
      expected: "a constant, or an integer register of 32 or 64 bits + a constant",
    });
  return { of: slot, plus: Number(BigInt.asIntN(32, sum.offset)), scale: elementBytes(array, scope) };
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

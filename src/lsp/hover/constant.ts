import type * as ast from "../../parser/ast.ts";
import { number } from "../../present/value.ts";
import { asSigned, evaluate } from "../../resolve/constant/constant.ts";
import type { Report } from "../../resolve/report.ts";
import type { Span } from "../../source/source.ts";
import type { Document } from "../document.ts";
import { statementAt } from "../text/statement-at.ts";

/** The value of a constant, and of the whole expression that it stands in. */
export function constantText(document: Document, func: ast.Func | undefined, { start, end }: Span): string | undefined {
  const around = expressionsAt(document, func, start, end);
  const report: Report = { source: document.source, diagnose: () => undefined };
  const lines = around.flatMap((expr) => {
    const value = evaluate(expr, report);
    if (value === undefined) return [];
    const text = document.text.slice(expr.start, expr.end);
    if (value.kind === "integer") return [`\`${text}\` = ${integer(value.value)}`];
    if (value.kind !== "float") return [];
    const type = value.width === 32 ? "f32" : "f64";
    const bits = `0x${value.bits.toString(16).padStart(value.width / 4, "0")}`;
    return [`\`${text}\` = ${number(value.bits, type)} (.${type}, bits \`${bits}\`)`];
  });
  return lines.length === 0 ? undefined : lines.join("  \n");
}

function integer(value: bigint): string {
  const signed = asSigned(value);
  const hexadecimal = `\`0x${value.toString(16)}\``;
  return signed < 0n ? `${signed} (${hexadecimal}, unsigned ${value})` : `${value} (${hexadecimal})`;
}

/** The literal that stands there, and the largest expression around it that has a value of its own. */
function expressionsAt(
  document: Document,
  func: ast.Func | undefined,
  start: number,
  end: number,
): readonly ast.Expr[] {
  const text = document.text.slice(start, end);
  const literal: ast.Expr = { kind: /^0[fFdD]|[.]|^\d+[eE]/.test(text) ? "float" : "integer", text, start, end };
  const statement = func || document.kind === "snippet" ? statementAt(document.block(func), start) : undefined;
  const all = statement === undefined ? [] : expressionsIn(statement);
  const around = all.filter((expr) => expr.start <= start && expr.end >= end && expr.end - expr.start > end - start);
  return around[0] === undefined ? [literal] : [literal, around[0]];
}

/** The expressions of a statement, each as a whole. */
function expressionsIn(statement: ast.Statement): readonly ast.Expr[] {
  if (statement.kind === "declaration")
    return statement.variables.flatMap(({ initial, count }) => [
      ...(initial === undefined ? [] : values(initial)),
      ...(count === undefined ? [] : [count]),
    ]);
  return statement.kind === "instruction" ? statement.operands.flatMap(inOperand) : [];
}

const values = (initial: ast.Initial): readonly ast.Expr[] =>
  initial.kind === "list" ? initial.items.flatMap(values) : initial.kind === "value" ? [initial.value] : [];

function inOperand(operand: ast.Operand): readonly ast.Expr[] {
  switch (operand.kind) {
    case "expr":
      return [operand.value];
    case "address":
      return [operand.base, ...operand.more].flatMap(inOperand);
    case "vector":
    case "list":
      return operand.items.flatMap(inOperand);
    case "element":
      return inOperand(operand.index);
    default:
      return [];
  }
}

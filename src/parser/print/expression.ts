import type { Expr, Initial, Operand } from "../ast.ts";
import { precedenceOf, UNARY } from "../precedence.ts";

/** A constant expression as PTX, with the parentheses that it needs and no others. */
export function printExpr(expr: Expr): string {
  return at(expr, -1);
}

/** An expression where only operators that bind tighter than `least` need no parentheses. */
function at(expr: Expr, least: number): string {
  const text = bare(expr);
  return binding(expr) > least ? text : `(${text})`;
}

function bare(expr: Expr): string {
  switch (expr.kind) {
    case "integer":
    case "float":
      return expr.text;
    case "symbol":
      return expr.component === undefined ? expr.name.text : `${expr.name.text}.${expr.component.text}`;
    case "unary": {
      const { operator, operand } = expr;
      // No sign applies to `0f` bits directly, but one does to a parenthesis around them.
      const single = operand.kind === "float" && /^0[fF]/.test(operand.text);
      return operator + (single ? `(${operand.text})` : at(operand, UNARY - 1));
    }
    case "binary": {
      const { operator, left, right } = expr;
      const precedence = precedenceOf(operator);
      // A name's sum includes all of the constant after its `+`, so its right side needs no
      // parentheses.
      const shift = operator === "+" && isAddress(left) ? -1 : precedence;
      return `${operandOf(left, precedence - 1)} ${operator} ${operandOf(right, shift)}`;
    }
    case "conditional":
      return `${at(expr.test, 0)} ? ${at(expr.then, -1)} : ${at(expr.otherwise, -1)}`;
    case "cast":
      return `(.${expr.type.text})${at(expr.operand, UNARY - 1)}`;
    case "apply":
      return `${bare(expr.callee)}(${bare(expr.argument)})`;
  }
}

/** `0f` bits are an operator's operand only in parentheses. */
function operandOf(expr: Expr, least: number): string {
  return expr.kind === "float" && /^0[fF]/.test(expr.text) ? `(${expr.text})` : at(expr, least);
}

const isAddress = (expr: Expr): boolean =>
  (expr.kind === "symbol" && expr.name.text !== "WARP_SZ") || (expr.kind === "apply" && expr.callee.kind === "symbol");

function binding(expr: Expr): number {
  switch (expr.kind) {
    case "conditional":
      return 0;
    case "binary":
      return precedenceOf(expr.operator);
    default:
      return UNARY;
  }
}

/** An operand as PTX. */
export function printOperand(operand: Operand): string {
  switch (operand.kind) {
    case "name":
      return operand.component === undefined ? operand.name.text : `${operand.name.text}.${operand.component.text}`;
    case "expr":
      return printExpr(operand.value);
    case "address":
      return `[${[operand.base, ...operand.more].map(inAddress).join(", ")}]`;
    case "element":
      return `${operand.array.text}[${inAddress(operand.index)}]`;
    case "vector":
      return `{${operand.items.map(printOperand).join(", ")}}`;
    case "pair":
      return `${printOperand(operand.first)}|${printOperand(operand.second)}`;
    case "list":
      return `(${operand.items.map(printOperand).join(", ")})`;
  }
}

/** `[%rd1+4]`: compilers write no blanks in an address. */
function inAddress(operand: Operand): string {
  if (operand.kind !== "expr" || operand.value.kind !== "binary" || operand.value.operator !== "+")
    return printOperand(operand);
  const { left, right } = operand.value;
  return isAddress(left) ? `${bare(left)}+${printExpr(right)}` : printOperand(operand);
}

/** An initialiser as PTX. */
export function printInitial(initial: Initial): string {
  switch (initial.kind) {
    case "value":
      return printExpr(initial.value);
    case "list":
      return `{${initial.items.map(printInitial).join(", ")}}`;
    case "fields":
      return `{ ${initial.fields.map(({ name, value }) => `${name.text} = ${printExpr(value)}`).join(", ")} }`;
  }
}

import type * as ast from "../../../../src/parser/ast.ts";

/** Calls `visit` for each name in an operand, whatever it means. */
export function inOperand(operand: ast.Operand, visit: (name: ast.Name) => void): void {
  switch (operand.kind) {
    case "name":
      visit(operand.name);
      break;
    case "expr":
      inExpression(operand.value, visit);
      break;
    case "address":
      inOperand(operand.base, visit);
      for (const each of operand.more) inOperand(each, visit);
      break;
    case "element":
      visit(operand.array);
      inOperand(operand.index, visit);
      break;
    case "vector":
    case "list":
      for (const each of operand.items) inOperand(each, visit);
      break;
    case "pair":
      inOperand(operand.first, visit);
      inOperand(operand.second, visit);
      break;
  }
}

/** The same for a constant expression. */
export function inExpression(expr: ast.Expr, visit: (name: ast.Name) => void): void {
  switch (expr.kind) {
    case "symbol":
      visit(expr.name);
      break;
    case "unary":
    case "cast":
      inExpression(expr.operand, visit);
      break;
    case "binary":
      inExpression(expr.left, visit);
      inExpression(expr.right, visit);
      break;
    case "conditional":
      inExpression(expr.test, visit);
      inExpression(expr.then, visit);
      inExpression(expr.otherwise, visit);
      break;
    case "apply":
      inExpression(expr.callee, visit);
      inExpression(expr.argument, visit);
      break;
  }
}

/** The same for an initial value. */
export function inInitial(initial: ast.Initial, visit: (name: ast.Name) => void): void {
  if (initial.kind === "list") for (const each of initial.items) inInitial(each, visit);
  else if (initial.kind === "value") inExpression(initial.value, visit);
}

/** Calls `visit` for each name that a statement mentions, without those that it declares. Blocks are not entered. */
export function inStatement(statement: ast.Statement, visit: (name: ast.Name) => void): void {
  switch (statement.kind) {
    case "instruction":
      if (statement.guard) visit(statement.guard.predicate);
      for (const operand of statement.operands) inOperand(operand, visit);
      break;
    case "branchtargets":
    case "calltargets":
      for (const name of statement.names) visit(name);
      break;
    case "declaration":
      for (const { initial } of statement.variables) if (initial) inInitial(initial, visit);
      break;
    case "loc":
      if (statement.functionName) visit(statement.functionName.symbol);
      break;
  }
}

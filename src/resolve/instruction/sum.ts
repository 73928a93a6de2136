import type { Operand } from "../../interp/contract/operand.ts";
import type { RegisterClass } from "../../isa/form/operands.ts";
import type * as ast from "../../parser/ast.ts";
import { evaluate } from "../constant/constant.ts";
import type { RegisterSymbol, Scope } from "../declaration/scope.ts";
import { reject } from "../report.ts";
import { fits, registerOperand } from "./register.ts";

/**
 * `c+1` where a value is read. The manual has no such operand; ptxas 13.0 takes it of a register that holds an integer
 * or bits, and adds in the register's width before the instruction. Undefined where it is no such sum, which then is an
 * operand as any other.
 */
export function sumOperand(
  operand: ast.Operand,
  wanted: RegisterClass,
  scope: Scope,
): { readonly sum: Operand | undefined } | undefined {
  if (operand.kind !== "expr" || wanted.access !== "read" || wanted.offset) return undefined;
  const name = firstOf(operand.value);
  const register = name && scope.lookup(name.text);
  if (name === undefined || register?.kind !== "register" || !isWhole(register) || !fits(register.type, wanted))
    return undefined;
  // In parentheses ptxas does not take it.
  if (!scope.source.text.startsWith(name.text, operand.start)) return undefined;
  const value = evaluate(operand.value, scope);
  if (value === undefined) return { sum: undefined };
  if (value.kind !== "address" || value.mask !== undefined || value.generic) return undefined;
  const base = registerOperand({ kind: "name", name, start: name.start, end: name.end }, register, wanted, scope);
  if (base?.kind !== "slot") return undefined;
  reject(scope, "PTX9018", operand, `${name.text} and a constant are added before the instruction`, {
    severity: "note",
    help: [{ message: "ptxas does so, although the manual has no such operand; add says it" }],
  });
  return { sum: scope.sum(base, value.offset, operand) };
}

const isWhole = ({ type, elements }: RegisterSymbol): boolean => elements === 1 && /^[bus](8|16|32|64)$/.test(type);

/** `c` of `c+1`, `c+1-2`: what stands first, and before a plus sign. */
function firstOf(expr: ast.Expr): ast.Name | undefined {
  let node = expr;
  let sign: string | undefined;
  while (node.kind === "binary" && (node.operator === "+" || node.operator === "-")) {
    sign = node.operator;
    node = node.left;
  }
  return sign === "+" && node.kind === "symbol" ? node.name : undefined;
}

import type { Operand } from "../../../interp/contract/operand.ts";
import type { PredicateClass } from "../../../isa/form/operands.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Span } from "../../../source/source.ts";
import { evaluate } from "../../constant/constant.ts";
import { outOfRange } from "../../constant/range.ts";
import type { Scope } from "../../declaration/scope.ts";
import { reject } from "../../report.ts";
import { showType } from "./register-type.ts";
import { isSpecial } from "./special-register.ts";
import { aPredicate, undeclared } from "./undeclared.ts";
import { sink } from "./value.ts";

/** A predicate register, negated where that is allowed, or an integer constant, which is true when it is not 0. */
export function predicateOperand(operand: ast.Operand, wanted: PredicateClass, scope: Scope): Operand | undefined {
  const expr = operand.kind === "expr" ? operand.value : undefined;
  if (expr?.kind === "unary" && expr.operator === "!" && expr.operand.kind === "symbol") {
    const { name, component } = expr.operand;
    if (scope.lookup(name.text)?.kind === "register") {
      if (wanted.negatable && !component) return register(name, true, scope);
      return reject(scope, "PTX1310", operand, `${name.text} cannot be negated here`, {
        expected: `${name.text} as it is`,
      });
    }
  }
  if (operand.kind === "name" && !operand.component) {
    const { name } = operand;
    if (name.text === "_" && scope.lookup("_") === undefined) return sink(operand, wanted, scope);
    return register(name, false, scope);
  }
  if (expr && wanted.immediate) {
    const value = evaluate(expr, scope);
    if (value === undefined) return undefined;
    if (value.kind === "integer") {
      const expected = outOfRange(wanted.most === undefined ? {} : { least: 0, most: wanted.most }, value.value);
      if (expected === undefined) return scope.truth(value.value !== 0n);
      return reject(scope, "PTX1303", operand, "this constant is out of range", { expected });
    }
  }
  if (operand.kind === "pair")
    return reject(scope, "PTX1311", operand, "a pair is used where one predicate is needed", { expected: ".pred" });
  if (expr && wanted.access === "write")
    return reject(scope, "PTX1304", operand, "a constant is used where the result goes", {
      expected: ".pred register",
    });
  return notOne(operand, "this is not a predicate", scope);
}

/** The guard's register: `@p`, `@!p`. */
export function guardOf(guard: ast.Guard, scope: Scope): { slot: number; negated: boolean } | undefined {
  const operand = register(guard.predicate, guard.negated, scope);
  return operand?.kind === "predicate" ? { slot: operand.slot, negated: operand.negated } : undefined;
}

function register(name: ast.Name, negated: boolean, scope: Scope): Operand | undefined {
  const symbol = scope.lookup(name.text);
  if (symbol === undefined)
    return isSpecial(name.text)
      ? notOne(name, `${name.text} is a special register`, scope)
      : undeclared(name, scope, aPredicate);
  if (symbol.kind !== "register") return notOne(name, `${name.text} is a ${symbol.kind}`, scope);
  if (symbol.type !== "pred") return notOne(name, `${name.text} is ${showType(symbol)}`, scope, symbol.span);
  return { kind: "predicate", slot: scope.use(symbol).slot, negated };
}

const notOne = (at: Span, message: string, scope: Scope, declared?: Span): undefined =>
  reject(scope, "PTX1309", at, message, {
    expected: "a .pred register",
    ...(declared ? { related: [{ span: declared, message: "declared here" }] } : {}),
  });

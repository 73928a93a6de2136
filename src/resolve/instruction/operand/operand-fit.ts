import type { OperandClass } from "../../../isa/form/operands.ts";
import type { Candidate } from "../../../isa/match/match.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Scope } from "../../declaration/scope.ts";
import { placedOperands } from "./placed-operands.ts";
import { fits } from "./register-type.ts";

/**
 * How many of the written operands do not fit the best form: for choosing among spellings that may be meant. It checks
 * the count, registers' types and kinds; it reports and allocates nothing.
 */
export function misfits(
  candidates: readonly Candidate[],
  operands: readonly ast.Operand[],
  scope: Pick<Scope, "lookup">,
): number {
  return Math.min(...candidates.map((candidate) => misfitsOf(candidate, operands, scope)));
}

function misfitsOf(candidate: Candidate, operands: readonly ast.Operand[], scope: Pick<Scope, "lookup">): number {
  const { form, classes } = candidate;
  const least = form.slots.filter(({ optional }) => !optional).length;
  const missing = Math.max(0, least - operands.length);
  const surplus = Math.max(0, operands.length - form.slots.length);
  return placedOperands(candidate, operands).reduce((sum, operand, index) => {
    const wanted = classes[form.slots[index]?.name ?? ""];
    if (operand === undefined || wanted === undefined) return sum;
    return sum + (stands(operand.kind === "pair" ? operand.first : operand, wanted, scope) ? 0 : 1);
  }, missing + surplus);
}

/** True where an operand fits a class, judged by its kind and its registers' types. */
export function stands(operand: ast.Operand, wanted: OperandClass, scope: Pick<Scope, "lookup">): boolean {
  switch (wanted.kind) {
    case "address":
      return operand.kind === "address" || operand.kind === "element";
    case "vector":
      return operand.kind === "vector" ? operand.items.length === wanted.count : elementsOf(operand, scope) !== 1;
    case "register": {
      if (operand.kind === "vector" || operand.kind === "address")
        return wanted.braced === true && operand.kind === "vector";
      if (operand.kind !== "name") return wanted.immediate !== undefined;
      const symbol = scope.lookup(operand.name.text);
      return symbol?.kind === "register" ? fits(symbol.type, wanted) : true;
    }
    case "predicate": {
      if (operand.kind !== "name") return operand.kind !== "address" && operand.kind !== "vector";
      const symbol = scope.lookup(operand.name.text);
      return symbol?.kind === "register" ? symbol.type === "pred" : true;
    }
    case "tuple":
      if (operand.kind === "vector") return wanted.lengths.includes(operand.items.length);
      if (wanted.bare && elementsOf(operand, scope) === 1) return stands(operand, wanted.bare, scope);
      return elementsOf(operand, scope) !== 1;
    case "absent":
      return false;
    default:
      return true;
  }
}

function elementsOf(operand: ast.Operand, scope: Pick<Scope, "lookup">): number {
  if (operand.kind !== "name" || operand.component) return 1;
  const symbol = scope.lookup(operand.name.text);
  return symbol?.kind === "register" ? symbol.elements : 0;
}

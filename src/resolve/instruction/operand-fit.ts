import type { OperandClass } from "../../isa/form/operands.ts";
import type { Candidate } from "../../isa/match/match.ts";
import type * as ast from "../../parser/ast.ts";
import type { Scope } from "../declaration/scope.ts";
import { fits } from "./register.ts";

/**
 * How many of the written operands cannot stand in the form that fits best: to choose among spellings that somebody may
 * have meant. Looks at the count, at registers' types and at kinds; says nothing and allots nothing.
 */
export function misfits(
  candidates: readonly Candidate[],
  operands: readonly ast.Operand[],
  scope: Pick<Scope, "lookup">,
): number {
  return Math.min(...candidates.map((candidate) => misfitsOf(candidate, operands, scope)));
}

function misfitsOf(
  { form: { slots }, classes }: Candidate,
  operands: readonly ast.Operand[],
  scope: Pick<Scope, "lookup">,
): number {
  const least = slots.filter(({ optional }) => !optional).length;
  const missing = Math.max(0, least - operands.length);
  return operands.reduce((sum, operand, index) => {
    const slot = slots[index];
    if (slot === undefined) return sum + 1;
    const wanted = classes[slot.name];
    const first = operand.kind === "pair" ? operand.first : operand;
    return sum + (wanted === undefined || stands(first, wanted, scope) ? 0 : 1);
  }, missing);
}

function stands(operand: ast.Operand, wanted: OperandClass, scope: Pick<Scope, "lookup">): boolean {
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

import type { OperandClass } from "../../../isa/form/operands.ts";
import type { Candidate } from "../../../isa/match/match.ts";
import type * as ast from "../../../parser/ast.ts";
import type { Scope } from "../../declaration/scope.ts";
import { placedOperands } from "../operand/placed-operands.ts";
import { specialOf } from "../operand/special-register.ts";

/**
 * Of forms that share a spelling, the one whose operands look most like the written ones: `mov.b32 d, {a, b}` packs,
 * `mov.b32 {a, b}, d` unpacks.
 */
export function bestShape(
  candidates: readonly [Candidate, ...Candidate[]],
  operands: readonly ast.Operand[],
  scope: Pick<Scope, "lookup">,
): Candidate {
  let [best] = candidates;
  if (candidates.length === 1) return best;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const apart = differences(candidate, operands, scope);
    if (apart < fewest) {
      best = candidate;
      fewest = apart;
    }
  }
  return best;
}

function differences(candidate: Candidate, operands: readonly ast.Operand[], scope: Pick<Scope, "lookup">): number {
  const { form, classes } = candidate;
  const least = form.slots.filter(({ optional }) => !optional).length;
  const placed = placedOperands(candidate, operands);
  const wrongCount = operands.length < least || operands.length > form.slots.length ? 4 : 0;
  return form.slots.reduce((sum, { name, second }, index) => {
    const operand = placed[index];
    const wanted = classes[name];
    if (operand === undefined || wanted === undefined) return sum;
    const [pair, paired] = [operand.kind === "pair", second !== undefined];
    return sum + (pair !== paired && !second?.optional ? 2 : 0) + unlike(operand, wanted, scope);
  }, wrongCount);
}

/** 0 for a likely fit, 1 for a vector of another length, 2 for another kind of operand. */
function unlike(operand: ast.Operand, wanted: OperandClass, scope: Pick<Scope, "lookup">): number {
  // Brackets tell a matrix in tensor memory, and its scales, from descriptors and predicates.
  if (wanted.kind === "tensor address" && wanted.or === undefined && operand.kind !== "address") return 2;
  if (wanted.kind !== "tensor address" && wanted.kind !== "address" && operand.kind === "address") return 2;
  const elements = isSpecialVector(operand, scope)
    ? wanted.kind === "vector" && wanted.of.special
      ? 4
      : 1
    : elementsOf(operand, scope);
  if (wanted.kind === "absent") return 2;
  if ((wanted.kind === "predicate") !== (isPredicate(operand, scope) ?? wanted.kind === "predicate")) return 2;
  if (wanted.kind === "tuple") return elements === 1 && !wanted.bare ? 2 : wanted.lengths.includes(elements) ? 0 : 1;
  if (wanted.kind === "vector") return elements === 1 ? 2 : elements === wanted.count ? 0 : 1;
  return elements === 1 ? 0 : 2;
}

function elementsOf(operand: ast.Operand, scope: Pick<Scope, "lookup">): number {
  if (operand.kind === "vector") return operand.items.length;
  if (operand.kind !== "name" || operand.component) return 1;
  const symbol = scope.lookup(operand.name.text);
  if (symbol?.kind === "register") return symbol.elements;
  return 1;
}

/** Whether a register, perhaps negated, is a predicate; undefined for what is no register. */
function isPredicate(operand: ast.Operand, scope: Pick<Scope, "lookup">): boolean | undefined {
  if (operand.kind === "expr")
    return operand.value.kind === "unary" && operand.value.operator === "!" ? true : undefined;
  const symbol = operand.kind === "name" && !operand.component ? scope.lookup(operand.name.text) : undefined;
  return symbol?.kind === "register" ? symbol.type === "pred" : undefined;
}

const isSpecialVector = (operand: ast.Operand, scope: Pick<Scope, "lookup">): boolean =>
  operand.kind === "name" && !scope.lookup(operand.name.text) && specialOf(operand.name.text)?.vector === true;

import type { OperandClass } from "../../isa/form/operands.ts";
import type { Slot } from "../../isa/form/syntax.ts";
import { type Candidate, match } from "../../isa/match/match.ts";
import type * as ast from "../../parser/ast.ts";
import type { Scope } from "../declaration/scope.ts";
import { inBrackets } from "../instruction/operand/bracket.ts";
import { splitOperand } from "../instruction/operand/operand-choices.ts";
import { placedOperands } from "../instruction/operand/placed-operands.ts";
import { bestShape } from "../instruction/spelling/best-form.ts";

/** A written operand, and the class that the form has in its place. */
export interface ClassedOperand {
  readonly operand: ast.Operand;
  readonly wanted: OperandClass;
}

/**
 * The operands of an instruction with their classes, before any of its names is known for certain; none for an
 * instruction that the table does not have.
 */
export function operandClasses(
  { mnemonic, modifiers, operands }: ast.Instruction,
  scope: Pick<Scope, "lookup">,
): Iterable<ClassedOperand> {
  const found = match(
    mnemonic.text,
    modifiers.map(({ text }) => text),
  );
  return found.kind === "forms" ? classed(bestShape(found.candidates, operands, scope), operands) : [];
}

/** The class in the form for each written operand. */
export function* classed(candidate: Candidate, operands: readonly ast.Operand[]): Iterable<ClassedOperand> {
  const { form, classes } = candidate;
  const placed = placedOperands(candidate, operands);
  for (const [index, slot] of form.slots.entries()) {
    const written = placed[index];
    const operand = written && splitOperand(written, slot).operand;
    const [first, second] = [classes[slot.name], slot.second && classes[slot.second.name]];
    if (operand?.kind === "pair" && slot.second) {
      if (first) yield { operand: operand.first, wanted: first };
      if (second) yield { operand: operand.second, wanted: second };
    } else if (operand?.kind === "address" && slot.inside) {
      yield* bracketed(operand, slot, classes);
    } else if (operand && first) yield { operand, wanted: first };
    if (operand?.kind !== "address" || first?.kind !== "address" || !first.coordinates) continue;
    for (const [at, wanted] of [...(first.overrides ?? []), first.coordinates].entries())
      if (operand.more[at]) yield { operand: operand.more[at], wanted };
  }
}

/** `[a, c]`: the operands within the brackets. */
function* bracketed(
  operand: ast.Operand & { readonly kind: "address" },
  slot: Slot,
  classes: Candidate["classes"],
): Iterable<ClassedOperand> {
  for (const { slot: within, operand: inner } of inBrackets(operand, slot)) {
    const wanted = classes[within.name];
    if (inner && wanted) yield { operand: inner, wanted };
  }
}

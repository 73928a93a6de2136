import type { OperandClass } from "../../../isa/form/operands.ts";
import type { Candidate } from "../../../isa/match/match.ts";
import type * as ast from "../../../parser/ast.ts";

/**
 * The operand that is written for each slot of a form. A slot that its modifiers leave without an operand is passed
 * over, unless more operands are written than the others can take.
 */
export function placedOperands(
  { form: { slots }, classes }: Pick<Candidate, "form" | "classes">,
  written: readonly ast.Operand[],
): readonly (ast.Operand | undefined)[] {
  const absent = (wanted: OperandClass | undefined): boolean => wanted?.kind === "absent";
  const present = slots.filter(({ name }) => !absent(classes[name])).length;
  if (present === slots.length || written.length > present) return slots.map((_, index) => written[index]);
  let next = 0;
  return slots.map(({ name }) => (absent(classes[name]) ? undefined : written[next++]));
}

import type { OperandClass } from "../../isa/form/operands.ts";
import type { Candidate } from "../../isa/match/match.ts";
import type * as ast from "../../parser/ast.ts";
import type { Scope } from "../declaration/scope.ts";
import { stands } from "./operand/operand-fit.ts";

/** Operands that may be missing whatever the modifiers are. */
export const isLoose = (wanted: OperandClass | undefined): boolean =>
  wanted?.kind === "absent" || (wanted !== undefined && "loose" in wanted);

/**
 * The operands at their positions. Where an optional one is left out before another (`tex d, [a, c], f` has no
 * offsets), the last one is moved there if it fits nowhere else.
 */
export function withHoles(
  placed: readonly (ast.Operand | undefined)[],
  { slots }: Candidate["form"],
  classes: Candidate["classes"],
  scope: Pick<Scope, "lookup">,
): readonly (ast.Operand | undefined)[] {
  const at = placed.findLastIndex((operand) => operand !== undefined);
  const [last, here, next] = [placed[at], slots[at], slots[at + 1]];
  if (!last || !here?.optional || !next?.optional) return placed;
  const [first, second] = [classes[here.name], classes[next.name]];
  if (!first || !second || !isLoose(first) || stands(last, first, scope) || !stands(last, second, scope)) return placed;
  return placed.map((operand, index) => (index === at ? undefined : index === at + 1 ? last : operand));
}

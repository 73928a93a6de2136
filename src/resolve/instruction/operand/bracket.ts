import type { Slot } from "../../../isa/form/syntax.ts";
import type * as ast from "../../../parser/ast.ts";

/**
 * The operand at each position of `[a{, b}, c]`; undefined where an optional one is left out, or a required one
 * missing.
 */
export interface Placed {
  readonly slot: Slot;
  readonly operand: ast.Operand | undefined;
}

/** The operands within brackets at their positions: optional ones exist when there are enough for all after them. */
export function inBrackets(operand: ast.Operand & { readonly kind: "address" }, slot: Slot): readonly Placed[] {
  const written = [operand.base, ...operand.more];
  const slots = [slot, ...(slot.inside ?? [])];
  let spare = written.length - slots.filter((each, at) => at === 0 || !each.optional).length;
  let next = 0;
  return slots.map((each, at) => {
    if (at > 0 && each.optional && spare-- <= 0) return { slot: each, operand: undefined };
    return { slot: each, operand: written[next++] };
  });
}

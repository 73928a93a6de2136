import { touchesOf } from "../../../src/interp/contract/plan/effects.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import { loadedBy, slotsOf } from "../../../src/launch/input/element-types.ts";
import type { Diagnostic } from "../../../src/source/diagnostic.ts";

/**
 * Whether a race is between an atomic operation and a plain load of what it compares with: the first guess of a loop of
 * compare-and-swap, which is only too old where the loop goes round once more.
 */
export function isFirstGuess({ code, span, related = [] }: Diagnostic, { code: instructions }: Program): boolean {
  if (code !== "PTX4002") return false;
  const at = (place: { readonly start: number }) => instructions.find((each) => each.span.start === place.start);
  const both = [span, ...related.map((each) => each.span)].flatMap((place) => at(place) ?? []);
  const guesses = new Set(both.flatMap(loadedBy));
  const swaps = both.filter(({ plan }) => touchesOf(plan).some(({ how }) => how === "atomic"));
  return (
    swaps.length === 1 &&
    guesses.size > 0 &&
    swaps.some(({ operands }) => operands.flatMap(slotsOf).some((slot) => guesses.has(slot)))
  );
}

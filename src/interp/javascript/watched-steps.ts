import { hasProxies } from "../contract/plan/effects.ts";
import type { Program } from "../contract/program.ts";
import { registersOfWgmma, slotsIn } from "./matrix/watch-registers.ts";
import { isNoted } from "./note-writes.ts";
import { registersOfLoads } from "./tensor-memory/watch-loads.ts";

/**
 * Whether the step at a pc does more than its plan says: it notes what the generic proxy writes, or looks for its registers
 * among those in flight. No other executor does that; most programs have no such steps.
 */
export function watchedSteps(program: Program): (pc: number) => boolean {
  const { code } = program;
  const notes = hasProxies(program);
  const watched = [registersOfWgmma(program), registersOfLoads(program)].filter((some) => some !== undefined);
  if (!notes && watched.length === 0) return () => false;
  const steps = code.map(
    ({ plan, operands }) =>
      (notes && isNoted(plan)) || slotsIn(operands).some((slot) => watched.some((some) => some.has(slot))),
  );
  return (pc) => steps[pc]!;
}

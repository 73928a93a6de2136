import type { Instruction } from "../contract/program.ts";
import type { Warp } from "../state/warp.ts";

/** The active lanes for which an instruction's guard holds. */
export type TakenLanes = (warp: Warp) => number;

/** Binds a guard, `@p` or `@!p`; without one all active lanes pass. */
export function guardOf(guard: Instruction["guard"]): TakenLanes {
  if (guard === undefined) return ({ active }) => active;
  const { slot, negated } = guard;
  return ({ active, p }) => (active & (negated ? ~p[slot]! : p[slot]!)) >>> 0;
}

/** The same lanes, for a single use. */
export function passing(guard: Instruction["guard"], { active, p }: Warp): number {
  if (guard === undefined) return active;
  const holds = p[guard.slot]!;
  return (active & (guard.negated ? ~holds : holds)) >>> 0;
}

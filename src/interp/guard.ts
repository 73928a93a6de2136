import type { Instruction } from "./program.ts";
import type { Warp } from "./warp.ts";

/** The active lanes for which an instruction's guard holds. */
export type Lanes = (warp: Warp) => number;

export function guardOf(guard: Instruction["guard"]): Lanes {
  if (guard === undefined) return ({ active }) => active;
  const { slot, negated } = guard;
  return ({ active, p }) => (active & (negated ? ~p[slot]! : p[slot]!)) >>> 0;
}

import { type Operand, predicate, slot } from "../contract/operand.ts";
import type { Context } from "../state/context.ts";
import type { BarrierSite, Warp } from "../state/warp.ts";

/** The lanes that vote for. */
export function votesOf(operand: Operand | undefined): (warp: Warp) => number {
  const { slot, negated } = predicate(operand);
  return ({ p }) => (negated ? ~p[slot]! : p[slot]!);
}

/** Writes what a reduction among the threads of a barrier gives: how many voted for, or whether all or any did. */
export function giving(
  d: Operand | undefined,
  pc: number,
  act: BarrierSite["act"],
  { lanes }: Context,
): BarrierSite["give"] {
  if (act === "popc") {
    const to = slot(d).slot * lanes;
    return ({ r, executed }, mask, { votes }) => {
      for (let lane = 0; lane < lanes; lane++) if ((mask >>> lane) & 1) r[to + lane] = votes;
      executed[pc]! |= mask;
    };
  }
  const to = predicate(d).slot;
  return ({ p, executed }, mask, { votes, voters }) => {
    const holds = act === "and" ? votes === voters : votes > 0;
    p[to] = holds ? p[to]! | mask : p[to]! & ~mask;
    executed[pc]! |= mask;
  };
}

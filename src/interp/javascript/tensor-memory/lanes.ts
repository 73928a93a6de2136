import { type Operand, slot } from "../../contract/operand.ts";
import type { Step, Warp } from "../../state/warp.ts";

/** Calls a function for each active lane, in order. */
export const eachLane =
  (lanes: number, act: (warp: Warp, lane: number) => void): Step =>
  (warp) => {
    const { active } = warp;
    for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) act(warp, lane);
  };

/** Reads an operand of 64 bits of one lane. */
export function longOf(operand: Operand | undefined, lanes: number): (warp: Warp, lane: number) => bigint {
  const { bank, slot: from } = slot(operand);
  return bank === "q" ? ({ q }, lane) => q[from * lanes + lane]! : ({ r }, lane) => BigInt(r[from * lanes + lane]!);
}

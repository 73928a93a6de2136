import type { Operand } from "../../../src/interp/contract/operand.ts";
import type { Program } from "../../../src/interp/contract/program.ts";
import type { Warp } from "../../../src/interp/state/warp.ts";
import { type Held, type Shadow, shadowAt } from "./shadow.ts";

export type Slot = Operand & { kind: "slot" };

/** The shadows of one warp's registers, by bank, `slot * lanes + lane`. */
export class WarpShadows {
  readonly r: (Held | undefined)[] = [];
  readonly q: (Held | undefined)[] = [];

  constructor({ banks }: Program, lanes: number) {
    this.r.length = banks.r * lanes;
    this.q.length = banks.q * lanes;
  }
}

/** The low word of a register, and the high one. */
export const lowOf = ({ r, w, lanes }: Warp, { bank, slot }: Slot, lane: number): number =>
  bank === "r" ? r[slot * lanes + lane]! : w[2 * (slot * lanes + lane)]! >>> 0;
export const highOf = ({ w, lanes }: Warp, { bank, slot }: Slot, lane: number): number =>
  bank === "r" ? 0 : w[2 * (slot * lanes + lane) + 1]! >>> 0;

export const heldIn = (shadows: WarpShadows, { bank, slot }: Slot, at: number, lanes: number): Held | undefined =>
  shadows[bank][slot * lanes + at];

/** `width` bits of a register from bit `at` on: a word, or a part of one. */
export function partOf(low: number, high: number, at: number, width: number): number {
  const word = at >= 32 ? high >>> (at - 32) : low >>> at;
  return width >= 32 ? word : (word & (2 ** width - 1)) >>> 0;
}

/** The shadow of a part of a register that is still of the bits it has now. */
export function shadowOf(
  shadows: WarpShadows,
  warp: Warp,
  slot: Slot,
  lane: number,
  at: number,
  width: number,
): Shadow | undefined {
  const held = heldIn(shadows, slot, lane, warp.lanes);
  if (held === undefined) return undefined;
  const [low, high] = [lowOf(warp, slot, lane), highOf(warp, slot, lane)];
  return width === 64 ? shadowAt(held, at, 64, low, high) : shadowAt(held, at, width, partOf(low, high, at, width), 0);
}

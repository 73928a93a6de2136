import type { Context } from "../state/context.ts";
import type { Warp } from "../state/warp.ts";

// The engine inlines these and the arrow function that they are given, as it does `unrolled4` (unrolled.ts).

/** Runs a sum for each active lane; it gives whether it carries out, which is the new CC.CF. */
export function carryOut(lanes: number, warp: Warp, sum: (lane: number) => boolean): void {
  const { active, carry } = warp;
  let flags = 0;
  for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1 && sum(lane)) flags |= 1 << lane;
  warp.carry = ((carry & ~active) | flags) >>> 0;
}

/** Words of memory at the lanes' addresses become `made` of what they held, one lane after the other. */
export function updateWords(
  { lanes, memory, scratch: { at } }: Context,
  { r, active }: Warp,
  d: number,
  made: (held: number, lane: number) => number,
): void {
  const { u32 } = memory.data;
  for (let lane = 0; lane < lanes; lane++) {
    if (!((active >>> lane) & 1)) continue;
    const index = at[lane]! >>> 2;
    const held = u32[index]!;
    u32[index] = made(held, lane);
    if (d >= 0) r[d + lane] = held;
  }
}

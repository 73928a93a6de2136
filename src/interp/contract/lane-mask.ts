/** Lanes of a full warp. */
export const LANES = 32;

/** A mask of the lowest `lanes` lanes. */
export const lowest = (lanes: number): number => (lanes >= 32 ? 0xffff_ffff : (1 << lanes) - 1) >>> 0;

/** The lowest lane of a mask that is not empty. */
export const firstLane = (mask: number): number => 31 - Math.clz32(mask & -mask);

/** How many lanes are in a mask. */
export function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

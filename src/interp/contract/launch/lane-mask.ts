/** Lanes of a full warp. */
export const LANES = 32;

/** The mask of all of them. */
export const FULL = 0xffff_ffff;

/** A mask of the lowest `lanes` lanes. */
export const lowest = (lanes: number): number => (lanes >= 32 ? FULL : (1 << lanes) - 1) >>> 0;

/** The lowest lane of a mask that is not empty. */
export const firstLane = (mask: number): number => 31 - Math.clz32(mask & -mask);

/** How many lanes are in a mask. */
export function bitsIn(mask: number): number {
  const pairs = mask - ((mask >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** The highest lanes of a mask, `most` of them, the lowest first. */
export function highest(mask: number, most: number): number[] {
  const lanes: number[] = [];
  for (let left = mask; left !== 0 && lanes.length < most; left &= ~(1 << lanes[0]!))
    lanes.unshift(31 - Math.clz32(left));
  return lanes;
}

/** The lanes of a mask, the lowest first. */
export function lanesOf(mask: number): number[] {
  const lanes: number[] = [];
  for (let left = mask >>> 0; left !== 0; left = (left & (left - 1)) >>> 0) lanes.push(firstLane(left));
  return lanes;
}

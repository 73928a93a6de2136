import type { Part } from "../schedule/schedule.ts";

/** Splits a range of blocks into `count` parts, whole rows of the grid if possible: neighbours in a row share pages. */
export function piecesOf({ first, end }: Part, count: number, row: number): readonly Part[] {
  const blocks = end - first;
  const unit = blocks >= 2 * count * row ? row : 1;
  const seam = (at: number): number => {
    const even = first + Math.round((blocks * at) / count);
    return at === 0 ? first : at === count ? end : Math.round(even / unit) * unit;
  };
  return Array.from({ length: count }, (_, at) => ({ first: seam(at), end: seam(at + 1) }));
}

/** How often a worker takes blocks in a round: the more often, the less it waits for others at the end. */
const TIMES = 8;

/** How many blocks a worker takes at a time: some rows of the grid, or less than one. */
export function shareOf(blocks: number, count: number, row: number): number {
  const share = Math.max(1, Math.ceil(blocks / (count * TIMES)));
  return share > row / 2 ? Math.ceil(share / row) * row : share;
}

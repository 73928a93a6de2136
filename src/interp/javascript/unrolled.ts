/** The mask of a full warp. */
export const FULL = 0xffff_ffff;

// An operation on lanes is written once, for one lane, as an arrow function that is passed to one of these. The engine
// inlines both, the loop and the arrow function, into the step that calls; measured, that is as fast as a loop written
// out. For a full warp the loop does not test the mask. Code that grows too large is not inlined, and is then five times
// slower: `unrolled4` is for a line or two, `unrolled2` for more.

/** Does `one` for each lane in `active`. */
export function unrolled4(lanes: number, active: number, one: (lane: number) => void): void {
  if (active === FULL)
    for (let lane = 0; lane < 32; lane += 4) {
      one(lane);
      one(lane + 1);
      one(lane + 2);
      one(lane + 3);
    }
  else for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) one(lane);
}

/** The same for longer operations. */
export function unrolled2(lanes: number, active: number, one: (lane: number) => void): void {
  if (active === FULL)
    for (let lane = 0; lane < 32; lane += 2) {
      one(lane);
      one(lane + 1);
    }
  else for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) one(lane);
}

/** The same for operations that are longer still. */
export function rolled(lanes: number, active: number, one: (lane: number) => void): void {
  for (let lane = 0; lane < lanes; lane++) if ((active >>> lane) & 1) one(lane);
}

/** A mask of the lanes for which `test` holds, active or not: reading a register does no harm. */
export function lanesWhere(lanes: number, test: (lane: number) => boolean): number {
  let held = 0;
  for (let lane = 0; lane < lanes; lane++) if (test(lane)) held |= 1 << lane;
  return held;
}

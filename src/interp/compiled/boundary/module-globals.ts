/** Mutable i32 globals of a module, by index: for values that change so often that memory would be slower. */
export const globals = {
  /** The address of the state. */
  state: 0,
  /** The pc at which the next group waits: the current group stops when it gets there, or behind it. */
  meet: 1,
  /** Warp instructions that may be executed, and those that have been since the module was entered. */
  limit: 2,
  executed: 3,
  /** Backward branches left in this turn. */
  yieldBudget: 4,
  /** Lanes of the group that runs, and lanes of the warp that have not exited. */
  active: 5,
  live: 6,
  /** One more than the block behind the barrier that the warp has come to; 0 when it has not. */
  arrived: 7,
  /** Where late accesses wait (`late-layout.ts`), or 0. */
  late: 8,
} as const;

/** No group waits. */
export const NOBODY = 0x7fff_ffff;

// Common facts of each kind of shape, which the tables of shapes spread.

/** Facts of most shapes: no lane is selected or waited for, and neither memory nor CC.CF is touched. */
export const quiet = {
  carry: { reads: false, writes: false },
  selects: false,
  meets: undefined,
  touches: [],
  within: [],
  names: undefined,
  fence: undefined,
  fencedProxy: undefined,
  completesAsync: false,
  images: undefined,
  proxy: undefined,
  operation: undefined,
  tensor: false,
} as const;

/** A step goes on to the next instruction, and one thread can execute it anywhere. */
export const step = { ...quiet, kind: "step", next: "on", alone: true } as const;

/** The end of a straight-line region depends on other lanes, or on its place in the program. */
export const control = { ...quiet, kind: "control", alone: false } as const;

/** What all threads of a warp execute together, as `.sync.aligned` demands. */
export const collective = { ...quiet, kind: "collective", next: "on", meets: "lanes", alone: false } as const;

/** A step after which some lanes wait for a condition that their instruction names. */
export const hold = { ...quiet, kind: "hold", next: "on", alone: false } as const;

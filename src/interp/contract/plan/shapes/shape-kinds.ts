// What shapes of one kind have in common; the tables of shapes spread it.

/** What most shapes have in common: no lane is picked out or met, and neither memory nor CC.CF is touched. */
export const quiet = {
  carry: { reads: false, writes: false },
  selects: false,
  meets: undefined,
  touches: [],
  within: [],
  names: undefined,
  fence: undefined,
  fencedProxy: undefined,
  settles: false,
  images: undefined,
  proxy: undefined,
  operation: undefined,
  tensor: false,
} as const;

/** A step goes on to the next instruction, and one thread can execute it anywhere. */
export const step = { ...quiet, kind: "step", next: "on", alone: true } as const;

/** What ends a straight run depends on other lanes, or on where in the program it stands. */
export const control = { ...quiet, kind: "control", alone: false } as const;

/** What all threads of a warp execute together, as `.sync.aligned` demands. */
export const collective = { ...quiet, kind: "collective", next: "on", meets: "lanes", alone: false } as const;

/** A step after which some lanes wait until something has happened that their instruction names. */
export const hold = { ...quiet, kind: "hold", next: "on", alone: false } as const;

import type { Random } from "./random.ts";

/** How many of a hundred items of a program are of each kind; the others are straight code. */
export interface Theme {
  readonly branch: number;
  readonly loop: number;
  readonly switch: number;
  readonly call: number;
  readonly barrier: number;
  readonly leap: number;
  readonly leave: number;
  readonly pattern: number;
  /** Two ways on each of which lanes come to the same meeting. */
  readonly fork: number;
  /** How often a call comes where lanes meet that have parted, percent. */
  readonly callAtMeeting: number;
  /** How often lanes that have parted are kept waiting in the middle of a block, percent. */
  readonly hold: number;
  /** How often the program has functions, and how often a block has several warps, percent. */
  readonly functions: number;
  readonly large: number;
}

const themes = {
  mixed: {
    branch: 5, loop: 5, switch: 2, call: 5, barrier: 4, leap: 2, leave: 2, pattern: 2, fork: 1, callAtMeeting: 5, hold: 3, functions: 25, large: 40,
  },
  /** Lanes part, wait for each other, and meet before calls. */
  parting: {
    branch: 15, loop: 9, switch: 3, call: 10, barrier: 5, leap: 7, leave: 2, pattern: 1, fork: 9, callAtMeeting: 55, hold: 45, functions: 85, large: 65,
  },
  /** Warps of a block wait for each other. */
  meeting: {
    branch: 6, loop: 8, switch: 1, call: 8, barrier: 18, leap: 3, leave: 3, pattern: 12, fork: 10, callAtMeeting: 8, hold: 10, functions: 35, large: 85,
  },
  /** Little comes between a program and the instruction that it is about. */
  focused: {
    branch: 3, loop: 14, switch: 1, call: 2, barrier: 3, leap: 1, leave: 1, pattern: 2, fork: 1, callAtMeeting: 3, hold: 2, functions: 8, large: 60,
  },
} as const satisfies Readonly<Record<string, Theme>>; // biome-ignore format: a table

export function drawTheme(random: Random, focused: boolean): Theme {
  if (focused && random.chance(75)) return themes.focused;
  const roll = random.below(100);
  return roll < 52 ? themes.mixed : roll < 78 ? themes.parting : themes.meeting;
}

import { LANES } from "../../contract/launch/lane-mask.ts";

/** Instructions whose loads may be notified of late, and loads that wait for that. */
export const MOST_LATE = 128;
export const MOST_WAITING = 1024;

/** What module and JavaScript share of late loads (`running/late-loads.ts`), in bytes from its start. */
export const late = {
  /** Loads that wait. */
  count: 0,
  /** Not 0 while loads of a space may be late. */
  global: 4,
  shared: 8,
  /** By instruction: the first offset of lane 0, and how many follow on which all lanes load where they may be late. */
  from: 16,
  length: 16 + 4 * MOST_LATE,
  /** By instruction: a row of what the lanes add to the offset of lane 0. */
  lanes: 16 + 8 * MOST_LATE,
  /** The loads, two words each: the instruction with the warp above its 16 bits, and the offset of lane 0. */
  waiting: 16 + 8 * MOST_LATE + 4 * LANES * MOST_LATE,
  bytes: 16 + 8 * MOST_LATE + 4 * LANES * MOST_LATE + 8 * MOST_WAITING,
} as const;

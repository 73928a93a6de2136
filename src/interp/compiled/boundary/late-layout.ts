import { LANES } from "../../contract/launch/lane-mask.ts";

/** Instructions whose accesses may be notified of late; how much waits for that, and its bytes. */
export const MOST_LATE = 512;
export const MOST_WAITING = 2048;
const WAITING_BYTES = 98304;

/**
 * In place of an instruction: lanes have executed a warp operation together, all threads of the block have come to a barrier, or
 * the next block of a chain has begun.
 */
export const happenings = { met: 0xffff, completed: 0xfffe, began: 0xfffd } as const;
/** Set in the first word of an access that has its addresses with it. */
export const ADDRESSED = 1 << 30;
export const ADDRESSED_BYTES: number = 8 + 4 * LANES;

const learned = 16;
const lanes = learned + 4 * MOST_LATE;
const waiting = lanes + 4 * LANES * MOST_LATE;

/** What module and JavaScript share of late accesses (`running/late-accesses.ts`), in bytes from its start. */
export const late = {
  /** Bytes of what waits. */
  used: 0,
  /** How much more may wait. */
  left: 4,
  /** By instruction: 1 where it is known how the lanes' addresses differ; then a row of what they add to the offset of lane 0. */
  learned,
  lanes,
  /**
   * What waits, two words each: the instruction with the warp above its 16 bits, and the offset of lane 0, or the lanes, or the
   * number of the barrier. The offsets of all lanes follow where they differ otherwise.
   */
  waiting,
  /** Beyond this many bytes nothing more may wait. */
  room: WAITING_BYTES - ADDRESSED_BYTES,
  bytes: waiting + WAITING_BYTES,
} as const;

/** Functions that let observers be notified late; each returns 0 if they can be, else what it was called with first. */
export interface LateFunctions {
  /** (count): 1 if so many accesses that store nothing may be late. */
  readonly ready: number;
  /** (lanes, instruction, bytes): an access whose addresses are in the state; `bytes` that a lane stores, 0 if it does not. */
  readonly access: number;
  /** (1, what, value): one of `happenings`, with the lanes or the number of the barrier. */
  readonly happening: number;
}

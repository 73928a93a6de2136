import { LANES } from "../../contract/launch/lane-mask.ts";

/** What module and JavaScript share of the copies that the module holds, in bytes from its start: the room's own words, */
export const room = {
  /** The first of the free records, as an address, and the bytes of records that were never used. */
  free: 0,
  used: 4,
  /** Copies of a warp that have begun since the module last held none. */
  begun: 8,
  /** An entry for each warp of a block. */
  warps: 32,
  /** The records. */
  records: 32 + 32 * LANES,
} as const;

/** of a warp, */
export const entry = {
  /** Where the shared memory of its block lies; 0 where the module holds nothing of it. */
  shared: 0,
  /** Its oldest and its newest copy, 0 for none. */
  first: 4,
  last: 8,
  /** Groups that it has committed, and those that it has waited for. */
  committed: 12,
  waited: 16,
  /** One more than the pc of its last wait, and how many groups that left. */
  waitedBy: 20,
  pending: 24,
  bytes: 32,
} as const;

/** and of a copy of all its lanes. */
export const record = {
  next: 0,
  /** The number of its group among those of the warp, and of itself among all copies. */
  group: 4,
  number: 8,
  pc: 12,
  /** By lane: where it goes, and where it comes from; 0 for zeros. */
  to: 16,
  from: 16 + 4 * LANES,
  size: 16 + 8 * LANES,
} as const;

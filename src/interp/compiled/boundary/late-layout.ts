import { LANES } from "../../contract/launch/lane-mask.ts";

/** Instructions whose accesses may be notified of late; how much waits for that, and its bytes. */
export const MOST_LATE = 512;
export const MOST_WAITING = 2048;
const WAITING_BYTES = 98304;
const BRIEF_BYTES = 65536;

/**
 * In place of an instruction: lanes have executed a warp operation together, all threads of the block have come to a barrier, the
 * next block of a chain has begun, or a warp has waited for a copy of all its lanes.
 */
export const happenings = { met: 0xffff, completed: 0xfffe, began: 0xfffd, copied: 0xfffc } as const;
/** Set in the first word of a copy if the warp has waited for the next one, too. */
export const MORE_COPIED = 1 << 29;
/** A copy has its instruction, then by lane where it goes, and where it comes from: 0 for zeros. */
export const COPIED_BYTES: number = 8 + 8 * LANES;
/** Set in the first word of an access that has its addresses with it. */
export const ADDRESSED = 1 << 30;
export const ADDRESSED_BYTES: number = 8 + 4 * LANES;

/** The number of the pattern of words in a row. */
export const ROW_PATTERN = 1;

const learned = 96;
const lanes = learned + 4 * MOST_LATE;
const waiting = lanes + 4 * LANES * MOST_LATE;
const brief = waiting + WAITING_BYTES;
/** A word more, in front: how many bytes waited elsewhere by then. */
const BRIEF_MORE = 4;

/** What module and JavaScript share of late accesses (`running/late-accesses.ts`), in bytes from its start. */
export const late = {
  /** Bytes of what waits. */
  used: 0,
  /** How much more may wait. */
  left: 4,
  /** 1 while the module judges accesses (`judge-code.ts`), and from when it has found one that may race, 1 in `doubt`. */
  judging: 8,
  doubt: 12,
  /** What owner words of the block that runs have above `owner.interval`, and what they had in its first interval; and the last given. */
  interval: 16,
  firstInterval: 20,
  lastInterval: 24,
  /** Where it stands where the owner words of each page lie, and how many pages there are. */
  pages: 28,
  pageCount: 32,
  /** Room for the owner words of the next page, the end of that, and a page of those for which there is none. */
  nextPage: 36,
  endOfPages: 40,
  sparePage: 44,
  /** By page of owner words: how many of them several blocks have loaded. */
  sharedWords: 48,
  /** What has been done to shared memory in the interval, as bits of `done`. */
  done: 52,
  /**
   * 1 where owner words say that. They need not, as long as an interval has nothing but loads, or nothing but atomic operations. If it then
   * has something else, JavaScript looks at all of it when it ends: 1 in `mixed`.
   */
  exact: 56,
  mixed: 60,
  /** Bytes of what waits for no longer than up to the next barrier of the block. */
  briefUsed: 64,
  /** How many blocks have begun, and 1 if something waits that has its addresses with it. */
  begun: 68,
  addressed: 72,
  /** The number of the pattern in which the lanes' addresses of the last access differed; 0 where that was none that is known. */
  matched: 76,
  /**
   * By instruction: 1 where it is known how the lanes' addresses differ, with the number of the pattern above, and 2 where they wait
   * for no longer than up to the next barrier while the module judges; then a row of what lanes add to the offset of lane 0.
   */
  learned,
  lanes,
  /**
   * What waits, two words each: the instruction with the warp above its 16 bits, and the offset of lane 0, or the lanes, or the
   * number of the barrier. The offsets of all lanes follow where they differ otherwise.
   */
  waiting,
  /** Beyond this many bytes nothing more may wait. */
  room: WAITING_BYTES - ADDRESSED_BYTES,
  /** What waits for no longer than up to the next barrier, while the module judges. */
  brief,
  briefMore: BRIEF_MORE,
  briefRoom: BRIEF_BYTES - ADDRESSED_BYTES - BRIEF_MORE,
  bytes: brief + BRIEF_BYTES,
} as const;

/** What an interval has done to shared memory. */
export const done = { load: 1, store: 2, atomic: 4 } as const;

/** Log2 of the bytes of memory whose owner words lie together. */
export const PAGE_BITS = 12;
export const PAGE: number = 1 << PAGE_BITS;

/**
 * The bits of the word that says who has accessed a word of memory: a thread of the block, or several; whether it has been stored
 * to in that interval between two barriers of the block, or before. Atomic operations by whomever are `many` that have `stored`;
 * what several blocks have loaded, or updated, has the interval 0. All is 0 where nobody has accessed it.
 */
export const owner = { thread: 0x3ff, many: 1 << 10, stored: 1 << 11, before: 1 << 12, interval: 1 << 13 } as const;

/** The last interval, as owner words have it. */
export const LAST_INTERVAL = 0xfffe_0000;

/** Functions that let observers be notified late; each returns 0 if they can be, else what it was called with first. */
export interface LateFunctions {
  /** (count): 1 if so many accesses that store nothing may be late. */
  readonly ready: number;
  /** (lanes, instruction, bytes): an access whose addresses are in the state; `bytes` that a lane stores, 0 if it does not. */
  readonly access: number;
  /** (instruction, offset of lane 0): the same, of all lanes, which access words in a row. */
  readonly row: number;
  /** (instruction, offset of lane 0, `late.matched`): 1 if a load beside another is noted, and judged, without its addresses. */
  readonly again: number;
  /** (1, what, value): one of `happenings`, with the lanes or the number of the barrier. */
  readonly happening: number;
}

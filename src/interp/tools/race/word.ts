import type { MemoryOrder, Reach } from "../../contract/memory-consistency.ts";
import { acquire, morallyStrong, Release } from "./scope.ts";
import type { ByReach, Epoch } from "./vector-clock.ts";

/** What an access is, and what it is worth to others. */
export interface Manner {
  readonly how: "load" | "store" | "atomic";
  readonly sem: MemoryOrder;
  /** The instruction that asked for it. */
  readonly pc: number;
  readonly reach: Reach;
}

/** An access to one word that a later one may conflict with. */
export interface RecordedAccess extends Epoch {
  readonly pc: number;
  /** Which of the word's four bytes, a bit each. */
  readonly bytes: number;
  /** Two that are morally strong with each other do not race (PTX ISA 8.7). */
  readonly reach: Reach;
  /** The instruction's turn, so that lanes that store one value together are not at odds. */
  readonly turn: number;
  readonly value: bigint | undefined;
}

/** A store, with what it tells those who acquire it. */
export interface RecordedWrite extends RecordedAccess {
  readonly release: Release | undefined;
  /** What its own thread has released by it. */
  readonly own: ByReach;
}

/** What is known of a word of memory. Most words have been accessed once: an array that is replaced, not grown, is small. */
export interface MemoryWord {
  /** The last store to each byte; one entry where they are the same. */
  writes: readonly RecordedWrite[];
  /** Loads since then, one a thread and instruction. */
  reads: readonly RecordedAccess[];
  /** Shared memory goes with its block. */
  readonly shared: boolean;
}

/** Loads that are kept of one word, see `remember`. */
const MOST_READS = 64;

/** No accesses: one array for all words without them. */
export const none: readonly never[] = [];

/** What is left of accesses where some of the word's bytes are stored to. */
export function outside<T extends RecordedAccess>(accesses: readonly T[], bytes: number): readonly T[] {
  if (accesses.every((access) => (access.bytes & ~bytes) === 0)) return none;
  return accesses.flatMap((access) => {
    const rest = access.bytes & ~bytes;
    return rest === access.bytes ? access : rest === 0 ? [] : { ...access, bytes: rest };
  });
}

/** The stores that an access observes (PTX ISA 8.9.2): the last ones to its bytes that it is morally strong with. */
export const observed = ({ writes }: MemoryWord, access: RecordedAccess): RecordedWrite[] =>
  access.reach < 0 ? [] : writes.filter((write) => (write.bytes & access.bytes) !== 0 && morallyStrong(write, access));

/** What an atomic on these bytes carries on of the stores that it observes. */
export function carriedOn(before: readonly RecordedWrite[], bytes: number): Release | undefined {
  const releases = before.flatMap(({ release }) => release ?? []);
  const [first] = releases;
  // The usual case: what replaces the only one may have its release, which grows with every block that counts here.
  if (before.length === 1 && (before[0]!.bytes & ~bytes) === 0) return first;
  return first === undefined ? undefined : Release.of(releases);
}

/** A thread learns what a store released that it has observed. */
export function read({ release }: RecordedWrite, { thread, reach }: RecordedAccess, acquires: boolean): void {
  if (release !== undefined) acquire(thread, release.heardBy(thread), acquires ? reach : -1);
}

/** Keeps a load until the word is stored to. A thread's own earlier load of it by the same instruction says no more. */
export function remember(word: MemoryWord, access: RecordedAccess): void {
  const { reads } = word;
  if (reads.length === 0) {
    word.reads = [access];
    return;
  }
  const same = reads.findIndex(
    ({ thread, pc, bytes }) => thread === access.thread && pc === access.pc && bytes === access.bytes,
  );
  if (same >= 0) word.reads = reads.with(same, access);
  else if (reads.length < MOST_READS) word.reads = [...reads, access];
  else {
    const gone = needless(reads, access);
    word.reads = [...reads.filter((_, at) => at !== gone), access];
  }
}

/**
 * Which of many loads to let go: one that happened before the new one and can race with nothing that the new one cannot
 * race with; or else one of the warp that has the most, the new one's first, so that each block keeps some. Only in the
 * second case a race may be missed, with a thread that was ordered behind all that are left.
 */
function needless(reads: readonly RecordedAccess[], now: RecordedAccess): number {
  const covered = reads.findIndex(
    (old) => (old.bytes & ~now.bytes) === 0 && old.reach >= now.reach && sameBlock(old, now) && now.thread.follows(old),
  );
  if (covered >= 0) return covered;
  const warps = new Map<number, number>([[now.thread.warpId, 1]]);
  for (const { thread } of reads) warps.set(thread.warpId, (warps.get(thread.warpId) ?? 0) + 1);
  let most = now.thread.warpId;
  for (const [warp, count] of warps) if (count > warps.get(most)!) most = warp;
  const oldest = reads.findIndex(({ thread }) => thread.warpId === most);
  return Math.max(oldest, 0);
}

/** A scope that leaves out one of two leaves out the other. */
const sameBlock = (a: RecordedAccess, b: RecordedAccess): boolean => a.thread.blockClock === b.thread.blockClock;

/** Words of memory, and what is known of them, so that what is done to one copy changes no other. */
export function copyWords(words: ReadonlyMap<number, MemoryWord>): Map<number, MemoryWord> {
  const copies = new Map<Release, Release>();
  const copyOf = (release: Release): Release => {
    const copy = copies.get(release) ?? Release.of([release]);
    copies.set(release, copy);
    return copy;
  };
  const copied = new Map<number, MemoryWord>();
  for (const [from, { writes, reads, shared }] of words)
    copied.set(from, {
      writes: writes.some(({ release }) => release !== undefined)
        ? writes.map((write) => (write.release === undefined ? write : { ...write, release: copyOf(write.release) }))
        : writes,
      reads,
      shared,
    });
  return copied;
}

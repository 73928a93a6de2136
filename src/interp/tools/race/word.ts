import type { MemoryOrder, Reach } from "../../contract/memory-consistency.ts";
import { acquire, morallyStrong, Release } from "./scope.ts";
import type { ByReach, Epoch } from "./vector-clock.ts";

/** The kind of an access, and how it orders others. */
export interface Manner {
  readonly how: "load" | "store" | "atomic";
  readonly sem: MemoryOrder;
  /** The instruction that issued it. */
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
  /** The instruction's turn: lanes that store one value together do not conflict. */
  readonly turn: number;
  readonly value: bigint | undefined;
}

/** A store, with what it releases to those who acquire it. */
export interface RecordedWrite extends RecordedAccess {
  readonly release: Release | undefined;
  /** What its thread itself has released by it. */
  readonly own: ByReach;
}

/** The state of a word of memory. Most words have one access: an array that is replaced, not grown, is small. */
export interface MemoryWord {
  /** The last store to each byte; one entry where they are the same. */
  writes: readonly RecordedWrite[];
  /** Loads since then, one for each thread and instruction. */
  reads: RecordedAccess[];
  /** Shared memory ends with its block. */
  readonly shared: boolean;
}

/** Loads kept for one word, see `remember`. */
const MOST_READS = 64;

/** No accesses: one array for all words without them, which nobody adds to. */
export const none: never[] = [];

/** The parts of accesses that lie outside the stored bytes of the word. */
export function outside<T extends RecordedAccess>(accesses: readonly T[], bytes: number): T[] {
  if (accesses.every((access) => (access.bytes & ~bytes) === 0)) return none;
  return accesses.flatMap((access) => {
    const rest = access.bytes & ~bytes;
    return rest === access.bytes ? access : rest === 0 ? [] : { ...access, bytes: rest };
  });
}

/** The stores that an access observes (PTX ISA 8.9.2): the last ones to its bytes that it is morally strong with. */
export const observed = ({ writes }: MemoryWord, access: RecordedAccess): RecordedWrite[] =>
  access.reach < 0 ? [] : writes.filter((write) => (write.bytes & access.bytes) !== 0 && morallyStrong(write, access));

/** The releases, of the stores that it observes, that an atomic on these bytes carries on. */
export function carriedOn(before: readonly RecordedWrite[], bytes: number): Release | undefined {
  const releases = before.flatMap(({ release }) => release ?? []);
  const [first] = releases;
  // The usual case: an atomic that replaces the only store may reuse its release, which grows with every block.
  if (before.length === 1 && (before[0]!.bytes & ~bytes) === 0) return first;
  return first === undefined ? undefined : Release.of(releases);
}

/** A thread reads what a store released that it has observed. */
export function read({ release }: RecordedWrite, { thread, reach }: RecordedAccess, acquires: boolean): void {
  if (release !== undefined) acquire(thread, release.acquiredBy(thread), acquires ? reach : -1);
}

/** Keeps a load until the word is stored to. It replaces its thread's earlier load by the same instruction. */
export function remember(word: MemoryWord, access: RecordedAccess): void {
  const { reads } = word;
  if (reads.length === 0) {
    word.reads = [access];
    return;
  }
  const same = reads.findIndex(
    ({ thread, pc, bytes }) => thread === access.thread && pc === access.pc && bytes === access.bytes,
  );
  if (same >= 0) reads[same] = access;
  else {
    if (reads.length >= MOST_READS) reads.splice(needless(reads, access), 1);
    reads.push(access);
  }
}

/**
 * Chooses which of many loads to drop: one that happened before the new one and can race only with what the new one
 * can race with; otherwise one of the warp that has the most, the new one's first, so that each block keeps some.
 * Only in the second case a race may be missed, with a thread that was ordered behind all remaining loads.
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

/** A copy of words and their state: changes to one copy do not affect the other. */
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
      reads: [...reads],
      shared,
    });
  return copied;
}

import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Both, From, OneRun } from "./follow.ts";
import type { Culprit } from "./write-log.ts";

/** Programs whose texts are so much alike go step by step. */
export const NEARLY = 0.7;
/** How one difference came to be. */
export interface Explanation {
  /** Differing writes, alike ones together; the first is the one that is followed. */
  readonly writes: readonly WriteGroup[];
  /** From the write backwards to where both runs agree again, which is the last one. */
  readonly hops: readonly Hop[];
  /** Why it ends there, when it is not the beginning of the difference. */
  readonly end?: "order" | "long" | "unknown";
  /** Changes of one instruction with which both give the same; the last hop ends at the first of them. */
  readonly repairs?: Repairs;
}

export interface WriteGroup {
  readonly name: string;
  readonly culprit: Culprit;
  /** Other threads that write by the same instructions. */
  readonly more: number;
}

/** One thread on the way back. */
export interface Hop {
  readonly thread: ThreadId;
  readonly both: Both;
  readonly from: From;
  /** The steps that it began at. */
  readonly begin: { readonly a?: number; readonly b?: number };
}

/** The first program or the second one. */
export type SideName = "a" | "b";

/** A change of one instruction with which both programs give the same. */
export interface Repair {
  readonly side: SideName;
  readonly pc: number;
  /** The instruction's text as it would be. */
  readonly instead: string;
  /** The thread that was followed, as it goes then. */
  readonly run: OneRun;
}

/** The likeliest of the changes that were found, and the other ones, of other instructions. */
export interface Repairs {
  readonly first: Repair;
  readonly others: readonly Repair[];
  /** Changes that were tried. */
  readonly tried: number;
}

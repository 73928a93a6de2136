import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Both, From, OneRun } from "./follow.ts";
import type { Culprit } from "./write-log.ts";

/** The share of common text above which two programs are walked step by step. */
export const NEARLY = 0.7;
/** How one difference came to be. */
export interface Explanation {
  /** Differing writes, grouped by instruction; the first group is the one that is followed. */
  readonly writes: readonly WriteGroup[];
  /** From the write backwards; the last hop is where both runs agree again. */
  readonly hops: readonly Hop[];
  /** Why the search ends there, when it is not the beginning of the difference. */
  readonly end?: "order" | "long" | "unknown";
  /** Changes of one instruction that make both programs agree; the last hop ends at the first of them. */
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
  /** The steps that the search began at. */
  readonly begin: { readonly a?: number; readonly b?: number };
}

/** The first program or the second one. */
export type SideName = "a" | "b";

/** A change of one instruction that makes both programs agree. */
export interface Repair {
  readonly side: SideName;
  readonly pc: number;
  /** The instruction's text as it would be. */
  readonly instead: string;
  /** The trace of the followed thread after the change. */
  readonly run: OneRun;
}

/** The likeliest change that was found, and the others, of other instructions. */
export interface Repairs {
  readonly first: Repair;
  readonly others: readonly Repair[];
  /** Changes that were tried. */
  readonly tried: number;
}

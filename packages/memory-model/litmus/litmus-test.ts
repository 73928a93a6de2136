import type { Source, Span } from "../../../src/source/source.ts";
import type { Litmus, Model } from "../model/event.ts";

/** A litmus test after parsing: the threads, and the texts of the claims about its final states. */
export interface LitmusTest {
  readonly name: string;
  /** The author's description; may be empty. */
  readonly description: string;
  readonly source: Source;
  readonly litmus: Litmus;
  /** In their order; the test holds where all of them do. */
  readonly claims: readonly Claim[];
  /** The span of the condition that an execution must fulfil to count. */
  readonly filter?: Span;
  /** Iterations of a loop that each thread may execute; `defaultBound` unless the test or the command gives another. */
  readonly bound: number;
  /** Names of memory that conditions may use, where they differ from those of `litmus.initial`: each with that name. */
  readonly memory?: ReadonlyMap<string, string>;
  /** The values of `&name`. */
  readonly addresses?: ReadonlyMap<string, bigint>;
  /** The registers of each thread, where they are known before it runs. */
  readonly registers?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** `exists C`, `never C` or `forall C`: some final state fulfils C, none does, or all do. */
export interface Claim {
  readonly kind: "exists" | "never" | "forall";
  /** The span of C in the source. */
  readonly condition: Span;
}

export interface ReadOptions {
  /** Iterations of a loop, instead of the test's bound. */
  readonly bound?: number;
  /** How atomic operations are read, instead of as the manual does. */
  readonly model?: Model;
}

export const defaultBound = 4;

import type { Source, Span } from "../../../src/source/source.ts";
import type { Litmus } from "../model/event.ts";

/** A litmus test as a front end has read it: what runs, and the texts of what is claimed of its final states. */
export interface LitmusTest {
  readonly name: string;
  /** What its author says of it; empty for nothing. */
  readonly description: string;
  readonly source: Source;
  readonly litmus: Litmus;
  /** In their order; the test holds where all of them do. */
  readonly claims: readonly Claim[];
  /** Where the condition stands that an execution must fulfil to count. */
  readonly filter?: Span;
  /** Rounds of a loop that each thread may go; `defaultBound` unless the test or the command says otherwise. */
  readonly bound: number;
  /** Names of memory that conditions may use, where they differ from those of `litmus.initial`: each with that. */
  readonly memory?: ReadonlyMap<string, string>;
  /** What `&name` is. */
  readonly addresses?: ReadonlyMap<string, bigint>;
  /** The registers of each thread, where they are known before it runs. */
  readonly registers?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** `exists C`, `never C` or `forall C`: that some final state is so, none, all. */
export interface Claim {
  readonly kind: "exists" | "never" | "forall";
  /** Where C stands in the source. */
  readonly condition: Span;
}

export interface ReadOptions {
  /** Rounds of a loop, instead of what the test says. */
  readonly bound?: number;
}

export const defaultBound = 4;

import type { Event, Initial, Litmus, Trace } from "./event.ts";

/** Relations of one execution, as pairs of positions in `Execution.events`; initial writes come first there. */
export type RelationName =
  | "po" // program order
  | "rf" // reads from
  | "co" // coherence order
  | "fr" // from reads: a read, and the writes that come after what it read
  | "sw" // synchronizes with
  | "sc" // Fence-SC order
  | "cause"; // causality order

/** One execution that the axioms allow, or one that an axiom forbids. */
export interface Execution {
  readonly events: readonly (Initial | Event)[];
  /** One for each thread. */
  readonly traces: readonly Trace[];
  readonly relations: Readonly<Record<RelationName, readonly (readonly [number, number])[]>>;
  /** The final values of each location: several where the last writes are unordered, which is a race. */
  readonly memory: ReadonlyMap<string, readonly bigint[]>;
  /** Pairs of conflicting accesses that are a data race (PTX ISA 8.7.1). */
  readonly races: readonly (readonly [number, number])[];
  /** Threads that wait for ever at a barrier, by their index: where there are any, the execution is a deadlock. */
  readonly waiting: readonly number[];
  /**
   * Threads that go round a loop for ever, though every write becomes visible at some time (weak fairness): their reads there
   * return what stays in memory.
   */
  readonly looping: readonly number[];
  /** The axiom that it contradicts; only where executions were requested that not all axioms allow. */
  readonly contradicts?: Forbidden | undefined;
}

/** Why an execution is not allowed: an axiom, its section, and the cycle or pair that contradicts it. */
export interface Forbidden {
  readonly axiom: string;
  /** Of the manual: "8.10.6". */
  readonly section: string;
  /**
   * Whether a dependency of the cycle is one that an implementation may find out to be none, since the store writes the same
   * whatever was read: then the manual leaves the outcome open (PTX ISA 8.10.4).
   */
  readonly open?: true;
  /** Steps from event to event, the last back to the first. */
  readonly cycle: readonly { readonly from: number; readonly to: number; readonly by: RelationName | "dep" | "rmw" }[];
}

/** What is asked of final states. */
export interface Watched {
  /** Names of memory. */
  readonly memory: ReadonlySet<string>;
  /** Names of registers, for each thread by its index. */
  readonly registers: readonly ReadonlySet<string>[];
}

export interface Bounds {
  /** Most memory operations of all threads together. */
  readonly events: number;
  /** Most executions that are examined before the search stops. */
  readonly executions: number;
  /**
   * Memory and registers whose final values are asked for: one execution stands for all that end with the same. Where it is left
   * out, all are asked for, and every execution counts that reads from other writes.
   */
  readonly watched?: Watched;
  /** Threads that are alike: of executions that differ only in which of them is which, one counts at least. */
  readonly alike?: readonly (readonly number[])[];
  /** Whether executions count in which a thread loops for ever. */
  readonly loops?: boolean;
  /** Asked now and then, with the number of candidates that were examined: the search stops where it returns false. */
  readonly goesOn?: (examined: number) => boolean;
}

/** Every allowed execution, one by one; `mixed` where the program has a data race of operations of different sizes: undefined. */
export type Enumerate = (
  litmus: Litmus,
  bounds: Bounds,
) => Generator<Execution, { readonly complete: boolean; readonly mixed: boolean; readonly bounded: boolean }>;

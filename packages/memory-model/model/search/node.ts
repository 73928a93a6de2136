import type { Event, Initial, Location, Placement } from "../event.ts";

/** A release pattern (PTX ISA 8.8): events before `first` become visible to a thread that observes `write`. */
export interface ReleasePattern {
  readonly first: number;
  readonly write: number;
  /** Of an asynchronous operation: the events that are released, and nothing before them (PTX ISA 8.9.1.1). */
  readonly alone?: readonly number[];
}

/** An acquire pattern (PTX ISA 8.8): what `read` observed becomes visible to events after `last`. */
export interface AcquirePattern {
  readonly read: number;
  readonly last: number;
}

/**
 * A phase of a barrier, and who belongs to it. Where an instruction gives no number of threads, all of the block (or cluster)
 * meet that have not exited, and a thread's n-th arrival belongs to the n-th phase. Where it gives one, whoever comes first
 * meets (PTX ISA, barrier), which an execution chooses.
 */
export type Meeting = string;

/** An event in its place in an execution. */
export interface Node {
  /** Its row in the relations. */
  readonly index: number;
  /** Index of its thread; -1 for an initial write. */
  readonly thread: number;
  readonly placement: Placement;
  readonly event: Event | Initial;
  /** Its position in the trace of its thread; -1 for an initial write. */
  readonly position: number;
  readonly kind: Event["kind"];
  /** The location that it reads or writes; undefined for fences and barriers. */
  readonly location: Location | undefined;
  /** Rows of the events before it in program order (PTX ISA 8.9.1): elements of one vector are unordered (8.2.4). */
  readonly before: readonly number[];
  /** Rows of earlier nodes that it is morally strong with (PTX ISA 8.7). */
  readonly strong: readonly number[];
  /** Of the write of an atomic operation: rows of those that are completely before or after it (PTX ISA 8.7.2). */
  readonly excludes: readonly number[];
  /** Rows of earlier nodes that touch a byte in common with it. */
  readonly touches: readonly number[];
  /** Those of `touches` that are before it in program order and by its proxy and virtual address. */
  readonly beforeHere: readonly number[];
  /** Rows of the reads of its thread on which it depends (PTX ISA 8.10.4). */
  readonly needs: readonly number[];
  /** The phase of a barrier that it belongs to; undefined for everything else. */
  readonly meeting: Meeting | undefined;
  /** Row of the read of the same atomic operation, for its write; -1 for all others. */
  readonly half: number;
  /** The release patterns whose write it is, and the acquire patterns that end with it. */
  readonly releases: readonly ReleasePattern[];
  readonly acquires: readonly AcquirePattern[];
  /** The pieces of memory that it touches (numbers of `Pieces`), in the order of their bytes. */
  readonly pieces: readonly number[];
}

export const isWrite = (node: Node): boolean => node.kind === "write";
export const isRead = (node: Node): boolean => node.kind === "read";

/** Whether two operations touch a byte in common (PTX ISA 8.2.1); fences and barriers touch none. */
export function overlap(a: Pick<Node, "location">, b: Pick<Node, "location">): boolean {
  const one = a.location;
  const other = b.location;
  return one !== undefined && other !== undefined && one.at < other.at + other.bytes && other.at < one.at + one.bytes;
}

/** Whether they touch exactly the same bytes: the overlap is complete. */
export const completely = (a: Pick<Node, "location">, b: Pick<Node, "location">): boolean =>
  a.location?.at === b.location?.at && a.location?.bytes === b.location?.bytes;

import type { Event, Initial, Location, Placement } from "./event.ts";
import { type Node, overlap } from "./node.ts";
import { acquiresWith, releasesWith } from "./patterns.ts";
import type { Pieces } from "./pieces.ts";
import { exclude, morallyStrong } from "./strength.ts";

/** Stands for the source of a piece of a read that has its value but not yet the write that gives it. */
export const unresolved = -1;

/** Where a pair of events has been put in an order that nothing else decides. */
export type Chosen = readonly [before: number, after: number];

/**
 * A candidate execution while it grows: events, where each read takes its value from, and the orders that have been
 * chosen so far of morally strong writes (coherence) and of morally strong `fence.sc` (Fence-SC). What it says only ever
 * grows along a branch of the search, so that what contradicts an axiom once, always will.
 */
export class Candidate {
  readonly nodes: Node[] = [];
  /** For each read, by index: the writes that its pieces come from. */
  readonly sources: (number[] | undefined)[] = [];
  readonly coherence: Chosen[] = [];
  readonly fences: Chosen[] = [];
  /** The events of each thread, in program order. */
  readonly threads: Node[][] = [];
  readonly #pieces: Pieces;

  constructor(pieces: Pieces) {
    this.#pieces = pieces;
  }

  /** Whether all accesses use one proxy and one mapping. */
  get plain(): boolean {
    return this.#pieces.plain;
  }

  /** Adds an initial write. */
  begin(initial: Initial): void {
    this.#push(initial, -1, -1, "write", initial.location, { block: -1, cluster: -1, gpu: -1 });
  }

  /** Adds an event of a thread; a read needs its sources. */
  add(event: Event, thread: number, position: number, placement: Placement, sources?: number[]): Node {
    const location = event.kind === "read" || event.kind === "write" ? event.location : undefined;
    const node = this.#push(event, thread, position, event.kind, location, placement);
    this.sources[node.index] = sources;
    return node;
  }

  /** Takes back the event that was added last. */
  remove(): void {
    const { thread } = this.nodes.pop() as Node;
    this.threads[thread]?.pop();
    this.sources.pop();
  }

  /** What stands now, for whoever keeps an execution while the search goes on. */
  snapshot(): Candidate {
    const copy = new Candidate(this.#pieces);
    copy.nodes.push(...this.nodes);
    copy.threads.push(...this.threads.map((each) => [...each]));
    copy.sources.push(...this.sources.map((each) => each?.slice()));
    copy.coherence.push(...this.coherence);
    copy.fences.push(...this.fences);
    return copy;
  }

  #push(
    event: Event | Initial,
    thread: number,
    position: number,
    kind: Event["kind"],
    location: Location | undefined,
    placement: Placement,
  ): Node {
    const before: number[] = [];
    const strong: number[] = [];
    const excludes: number[] = [];
    const touches: number[] = [];
    const pieces = location ? this.#pieces.of(location) : [];
    const bare = { index: this.nodes.length, thread, placement, event, position, kind, location, pieces };
    while (this.threads.length <= thread) this.threads.push([]);
    const ours = this.threads[thread] ?? [];
    for (const other of this.nodes) {
      if (other.thread === thread && inOrder(other, event)) before.push(other.index);
      if (morallyStrong(other, bare)) strong.push(other.index);
      if (exclude(other, bare)) excludes.push(other.index);
      if (overlap(other, bare)) touches.push(other.index);
    }
    const beforeHere = before.filter((row) => touches.includes(row));
    const rowOf = (at: number) => ours.find((node) => node.position === at)?.index ?? -1;
    const needs = "needs" in event ? event.needs.map(rowOf).filter((row) => row >= 0) : [];
    const half = "kind" in event && event.kind === "write" && event.atomic !== undefined ? rowOf(event.atomic) : -1;
    const earlier = ours.filter(({ index }) => before.includes(index));
    const releases = releasesWith(bare, earlier);
    const acquires = acquiresWith(bare, earlier);
    const node: Node = { ...bare, before, strong, excludes, touches, beforeHere, needs, half, releases, acquires };
    this.nodes.push(node);
    if (thread >= 0) this.threads[thread]?.push(node);
    this.sources.push(undefined);
    return node;
  }
}

/** Whether an event comes before another one of its thread: not where they are elements of one vector. */
function inOrder({ event, position }: Node, after: Event | Initial): boolean {
  if (!("order" in event) || !("order" in after)) return false;
  return event.order !== after.order || (after.kind === "write" && after.atomic === position);
}

import { acquires, releases } from "../../../../src/interp/contract/memory-consistency.ts";
import type { Event, Fence, Initial, Location, Model, Placement, Read, Write } from "../event.ts";
import { Room } from "../relation.ts";
import { exclude, morallyStrong, sameProxy, strong } from "../strength.ts";
import type { ByteRanges } from "./byte-ranges.ts";
import { type Fixed, fix } from "./fixed.ts";
import { broughtTo } from "./meetings.ts";
import { type AcquirePattern, completely, type Meeting, type Node, overlap, type ReleasePattern } from "./node.ts";

type Bare = Pick<Node, "index" | "kind" | "event" | "location">;

const byOneProxy = (a: Node, b: Bare): boolean => sameProxy(a.event as Read | Write, b.event as Read | Write);

const onSame = (a: Node, b: Bare): boolean => completely(a, b) && byOneProxy(a, b);

const strongWrite = (node: Bare): boolean => node.kind === "write" && strong(node.event as Write);

/** A strong read; the read of a `red` begins no pattern (PTX ISA 8.11.1). */
const strongRead = (node: Bare): boolean =>
  node.kind === "read" && strong(node.event as Read) && (node.event as Read).reduction !== true;

const releasing = (node: Bare): boolean => node.kind === "write" && releases((node.event as Write).semantics);

const acquiring = (node: Bare): boolean => strongRead(node) && acquires((node.event as Read).semantics);

const fence = (node: Bare, orders: (semantics: Fence["semantics"]) => boolean): boolean =>
  node.kind === "fence" && orders((node.event as Fence).semantics);

/** The release patterns whose write is a node, given the events before it in its thread. */
function releasesWith(write: Bare, earlier: readonly Node[]): ReleasePattern[] {
  if (!strongWrite(write)) return [];
  if (asyncOf(write.event) !== undefined) {
    if (!releasing(write)) return [];
    const alone = earlier.filter((each) => isPartOf(each, write.event, earlier)).map(({ index }) => index);
    return [{ first: write.index, write: write.index, ...(alone.length > 0 && { alone }) }];
  }
  const patterns = releasing(write) ? [{ first: write.index, write: write.index }] : [];
  for (const first of earlier)
    if (fence(first, releases) || (releasing(first) && onSame(first, write)))
      patterns.push({ first: first.index, write: write.index });
  return patterns;
}

const asyncOf = (event: Event | Initial): number | undefined => ("async" in event ? event.async : undefined);

/** Whether an event is part of an asynchronous operation, or of one that this has waited for. */
function isPartOf({ event, position }: Node, after: Event | Initial, ours: readonly Node[]): boolean {
  const [part, whole] = [asyncOf(event), asyncOf(after)];
  if (part === undefined) return false;
  return part === whole || ours.some((each) => asyncOf(each.event) === whole && completes(each.event, position));
}

/** Whether an event is a wait for the event at a position of its thread. */
const completes = (each: Event | Initial, position: number): boolean =>
  "kind" in each && each.kind === "completion" && each.of.includes(position);

/** The acquire patterns that end with a node, given the events before it in its thread. */
function acquiresWith(last: Bare, earlier: readonly Node[]): AcquirePattern[] {
  const operation = acquiring(last);
  if (!operation && !fence(last, acquires)) return [];
  const only = operation ? undefined : (last.event as Fence).only;
  const patterns = operation ? [{ read: last.index, last: last.index }] : [];
  for (const read of earlier)
    if (strongRead(read) && (!operation || onSame(read, last)) && (only === undefined || read.position === only))
      patterns.push({ read: read.index, last: last.index });
  return patterns;
}

/** The source of a piece of a read that has its value but not yet the write. */
export const unresolved = -1;

/** A pair of events whose order nothing else decides, and the order chosen for it. */
export type Chosen = readonly [before: number, after: number];

/** The events of a candidate, and those of each thread. */
interface Events {
  readonly nodes: Node[];
  readonly threads: Node[][];
}

/**
 * A candidate execution while it grows: events, where each read takes its value from, and the orders that have been
 * chosen so far of morally strong writes (coherence) and of morally strong `fence.sc` (Fence-SC). Its relations only
 * grow along a branch of the search, so a contradiction to an axiom is final.
 */
export class Candidate {
  readonly nodes: Node[];
  /** For each read, by index: the writes that its pieces come from. */
  readonly sources: (number[] | undefined)[] = [];
  readonly coherence: Chosen[] = [];
  readonly fences: Chosen[] = [];
  /** The events of each thread, in program order. */
  readonly threads: Node[][];
  readonly model: Model;
  #fixed: Fixed | undefined;
  #copied: Events | undefined;
  readonly #room = new Room();
  readonly #pieces: ByteRanges;

  /** `events`: those of another one, which changes them no more. */
  constructor(pieces: ByteRanges, model: Model, events: Events = { nodes: [], threads: [] }) {
    this.#pieces = pieces;
    this.model = model;
    this.nodes = events.nodes;
    this.threads = events.threads;
  }

  /** Whether all accesses use one proxy and one mapping. */
  get plain(): boolean {
    return this.#pieces.plain;
  }

  /** What depends on its events alone; valid until one is added or removed. */
  get fixed(): Fixed {
    if (this.#fixed) return this.#fixed;
    this.#room.leave();
    this.#fixed = fix(this.nodes, this.#room);
    return this.#fixed;
  }

  /** Adds an initial write. */
  begin(initial: Initial): void {
    this.#push(initial, -1, -1, "write", initial.location, { block: -1, cluster: -1, gpu: -1 }, undefined);
  }

  /** Adds an event of a thread; a read needs its sources, a barrier its meeting. */
  add(event: Event, thread: number, position: number, placement: Placement, chosen?: number[] | Meeting): Node {
    const location = event.kind === "read" || event.kind === "write" ? event.location : undefined;
    const [sources, meeting] = typeof chosen === "string" ? [undefined, chosen] : [chosen, undefined];
    const node = this.#push(event, thread, position, event.kind, location, placement, meeting);
    this.sources[node.index] = sources;
    return node;
  }

  /** Removes the event that was added last. */
  remove(): void {
    const { thread } = this.nodes.pop() as Node;
    this.#fixed = undefined;
    this.#copied = undefined;
    this.threads[thread]?.pop();
    this.sources.pop();
  }

  /** A copy of the current state, to keep an execution while the search continues. */
  snapshot(): Candidate {
    // executions of the same events share them
    this.#copied ??= { nodes: [...this.nodes], threads: this.threads.map((each) => [...each]) };
    const copy = new Candidate(this.#pieces, this.model, this.#copied);
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
    meeting: Meeting | undefined,
  ): Node {
    const before: number[] = [];
    const strong: number[] = [];
    const excludes: number[] = [];
    const touches: number[] = [];
    const pieces = location ? this.#pieces.of(location) : [];
    const bare = { index: this.nodes.length, thread, placement, event, position, kind, location, pieces, meeting };
    while (this.threads.length <= thread) this.threads.push([]);
    const ours = this.threads[thread] ?? [];
    for (const other of this.nodes) {
      if (other.thread === thread && inOrder(other, event) && isCompleted(other, event, ours)) before.push(other.index);
      if (morallyStrong(other, bare)) strong.push(other.index);
      if (exclude(other, bare)) excludes.push(other.index);
      if (overlap(other, bare)) touches.push(other.index);
    }
    const beforeHere = before.filter((row) => touches.includes(row) && byOneProxy(this.nodes[row] as Node, bare));
    const rowOf = (at: number) => ours.find((node) => node.position === at)?.index ?? -1;
    const own = "needs" in event ? event.needs.map(rowOf).filter((row) => row >= 0) : [];
    const needs = kind === "exchange" ? [...own, ...broughtTo(bare, ours, this.nodes)] : own;
    const half = "kind" in event && event.kind === "write" && event.atomic !== undefined ? rowOf(event.atomic) : -1;
    const earlier = ours.filter(({ index }) => before.includes(index));
    const releases = releasesWith(bare, earlier);
    const acquires = acquiresWith(bare, earlier);
    const node: Node = { ...bare, before, strong, excludes, touches, beforeHere, needs, half, releases, acquires };
    this.nodes.push(node);
    this.#fixed = undefined;
    this.#copied = undefined;
    if (thread >= 0) this.threads[thread]?.push(node);
    this.sources.push(undefined);
    return node;
  }
}

/** Whether an event follows an earlier one of its thread, or its completion, if that is part of another asynchronous operation. */
function isCompleted({ event, position }: Node, after: Event | Initial, ours: readonly Node[]): boolean {
  const [part, whole] = [asyncOf(event), asyncOf(after)];
  if (part === undefined || part === whole || completes(after, position)) return true;
  return ours.some((each) => {
    const waiting = asyncOf(each.event);
    return (waiting === undefined || waiting === whole) && completes(each.event, position) && inOrder(each, after);
  });
}

/** Whether an event comes before another one of its thread: not where they are elements of one vector. */
function inOrder({ event, position }: Node, after: Event | Initial): boolean {
  if (!("order" in event) || !("order" in after)) return false;
  return event.order !== after.order || (after.kind === "write" && after.atomic === position);
}

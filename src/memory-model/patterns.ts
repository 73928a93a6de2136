import type { Fence, Read, Write } from "./event.ts";
import { completely, isRead, isWrite, type Node } from "./node.ts";
import { acquires, releases, sameProxy, strong } from "./strength.ts";

/** A release pattern (PTX ISA 8.8): what is before `first` is made visible to who observes `write`. */
export interface ReleasePattern {
  readonly first: number;
  readonly write: number;
}

/** An acquire pattern (PTX ISA 8.8): what `read` observed is made visible to what comes after `last`. */
export interface AcquirePattern {
  readonly read: number;
  readonly last: number;
}

const onSame = (a: Node, b: Node): boolean =>
  completely(a, b) && sameProxy(a.event as Read | Write, b.event as Read | Write);

const strongWrite = (node: Node): boolean => isWrite(node) && strong(node.event as Write);

/** A strong read; the read of a `red` begins no pattern (PTX ISA 8.11.1). */
const strongRead = (node: Node): boolean =>
  isRead(node) && strong(node.event as Read) && (node.event as Read).reduction !== true;

const releasing = (node: Node): boolean => isWrite(node) && releases((node.event as Write).semantics);

const acquiring = (node: Node): boolean => strongRead(node) && acquires((node.event as Read).semantics);

const fence = (node: Node, orders: (semantics: Fence["semantics"]) => boolean): boolean =>
  node.kind === "fence" && orders((node.event as Fence).semantics);

/** The release patterns of one thread, given its events in program order. */
export function* releasePatterns(thread: readonly Node[]): Generator<ReleasePattern> {
  for (const [i, first] of thread.entries()) {
    const operation = releasing(first);
    if (operation) yield { first: first.index, write: first.index };
    if (!operation && !fence(first, releases)) continue;
    for (const write of thread.slice(i + 1))
      if (strongWrite(write) && (!operation || onSame(first, write))) yield { first: first.index, write: write.index };
  }
}

/** The acquire patterns of one thread, given its events in program order. */
export function* acquirePatterns(thread: readonly Node[]): Generator<AcquirePattern> {
  for (const [i, last] of thread.entries()) {
    const operation = acquiring(last);
    if (operation) yield { read: last.index, last: last.index };
    if (!operation && !fence(last, acquires)) continue;
    for (const read of thread.slice(0, i))
      if (strongRead(read) && (!operation || onSame(read, last))) yield { read: read.index, last: last.index };
  }
}

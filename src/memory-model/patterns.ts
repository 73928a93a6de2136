import { acquires, releases } from "../interp/contract/memory-consistency.ts";
import type { Fence, Read, Write } from "./event.ts";
import { type AcquirePattern, completely, type Node, type ReleasePattern } from "./node.ts";
import { sameProxy, strong } from "./strength.ts";

type Bare = Pick<Node, "index" | "kind" | "event" | "location">;

const onSame = (a: Node, b: Bare): boolean =>
  completely(a, b) && sameProxy(a.event as Read | Write, b.event as Read | Write);

const strongWrite = (node: Bare): boolean => node.kind === "write" && strong(node.event as Write);

/** A strong read; the read of a `red` begins no pattern (PTX ISA 8.11.1). */
const strongRead = (node: Bare): boolean =>
  node.kind === "read" && strong(node.event as Read) && (node.event as Read).reduction !== true;

const releasing = (node: Bare): boolean => node.kind === "write" && releases((node.event as Write).semantics);

const acquiring = (node: Bare): boolean => strongRead(node) && acquires((node.event as Read).semantics);

const fence = (node: Bare, orders: (semantics: Fence["semantics"]) => boolean): boolean =>
  node.kind === "fence" && orders((node.event as Fence).semantics);

/** The release patterns whose write is a node, given what stands before it in its thread. */
export function releasesWith(write: Bare, earlier: readonly Node[]): ReleasePattern[] {
  if (!strongWrite(write)) return [];
  const patterns = releasing(write) ? [{ first: write.index, write: write.index }] : [];
  for (const first of earlier)
    if (fence(first, releases) || (releasing(first) && onSame(first, write)))
      patterns.push({ first: first.index, write: write.index });
  return patterns;
}

/** The acquire patterns that end with a node, given what stands before it in its thread. */
export function acquiresWith(last: Bare, earlier: readonly Node[]): AcquirePattern[] {
  const operation = acquiring(last);
  if (!operation && !fence(last, acquires)) return [];
  const patterns = operation ? [{ read: last.index, last: last.index }] : [];
  for (const read of earlier)
    if (strongRead(read) && (!operation || onSame(read, last))) patterns.push({ read: read.index, last: last.index });
  return patterns;
}

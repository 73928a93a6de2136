import { distance, type MemoryScope, reachOf } from "../../../src/interp/contract/memory-consistency.ts";
import type { Fence, Placement, Read, Write } from "./event.ts";
import { completely, type Node, overlap } from "./search/node.ts";

/** The mark of a strong operation (PTX ISA 8.4): anything but weak. */
export const strong = (access: Read | Write): boolean => access.semantics !== "weak";

/** Whether a scope of a thread at `from` includes a thread at `to` (PTX ISA 8.5). */
export const includes = (scope: MemoryScope, from: Placement, to: Placement): boolean =>
  scope === "sys" || (from.gpu === to.gpu && distance(from, to) <= reachOf(scope));

/**
 * Whether two memory operations use the same method of access (PTX ISA 8.6): the same proxy and, since distinct
 * virtual addresses behave like distinct proxies, the same mapping.
 */
export const sameProxy = (a: Read | Write, b: Read | Write): boolean =>
  a.proxy === b.proxy && a.location.alias === b.location.alias;

type Happening = Pick<Node, "thread" | "event" | "placement" | "location">;

/**
 * Whether these are the writes of two atomic operations of which one finishes before the other begins, though they
 * may overlap only in part: each has a scope that includes the other (PTX ISA 8.7.2).
 */
export function exclude(a: Happening, b: Happening): boolean {
  if (a.thread < 0 || b.thread < 0 || a.thread === b.thread) return false;
  const one = a.event as Read | Write | Fence;
  const other = b.event as Read | Write | Fence;
  if (one.kind !== "write" || one.atomic === undefined) return false;
  if (other.kind !== "write" || other.atomic === undefined) return false;
  if (!overlap(a, b) || !sameProxy(one, other)) return false;
  return includes(one.scope, a.placement, b.placement) && includes(other.scope, b.placement, a.placement);
}

/** Morally strong (PTX ISA 8.7): which conditions a pair of operations of a program fulfils. Initial writes are weak. */
export function morallyStrong(a: Happening, b: Happening): boolean {
  if (a.thread < 0 || b.thread < 0) return false;
  const one = a.event as Read | Write | Fence;
  const other = b.event as Read | Write | Fence;
  if (one.kind !== "fence" && one.kind !== "read" && one.kind !== "write") return false;
  if (other.kind !== "fence" && other.kind !== "read" && other.kind !== "write") return false;
  // 1: of one thread, or both strong and each in the scope of the other
  if (a.thread !== b.thread) {
    if (one.semantics === "weak" || other.semantics === "weak") return false;
    if (!includes(one.scope, a.placement, b.placement) || !includes(other.scope, b.placement, a.placement))
      return false;
  }
  if (one.kind === "fence" || other.kind === "fence") return true;
  // 2 and 3: by the same proxy, and on the same bytes
  return sameProxy(one, other) && completely(a, b);
}

import type { Event, Read, Trace, Write } from "../event.ts";
import type { ByteRanges } from "./byte-ranges.ts";
import { type Candidate, unresolved } from "./candidate.ts";
import type { Hints } from "./hints.ts";
import { isRead, isWrite, type Node } from "./node.ts";

/**
 * Records which writes are certain, with values that depend on no open guess where they have to be `certain`,
 * and which reads may be guessed.
 */
export function remember(
  { nodes, sources, threads }: Candidate,
  seen: Hints,
  pieces: ByteRanges,
  certain: boolean,
): void {
  const open = certain ? openRows(nodes, sources) : new Set<number>();
  for (const node of nodes) {
    if (node.thread < 0 || !(isWrite(node) || isBarrier(node.event))) continue;
    const { location, value } = node.event as Write;
    if (isWrite(node) && !open.has(node.index))
      for (const piece of node.pieces) seen.add(node.thread, piece, pieces.part(location, value, piece));
    for (const read of threads[node.thread] ?? []) {
      if (read.index >= node.index) break;
      if (isRead(read) && !node.needs.includes(read.index) && mayFollow(node.event as Event, read.event as Read))
        seen.addGuesser(read.thread, read.event as Read);
    }
  }
}

/**
 * Does the same for the future events of a thread with its current values, from event `added` of its trace on: the
 * search may leave the branch before they are added, and another branch reach the same write in another way.
 */
export function foresee(
  { nodes, sources, threads }: Candidate,
  thread: number,
  { events }: Pick<Trace, "events">,
  added: number,
  seen: Hints,
  pieces: ByteRanges,
): void {
  const own = new Map((threads[thread] ?? []).map((node) => [node.position, node]));
  let open: ReadonlySet<number> | undefined;
  for (const [position, event] of events.entries()) {
    if (position < added || !(event.kind === "write" || isBarrier(event))) continue;
    for (const [earlier, read] of events.slice(0, position).entries())
      if (read.kind === "read" && !event.needs.includes(earlier) && mayFollow(event, read))
        seen.addGuesser(thread, read);
    if (event.kind !== "write") continue;
    const before = event.needs.map((need) => own.get(need));
    open ??= openRows(nodes, sources);
    if (before.every((node) => node !== undefined && !open?.has(node.index)))
      for (const piece of pieces.of(event.location))
        seen.add(thread, piece, pieces.part(event.location, event.value, piece));
  }
}

const isBarrier = (event: Node["event"]): boolean => "kind" in event && event.kind === "barrier";

/**
 * Whether a read may take a write that others make after an event behind it in its thread: after a write, or after a barrier that
 * lets them go on. Another thread may take what they write there for its own write, for which no barrier stands behind the read.
 */
const mayFollow = (event: Event, read: Read): boolean => read.order < event.order;

/** Where values may come out of thin air, any that a thread may come to write. */
export function foreseeAny(
  thread: number,
  { events }: Pick<Trace, "events">,
  added: number,
  seen: Hints,
  pieces: ByteRanges,
): void {
  for (const event of events.slice(added))
    if (event.kind === "write")
      for (const piece of pieces.of(event.location))
        seen.add(thread, piece, pieces.part(event.location, event.value, piece));
}

const isOpen = (from: readonly number[] | undefined): boolean => from === undefined || from.includes(unresolved);

/**
 * A row is open until its source is known and is itself certain: sources may come later, so iterate until nothing
 * changes.
 */
function openRows(nodes: readonly Node[], sources: Candidate["sources"]): ReadonlySet<number> {
  const open = new Set<number>();
  for (let grew = nodes.some(({ kind, index }) => kind === "read" && isOpen(sources[index])); grew; ) {
    grew = false;
    for (const { index, needs, kind } of nodes) {
      if (open.has(index)) continue;
      const from = sources[index] ?? [];
      if (
        (kind === "read" && isOpen(sources[index])) ||
        from.some((row) => open.has(row)) ||
        needs.some((row) => open.has(row))
      ) {
        open.add(index);
        grew = true;
      }
    }
  }
  return open;
}

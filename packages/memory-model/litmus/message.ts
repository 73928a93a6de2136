import type { Event, Read, Write } from "../model/event.ts";
import type { Execution } from "../model/outcome.ts";

/** A value that goes from thread to thread by strong accesses, and data beside it that nothing orders. */
export interface Message {
  readonly write: Write;
  readonly read: Read;
  /** The name of the data. */
  readonly data: string;
}

const isAccess = (event: Execution["events"][number] | undefined): event is Read | Write =>
  event !== undefined && "kind" in event && (event.kind === "read" || event.kind === "write");

/**
 * Relaxed or volatile accesses that carry a message without order: a read returns what another thread wrote, both are strong, and
 * what is before the write conflicts with what is behind the read, but the one thread does not synchronize with the other.
 */
export function unorderedMessages({ events, traces, relations }: Execution): Message[] {
  const synchronized = (from: number, to: number): boolean =>
    relations.sw.some(([a, b]) => threadOf(events[a]) === from && threadOf(events[b]) === to);
  return relations.rf.flatMap(([from, to]): Message[] => {
    const [write, read] = [events[from], events[to]];
    if (!isAccess(write) || !isAccess(read) || write.kind !== "write" || read.kind !== "read") return [];
    if (write.thread === read.thread || write.semantics === "weak" || read.semantics === "weak") return [];
    if (synchronized(write.thread, read.thread)) return [];
    const before = (traces[write.thread]?.events ?? []).filter((event) => event.order < write.order);
    const after = (traces[read.thread]?.events ?? []).filter((event) => event.order > read.order);
    const data = before.filter(isAccess).find((a) => after.filter(isAccess).some((b) => conflicts(a, b)));
    return data ? [{ write, read, data: data.location.name }] : [];
  });
}

const threadOf = (event: Execution["events"][number] | undefined): number =>
  event !== undefined && "thread" in event ? (event as Event).thread : -1;

const conflicts = (a: Read | Write, b: Read | Write): boolean =>
  (a.kind === "write" || b.kind === "write") &&
  a.location.at < b.location.at + b.location.bytes &&
  b.location.at < a.location.at + a.location.bytes;

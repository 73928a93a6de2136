import type { Event, Initial, Placement, Read, Thread, Write } from "../event.ts";
import type { Execution } from "../outcome.ts";
import { holds, letter, plain } from "./words.ts";

/** The description of a thread that a picture needs; `Litmus.threads` fits. */
export type Column = Pick<Thread, "name" | "placement">;

/** The events of one instruction in one box, as the elements of a vector or the halves of an atomic. */
export interface Box {
  /** Positions in `Execution.events`. */
  readonly events: readonly number[];
  /** `a: R x = 0` for each event, then the instruction; `b: fence.sc.gpu`; `x = 0` for an initial write. */
  readonly lines: readonly string[];
}

/** An execution laid out in columns, before anything has a size. */
export interface Sheet {
  /** From the left; `thread` is the index in the execution. */
  readonly columns: readonly (Column & { readonly thread: number; readonly boxes: readonly Box[] })[];
  /** Initial writes of locations that some event touches. */
  readonly initial: readonly Box[];
  /** By position in `Execution.events`; undefined for an initial write that nothing touches. */
  readonly boxOf: readonly (Box | undefined)[];
  /** The name of the event at a position: `a`, `init x`. */
  readonly names: readonly string[];
}

const happens = (event: Initial | Event): event is Event => "thread" in event;

const isAccess = (event: Initial | Event): event is Read | Write =>
  "kind" in event && (event.kind === "read" || event.kind === "write");

/**
 * Events in columns. Threads of one block are adjacent, blocks of one cluster too, each as early as its first thread.
 */
export function sheetOf({ events }: Execution, threads: readonly Column[]): Sheet {
  const order = arrangement(threads.map(({ placement }) => placement));
  const names = namesOf(events, order);
  const touched = (one: Initial): boolean =>
    events.some((event) => isAccess(event) && overlap(event.location, one.location));
  const initial = events.flatMap((event, at): Box[] =>
    !happens(event) && touched(event) ? [{ events: [at], lines: [holds(event.location, event.value)] }] : [],
  );
  const columns = order.map((thread) => ({
    name: plain(threads[thread]!.name),
    placement: threads[thread]!.placement,
    thread,
    boxes: boxesOf(thread, events, names),
  }));
  const boxOf: (Box | undefined)[] = events.map(() => undefined);
  for (const box of [initial, ...columns.map(({ boxes }) => boxes)].flat())
    for (const at of box.events) boxOf[at] = box;
  return { columns, initial, boxOf, names };
}

/**
 * Threads from the left to the right, as indices: each device, in it each cluster, in it each block stands together, in
 * the order of their first threads.
 */
function arrangement(placements: readonly Placement[]): number[] {
  const groups = placements.map(({ gpu, cluster, block }) => [
    `${gpu}`,
    `${gpu}/${cluster}`,
    `${gpu}/${cluster}/${block}`,
  ]);
  const first = groups.map((own) => own.map((group, level) => groups.findIndex((other) => other[level] === group)));
  const order = (a: number, b: number) => first[a]!.reduce((found, at, level) => found || at - first[b]![level]!, 0);
  return placements.map((_, thread) => thread).sort((a, b) => order(a, b) || a - b);
}

/** Events of threads are named by letters, down the columns; initial writes by their location. */
function namesOf(events: Execution["events"], order: readonly number[]): string[] {
  const names = events.map((event) => (happens(event) ? "" : `init ${plain(event.location.name)}`));
  const down = order.flatMap((thread) =>
    events.flatMap((event, at) => (happens(event) && event.thread === thread ? [at] : [])),
  );
  for (const [index, at] of down.entries()) names[at] = letter(index);
  return names;
}

/** Whether both are of one asynchronous operation. */
const isPartOf = (event: Event, other: Event): boolean => event.async !== undefined && event.async === other.async;

/** The boxes of a thread, whose events stand in `events` in the order of its trace. */
function boxesOf(thread: number, events: Execution["events"], names: readonly string[]): Box[] {
  const trace = events.flatMap((event, at) => (happens(event) && event.thread === thread ? [{ event, at }] : []));
  const boxes: { events: number[]; lines: string[]; last: Event; from: number }[] = [];
  for (const [place, { event, at }] of trace.entries()) {
    const instruction = plain(event.text).replace(/;$/, "");
    const lines = isAccess(event)
      ? [
          `${names[at]}: ${event.kind === "read" ? "R" : "W"} ${holds(event.location, event.value)}`,
          `   ${instruction}`,
        ]
      : [`${names[at]}: ${instruction}`];
    const open = boxes.at(-1);
    const partner = isAccess(event) ? event.atomic : undefined;
    if (
      open &&
      (event.order === open.last.order ||
        isPartOf(event, open.last) ||
        (partner !== undefined && open.from <= partner && partner < place))
    ) {
      open.events.push(at);
      if (isAccess(event)) open.lines.splice(-1, 0, lines[0]!);
      open.last = event;
    } else boxes.push({ events: [at], lines, last: event, from: place });
  }
  return boxes;
}

const overlap = (a: { at: number; bytes: number }, b: { at: number; bytes: number }): boolean =>
  a.at < b.at + b.bytes && b.at < a.at + a.bytes;

import type { Event, Initial, Read, Thread, Write } from "../event.ts";
import type { Execution } from "../outcome.ts";
import { arrangement } from "./arrangement.ts";
import { holds, letter, plain } from "./words.ts";

/** What a picture wants to know of a thread; `Litmus.threads` will do. */
export type Column = Pick<Thread, "name" | "placement">;

/** What one instruction did: its events stand in one box, as the elements of a vector or the halves of an atomic. */
export interface Box {
  /** Positions in `Execution.events`. */
  readonly events: readonly number[];
  /** `a: R x = 0`, one for each event; nothing for a fence or a barrier, of which the instruction says all. */
  readonly effects: readonly string[];
  /** The instruction without its semicolon; empty for an initial write. */
  readonly text: string;
  /** Place of its column in the picture from the left; -1 for an initial write, which stands above all. */
  readonly column: number;
  /** From the top of its column; for an initial write its place among them. */
  readonly row: number;
}

/** An execution laid out in columns, before anything has a size. */
export interface Sheet {
  /** From the left; `thread` is the index in the execution. */
  readonly columns: readonly (Column & { readonly thread: number; readonly boxes: readonly Box[] })[];
  /** Initial writes of what some event touches. */
  readonly initial: readonly Box[];
  /** By position in `Execution.events`; undefined for an initial write that nothing touches. */
  readonly boxOf: readonly (Box | undefined)[];
  /** How texts call the event at a position: `a`, `init x`. */
  readonly names: readonly string[];
}

const happens = (event: Initial | Event): event is Event => "thread" in event;

const isAccess = (event: Initial | Event): event is Read | Write =>
  "kind" in event && (event.kind === "read" || event.kind === "write");

/** Events in columns. Threads of one block stand together, blocks of one cluster too, each as early as its first thread. */
export function sheetOf({ events }: Execution, threads: readonly Column[]): Sheet {
  const order = arrangement(threads.map(({ placement }) => placement));
  const names = namesOf(events, order);
  const touched = (one: Initial): boolean =>
    events.some((event) => isAccess(event) && overlap(event.location, one.location));
  const initial = events.flatMap((event, at): Omit<Box, "row">[] =>
    !happens(event) && touched(event)
      ? [{ events: [at], effects: [holds(event.location, event.value)], text: "", column: -1 }]
      : [],
  );
  const columns = order.map((thread, column) => ({
    name: plain(threads[thread]!.name),
    placement: threads[thread]!.placement,
    thread,
    boxes: boxesOf(thread, column, events, names),
  }));
  const rows = initial.map((box, row) => ({ ...box, row }));
  const boxOf: (Box | undefined)[] = events.map(() => undefined);
  for (const box of [rows, ...columns.map(({ boxes }) => boxes)].flat()) for (const at of box.events) boxOf[at] = box;
  return { columns, initial: rows, boxOf, names };
}

/** Events of threads are called by letters, down the columns; initial writes by what they write to. */
function namesOf(events: Execution["events"], order: readonly number[]): string[] {
  const names = events.map((event) => (happens(event) ? "" : `init ${plain(event.location.name)}`));
  const down = order.flatMap((thread) =>
    events.flatMap((event, at) => (happens(event) && event.thread === thread ? [at] : [])),
  );
  for (const [index, at] of down.entries()) names[at] = letter(index);
  return names;
}

/** The boxes of a thread, whose events stand in `events` in the order of its trace. */
function boxesOf(thread: number, column: number, events: Execution["events"], names: readonly string[]): Box[] {
  const trace = events.flatMap((event, at) => (happens(event) && event.thread === thread ? [{ event, at }] : []));
  const boxes: { events: number[]; effects: string[]; text: string; last: Event; from: number }[] = [];
  for (const [place, { event, at }] of trace.entries()) {
    const open = boxes.at(-1);
    const partner = isAccess(event) ? event.atomic : undefined;
    if (
      open &&
      (event.order === open.last.order || (partner !== undefined && open.from <= partner && partner < place))
    ) {
      open.events.push(at);
      open.effects.push(...effectOf(event, names[at]!));
      open.last = event;
      continue;
    }
    boxes.push({
      events: [at],
      effects: effectOf(event, names[at]!),
      text: plain(event.text).replace(/;$/, ""),
      last: event,
      from: place,
    });
  }
  return boxes.map(({ events, effects, text }, row) => ({ events, effects, text, column, row }));
}

function effectOf(event: Event, name: string): string[] {
  if (event.kind === "read") return [`${name}: R ${holds(event.location, event.value)}`];
  if (event.kind === "write") return [`${name}: W ${holds(event.location, event.value)}`];
  return [];
}

const overlap = (a: { at: number; bytes: number }, b: { at: number; bytes: number }): boolean =>
  a.at < b.at + b.bytes && b.at < a.at + a.bytes;

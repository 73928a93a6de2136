import type { MemoryScope } from "../../../src/interp/contract/memory-consistency.ts";
import { enumerate } from "./enumerate.ts";
import type { Event, Fence, Litmus, Read, Thread, Trace } from "./event.ts";
import type { Bounds, Execution } from "./outcome.ts";
import { includes } from "./strength.ts";

/** A change of one thread that orders more: a fence after an instruction, or an instruction made stronger. */
export type Change =
  | {
      readonly kind: "fence";
      readonly thread: number;
      readonly after: string;
      readonly semantics: "acq_rel" | "sc";
      readonly scope: MemoryScope;
    }
  | {
      readonly kind: "stronger";
      readonly thread: number;
      readonly instruction: string;
      readonly semantics: Read["semantics"];
      readonly scope: MemoryScope;
    };

type FenceChange = Extract<Change, { readonly kind: "fence" }>;

/** Most sets of changes that are tried. */
const mostTries = 4000;

/**
 * The weakest changes that forbid an outcome which the model allows: the fewest, and of these the ones that order
 * least. An instruction is identified by its text within its thread, so a change in a loop applies to every iteration.
 * Empty where no tried change forbids it.
 */
export function repair(
  litmus: Litmus,
  bounds: Bounds,
  unwanted: (execution: Execution) => boolean,
  witness: Execution,
): Change[] {
  const scope = scopeOf(litmus);
  const single = changesOf(litmus, witness, scope);
  let tries = 0;
  for (const count of [1, 2])
    for (const changes of choose(single, count)) {
      if (++tries > mostTries) return [];
      if (forbids(changed(litmus, changes), bounds, unwanted)) return [...changes];
    }
  // where two are not enough, every thread gets one of the same kind: IRIW needs a fence.sc in each reader
  for (const semantics of ["acq_rel", "sc"] as const) {
    const fences = single.filter((change) => change.kind === "fence" && change.semantics === semantics);
    if (!forbids(changed(litmus, fences), bounds, unwanted)) continue;
    let needed = fences;
    for (const each of fences) {
      const less = needed.filter((other) => other !== each);
      if (forbids(changed(litmus, less), bounds, unwanted)) needed = less;
    }
    return needed;
  }
  return [];
}

function forbids(litmus: Litmus, bounds: Bounds, unwanted: (execution: Execution) => boolean): boolean {
  const search = enumerate(litmus, bounds);
  for (let step = search.next(); ; step = search.next()) {
    if (step.done) return step.value.complete;
    if (unwanted(step.value)) return false;
  }
}

/** The narrowest scope in which all threads include each other. */
function scopeOf({ threads }: Litmus): MemoryScope {
  const scopes: readonly MemoryScope[] = ["cta", "cluster", "gpu", "sys"];
  return (
    scopes.find((scope) => threads.every((a) => threads.every((b) => includes(scope, a.placement, b.placement)))) ??
    "sys"
  );
}

/** All single changes of the instructions in an execution, those that order least first. */
function changesOf({ threads }: Litmus, { traces }: Execution, scope: MemoryScope): Change[] {
  const changes: [cost: number, Change][] = [];
  for (const thread of threads.keys()) {
    const events = traces[thread]?.events ?? [];
    const seen = new Set<string>();
    for (const [i, event] of events.entries()) {
      if (seen.has(event.text)) continue;
      seen.add(event.text);
      for (const semantics of strongerThan(event))
        changes.push([
          semantics === "relaxed" ? 1 : 2,
          { kind: "stronger", thread, instruction: event.text, semantics, scope },
        ]);
      const last = events.slice(i + 1).every(({ text }) => text === event.text);
      if (last) continue;
      changes.push([3, { kind: "fence", thread, after: event.text, semantics: "acq_rel", scope }]);
      changes.push([4, { kind: "fence", thread, after: event.text, semantics: "sc", scope }]);
    }
  }
  return changes.sort(([a], [b]) => a - b).map(([, change]) => change);
}

/** The stronger forms of an access: relaxed, or with the ordering of its kind. */
function strongerThan(event: Event): Read["semantics"][] {
  if (event.kind !== "read" && event.kind !== "write") return [];
  if (event.proxy !== "generic") return [];
  const order: readonly Read["semantics"][] =
    event.atomic !== undefined
      ? ["relaxed", "acquire", "release", "acq_rel"]
      : ["relaxed", event.kind === "read" ? "acquire" : "release"];
  const at = order.indexOf(event.semantics === "volatile" || event.semantics === "mmio" ? "relaxed" : event.semantics);
  // the scope may be too narrow, so an access of the strongest kind is tried in the widest scope, too
  return order.slice(Math.max(at, 0));
}

function* choose(changes: readonly Change[], count: number): Generator<readonly Change[]> {
  if (count === 1) for (const change of changes) yield [change];
  else
    for (const [i, one] of changes.entries())
      for (const other of changes.slice(i + 1)) if (!same(one, other)) yield [one, other];
}

/** Whether two changes alter the same instruction in the same way: one of them is enough. */
const same = (a: Change, b: Change): boolean =>
  a.kind === b.kind && a.thread === b.thread && changedInstruction(a) === changedInstruction(b);

const changedInstruction = (change: Change): string => (change.kind === "fence" ? change.after : change.instruction);

/** The test with changes made. */
export function changed(litmus: Litmus, changes: readonly Change[]): Litmus {
  const threads = litmus.threads.map((thread, index): Thread => {
    const ours = changes.filter((change) => change.thread === index);
    if (ours.length === 0) return thread;
    return {
      name: thread.name,
      placement: thread.placement,
      run: (values) => changedTrace(thread.run(values), index, ours),
    };
  });
  return { ...litmus, threads };
}

function changedTrace(trace: Trace, thread: number, changes: readonly Change[]): Trace {
  const events: Event[] = [];
  const moved: number[] = [];
  for (const [i, event] of trace.events.entries()) {
    moved.push(events.length);
    events.push(stronger(event, changes));
    const next = trace.events[i + 1];
    // not between the halves of an atomic operation, nor the elements of a vector
    if (next === undefined || next.order === event.order || ("atomic" in event && event.atomic === i + 1)) continue;
    const fences = changes.filter((change) => change.kind === "fence" && change.after === event.text);
    // between this event and the next: program order goes by numbers that differ
    for (const [k, change] of fences.entries())
      events.push(fenceOf(change as FenceChange, thread, event.order + (k + 1) / (fences.length + 1)));
  }
  const place = (position: number): number => moved[position] as number;
  const placed = events.map((event): Event => {
    const needs = event.needs.map(place);
    const halved = (event.kind === "read" || event.kind === "write") && event.atomic !== undefined;
    return halved ? { ...event, needs, atomic: place(event.atomic as number) } : { ...event, needs };
  });
  return { ...trace, events: placed };
}

function stronger(event: Event, changes: readonly Change[]): Event {
  if (event.kind !== "read" && event.kind !== "write") return event;
  const change = changes.find((each) => each.kind === "stronger" && each.instruction === event.text);
  return change ? { ...event, semantics: change.semantics as Read["semantics"], scope: change.scope } : event;
}

const fenceOf = ({ semantics, scope }: FenceChange, thread: number, order: number): Fence => ({
  kind: "fence",
  semantics,
  scope,
  thread,
  order,
  text: `fence.${semantics}.${scope}`,
  needs: [],
});

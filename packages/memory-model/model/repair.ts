import type { MemoryScope } from "../../../src/interp/contract/memory-consistency.ts";
import { enumerate } from "./enumerate.ts";
import type { Event, Fence, Litmus, ProxyFence, Read, Thread, Trace } from "./event.ts";
import type { Bounds, Execution } from "./outcome.ts";
import { includes } from "./strength.ts";

/** A change of one thread that orders more: a fence after an instruction, or an instruction made stronger or wider. */
export type Change =
  | {
      readonly kind: "fence";
      readonly thread: number;
      readonly after: string;
      /** `async`: between the proxies. */
      readonly semantics: "acq_rel" | "sc" | "async";
      readonly scope: MemoryScope;
    }
  | {
      readonly kind: "stronger";
      readonly thread: number;
      readonly instruction: string;
      readonly semantics: Read["semantics"] | Fence["semantics"];
      readonly scope: MemoryScope;
    }
  /** `atom` in place of `red`, whose read begins no acquire pattern (PTX ISA 8.11.1). */
  | { readonly kind: "returns"; readonly thread: number; readonly instruction: string };

/** What a change costs: as much order as it adds, and more for an instruction that was not there. */
const costs = {
  wider: 1,
  relaxed: 1,
  returns: 2,
  ordered: 2,
  both: 3,
  made: { acq_rel: 2, sc: 3 },
  fence: 3,
  sc: 4,
  proxy: 3,
} as const;

interface Priced {
  readonly cost: number;
  readonly change: Change;
}

type FenceChange = Extract<Change, { readonly kind: "fence" }>;

/** Most sets of changes that are tried. */
const mostTries = 4000;

/** Most changes of a set that is tried for its cost. */
const mostTogether = 3;

/**
 * Changes that forbid an outcome which the model allows: of sets of up to three those that cost least. Where these do not
 * suffice, every access is made strong and every thread gets fences, and what is not needed is left out again, the dearest
 * first. An instruction is identified by its text within its thread, so a change in a loop applies to every iteration.
 * Empty where no tried change forbids it.
 */
export function repair(
  litmus: Litmus,
  bounds: Bounds,
  unwanted: (execution: Execution) => boolean,
  witness: Execution,
): Change[] {
  const all = changesOf(litmus, witness, scopeOf(litmus));
  const suffices = (changes: readonly Priced[]): boolean =>
    forbids(
      changed(
        litmus,
        changes.map(({ change }) => change),
      ),
      bounds,
      unwanted,
    );
  let tries = 0;
  const dearest = mostTogether * Math.max(...all.map(({ cost }) => cost), 0);
  search: for (let cost = 1; cost <= dearest; cost++)
    for (const changes of choose(all, mostTogether, cost)) {
      if (++tries > mostTries) break search;
      if (suffices(changes)) return changes.map(({ change }) => change);
    }
  // IRIW of weak accesses needs a fence.sc in each reader, and six strong accesses
  for (const semantics of ["acq_rel", "sc"] as const) {
    const fences = all.filter(({ change }) => change.kind === "fence" && change.semantics === semantics);
    const everything = [...fences, ...all.filter(({ cost, change }) => change.kind === "stronger" && cost === 1)];
    if (!suffices(everything)) continue;
    let needed = everything;
    for (const each of everything) {
      const less = needed.filter((other) => other !== each);
      if (suffices(less)) needed = less;
    }
    return needed.map(({ change }) => change);
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

/** All single changes of the instructions in an execution, those that cost least first. */
function changesOf({ threads }: Litmus, { traces }: Execution, scope: MemoryScope): Priced[] {
  const changes: Priced[] = [];
  const proxies = traces.some(({ events }) => events.some((event) => "proxy" in event && event.proxy === "async"));
  for (const thread of threads.keys()) {
    const events = traces[thread]?.events ?? [];
    const seen = new Set<string>();
    for (const [i, event] of events.entries()) {
      if (seen.has(event.text)) continue;
      seen.add(event.text);
      const instruction = event.text;
      for (const { semantics, cost } of strongerThan(event, scope))
        changes.push({ cost, change: { kind: "stronger", thread, instruction, semantics, scope } });
      if (event.kind === "read" && event.reduction)
        changes.push({ cost: costs.returns, change: { kind: "returns", thread, instruction } });
      const last = events.slice(i + 1).every(({ text }) => text === instruction);
      if (last) continue;
      const fence = { kind: "fence", thread, after: instruction, scope } as const;
      changes.push({ cost: costs.fence, change: { ...fence, semantics: "acq_rel" } });
      changes.push({ cost: costs.sc, change: { ...fence, semantics: "sc" } });
      if (proxies) changes.push({ cost: costs.proxy, change: { ...fence, semantics: "async" } });
    }
  }
  return changes.sort((a, b) => a.cost - b.cost);
}

interface Stronger {
  readonly semantics: Read["semantics"] | Fence["semantics"];
  readonly cost: number;
}

const wide: readonly MemoryScope[] = ["cta", "cluster", "gpu", "sys"];

/** The wider and the stronger forms of an access, or of a fence. */
function strongerThan(event: Event, scope: MemoryScope): Stronger[] {
  const same = "scope" in event && wide.indexOf(event.scope) >= wide.indexOf(scope);
  if (event.kind === "fence") {
    const order = ["acq_rel", "sc"] as const;
    const stronger = order.slice(event.semantics === "sc" ? 2 : event.semantics === "acq_rel" ? 1 : 0);
    const dearer = stronger.map((semantics) => ({ semantics, cost: costs.made[semantics] }));
    return same ? dearer : [{ semantics: event.semantics, cost: costs.wider }, ...dearer];
  }
  if ((event.kind !== "read" && event.kind !== "write") || event.proxy !== "generic") return [];
  if (event.async !== undefined) return [];
  const order: readonly Read["semantics"][] =
    event.atomic !== undefined
      ? ["relaxed", "acquire", "release", "acq_rel"]
      : ["relaxed", event.kind === "read" ? "acquire" : "release"];
  const own = event.semantics === "volatile" || event.semantics === "mmio" ? "relaxed" : event.semantics;
  const at = order.indexOf(own);
  return order
    .slice(Math.max(at, 0))
    .filter((semantics) => semantics !== own || !same)
    .map((semantics) => ({
      semantics,
      cost:
        semantics === own
          ? costs.wider
          : semantics === "relaxed"
            ? costs.relaxed
            : semantics === "acq_rel"
              ? costs.both
              : costs.ordered,
    }));
}

/** Sets of changes, of up to so many, that cost so much together; none has two of one instruction of the same kind. */
function* choose(changes: readonly Priced[], count: number, cost: number, from = 0): Generator<readonly Priced[]> {
  if (cost === 0) {
    yield [];
    return;
  }
  if (count === 0) return;
  for (let i = from; i < changes.length; i++) {
    const one = changes[i] as Priced;
    if (one.cost > cost) return;
    for (const others of choose(changes, count - 1, cost - one.cost, i + 1))
      if (!others.some(({ change }) => same(one.change, change))) yield [one, ...others];
  }
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
    if (event.async !== undefined && event.async === next.async) continue;
    const fences = changes.filter((change) => change.kind === "fence" && change.after === event.text);
    // between this event and the next: program order goes by numbers that differ
    for (const [k, change] of fences.entries())
      events.push(fenceOf(change as FenceChange, thread, event.order + (k + 1) / (fences.length + 1)));
  }
  const place = (position: number): number => moved[position] as number;
  const placed = events.map((event): Event => {
    const needs = event.needs.map(place);
    const own = { needs, ...(event.async !== undefined && { async: place(event.async) }) };
    if (event.kind === "completion") return { ...event, ...own, of: event.of.map(place) };
    if (event.kind === "fence")
      return { ...event, ...own, ...(event.only !== undefined && { only: place(event.only) }) };
    if (event.kind === "barrier" && event.brings) {
      const { value, needs: brought } = event.brings;
      return { ...event, ...own, brings: { value, needs: brought.map(place) } };
    }
    const halved = (event.kind === "read" || event.kind === "write") && event.atomic !== undefined;
    return halved ? { ...event, ...own, atomic: place(event.atomic as number) } : { ...event, ...own };
  });
  const { used, sourcesOf, round } = trace;
  return {
    ...trace,
    events: placed,
    ...(used && { used: used.map(place) }),
    ...(sourcesOf && { sourcesOf: (register: string) => sourcesOf(register).map(place) }),
    ...(round !== undefined && round < moved.length && { round: place(round) }),
  };
}

function stronger(event: Event, changes: readonly Change[]): Event {
  if (event.kind !== "read" && event.kind !== "write" && event.kind !== "fence") return event;
  const own = changes.filter((each) => each.kind !== "fence" && each.instruction === event.text);
  let made = event;
  for (const change of own)
    if (change.kind === "stronger") {
      const { semantics, scope } = change;
      made = Object.assign({}, made, { semantics, scope });
    } else if (made.kind === "read") {
      const { reduction: _, ...returning } = made;
      made = returning;
    }
  return made;
}

function fenceOf(change: FenceChange, thread: number, order: number): Fence | ProxyFence {
  const { semantics, scope } = change;
  const happening = { thread, order, text: fenceText(change), needs: [] };
  if (semantics === "async") return { ...happening, kind: "proxy fence", proxy: "async" };
  return { ...happening, kind: "fence", semantics, scope };
}

/** The fence of a change, as PTX has it. */
export const fenceText = ({ semantics, scope }: FenceChange): string =>
  semantics === "async" ? "fence.proxy.async" : `fence.${semantics}.${scope}`;

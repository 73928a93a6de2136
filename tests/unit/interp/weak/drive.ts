import type {
  Event,
  Litmus,
  Location,
  Read,
  Semantics,
  Trace,
  Write,
} from "../../../../packages/memory-model/model/event.ts";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import {
  acquires,
  type FenceOrder,
  type MemoryScope,
  reachOf,
  releases,
} from "../../../../src/interp/contract/memory-consistency.ts";
import type { Agent } from "../../../../src/interp/weak/released.ts";
import { type Access, WeakMemory } from "../../../../src/interp/weak/weak-memory.ts";

const orderOf = (semantics: Semantics | FenceOrder, scope: MemoryScope) => ({
  reach: semantics === "weak" ? (-1 as const) : reachOf(scope),
  acquires: acquires(semantics),
  releases: releases(semantics),
});

/** A final state as `registers` and memory, written as `outcomes` of by-hand.ts does. Undefined for a deadlock, and past a bound of loops. */
export interface Final {
  readonly registers: string;
  readonly memory: ReadonlyMap<string, bigint>;
}

/** Pieces of memory that a test's locations lie in, and bytes of each. */
const [PIECES, BYTES] = [64, 256];

/** What weak memory is not told of in these tests. */
export function isStrange({ threads }: Litmus, traces: readonly Trace[]): boolean {
  const strange = (event: Event): boolean => {
    if (event.kind === "proxy fence" || event.kind === "completion" || "async" in event) return true;
    if (event.kind === "exchange") return true;
    if (event.kind === "barrier") return event.of !== "cta" || event.does !== "sync" || event.count !== undefined;
    if (event.kind === "fence") return event.only !== undefined;
    const { proxy, location } = event;
    return proxy !== "generic" || location.alias !== "";
  };
  return threads.some(({ placement: { gpu } }) => gpu !== 0) || traces.some(({ events }) => events.some(strange));
}

/** Whether a load that was put off must be done before the next event of its thread. */
function comesFirst(events: readonly Event[], at: number, next: Event): boolean {
  if (next.kind !== "read" && next.kind !== "write") return true;
  const [load, after] = [events[at] as Read, events[events.indexOf(next) + 1]];
  const needs = [...next.needs, ...(after?.kind === "write" && after.atomic !== undefined ? after.needs : [])];
  const wordsOf = ({ location: { at: from, bytes } }: Read | Write) => [from >>> 2, (from + bytes - 1) >>> 2] as const;
  const [[first, last], [low, high]] = [wordsOf(load), wordsOf(next)];
  return needs.includes(at) || releases(next.semantics) || (first <= high && low <= last);
}

/** Runs a test's threads on weak memory, one event after the other, as the seed draws it. */
export function drive(litmus: Litmus, seed: number): Final | undefined {
  const random = new Random(seed);
  const words = new Uint32Array((PIECES * BYTES) / 4);
  const view = new DataView(words.buffer);
  const pieces = new Map<number, number>();
  /** The same location in a small memory. */
  const placed = (location: Location): Location => {
    const piece = Math.floor(location.at / BYTES);
    const found = pieces.get(piece) ?? pieces.size;
    pieces.set(piece, found);
    return { ...location, at: BYTES * found + (location.at % BYTES) };
  };
  const get = (location: Location): bigint => {
    const { at, bytes } = placed(location);
    let value = 0n;
    for (let byte = bytes - 1; byte >= 0; byte--) value = (value << 8n) | BigInt(view.getUint8(at + byte));
    return value;
  };
  const set = (location: Location, value: bigint): void => {
    const { at, bytes } = placed(location);
    for (let byte = 0; byte < bytes; byte++) view.setUint8(at + byte, Number((value >> BigInt(8 * byte)) & 0xffn));
  };
  for (const { location, value } of litmus.initial) set(location, value);
  const memory = new WeakMemory(words, random);
  const agents = litmus.threads.map(({ placement: { block, cluster } }, index): Agent => ({ index, block, cluster }));
  const values = litmus.threads.map((): bigint[] => []);
  const done = litmus.threads.map(() => 0);
  const waiting = new Map<number, number>();
  const locations = new Map<string, Location>(litmus.initial.map(({ location }) => [location.name, location]));
  /** Loads that a thread has put off, by their positions in its trace: nothing has needed their values yet. */
  const postponed = litmus.threads.map(() => new Map<number, () => void>());
  const settle = (thread: number, which: (at: number) => boolean = () => true): void => {
    for (const [at, load] of [...postponed[thread]!])
      if (which(at)) {
        postponed[thread]!.delete(at);
        load();
      }
  };
  const trace = (thread: number): Trace => litmus.threads[thread]!.run(values[thread]!);
  const step = (thread: number): void => {
    const { events } = trace(thread);
    const next = events[done[thread]!];
    if (postponed[thread]!.size > 0) {
      const before = (at: number): boolean => next === undefined || comesFirst(events, at, next);
      if ([...postponed[thread]!.keys()].some(before)) {
        settle(thread, before);
        return;
      }
    }
    const event = next!;
    const by = agents[thread]!;
    if (event.kind === "fence") {
      memory.fence(by, orderOf(event.semantics, event.scope), event.semantics === "sc");
      done[thread]!++;
    } else if (event.kind === "barrier") waiting.set(thread, event.id);
    else if (event.kind === "write") {
      const { location, semantics, scope, value } = event;
      locations.set(location.name, location);
      memory.store({ ...orderOf(semantics, scope), by, ...placed(location) }, () => set(location, value));
      done[thread]!++;
    } else if (event.kind === "read") read(thread, event, done[thread]!, by);
  };
  const read = (thread: number, event: Read, at: number, by: Agent): void => {
    const { location, semantics, scope } = event;
    locations.set(location.name, location);
    const access: Access = { ...orderOf(semantics, scope), by, ...placed(location) };
    const load = (into: number, since?: number): void =>
      memory.load(
        access,
        () => {
          values[thread]![into] = get(location);
        },
        since,
      );
    const into = values[thread]!.push(0n) - 1;
    done[thread] = at + 1;
    if (/\bld\b/.test(event.text)) {
      const since = memory.standing(access);
      if (access.acquires || !memory.postpones()) load(into);
      else postponed[thread]!.set(at, () => load(into, since));
      return;
    }
    memory.atomic(access, { reads: event.reduction !== true, mayFail: true }, () => {
      values[thread]![into] = get(location);
      const write = trace(thread).events[at + 1];
      if ((trace(thread).events[at] as Read).atomic === undefined) return;
      set(location, (write as Write).value);
      done[thread] = at + 2;
    });
  };
  for (;;) {
    for (const [thread, id] of waiting) {
      const together = [...agents.keys()].filter((other) => agents[other]!.block === agents[thread]!.block);
      if (!together.every((other) => waiting.get(other) === id)) continue;
      memory.meet(together.map((other) => agents[other]!));
      for (const other of together) {
        waiting.delete(other);
        done[other]!++;
      }
    }
    const able = [...agents.keys()].filter(
      (thread) => !waiting.has(thread) && (done[thread]! < trace(thread).events.length || postponed[thread]!.size > 0),
    );
    if (able.length === 0) break;
    step(able[random.below(able.length)]!);
  }
  if (waiting.size > 0 || litmus.threads.some((_, thread) => trace(thread).end !== "done")) return undefined;
  const registers = litmus.threads.flatMap(({ name }, thread) =>
    [...trace(thread).registers].map(([register, value]) => `${name}:${register}=${value}`),
  );
  return {
    registers: registers.join(" "),
    memory: new Map([...locations].map(([name, location]) => [name, get(location)])),
  };
}

/** Whether an execution that the axioms allow ends like this. */
export const endsLike = (
  { registers, memory }: Final,
  litmus: Litmus,
  execution: { readonly traces: readonly Trace[]; readonly memory: ReadonlyMap<string, readonly bigint[]> },
): boolean =>
  litmus.threads
    .flatMap(({ name }, i) =>
      [...execution.traces[i]!.registers].map(([register, value]) => `${name}:${register}=${value}`),
    )
    .join(" ") === registers &&
  [...execution.memory].every(([name, values]) => !memory.has(name) || values.includes(memory.get(name)!));

import type { Event, Location, Read, Write } from "../../model/event.ts";

/** Where an instruction stands in its thread, and what it depends on. */
export type Happening = Pick<Read, "thread" | "order" | "text" | "span" | "needs">;

/** An asynchronous operation as the memory model sees it (PTX ISA 8.9.1.1): its accesses, and the mbarrier objects that it tells. */
export interface Operation {
  readonly proxy: "generic" | "async";
  readonly loads: Pick<Read, "semantics" | "scope">;
  readonly stores: Pick<Write, "semantics" | "scope">;
  readonly reads: readonly Location[];
  readonly writes: readonly Target[];
  /** Of a reduction: what it makes of the value in memory and an operand. */
  readonly update?: (held: bigint, operand: bigint) => bigint;
  /** Operations that it waits for, by positions of their events. */
  readonly behind?: readonly number[];
  readonly signals: readonly Location[];
  /** What a signal makes of an object. */
  readonly signalled?: (object: bigint) => { readonly object?: bigint } | { readonly fault: string };
  /** The scope in which a signal releases what the operation did. */
  readonly scope: "cta" | "cluster";
}

/** A place that it writes: what a read of the operation, by its number, has returned, or a value that it was given. */
export interface Target {
  readonly location: Location;
  readonly value: number | bigint;
}

/** How an instruction is issued: its first event's position in the trace. */
export interface Issue {
  readonly happening: Happening;
  readonly position: number;
}

/**
 * The events of an asynchronous operation. A read is answered by its value; `given` are the reads that values of its operands
 * depend on. By the async proxy, a fence of the proxies follows its reads and its writes: "The completion of a
 * cp{.reduce}.async.bulk operation is followed by an implicit generic-async proxy fence" (PTX ISA, Async proxy). The complete-tx
 * operation releases what the operation did, and nothing else.
 */
export function* eventsOf(
  { proxy, loads, stores, reads, writes, update, behind, signals, signalled, scope }: Operation,
  { happening, position, given = [] }: Issue & { readonly given?: readonly number[] },
): Generator<Event, { readonly fault: string } | undefined, bigint> {
  let at = position;
  const step = (order: number) => ({ ...happening, order: happening.order + order, async: position });
  const values: bigint[] = [];
  for (const location of reads) {
    values.push(yield { ...step(0), ...loads, proxy, location, kind: "read", value: 0n });
    at++;
  }
  function* fence(order: number): Generator<Event> {
    if (proxy !== "async") return;
    yield { ...step(order), kind: "proxy fence", proxy };
    at++;
  }
  yield* fence(1) as Generator<Event, void, bigint>;
  for (const { location, value: from } of writes) {
    const value = typeof from === "bigint" ? from : (values[from] ?? 0n);
    const source = typeof from === "bigint" ? given : [position + from];
    const write = { ...step(2), ...stores, proxy, location, kind: "write" } as const;
    if (update === undefined) {
      yield { ...write, needs: [...happening.needs, ...source], value };
      at++;
      continue;
    }
    const held = yield { ...write, kind: "read", value: 0n, reduction: true, update: true };
    yield { ...write, needs: [...happening.needs, ...source, at], value: update(held, value), atomic: at };
    at += 2;
  }
  yield* fence(3) as Generator<Event, void, bigint>;
  if (behind !== undefined) {
    yield { ...step(4), kind: "completion", of: behind };
    at++;
  }
  for (const location of signals) {
    const signal = { ...step(5), semantics: "release", scope, proxy: "generic", location } as const;
    const done = signalled?.(yield { ...signal, kind: "read", value: 0n, update: true }) ?? {};
    if ("fault" in done) return done;
    yield { ...signal, needs: [...happening.needs, at], kind: "write", value: done.object ?? 0n, atomic: at };
    at += 2;
  }
  return undefined;
}

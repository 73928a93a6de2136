import type { MemoryScope } from "../../../../../src/interp/contract/memory-consistency.ts";
import type {
  Event,
  Exchange,
  Fence,
  Litmus,
  Placement,
  ProxyFence,
  Read,
  Trace,
  Write,
} from "../../../model/event.ts";

/** An operation: both halves of an atomic one together. `thread` is -1 for what memory holds at first. */
export interface Op {
  readonly id: number;
  readonly thread: number;
  readonly order: number;
  /** Where it is in its thread's trace. */
  readonly at: number;
  readonly place: Placement;
  /** The place in memory, whatever the way to it. */
  readonly name: string;
  /** The way: a proxy, and a virtual address. */
  readonly way: string;
  readonly read?: Read;
  readonly write?: Pick<Write, "value" | "semantics" | "scope">;
  readonly fence?: Fence;
  readonly barrier?: Event & { kind: "barrier" };
  readonly exchange?: Exchange;
  /** Ids of reads that what it brings depends on. */
  readonly brings: readonly number[];
  readonly proxyFence?: ProxyFence;
  /** When its thread has waited for it, in program order; later than its `order` for an asynchronous operation alone. */
  readonly completed: number;
  /** The asynchronous operation that it is part of. */
  readonly async?: number | undefined;
  /** Ids of reads that it depends on. */
  readonly needs: readonly number[];
}

/** The operations of one trace for each thread, after the initial writes of `names`. */
export function operationsOf(litmus: Litmus, traces: readonly Trace[], names: readonly string[]): Op[] {
  const place = { block: -1, cluster: -1, gpu: -1 };
  const ops: Op[] = names.map((name, id) => ({
    id,
    thread: -1,
    order: -1,
    at: -1,
    completed: -1,
    place,
    name,
    way: "",
    needs: [],
    brings: [],
    write: { value: 0n, semantics: "weak", scope: "sys" },
  }));
  for (const [thread, { events }] of traces.entries()) {
    const ids: number[] = [];
    for (const [at, event] of events.entries()) {
      const half = event.kind === "write" && event.atomic !== undefined;
      ids[at] = half ? ids[event.atomic as number]! : ops.length;
      if (half) continue;
      const other = event.kind === "read" && event.atomic !== undefined ? (events[event.atomic] as Write) : undefined;
      const needs = [...event.needs, ...(other?.needs ?? [])].map((position) => ids[position] as number);
      ops.push({
        id: ops.length,
        thread,
        order: event.order,
        at,
        completed: completedAt(events, at),
        async: event.async,
        place: litmus.threads[thread]!.placement,
        needs,
        brings: (event.kind === "barrier" ? (event.brings?.needs ?? []) : []).map(
          (position) => ids[position] as number,
        ),
        ...(event.kind === "exchange" ? { exchange: event } : {}),
        ...(event.kind === "read" || event.kind === "write"
          ? { name: physical(event.location.name), way: `${event.proxy} ${event.location.name}` }
          : { name: "", way: "" }),
        ...(event.kind === "read" ? { read: event, ...(other && { write: other }) } : {}),
        ...(event.kind === "write" ? { write: event } : {}),
        ...(event.kind === "fence" ? { fence: event } : {}),
        ...(event.kind === "barrier" ? { barrier: event } : {}),
        ...(event.kind === "proxy fence" ? { proxyFence: event } : {}),
      });
    }
  }
  return ops;
}

/** The order of the first completion of an asynchronous operation; that of all others is their own. */
function completedAt(events: readonly Event[], at: number): number {
  const event = events[at]!;
  if (event.async === undefined) return event.order;
  const waits = events.flatMap((each) => (each.kind === "completion" && each.of.includes(at) ? [each.order] : []));
  return Math.min(...waits, Number.POSITIVE_INFINITY);
}

/** The name of the memory that a name such as `s@x` is another one of. */
export const physical = (name: string): string => name.replace(/^.*@/, "");

/** A relation: for each operation, by its id below 32, a bit for each that it leads to. */
export class Pairs {
  readonly #rows = new Int32Array(32);

  add(a: Op, b: Op): boolean {
    const row = this.#rows[a.id]!;
    this.#rows[a.id] = row | (1 << b.id);
    return this.#rows[a.id] !== row;
  }

  has(a: Op, b: Op): boolean {
    return ((this.#rows[a.id]! >>> b.id) & 1) === 1;
  }

  /** Adds what follows by transitivity. */
  close(ops: readonly Op[], through: readonly Op[] = ops): this {
    const rows = this.#rows;
    for (const z of through) for (const x of ops) if (this.has(x, z)) rows[x.id]! |= rows[z.id]!;
    return this;
  }

  hasCycle(ops: readonly Op[]): boolean {
    const all = new Pairs();
    all.#rows.set(this.#rows);
    all.close(ops);
    return ops.some((op) => all.has(op, op));
  }
}

export const po = (a: Op, b: Op): boolean =>
  a.thread >= 0 && a.thread === b.thread && a.order < b.order && (a.completed <= b.order || a.async === b.async);
export const isMemory = ({ read, write }: Op): boolean => read !== undefined || write !== undefined;
export const overlap = (a: Op, b: Op): boolean => isMemory(a) && isMemory(b) && a.name === b.name;

const how = ({ read, write, fence }: Op) => read ?? write ?? fence;
export const isStrong = (op: Op): boolean =>
  op.thread >= 0 && (isMemory(op) || op.fence !== undefined) && how(op)?.semantics !== "weak";

function includes(scope: MemoryScope, from: Placement, other: Placement): boolean {
  if (scope === "sys") return true;
  if (from.gpu !== other.gpu) return false;
  if (scope === "gpu") return true;
  if (from.cluster !== other.cluster) return false;
  return scope === "cluster" || from.block === other.block;
}

/** Section 8.7; all accesses of a location have the same size here. */
export function morallyStrong(a: Op, b: Op): boolean {
  if (isMemory(a) && isMemory(b) && (a.name !== b.name || a.way !== b.way)) return false;
  if (a.thread === b.thread) return a.thread >= 0;
  if (!isStrong(a) || !isStrong(b)) return false;
  return includes(how(a)!.scope, a.place, b.place) && includes(how(b)!.scope, b.place, a.place);
}

const semantics = (op: Op): string => how(op)?.semantics ?? "weak";
export const releases = (op: Op): boolean => op.write !== undefined && /^(release|acq_rel)$/.test(semantics(op));
export const acquires = (op: Op): boolean =>
  op.read !== undefined && op.read.reduction === undefined && /^(acquire|acq_rel)$/.test(semantics(op));
export const fences = (op: Op, what: "acquire" | "release"): boolean =>
  op.fence !== undefined && (op.fence.semantics === what || /^(acq_rel|sc)$/.test(op.fence.semantics));

import { type Event, type Litmus, packed, type Thread, type Trace, unpacked } from "../../../model/event.ts";
import { causality, judge, metBefore } from "./axioms.ts";
import { type Phases, phasesOf } from "./phases.ts";
import { morallyStrong, type Op, operationsOf, physical, po } from "./relations.ts";

/** Every final state that the axioms allow, found by trying everything. Undefined for a test that takes too long so. */
export function everyState(litmus: Litmus, names: readonly string[], most: number): Set<string> | undefined {
  const values = new Map<string, Set<bigint>>(names.map((name) => [name, new Set([0n])]));
  const brought = new Map<number, Set<bigint>>();
  let traces: Trace[][] = [];
  for (let round = 0, grew = true; grew && round < 6; round++) {
    grew = false;
    traces = litmus.threads.map((thread) => [...tracesOf(thread, { values, brought })]);
    for (const { events } of traces.flat())
      for (const event of events) {
        if (event.kind === "barrier" && event.brings) {
          const known = brought.get(event.thread) ?? new Set();
          if (!known.has(event.brings.value)) grew = true;
          brought.set(event.thread, known.add(event.brings.value));
        }
        if (event.kind !== "write") continue;
        const known = values.get(physical(event.location.name))!;
        if (!known.has(event.value)) grew = true;
        known.add(event.value);
      }
  }
  const states = new Set<string>();
  let tried = 0;
  const places = litmus.threads.map(({ placement }) => placement);
  // Most executions differ in what they read alone: who may meet whom is asked once for all that have the same barriers.
  const known = new Map<string, readonly Phases[]>();
  for (const chosen of written(traces.map((each) => each.flatMap(cuts)))) {
    const stuck = new Set([...chosen.keys()].filter((thread) => chosen[thread]!.end === "waits"));
    const barriers = chosen.map(barriersOf).join("; ");
    if (known.get(barriers)?.length === 0) continue;
    const ops = operationsOf(litmus, chosen, names);
    const all = known.get(barriers) ?? [...phasesOf(ops, stuck, places)];
    known.set(barriers, all);
    const meetings = all.filter((phases) => isBrought(ops, phases));
    if (meetings.length === 0) continue;
    const reads = ops.filter(({ read }) => read !== undefined);
    const origins = reads.map((r) =>
      ops.filter((w) => w.write?.value === r.read!.value && w.name === r.name && w !== r),
    );
    if (origins.some(({ length }) => length === 0)) continue;
    const writes = orientations(ops.filter(({ thread, write }) => thread >= 0 && write !== undefined));
    const fences = orientations(ops.filter(({ fence }) => fence?.semantics === "sc"));
    for (const phases of meetings)
      for (const sources of product(origins))
        for (const sc of product(fences)) {
          const witness = { ops, from: new Map(reads.map(({ id }, at) => [id, sources[at]!])), fences: sc, phases };
          const cause = causality(witness);
          if (++tried > most) return undefined;
          if (cause === undefined) continue;
          for (const co of product(writes)) {
            if (++tried > most) return undefined;
            const memory = judge(witness, cause, co);
            if (memory !== undefined) for (const state of statesOf(litmus, chosen, memory)) states.add(state);
          }
        }
  }
  return states;
}

const described = new WeakMap<Trace, string>();

/** What a trace's operations are numbered by, and which of them are barriers. */
function barriersOf(trace: Trace): string {
  const known = described.get(trace);
  if (known !== undefined) return known;
  const events = trace.events.flatMap((event, at) => {
    if (event.kind === "barrier") return [`${at} ${event.order} ${event.id} ${event.count} ${event.does}`];
    return event.kind === "write" && event.atomic !== undefined ? [`${at} half`] : [];
  });
  const said = [trace.end, trace.events.length, ...events].join();
  described.set(trace, said);
  return said;
}

/** Whether each exchange gives what those have brought who have met. */
const isBrought = (ops: readonly Op[], phases: Phases): boolean =>
  ops.every(
    (op) =>
      op.exchange === undefined ||
      op.exchange.value ===
        packed(new Map(metBefore(op, ops, phases).map((each) => [each.thread, each.barrier!.brings!.value]))),
  );

/** A trace, and its beginnings that wait for ever at a barrier. */
const cuts = (trace: Trace): Trace[] => [
  trace,
  ...trace.events.flatMap((event, at): Trace[] =>
    event.kind === "barrier" && event.does === "sync"
      ? [{ events: trace.events.slice(0, at + 1), end: "waits", registers: event.registers! }]
      : [],
  ),
];

/** One trace for each thread where somebody writes what each read returns, and brings what each exchange gives: no thread is gone on with otherwise. */
function* written(lists: readonly (readonly Trace[])[]): Generator<Trace[]> {
  const bits = new Map<string, bigint>();
  const sum = (keys: readonly string[]): bigint =>
    keys.reduce((all, key) => {
      const bit = bits.get(key) ?? 1n << BigInt(bits.size);
      bits.set(key, bit);
      return all | bit;
    }, 0n);
  const taken = (event: Event): string[] => {
    // whoever has met takes the same
    if (event.kind === "exchange")
      return [...unpacked(event.value)].flatMap(([by, value]) => [`by ${by} ${value}`, `to ${by} ${event.value}`]);
    return event.kind === "read" && event.value !== 0n ? [`at ${event.location.at} ${event.value}`] : [];
  };
  const made = (event: Event): string[] => {
    if (event.kind === "barrier" && event.brings) return [`by ${event.thread} ${event.brings.value}`];
    if (event.kind === "exchange") return [`to ${event.thread} ${event.value}`];
    return event.kind === "write" ? [`at ${event.location.at} ${event.value}`] : [];
  };
  const sides = lists.map((traces) =>
    traces.map((trace) => ({
      trace,
      reads: sum(trace.events.flatMap(taken)),
      writes: sum(trace.events.flatMap(made)),
    })),
  );
  const later = sides.map((_, at) =>
    sides
      .slice(at + 1)
      .flat()
      .reduce((all, { writes }) => all | writes, 0n),
  );
  function* from(at: number, reads: bigint, writes: bigint, chosen: Trace[]): Generator<Trace[]> {
    if (at === sides.length) yield chosen;
    else
      for (const side of sides[at]!) {
        const [read, wrote] = [reads | side.reads, writes | side.writes];
        if ((read & ~(wrote | later[at]!)) === 0n) yield* from(at + 1, read, wrote, [...chosen, side.trace]);
      }
  }
  yield* from(0, 0n, 0n, []);
}

/** Registers and memory in one line, for each choice among last writes that are unordered; of a deadlock, who waits, and registers. */
export function statesOf(
  { threads }: Litmus,
  traces: readonly Trace[],
  memory: ReadonlyMap<string, readonly bigint[]>,
): string[] {
  const registers = threads.flatMap(({ name }, at) =>
    [...traces[at]!.registers].map(([register, value]) => `${name}:${register}=${value}`),
  );
  const waiting = threads.flatMap(({ name }, at) => (traces[at]!.end === "waits" ? [name] : []));
  if (waiting.length > 0) return [["deadlock", ...waiting, ...registers].join(" ")];
  const sorted = [...memory].sort(([a], [b]) => (a < b ? -1 : 1));
  return [...product(sorted.map(([name, values]) => values.map((value) => `${name}=${value}`)))].map((last) =>
    [...registers, ...last].join(" "),
  );
}

/** Every trace of a thread whose reads return values that a location may hold. */
function* tracesOf(thread: Thread, known: Known, given: bigint[] = []): Generator<Trace> {
  const trace = thread.run(given);
  const last = trace.events.at(-1);
  if (trace.end !== "asks") yield trace;
  else if (last?.kind === "read")
    for (const value of known.values.get(physical(last.location.name))!)
      yield* tracesOf(thread, known, [...given, value]);
  else for (const all of gathered([...known.brought])) yield* tracesOf(thread, known, [...given, packed(all)]);
}

/** What locations may hold, and what threads may bring to others. */
interface Known {
  readonly values: ReadonlyMap<string, ReadonlySet<bigint>>;
  readonly brought: ReadonlyMap<number, ReadonlySet<bigint>>;
}

/** What some threads may bring together. */
const gathered = (brought: readonly (readonly [number, ReadonlySet<bigint>])[]): Map<number, bigint>[] =>
  brought.reduce(
    (all, [thread, values]) => [
      ...all,
      ...all.flatMap((some) => [...values].map((value) => new Map(some).set(thread, value))),
    ],
    [new Map<number, bigint>()],
  );

/** Both ways to order each morally strong pair; program order leaves one (8.10.1, 8.10.2). */
const orientations = (ops: readonly Op[]): (readonly [Op, Op])[][] =>
  ops.flatMap((a, at) =>
    ops
      .slice(at + 1)
      .filter((b) => morallyStrong(a, b))
      .map((b): (readonly [Op, Op])[] => (po(a, b) ? [[a, b]] : [[a, b] as const, [b, a] as const])),
  );

function* product<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const each of first) for (const more of product(rest)) yield [each, ...more];
}

import type { MemoryScope } from "../../../../src/interp/contract/memory-consistency.ts";
import { enumerate, usualBounds } from "../../model/enumerate.ts";
import {
  type Barrier,
  type Event,
  type Fence,
  type Initial,
  type Location,
  type Placement,
  type Read,
  type Thread,
  unpacked,
  type Write,
} from "../../model/event.ts";
import type { Bounds, Execution } from "../../model/outcome.ts";

/** A step of a thread written by hand: given the registers, what it does. */
export type Step = (
  registers: Map<string, bigint>,
  sources: Map<string, readonly number[]>,
) => Omit<Part, "order" | "thread">[];
type Part =
  | (Omit<Read, "value"> & { into: string; then?: (old: bigint) => bigint | undefined; after?: Write["semantics"] })
  | Event;

type Value = bigint | string;

const locations = new Map<string, Location>();

/** A location of four bytes by its name; `s@x` is another mapping of x. */
export function at(name: string): Location {
  const [alias, physical] = name.includes("@") ? (name.split("@") as [string, string]) : ["", name];
  const known = locations.get(name);
  if (known) return known;
  const base = alias === "" ? 16 * (1 + locations.size) : at(physical).at;
  const location = { name, at: base, bytes: 4, alias };
  locations.set(name, location);
  return location;
}

/** Part of a location: `bytes` from `offset`. */
export const part = (name: string, offset: number, bytes: number): Location => ({
  ...at(name),
  name: `${name}+${offset}`,
  at: at(name).at + offset,
  bytes,
});

const where = (place: string | Location): Location => (typeof place === "string" ? at(place) : place);

interface How {
  readonly scope?: MemoryScope;
  readonly proxy?: Read["proxy"];
}

export const ld =
  (semantics: Read["semantics"], into: string, place: string | Location, how: How = {}): Step =>
  () => [
    {
      kind: "read",
      text: `ld.${semantics} ${into}, [${where(place).name}]`,
      needs: [],
      location: where(place),
      semantics,
      scope: how.scope ?? "sys",
      proxy: how.proxy ?? "generic",
      into,
    } as never,
  ];

/** Stores a number, or a register by its name. */
export const st =
  (semantics: Write["semantics"], place: string | Location, value: Value, how: How = {}): Step =>
  (registers, sources) => [
    {
      kind: "write",
      text: `st.${semantics} [${where(place).name}], ${value}`,
      needs: typeof value === "string" ? (sources.get(value) ?? []) : [],
      location: where(place),
      semantics,
      scope: how.scope ?? "sys",
      proxy: how.proxy ?? "generic",
      value: typeof value === "string" ? (registers.get(value) ?? 0n) : value,
    } as never,
  ];

/** An atomic operation: `then` gives what is written, undefined for nothing. */
export const atom =
  (
    semantics: Read["semantics"],
    into: string,
    place: string | Location,
    then: (old: bigint) => bigint | undefined,
    how: How & { readonly reduction?: true } = {},
  ): Step =>
  () => [
    {
      kind: "read",
      text: `atom.${semantics} ${into}, [${where(place).name}]`,
      needs: [],
      location: where(place),
      semantics,
      scope: how.scope ?? "sys",
      proxy: "generic",
      into,
      then,
      update: true,
      ...(how.reduction ? { reduction: true } : {}),
    } as never,
  ];

export const fence =
  (semantics: Fence["semantics"], scope: MemoryScope = "sys"): Step =>
  () => [{ kind: "fence", text: `fence.${semantics}.${scope}`, needs: [], semantics, scope } as never];

/** Acquires what the read of a register has observed, if it returned a value: as waiting at an mbarrier object does. */
export const acquired =
  (register: string, value: bigint, scope: MemoryScope = "sys"): Step =>
  (registers, sources) => {
    const needs = sources.get(register) ?? [];
    // whether there is a fence depends on the read, though nothing after it does
    sources.set("decides", [...(sources.get("decides") ?? []), ...needs]);
    const text = `acquired by ${register}`;
    if (registers.get(register) !== value) return [];
    return [{ kind: "fence", text, needs, semantics: "acquire", scope, only: needs[0] } as never];
  };

/** Copies a location asynchronously, as cp.async does; `into` names what it reads. */
export const copy = (into: string, from: string, to: string, async: number): readonly Step[] =>
  [ld("weak", into, from), st("weak", to, into)].map(
    (step): Step =>
      (...given) =>
        step(...given).map((part) => ({ ...part, text: `copy ${to}, ${from}`, async }) as never),
  );

/** Copies a location by the async proxy, as cp.async.bulk does, and then adds one to a third. */
export const bulkCopy = (into: string, from: string, to: string, told: string, async: number): readonly Step[] =>
  [
    ld("weak", `${into}a`, from, { proxy: "async" }),
    proxyFence("async"),
    st("weak", to, `${into}a`, { proxy: "async" }),
    proxyFence("async"),
    atom("release", `${into}b`, told, (old) => old + 1n, { scope: "cluster" }),
  ].map(
    (step): Step =>
      (...given) =>
        step(...given).map((part) => ({ ...part, text: `bulk copy ${to}, ${from}`, async }) as never),
  );

/** Meets all of the block, and takes the sum of what they bring: a register. As bar.red does; relaxed, as redux.sync does. */
export const sum =
  (into: string, of: string, relaxed: boolean): Step =>
  (registers, sources) => {
    const text = `sum ${into}, ${of}`;
    const brings = { value: registers.get(of) ?? 0n, needs: sources.get(of) ?? [] };
    const barrier = { kind: "barrier", text, needs: [], of: "cta", id: 9, does: "sync", brings };
    return [
      { ...barrier, ...(relaxed && { relaxed }), registers: new Map(registers) } as never,
      { kind: "exchange", text, needs: [], into } as never,
    ];
  };

/** Waits for all copies of the thread. */
export const completion: Step = (_, sources) => [
  { kind: "completion", text: "wait", needs: [], of: sources.get("async") ?? [] } as never,
];

export const proxyFence =
  (proxy: string): Step =>
  () => [{ kind: "proxy fence", text: `fence.proxy.${proxy}`, needs: [], proxy } as never];

export const bar =
  (
    does: Barrier["does"] = "sync",
    id = 0,
    of: Barrier["of"] = "cta",
    more: Pick<Barrier, "count" | "relaxed"> = {},
  ): Step =>
  (registers) => [
    {
      kind: "barrier",
      text: `bar.${does} ${id}`,
      needs: [],
      of,
      id,
      does,
      ...more,
      registers: new Map(registers),
    } as never,
  ];

/** Goes on only where a register has a value; else the thread ends there. */
export const when =
  (register: string, value: bigint): Step =>
  (registers, sources) => {
    sources.set("control", [...new Set([...(sources.get("control") ?? []), ...(sources.get(register) ?? [])])]);
    return registers.get(register) === value ? [] : ([{ stop: true }] as never);
  };

/** A thread of its own block unless it is said where it runs. */
export function thread(name: string, steps: readonly Step[], place: Partial<Placement> = {}): Thread {
  const block = place.block ?? Number(name.slice(1));
  return {
    name,
    placement: { ...place, block, cluster: place.cluster ?? block, gpu: place.gpu ?? 0 },
    run(values) {
      const events: Event[] = [];
      const registers = new Map<string, bigint>();
      const sources = new Map<string, readonly number[]>();
      let reads = 0;
      const used = new Set<number>();
      const sourcesOf = (name: string): readonly number[] => sources.get(name) ?? [];
      const end = (how: "asks" | "done") => {
        for (const read of [...sourcesOf("control"), ...sourcesOf("decides")]) used.add(read);
        return { events, end: how, registers, used: [...used], sourcesOf } as const;
      };
      for (const [order, step] of steps.entries())
        for (const raw of step(registers, sources)) {
          if ("stop" in raw) return end("done");
          const event = { ...raw, thread: Number(name.slice(1)), order } as never as Event & {
            into?: string;
            then?: (old: bigint) => bigint | undefined;
          };
          const control = sources.get("control") ?? [];
          const needs = [...new Set([...control, ...event.needs])];
          for (const read of needs) used.add(read);
          if ("async" in event) sources.set("async", [...(sources.get("async") ?? []), events.length]);
          if (event.kind === "barrier") for (const read of event.brings?.needs ?? []) used.add(read);
          if (event.kind === "exchange") {
            const value = values[reads++];
            events.push({ ...event, needs, value: value ?? 0n });
            if (value === undefined) return end("asks");
            registers.set(
              event.into as string,
              [...unpacked(value).values()].reduce((all, each) => all + each, 0n),
            );
            sources.set(event.into as string, [events.length - 1]);
            continue;
          }
          if (event.kind !== "read") {
            events.push({ ...event, needs });
            continue;
          }
          const position = events.length;
          const value = values[reads++];
          events.push({ ...event, needs, value: value ?? 0n });
          if (value === undefined) return end("asks");
          registers.set(event.into as string, value);
          sources.set(event.into as string, [position]);
          const next = event.then?.(value);
          if (next === undefined) continue;
          events[position] = { ...(events[position] as Read), atomic: position + 1 };
          const { kind: _, into: __, then: ___, ...rest } = event as never as Read & { into: string; then: unknown };
          events.push({ ...rest, kind: "write", value: next, atomic: position, needs: [...needs, position] } as Write);
        }
      return end("done");
    },
  };
}

export interface Result {
  /** Registers of all threads, `P0:r0=1 P1:r1=0`, and memory, `x=1`: distinct final states, sorted. */
  readonly states: readonly string[];
  /** Threads that wait for ever, `P0 P1`, and registers: distinct deadlocks, sorted. */
  readonly deadlocks: readonly string[];
  readonly executions: readonly Execution[];
  readonly complete: boolean;
  readonly mixed: boolean;
}

/** All final states of threads over memory that begins as zero, or as given. */
export function outcomes(
  threads: readonly Thread[],
  initial: Record<string, bigint> = {},
  bounds: Bounds = usualBounds,
): Result {
  const first: Initial[] = Object.entries(initial).map(([name, value]) => ({ location: at(name), value }));
  const run = enumerate({ threads, initial: first }, bounds);
  const executions: Execution[] = [];
  const states = new Set<string>();
  const deadlocks = new Set<string>();
  for (let step = run.next(); ; step = run.next()) {
    if (step.done)
      return {
        states: [...states].sort(),
        deadlocks: [...deadlocks].sort(),
        executions,
        complete: step.value.complete,
        mixed: step.value.mixed,
      };
    executions.push(step.value);
    let memory = [""];
    for (const [name, values] of step.value.memory)
      memory = memory.flatMap((each) => values.map((value) => `${each} ${name}=${value}`));
    const registers = threads.flatMap(({ name }, i) =>
      [...(step.value as Execution).traces[i]!.registers].map(([register, value]) => `${name}:${register}=${value}`),
    );
    const waiting = step.value.waiting.map((thread) => `${threads[thread]!.name}`);
    if (waiting.length > 0) deadlocks.add([...waiting, ...registers].join(" "));
    else for (const each of memory) states.add(`${registers.join(" ")}${each}`.trim());
  }
}

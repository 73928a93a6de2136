import type { ThreadId } from "../../../../src/interp/contract/launch/thread-id.ts";
import type { Session } from "../../../../src/interp/machine/session.ts";
import { mapCode } from "./code-map.ts";
import { dataflow } from "./dataflow.ts";
import { type Explanation, type Hop, NEARLY, type WriteGroup } from "./explanation.ts";
import type { Both, From, OneRun } from "./follow.ts";
import { frontier } from "./frontier.ts";
import { lockstep } from "./lockstep.ts";
import { Recorder } from "./recorder.ts";
import { type Place, type Ran, type ThreadTrace, threadKey, touches } from "./step.ts";
import { type Culprit, culpritOf, type Write, WriteLog } from "./write-log.ts";

/** A program that can be run repeatedly, always with the same inputs. */
export interface Repeatable {
  readonly plain: (bits: bigint) => bigint;
  /** `watch` receives the session before it runs; returns nothing when it did not run to its end. */
  again(watch: (session: Session) => void): Promise<Session | undefined>;
}

/** A place in the results of both runs that differs, for a name such as `y[3]`. */
export interface DifferingPlace {
  readonly name: string;
  placeIn(side: "a" | "b", session: Session): Place | undefined;
}

/** Where to begin: memory that differs, or what a thread does. */
export type Beginning =
  | { readonly kind: "memory"; readonly places: readonly DifferingPlace[] }
  | { readonly kind: "thread"; readonly thread: ThreadId; readonly register?: readonly string[] };

/** Threads on the way back. */
const MOST_HOPS = 12;

/** Finds the cause of a difference, by repeated runs that each record what the next step of the search needs. */
export async function explain(a: Repeatable, b: Repeatable, beginning: Beginning): Promise<Explanation | undefined> {
  const sides = { a, b };
  let writes: WriteGroup[] = [];
  let thread: ThreadId | undefined;
  let aim: Aim = {};
  if (beginning.kind === "memory") {
    const found = await logBoth(sides, (side, session) =>
      beginning.places.map(({ placeIn }) => placeIn(side, session)),
    );
    if (found === undefined) return undefined;
    writes = groups(beginning.places, found.a, found.b);
    const [first] = writes;
    if (first === undefined) return undefined;
    if (first.culprit.kind === "order") return { writes, hops: [], end: "order" };
    thread = first.culprit.thread;
    aim = aimOf(first.culprit, found.places[beginning.places.findIndex(({ name }) => name === first.name)]);
  } else ({ thread } = beginning);
  const hops: Hop[] = [];
  const visited = new Set<string>();
  while (thread !== undefined && hops.length < MOST_HOPS) {
    const both = await traceBoth(sides, thread);
    if (both === undefined) return { writes, hops, end: "unknown" };
    const begin = stepsOf(both, aim);
    const register = beginning.kind === "thread" && hops.length === 0 ? beginning.register : undefined;
    const from = follow(both, begin, register, aim.places);
    if (from === undefined) return { writes, hops, end: both.a.trace.cut || both.b.trace.cut ? "long" : "unknown" };
    hops.push({ thread, both, from, begin });
    if (from.kind === "here") return { writes, hops };
    const key = `${threadKey(thread)} ${from.kind} ${from.a} ${from.b}`;
    if (visited.has(key)) return { writes, hops, end: "unknown" };
    visited.add(key);
    if (from.kind === "lanes") {
      [thread, aim] = [{ ...thread, lane: from.lane }, { before: stepNumbers(both, from) }];
      continue;
    }
    const places = sharedPlaces(both, from);
    const before = stepNumbers(both, from);
    const found = await logBoth(sides, (side) => [places[side]]);
    const until = (side: "a" | "b") => (found?.[side][0] ?? []).filter(({ step }) => step < before[side]);
    const [allA, allB] = [found?.a[0] ?? [], found?.b[0] ?? []];
    let culprit = culpritOf(until("a"), until("b"));
    // The write may come only later, where threads do not wait for each other.
    if (culprit?.kind === "order" || culprit?.a === undefined || culprit.b === undefined) {
      const late = culpritOf(allA, allB);
      if (late?.kind === "write") culprit = late;
      else if (culprit !== undefined) culprit = { ...culprit, kind: "order" };
    }
    if (culprit === undefined) return { writes, hops, end: "unknown" };
    if (culprit.kind === "order") return { writes, hops, end: "order" };
    [thread, aim] = [culprit.thread, aimOf(culprit, places)];
  }
  return { writes, hops, end: "long" };
}

/** The writes of one place to look for in a thread's steps; or only steps before others. */
interface Aim {
  readonly places?: Places;
  readonly nth?: Partial<Record<"a" | "b", number>>;
  readonly before?: Record<"a" | "b", number>;
}

interface Places {
  readonly a?: Place | undefined;
  readonly b?: Place | undefined;
}

const aimOf = ({ a, b }: Culprit, places: Places = {}): Aim => ({
  places,
  nth: { ...(a && { a: a.nth }), ...(b && { b: b.nth }) },
});

const stepNumbers = ({ a, b }: Both, from: { readonly a: number; readonly b: number }) => ({
  a: a.trace.steps[from.a]?.step ?? 0,
  b: b.trace.steps[from.b]?.step ?? 0,
});

/** The bytes that both loads read, in the memory of each run. */
function sharedPlaces({ a, b }: Both, from: { readonly a: number; readonly b: number }): Places {
  const [one, other] = [a.trace.steps[from.a]?.access, b.trace.steps[from.b]?.access];
  if (one === undefined || other === undefined) return {};
  const apart = Number(b.plain(other.address) - a.plain(one.address));
  const [start, end] = [Math.max(0, apart), Math.min(one.bytes, apart + other.bytes)];
  const block = one.space === "shared" ? { block: a.trace.thread.block } : {};
  const bytes = Math.max(1, end - start);
  return {
    a: { where: one.where + start, bytes, ...block },
    b: { where: other.where + start - apart, bytes, ...block },
  };
}

function stepsOf({ a, b }: Both, { places, nth, before }: Aim): { readonly a?: number; readonly b?: number } {
  const find = (side: "a" | "b", { trace }: OneRun): number | undefined => {
    if (before !== undefined) {
      const at = trace.steps.findLastIndex(({ step }) => step <= before[side]);
      return at < 0 ? undefined : at;
    }
    const place = places?.[side];
    const count = nth?.[side];
    if (place === undefined || count === undefined) return undefined;
    const { block } = trace.thread;
    const writes = trace.steps.flatMap(({ access }, at) =>
      access !== undefined &&
      access.how !== "load" &&
      touches({ ...place, ...(access.space === "shared" ? { block } : {}) }, access.where, access.bytes, block)
        ? [at]
        : [],
    );
    return writes[count];
  };
  const [inA, inB] = [find("a", a), find("b", b)];
  return { ...(inA === undefined ? {} : { a: inA }), ...(inB === undefined ? {} : { b: inB }) };
}

/** Follows one thread backwards, step by step where the programs are nearly the same, by values where they are not. */
function follow(
  both: Both,
  begin: { readonly a?: number; readonly b?: number },
  register: readonly string[] = [],
  places: Places = {},
): From | undefined {
  const { a, b, map } = both;
  if (map.alike >= NEARLY) {
    const found = lockstep(both);
    if (found !== undefined) return found;
  }
  const value = ({ trace }: OneRun, at: number | undefined, index: number) => {
    const step: Ran | undefined = at === undefined ? undefined : trace.steps[at];
    const bits = step?.reads[index] ?? step?.results[0] ?? step?.reads.at(-1);
    return { bits: bits ?? 0n, at };
  };
  const left = frontier(both, begin.a === undefined && begin.b === undefined ? lastSteps(both) : begin);
  if (begin.a !== undefined && begin.b !== undefined) {
    const [inA, inB] = [elementAt(a, begin.a, places.a), elementAt(b, begin.b, places.b)];
    const found = dataflow(both, value(a, begin.a, inA), value(b, begin.b, inB));
    return found === undefined || (found.kind === "here" && found.why !== "operation") ? (left ?? found) : found;
  }
  if (left !== undefined) return left;
  const lastOf = (run: OneRun) => {
    const at = run.trace.steps.findLastIndex(({ pc, results }) => {
      const instruction = run.program.code[pc];
      return results.length > 0 && instruction !== undefined && register.includes(nameOfResult(run, pc));
    });
    return at < 0 ? undefined : at;
  };
  return dataflow(both, value(a, begin.a ?? lastOf(a), -1), value(b, begin.b ?? lastOf(b), -1));
}

/** The element of a store's operands that goes to a place; the address comes first. */
function elementAt({ trace }: OneRun, at: number, place: Place | undefined): number {
  const { reads = [], access } = trace.steps[at] ?? {};
  if (place === undefined || access === undefined || reads.length < 3) return 1;
  const element = Math.floor(((place.where - access.where) * (reads.length - 1)) / access.bytes);
  return 1 + Math.min(reads.length - 2, Math.max(0, element));
}

/** The end of both runs of a thread, where one of them faults. */
const lastSteps = ({ a, b }: Both) => ({ a: a.trace.steps.length - 1, b: b.trace.steps.length - 1 });

function nameOfResult({ program }: OneRun, pc: number): string {
  const [operand] = program.code[pc]?.operands ?? [];
  if (operand?.kind !== "slot" && operand?.kind !== "predicate") return "";
  const bank = operand.kind === "slot" ? operand.bank : "p";
  return program.registers.find((each) => each.bank === bank && each.slot === operand.slot)?.name ?? "";
}

interface Sides {
  readonly a: Repeatable;
  readonly b: Repeatable;
}

async function traceBoth({ a, b }: Sides, thread: ThreadId): Promise<Both | undefined> {
  const trace = async (side: Repeatable): Promise<OneRun | undefined> => {
    let recorder: Recorder | undefined;
    const session = await side.again((session) => {
      recorder = new Recorder(session, [thread]);
      session.observe(recorder);
    });
    const found: ThreadTrace | undefined = recorder?.finish().get(threadKey(thread));
    if (session === undefined || found === undefined) return undefined;
    session.close();
    return { program: session.program, trace: found, plain: side.plain };
  };
  const [one, other] = [await trace(a), await trace(b)];
  if (one === undefined || other === undefined) return undefined;
  return { a: one, b: other, map: mapCode(one.program, other.program) };
}

/** Records which threads write to places, in both runs. */
async function logBoth(
  { a, b }: Sides,
  placesOf: (side: "a" | "b", session: Session) => readonly (Place | undefined)[],
) {
  const places: { a?: Place; b?: Place }[] = [];
  const log = async (side: "a" | "b", runs: Repeatable): Promise<readonly (readonly Write[])[] | undefined> => {
    let writes: WriteLog | undefined;
    const session = await runs.again((session) => {
      const found = placesOf(side, session);
      for (const [at, place] of found.entries()) {
        places[at] ??= {};
        if (place !== undefined) places[at][side] = place;
      }
      writes = new WriteLog(
        session,
        found.map((place) => place ?? { where: 0, bytes: 0 }),
      );
      session.observe(writes);
    });
    session?.close();
    return session && writes?.writes;
  };
  const [inA, inB] = [await log("a", a), await log("b", b)];
  return inA === undefined || inB === undefined ? undefined : { a: inA, b: inB, places };
}

/** The differing writes, grouped by instruction, in the order in which the second run makes them. */
function groups(
  places: readonly DifferingPlace[],
  a: readonly (readonly Write[])[],
  b: readonly (readonly Write[])[],
): WriteGroup[] {
  const found = places.flatMap(({ name }, at) => {
    const culprit = culpritOf(a[at] ?? [], b[at] ?? []);
    return culprit === undefined ? [] : [{ name, culprit, when: (culprit.b ?? culprit.a)?.step ?? 0 }];
  });
  found.sort((one, other) => one.when - other.when);
  const together = new Map<string, { readonly first: WriteGroup; readonly threads: Set<string> }>();
  for (const { name, culprit } of found) {
    const key = `${culprit.kind} ${culprit.a?.pc} ${culprit.b?.pc}`;
    const known = together.get(key) ?? { first: { name, culprit, more: 0 }, threads: new Set() };
    const write = culprit.b ?? culprit.a;
    if (write !== undefined) known.threads.add(threadKey(write.thread));
    together.set(key, known);
  }
  return [...together.values()].map(({ first, threads }) => ({ ...first, more: threads.size - 1 }));
}

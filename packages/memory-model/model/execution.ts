import { axioms, races } from "./axioms.ts";
import type { Initial, Trace } from "./event.ts";
import { derive, type Orders } from "./order.ts";
import type { Execution, Forbidden, RelationName } from "./outcome.ts";
import { Room } from "./relation.ts";
import type { ByteRanges } from "./search/byte-ranges.ts";
import type { Candidate } from "./search/candidate.ts";
import { conflict } from "./search/ended.ts";
import { isWrite } from "./search/node.ts";
import { chosenOrder } from "./search/undecided.ts";

/** Most values of one location that are distinguished where its last writes are unordered. */
const mostValues = 64;

/** A result of the search; its relations are listed on demand. */
export const asExecution = (
  candidate: Candidate,
  traces: readonly Trace[],
  initial: readonly Initial[],
  pieces: ByteRanges,
): Execution => new Found(candidate, traces, initial, pieces);

/** A class, because a search finds many, and most end as another one did: what they are is derived for those that are looked at. */
class Found implements Execution {
  readonly traces: readonly Trace[];
  readonly #candidate: Candidate;
  readonly #initial: readonly Initial[];
  readonly #pieces: ByteRanges;
  #derived: Orders | undefined;
  #relations: Execution["relations"] | undefined;
  #memory: Execution["memory"] | undefined;
  #races: Execution["races"] | undefined;

  constructor(candidate: Candidate, traces: readonly Trace[], initial: readonly Initial[], pieces: ByteRanges) {
    this.#candidate = candidate;
    this.traces = traces;
    this.#initial = initial;
    this.#pieces = pieces;
  }

  get #orders(): Orders {
    this.#derived ??= derive(this.#candidate, new Room());
    return this.#derived;
  }

  // a read is added before its value is known: the trace has the final value
  get events(): Execution["events"] {
    return this.#candidate.nodes.map(({ event, thread, position }) => this.traces[thread]?.events[position] ?? event);
  }

  get relations(): Execution["relations"] {
    this.#relations ??= listed(this.#orders);
    return this.#relations;
  }

  get memory(): Execution["memory"] {
    this.#memory ??= finalMemory(this.#candidate, this.#orders, this.#initial, this.#pieces);
    return this.#memory;
  }

  get races(): Execution["races"] {
    this.#races ??= conflict(this.#candidate.nodes) ? [...races(this.#orders)] : [];
    return this.#races;
  }

  get waiting(): readonly number[] {
    return this.#that("waits");
  }

  get looping(): readonly number[] {
    return this.#that("loops");
  }

  get contradicts(): Forbidden | undefined {
    return contradiction(this.#orders);
  }

  /** The threads that end so. */
  #that(end: Trace["end"]): number[] {
    return [...this.traces.keys()].filter((thread) => this.traces[thread]?.end === end);
  }
}

/** The axiom that an execution contradicts by the shortest cycle; Coherence where it does, as others build on that order. */
function contradiction(orders: Orders): Forbidden | undefined {
  let shortest: Forbidden | undefined;
  const cyclic = orders.co.loop() >= 0;
  for (const { name, section, broken } of axioms) {
    if (cyclic && name !== "Coherence") continue;
    const cycle = broken(orders);
    if (cycle && (!shortest || cycle.length < shortest.cycle.length)) shortest = { axiom: name, section, cycle };
  }
  return shortest;
}

function listed({ po, rf, co, fr, sync, sc, cause }: Orders): Record<RelationName, (readonly [number, number])[]> {
  return {
    po: [...po.pairs()],
    rf: [...rf.pairs()],
    co: [...co.pairs()],
    fr: [...fr.pairs()],
    sw: [...sync.pairs()],
    sc: [...sc.pairs()],
    cause: [...cause.pairs()],
  };
}

/** The final value of each location, piece by piece, from a write that none follows in coherence order. */
function finalMemory(
  { nodes, coherence }: Candidate,
  { co }: Orders,
  initial: readonly Initial[],
  pieces: ByteRanges,
): Map<string, readonly bigint[]> {
  const memory = new Map<string, readonly bigint[]>();
  // an execution that contradicts the axiom Coherence ends as it was chosen
  const order = co.loop() < 0 ? co : chosenOrder(nodes, coherence);
  for (const { location, value } of initial) {
    if (!pieces.knows(location)) {
      memory.set(location.name, [value]);
      continue;
    }
    let choices: bigint[][] = [[]];
    for (const piece of pieces.of(location)) {
      const writes = nodes.filter((node) => isWrite(node) && node.pieces.includes(piece));
      const last = writes.filter((a) => !writes.some((b) => order.has(a.index, b.index)));
      const parts = last.map((node) => pieces.part(node.location ?? location, (node.event as Initial).value, piece));
      choices = choices.flatMap((low) => [...new Set(parts)].map((part) => [...low, part])).slice(0, mostValues);
    }
    memory.set(location.name, [...new Set(choices.map((parts) => pieces.whole(location, parts)))]);
  }
  return memory;
}

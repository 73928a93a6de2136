import { type Axiom, axioms } from "./axioms.ts";
import { enumerateUnder, type Freedom } from "./enumerate.ts";
import type { Exchange, Litmus, Read, Thread, Trace } from "./event.ts";
import type { Bounds, Execution, Forbidden } from "./outcome.ts";

/** An execution that has an outcome, and the axiom that forbids it. */
export interface Refused {
  readonly execution: Execution;
  readonly forbidden: Forbidden;
}

/**
 * Why no execution has an outcome: an execution that would have it without a single axiom, with the cycle that this
 * axiom forbids; if several axioms qualify, the one with the fewest steps. Where no single axiom forbids it, an
 * execution under no axioms, with the first axiom that it contradicts. Undefined where no execution at all has the
 * outcome within the bounds, as where no write has such a value. `values` are those that the outcome names: one that comes
 * out of thin air is none that a thread writes by itself.
 */
export function whyNot(
  litmus: Litmus,
  bounds: Bounds,
  wanted: (execution: Execution) => boolean,
  values: readonly bigint[] = [],
): Refused | undefined {
  let best: Refused | undefined;
  for (const left of axioms) {
    const found = nearest(
      axioms.filter((axiom) => axiom !== left),
      litmus,
      bounds,
      wanted,
      { guessed: left.name === "No-Thin-Air" ? values : [] },
    );
    if (found && shorter(found, best)) best = found;
  }
  for (const initially of [false, true]) best ??= nearest([], litmus, bounds, wanted, { guessed: values, initially });
  return best && isLeftOpen(litmus, best, values) ? { ...best, forbidden: { ...best.forbidden, open: true } } : best;
}

/**
 * Whether a value comes out of thin air only by a dependency that is none: with other values for the read, each of those that
 * the execution knows, the thread writes the same to the same place.
 */
function isLeftOpen({ threads }: Litmus, { execution, forbidden }: Refused, values: readonly bigint[]): boolean {
  if (forbidden.axiom !== "No-Thin-Air") return false;
  const held = execution.events.flatMap((event) => ("value" in event ? [event.value] : []));
  const known = new Set([0n, 1n, 2n, ...values, ...held]);
  return forbidden.cycle.some(({ from, to, by }) => {
    const read = execution.events[from];
    const write = execution.events[to];
    if (by !== "dep" || !read || !("kind" in read) || !write || !("kind" in write) || write.kind !== "write")
      return false;
    const { events } = execution.traces[read.thread] as Trace;
    const reads = events.filter(
      (event): event is Read | Exchange => event.kind === "read" || event.kind === "exchange",
    );
    const position = events.indexOf(write);
    return [...known].every((value) => {
      const other = (threads[read.thread] as Thread).run(reads.map((each) => (each === read ? value : each.value)))
        .events[position];
      return other?.kind === "write" && other.value === write.value && other.location.at === write.location.at;
    });
  });
}

/** Whether some thread writes the same whatever a read returns on which the write depends by its registers. */
export const feigns = ({ threads }: Litmus): boolean =>
  threads.some((thread) => {
    const whole = (value: bigint): Trace => {
      const values: bigint[] = [];
      let trace = thread.run(values);
      while (trace.end === "asks" && values.push(value) <= mostReads) trace = thread.run(values);
      return trace;
    };
    const [one, other] = [whole(0n), whole(1n)];
    return one.events.some((event, at) => {
      const same = other.events[at];
      return (
        event.kind === "write" &&
        event.needs.length > 0 &&
        same?.kind === "write" &&
        same.value === event.value &&
        same.location.at === event.location.at
      );
    });
  });

/** Most reads of a thread that is asked for such a write. */
const mostReads = 256;

/** Of the executions that some axioms allow and that have the outcome, the one with the shortest cycle. */
function nearest(
  standing: readonly Axiom[],
  litmus: Litmus,
  bounds: Bounds,
  wanted: (execution: Execution) => boolean,
  freedom: Freedom,
): Refused | undefined {
  let best: Refused | undefined;
  for (const execution of enumerateUnder(standing, litmus, bounds, freedom)) {
    if (!wanted(execution)) continue;
    const { contradicts } = execution;
    const found = contradicts && { execution, forbidden: contradicts };
    if (found && shorter(found, best)) best = found;
  }
  return best;
}

const shorter = (one: Refused, other: Refused | undefined): boolean =>
  other === undefined || one.forbidden.cycle.length < other.forbidden.cycle.length;

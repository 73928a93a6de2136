import { type Axiom, axioms } from "./axioms.ts";
import { enumerateUnder, type Freedom } from "./enumerate.ts";
import type { Litmus } from "./event.ts";
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
  return best;
}

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

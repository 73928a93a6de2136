import type { Thread } from "../model/event.ts";
import type { Bounds, Execution } from "../model/outcome.ts";
import { type Change, repair } from "../model/repair.ts";
import { type Refused, whyNot } from "../model/why.ts";
import { holds } from "./condition/evaluate.ts";
import { type JudgedClaim, lookup, type ReadyTest, speaksOf, statesOf, type Verdict } from "./verdict.ts";

/** The reason for a claim's result: the axiom that forbids its outcome, or the change that would. */
export type Reason =
  | { readonly kind: "forbidden"; readonly refused: Refused }
  | { readonly kind: "mended"; readonly execution: Execution; readonly changes: readonly Change[] }
  /** No axiom forbids it and no write produces it. */
  | { readonly kind: "impossible" };

/** The outcome that a claim is about, found or not; for `forall`, a contradicting one. */
function meantBy(ready: ReadyTest, claim: JudgedClaim): (execution: Execution) => boolean {
  const { test, filter } = ready;
  return (execution) => {
    if (!speaksOf(claim.condition, execution)) return false;
    for (const values of statesOf(ready, execution)) {
      const state = lookup(test, values, execution);
      if (filter && !holds(filter, state)) continue;
      if (holds(claim.condition, state) !== (claim.kind === "forall")) return true;
    }
    return false;
  };
}

/** The reason for a claim's result; undefined where a bound prevents a decision. */
export function reasonOf(ready: ReadyTest, verdict: Verdict, claim: JudgedClaim, bounds: Bounds): Reason | undefined {
  if (claim.holds === undefined) return undefined;
  const outcome = meantBy(ready, claim);
  const { litmus } = ready.test;
  const there = claim.kind === "exists" ? claim.holds : !claim.holds;
  if (!there) {
    const refused = whyNot(litmus, bounds, outcome);
    return refused ? { kind: "forbidden", refused } : { kind: "impossible" };
  }
  const execution = verdict.states.map((state) => state.execution).find(outcome);
  return execution && { kind: "mended", execution, changes: repair(litmus, bounds, outcome, execution) };
}

/** `P1: ld.acquire.gpu in place of ld.relaxed r0, [y]`. */
export function changeText(change: Change, threads: readonly Thread[]): string {
  const name = threads[change.thread]?.name ?? `thread ${change.thread}`;
  return change.kind === "fence"
    ? `${name}: fence.${change.semantics}.${change.scope} after \`${change.after}\``
    : `${name}: .${change.semantics}.${change.scope} at \`${change.instruction}\``;
}

import { holds } from "../../../packages/memory-model/litmus/condition/evaluate.ts";
import {
  type JudgedClaim,
  lookup,
  type ReadyTest,
  statesOf,
  type Verdict,
} from "../../../packages/memory-model/litmus/verdict.ts";
import type { Bounds, Execution } from "../../../packages/memory-model/model/outcome.ts";
import { type Change, repair } from "../../../packages/memory-model/model/repair.ts";
import { type Refused, whyNot } from "../../../packages/memory-model/model/why.ts";

/** Why a claim is as it is: what forbids the outcome that it speaks of, or what would. */
export type Reason =
  | { readonly kind: "forbidden"; readonly refused: Refused }
  | { readonly kind: "mended"; readonly execution: Execution; readonly changes: readonly Change[] }
  /** Nothing forbids it and nothing writes it. */
  | { readonly kind: "impossible" };

/** The outcome that a claim is about: what it says is there, or is not; of `forall`, what would contradict it. */
function speaksOf(ready: ReadyTest, claim: JudgedClaim): (execution: Execution) => boolean {
  const { test, filter } = ready;
  return (execution) => {
    for (const values of statesOf(ready, execution)) {
      const state = lookup(test, values);
      if (filter && !holds(filter, state)) continue;
      if (holds(claim.condition, state) !== (claim.kind === "forall")) return true;
    }
    return false;
  };
}

/** Why a claim is as it is; undefined where a bound left it open. */
export function reasonOf(ready: ReadyTest, verdict: Verdict, claim: JudgedClaim, bounds: Bounds): Reason | undefined {
  if (claim.holds === undefined) return undefined;
  const outcome = speaksOf(ready, claim);
  const { litmus } = ready.test;
  const there = claim.kind === "exists" ? claim.holds : !claim.holds;
  if (!there) {
    const refused = whyNot(litmus, bounds, outcome);
    return refused ? { kind: "forbidden", refused } : { kind: "impossible" };
  }
  const execution = verdict.states.map((state) => state.execution).find(outcome);
  return execution && { kind: "mended", execution, changes: repair(litmus, bounds, outcome, execution) };
}

import { enumerateUnder } from "../model/enumerate.ts";
import type { Thread } from "../model/event.ts";
import type { Bounds, Execution } from "../model/outcome.ts";
import { type Change, fenceText, repair } from "../model/repair.ts";
import { feigns, type Refused, whyNot } from "../model/why.ts";
import { comparisonsOf, termsOf, termText } from "./condition/condition.ts";
import { holds } from "./condition/evaluate.ts";
import { type JudgedClaim, lookup, type ReadyTest, speaksOf, statesOf, type Verdict } from "./verdict.ts";

/** The reason for a claim's result: the axiom that forbids its outcome, or the change that would. */
export type Reason =
  | { readonly kind: "forbidden"; readonly refused: Refused }
  | { readonly kind: "mended"; readonly execution: Execution; readonly changes: readonly Change[] }
  /** An execution that goes on for ever, which no order of memory forbids by itself. */
  | { readonly kind: "endless"; readonly execution: Execution }
  /**
   * No execution has it under no axioms: a comparison of it is never true, as nothing writes such a value; or each of them is
   * at some time, and the threads' own instructions never make them true together.
   */
  | { readonly kind: "impossible"; readonly never: readonly string[] };

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

/** The reason for a claim's result; undefined where a bound prevents a decision, or loops end at last. */
export function reasonOf(ready: ReadyTest, verdict: Verdict, claim: JudgedClaim, bounds: Bounds): Reason | undefined {
  if (claim.holds === undefined) return undefined;
  const outcome = meantBy(ready, claim);
  const { litmus } = ready.test;
  const there = claim.kind === "exists" ? claim.holds : !claim.holds;
  const endless = verdict.bounded && termsOf(claim.condition).some(({ kind }) => kind === "endless");
  const execution = there ? verdict.states.map((state) => state.execution).find(outcome) : undefined;
  // what repeats for ever is no execution that an axiom or a fence would change
  if (endless) return execution && { kind: "endless", execution };
  if (!there) {
    const { condition } = claim;
    const numbers = termsOf(condition).flatMap((term) => (term.kind === "number" ? [term.value] : []));
    const refused = whyNot(litmus, bounds, outcome, [...new Set(numbers)]);
    return refused ? { kind: "forbidden", refused } : { kind: "impossible", never: neverTrue(ready, claim, bounds) };
  }
  return execution && { kind: "mended", execution, changes: repair(litmus, bounds, outcome, execution) };
}

/** The result with what the manual leaves open (PTX ISA 8.10.4), where a store depends on what it does not need. */
export function withOpen(ready: ReadyTest, verdict: Verdict, bounds: Bounds): Verdict {
  if (!verdict.complete || !feigns(ready.test.litmus)) return verdict;
  const claims = verdict.claims.map((claim): JudgedClaim => {
    const there = claim.kind === "exists" ? claim.holds : !claim.holds;
    const reason = there || claim.vacuous ? undefined : reasonOf(ready, verdict, claim, bounds);
    return reason?.kind === "forbidden" && reason.refused.forbidden.open ? { ...claim, leftOpen: true } : claim;
  });
  return { ...verdict, claims };
}

const opposite = { "==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">" } as const;

/** The comparisons of a condition that no execution makes true, even under no axioms; of `forall`, their opposites. */
function neverTrue(ready: ReadyTest, claim: JudgedClaim, bounds: Bounds): string[] {
  const open = new Set(comparisonsOf(claim.condition));
  for (const execution of enumerateUnder([], ready.test.litmus, bounds, { initially: true }))
    for (const values of statesOf(ready, execution)) {
      const state = lookup(ready.test, values, execution);
      for (const each of open) if (holds(each, state) !== (claim.kind === "forall")) open.delete(each);
    }
  return [...open].map(
    ({ left, by, right }) => `${termText(left)} ${claim.kind === "forall" ? opposite[by] : by} ${termText(right)}`,
  );
}

/** `P1: ld.acquire.gpu in place of ld.relaxed r0, [y]`. */
export function changeText(change: Change, threads: readonly Thread[]): string {
  const name = threads[change.thread]?.name ?? `thread ${change.thread}`;
  if (change.kind === "returns") return `${name}: atom in place of red at \`${change.instruction}\``;
  return change.kind === "fence"
    ? `${name}: ${fenceText(change)} after \`${change.after}\``
    : `${name}: .${change.semantics}.${change.scope} at \`${change.instruction}\``;
}

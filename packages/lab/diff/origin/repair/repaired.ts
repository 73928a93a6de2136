import type { Explanation, Hop, Repair, Repairs } from "../explanation.ts";
import type { OneRun, Why } from "../follow.ts";
import type { Ran } from "../step.ts";
import { Things } from "../things.ts";

/** An explanation that ends at the instruction whose change makes both programs agree. */
export function repaired(found: Explanation, repairs: Repairs): Explanation {
  const { first } = repairs;
  const at = found.hops.findLastIndex(({ both }) => stepOf(both[first.side], first.pc) !== undefined);
  const hop = found.hops[at];
  if (hop === undefined) return found;
  const { end: _, ...rest } = found;
  return { ...rest, hops: [...found.hops.slice(0, at), endingAt(hop, first)], repairs };
}

function endingAt(hop: Hop, { side, pc, run }: Repair): Hop {
  const { both } = hop;
  const [own, other] = side === "b" ? [both.b, both.a] : [both.a, both.b];
  const things = new Things(other);
  const foreign = own.trace.steps.findIndex(
    (step) => step.pc === pc && step.results.some((bits) => !things.hasValue(own, bits)),
  );
  const at = foreign >= 0 ? foreign : stepOf(own, pc);
  const there = counterpart(run, pc, other);
  const [a, b] = side === "b" ? [there, at] : [at, there];
  const why = whyOf(own, at, hop);
  return { ...hop, from: { kind: "here", why, ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) } };
}

const stepOf = ({ trace }: OneRun, pc: number): number | undefined => {
  const at = trace.steps.findIndex((step) => step.pc === pc);
  return at < 0 ? undefined : at;
};

/** Steps for which a counterpart is searched. */
const MOST_ASKED = 32;

/**
 * The step of the other run with the result that a changed instruction would have: from the same operands, or at least
 * a rare value.
 */
function counterpart(run: OneRun, pc: number, other: OneRun): number | undefined {
  const given = (of: OneRun, list: readonly bigint[]): string => list.map(of.plain).join(" ");
  const { steps } = other.trace;
  const own = run.trace.steps.filter((step) => step.pc === pc && step.results.length > 0).slice(0, MOST_ASKED);
  const find = (test: (step: Ran, there: Ran) => boolean): number | undefined => {
    for (const step of own) {
      const results = given(run, step.results);
      const at = steps.findIndex((there) => given(other, there.results) === results && test(step, there));
      if (at >= 0) return at;
    }
    return undefined;
  };
  return (
    find((step, there) => given(run, step.reads) === given(other, there.reads)) ??
    find((step, there) => there.reads.length > 1 && step.results.every((bits) => bits > SMALL))
  );
}

/** Values up to this are made by many instructions. */
const SMALL = 1024n;

function whyOf({ program, trace }: OneRun, at: number | undefined, { from }: Hop): Why {
  const step = at === undefined ? undefined : trace.steps[at];
  const instruction = program.code[step?.pc ?? -1];
  if (instruction?.plan.shape === "branch") return "course";
  return from.kind === "here" && from.why === "only" ? "only" : "operation";
}

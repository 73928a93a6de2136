import { events } from "./course.ts";
import type { OneRun } from "./follow.ts";
import type { Ran } from "./step.ts";
import { applied } from "./things.ts";

/**
 * How much two runs of a thread have in common: what they do to memory, the values that either one makes, and, because
 * compilers differ most in that, a little of what they make of which operands.
 */
export function likeness(run: OneRun, other: OneRun): number {
  const [done, doneThere] = [eventsOf(run), eventsOf(other)];
  const [made, madeThere] = [valuesOf(run), valuesOf(other)];
  const same = share(appliedOf(run), appliedOf(other));
  return share(done, doneThere) * share(doneThere, done) + share(made, madeThere) + share(madeThere, made) + same / 8;
}

const eventsOf = (run: OneRun): ReadonlySet<string> => new Set(events(run).map(({ key }) => key));

function valuesOf({ trace: { steps }, plain }: OneRun): ReadonlySet<bigint> {
  return new Set(steps.flatMap(({ results }) => results.map(plain)));
}

/** What was made of two operands or more; yes and no are turned around as compilers like. */
function appliedOf(run: OneRun): ReadonlySet<string> {
  const tells = ({ reads, results }: Ran): boolean => reads.length > 1 && results.some((bits) => bits > 1n);
  return new Set(run.trace.steps.filter(tells).map((step) => applied(run, step)));
}

function share<T>(list: ReadonlySet<T>, there: ReadonlySet<T>): number {
  if (list.size === 0) return 1;
  let common = 0;
  for (const each of list) if (there.has(each)) common++;
  return common / list.size;
}

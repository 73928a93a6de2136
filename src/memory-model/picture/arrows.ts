import type { Execution, Forbidden } from "../outcome.ts";
import type { Box, Sheet } from "./sheet.ts";
import { type ArrowName, arrowNames } from "./words.ts";

/** One arrow of a picture, between positions in `Execution.events`. */
export interface Arrow {
  readonly name: ArrowName;
  readonly from: number;
  readonly to: number;
  /** It is a step of the cycle that forbids the execution. */
  readonly forbids: boolean;
  /** It holds in both directions, as between threads that meet at a barrier. */
  readonly both: boolean;
}

type Pair = readonly [number, number];

/**
 * The arrows that are worth drawing: none that follows from others, none from an initial write but what reads it (it
 * stands on top, before all), none within a box; and each step of the cycle, whatever it is.
 */
export function arrowsOf(execution: Execution, sheet: Sheet, forbidden?: Forbidden): Arrow[] {
  const { po, rf, co, fr, sw, sc } = execution.relations;
  const boxes = (pairs: readonly Pair[]) => pairs.filter(([from, to]) => sheet.boxOf[from] !== sheet.boxOf[to]);
  const isInitial = (at: number) => sheet.boxOf[at]?.column === -1;
  const drawn: Partial<Record<ArrowName, readonly Pair[]>> = {
    po: between(reduced(boxes(po)), sheet),
    rf: boxes(rf),
    co: reduced(boxes(co.filter(([from]) => !isInitial(from)))),
    fr: boxes(nearest(fr, co)),
    sw: strongest(boxes(sw), po),
    sc: reduced(boxes(sc)),
  };
  const steps = forbidden?.cycle ?? [];
  return arrowNames.flatMap((name) => {
    const pairs = [...(drawn[name] ?? [])];
    for (const { from, to, by } of steps)
      if (by === name && !pairs.some(([a, b]) => a === from && b === to)) pairs.push([from, to]);
    const has = (from: number, to: number) => pairs.some(([a, b]) => a === from && b === to);
    const isStep = (from: number, to: number) =>
      steps.some((one) => one.by === name && one.from === from && one.to === to);
    return pairs
      .filter(([from, to]) => sheet.boxOf[from] !== undefined && sheet.boxOf[to] !== undefined)
      .filter(([from, to]) => from < to || !has(to, from) || isStep(from, to) || isStep(to, from))
      .map(([from, to]) => {
        const forbids = isStep(from, to);
        return { name, from, to, forbids, both: !forbids && has(to, from) && !isStep(to, from) };
      });
  });
}

/** One pair for each pair of boxes: program order between instructions, not between the elements of their vectors. */
function between(pairs: readonly Pair[], { boxOf }: Sheet): Pair[] {
  const seen = new Map<Box | undefined, Set<Box | undefined>>();
  return pairs.filter(([from, to]) => {
    const known = seen.get(boxOf[from]) ?? new Set();
    seen.set(boxOf[from], known);
    if (known.has(boxOf[to])) return false;
    known.add(boxOf[to]);
    return true;
  });
}

/** What follows from no others of the order; a cycle, which only a forbidden execution has, stays whole. */
export function reduced(pairs: readonly Pair[]): Pair[] {
  const reach = closure(pairs);
  const before = (a: number, b: number) => reach.get(a)?.has(b) === true;
  return pairs.filter(
    ([from, to]) =>
      before(to, from) ||
      !pairs.some(([a, middle]) => a === from && middle !== to && middle !== from && before(middle, to)),
  );
}

/** A read and the first writes that replace what it returned: the later ones replace those. */
const nearest = (fr: readonly Pair[], co: readonly Pair[]): Pair[] =>
  fr.filter(
    ([read, write]) =>
      !fr.some(([other, earlier]) => other === read && co.some(([a, b]) => a === earlier && b === write)),
  );

/** Without pairs between which another one stands in program order; of a barrier that all meet at, neighbours only. */
function strongest(sw: readonly Pair[], po: readonly Pair[]): Pair[] {
  const reach = closure(po);
  const upTo = (a: number, b: number) => a === b || reach.get(a)?.has(b) === true;
  const within = ([from, to]: Pair, [a, b]: Pair) => upTo(from, a) && upTo(b, to);
  const mutual = ([from, to]: Pair) => sw.some(([a, b]) => a === to && b === from);
  const meet = sw.filter(mutual);
  return sw
    .filter((pair) => !sw.some((other) => other !== pair && within(pair, other) && !within(other, pair)))
    .filter(
      ([from, to]) =>
        !mutual([from, to]) ||
        !meet.some(
          ([a, b]) =>
            a === Math.min(from, to) &&
            b > a &&
            b < Math.max(from, to) &&
            meet.some(([c, d]) => c === b && d === Math.max(from, to)),
        ),
    );
}

/** All that can be reached from each by one step or more. */
function closure(pairs: readonly Pair[]): Map<number, Set<number>> {
  const next = new Map<number, number[]>();
  for (const [from, to] of pairs) next.set(from, [...(next.get(from) ?? []), to]);
  const reach = new Map<number, Set<number>>();
  for (const from of next.keys()) {
    const seen = new Set<number>();
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop())
      for (const to of next.get(at) ?? [])
        if (!seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
    reach.set(from, seen);
  }
  return reach;
}

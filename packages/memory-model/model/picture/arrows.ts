import type { Trace } from "../event.ts";
import type { Execution, Forbidden } from "../outcome.ts";
import { nearest, type Pair, path, reduced, strongest } from "./orders.ts";
import type { Sheet } from "./sheet.ts";
import { type ArrowName, arrowNames } from "./words.ts";

/** One arrow of a picture, between positions in `Execution.events`. */
export interface Arrow {
  readonly name: ArrowName;
  readonly from: number;
  readonly to: number;
  /** It is a step of the cycle that forbids the execution. */
  readonly forbids: boolean;
  /** It holds in both directions, as between threads at a barrier. */
  readonly both: boolean;
}

/**
 * The arrows that are worth drawing: none that follows from others, none from an initial write except to its reads
 * (initial writes are at the top, before all), none within a box; and every step of the cycle.
 */
export function arrowsOf(execution: Execution, sheet: Sheet, forbidden?: Forbidden): Arrow[] {
  const { po, rf, co, fr, sw, sc } = execution.relations;
  const boxes = (pairs: readonly Pair[]) => pairs.filter(([from, to]) => sheet.boxOf[from] !== sheet.boxOf[to]);
  const isInitial = (at: number) => !("thread" in execution.events[at]!);
  const drawn: Partial<Record<ArrowName, readonly Pair[]>> = {
    po: between(reduced(boxes(po)), sheet),
    rf: boxes(rf),
    co: reduced(boxes(co.filter(([from]) => !isInitial(from)))),
    fr: boxes(nearest(fr, co)),
    sw: strongest(boxes(sw), po),
    sc: reduced(boxes(sc)),
    loop: boxes(returns(execution)),
  };
  return arrowNames.flatMap((name) => {
    const pairs = [...(drawn[name] ?? [])];
    const marked = new Set<Pair>();
    /** Program order is between instructions, the other relations between events. */
    const end = (at: number): unknown => (name === "po" ? sheet.boxOf[at] : at);
    for (const { from, to, by } of forbidden?.cycle ?? []) {
      if (by !== name || sheet.boxOf[from] === sheet.boxOf[to]) continue;
      const step: Pair = [from, to];
      const way = chained.has(name)
        ? path(pairs, step, end)
        : pairs.filter(([a, b]) => a === from && b === to).slice(0, 1);
      if (way.length === 0) pairs.push(step);
      for (const pair of way.length === 0 ? [step] : way) marked.add(pair);
    }
    const opposite = ([from, to]: Pair) => pairs.find(([a, b]) => a === to && b === from);
    return pairs
      .filter(([from, to]) => sheet.boxOf[from] !== undefined && sheet.boxOf[to] !== undefined)
      .flatMap((pair): Arrow[] => {
        const [from, to] = pair;
        const back = opposite(pair);
        const both = back !== undefined && !marked.has(pair) && !marked.has(back);
        // At a barrier that the cycle passes through, only the cycle's direction counts.
        const against = back !== undefined && marked.has(back) && !marked.has(pair);
        return against || (both && to < from) ? [] : [{ name, from, to, forbids: marked.has(pair), both }];
      });
  });
}

/** From the last event of the round of each thread that loops for ever to the first. */
const returns = ({ events, traces, looping }: Execution): Pair[] =>
  looping.flatMap((thread): Pair[] => {
    const { events: own, round } = traces[thread] as Trace;
    const [first, last] = [own[round ?? 0], own.at(-1)];
    return first && last ? [[events.indexOf(last), events.indexOf(first)]] : [];
  });

/** Relations for which a chain of arrows means the same as single arrows. */
const chained: ReadonlySet<ArrowName> = new Set(["po", "co", "sc"]);

/** One pair for each pair of boxes: program order between instructions, not between the elements of their vectors. */
const between = (pairs: readonly Pair[], { boxOf }: Sheet): Pair[] =>
  pairs.filter(
    ([from, to], at) => pairs.findIndex(([a, b]) => boxOf[a] === boxOf[from] && boxOf[b] === boxOf[to]) === at,
  );

/** From one event to another: positions in `Execution.events`. */
export type Pair = readonly [number, number];

/** The transitive reduction of an order; a cycle, which only a forbidden execution has, stays complete. */
export function reduced(pairs: readonly Pair[]): Pair[] {
  const reach = closure(pairs);
  const before = (a: number, b: number) => reach.get(a)?.has(b) === true;
  return pairs.filter(
    ([from, to]) =>
      before(to, from) ||
      !pairs.some(([a, middle]) => a === from && middle !== to && before(middle, to) && !before(middle, from)),
  );
}

/** A read and the first writes that replace what it returned: the later ones replace those. */
export const nearest = (fr: readonly Pair[], co: readonly Pair[]): Pair[] =>
  fr.filter(
    ([read, write]) =>
      !fr.some(([other, earlier]) => other === read && co.some(([a, b]) => a === earlier && b === write)),
  );

/**
 * Without pairs that others imply, as causality order is transitive: those with another pair between them in program
 * order, and those through a third thread; for a barrier, only pairs of adjacent threads.
 */
export function strongest(sw: readonly Pair[], po: readonly Pair[]): Pair[] {
  const reach = closure(po);
  const upTo = (a: number, b: number) => a === b || reach.get(a)?.has(b) === true;
  const within = ([from, to]: Pair, [a, b]: Pair) => upTo(from, a) && upTo(b, to);
  const mutual = ([from, to]: Pair) => sw.some(([a, b]) => a === to && b === from);
  const [meet, oneWay] = [sw.filter(mutual), sw.filter((pair) => !mutual(pair))];
  const said = ([from, to]: Pair): boolean =>
    oneWay.some(([a, b]) => upTo(from, a) && oneWay.some(([c, d]) => upTo(b, c) && upTo(d, to)));
  const between = ([from, to]: Pair): boolean => {
    const [low, high] = [Math.min(from, to), Math.max(from, to)];
    return meet.some(([a, b]) => a === low && b > low && b < high && meet.some(([c, d]) => c === b && d === high));
  };
  return sw
    .filter((pair) => !sw.some((other) => other !== pair && within(pair, other) && !within(other, pair)))
    .filter((pair) => (mutual(pair) ? !between(pair) : !said(pair)));
}

/** All events reachable from each by one step or more. */
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

/** A shortest path between the ends of a step; none where there is none. */
export function path(pairs: readonly Pair[], [from, to]: Pair, end: (at: number) => unknown): Pair[] {
  const ways = new Map<unknown, Pair[]>([[end(from), []]]);
  for (const [at, way] of ways) {
    if (at === end(to)) return way;
    for (const pair of pairs)
      if (end(pair[0]) === at && !ways.has(end(pair[1]))) ways.set(end(pair[1]), [...way, pair]);
  }
  return [];
}

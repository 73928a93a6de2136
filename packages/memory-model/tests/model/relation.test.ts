import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { Relation, Room } from "../../model/relation.ts";

type Pairs = ReadonlySet<string>;

const listed = (relation: Relation): Pairs => {
  const pairs = relation.pairs();
  const sorted = pairs.toSorted(([a, b], [c, d]) => a - c || b - d);
  expect(pairs).toEqual(sorted);
  return new Set(pairs.map((pair) => pair.join()));
};

/** Pairs at random, with those at the edges of words of 32 bits among them. */
function some(size: number, random: Random, count: number): { relation: Relation; pairs: Pairs } {
  const relation = new Relation(size);
  const edges = [0, 31, 32, 63, 64, size - 1].filter((at) => at < size);
  const pick = (): number => (random.below(3) === 0 ? edges[random.below(edges.length)]! : random.below(size));
  const pairs = new Set<string>();
  for (let i = 0; i < count; i++) {
    const [from, to] = [pick(), pick()];
    relation.add(from, to);
    pairs.add(`${from},${to}`);
  }
  return { relation, pairs };
}

const split = (pairs: Pairs): [number, number][] => [...pairs].map((pair) => pair.split(",").map(Number) as never);

/** How many steps lead from each to each. */
function distances(size: number, pairs: Pairs): number[][] {
  const far = Array.from({ length: size }, () => Array<number>(size).fill(Number.POSITIVE_INFINITY));
  for (const [from, to] of split(pairs)) far[from]![to] = 1;
  for (let via = 0; via < size; via++)
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) far[from]![to] = Math.min(far[from]![to]!, far[from]![via]! + far[via]![to]!);
  return far;
}

describe.each([1, 31, 32, 33, 70])("relations over %i events are sets of pairs", (size) => {
  test("that are joined, cut, composed and closed", () => {
    for (let seed = 0; seed < 4; seed++) {
      const random = new Random(seed);
      const count = seed === 0 ? 0 : random.below(2 * size) + 1;
      const [one, other] = [some(size, random, count), some(size, random, count)];
      expect(listed(one.relation)).toEqual(one.pairs);
      expect(listed(one.relation.copy().join(other.relation))).toEqual(new Set([...one.pairs, ...other.pairs]));
      const common = [...one.pairs].filter((pair) => other.pairs.has(pair));
      expect(listed(one.relation.copy().within(other.relation))).toEqual(new Set(common));
      const composed = split(one.pairs).flatMap(([a, b]) =>
        split(other.pairs).flatMap(([c, d]) => (b === c ? [`${a},${d}`] : [])),
      );
      expect(listed(new Relation(size).joinComposition(one.relation, other.relation))).toEqual(new Set(composed));
      const far = distances(size, one.pairs);
      const reached = far.flatMap((row, from) =>
        row.flatMap((steps, to) => (steps < Number.POSITIVE_INFINITY ? [`${from},${to}`] : [])),
      );
      const closed = one.relation.copy().close();
      expect(listed(closed)).toEqual(new Set(reached));
      expect(closed.loop()).toBe(far.findIndex((row, at) => row[at]! < Number.POSITIVE_INFINITY));
      // What was taken from is as it was.
      expect(listed(one.relation)).toEqual(one.pairs);
    }
  });

  test("with shortest ways from each event to each", () => {
    for (let seed = 0; seed < 2; seed++) {
      const { relation, pairs } = some(size, new Random(seed), size + 3);
      const far = distances(size, pairs);
      const wrong: string[] = [];
      for (const [from, row] of far.entries())
        for (const [to, steps] of row.entries()) {
          const way = relation.way(from, to);
          if ((way?.length ?? Number.POSITIVE_INFINITY) - 1 !== steps) wrong.push(`${from} to ${to}: ${way}`);
          if (way === undefined) continue;
          if (way[0] !== from || way.at(-1) !== to) wrong.push(way.join());
          if (way.slice(1).some((here, at) => !pairs.has(`${way[at]},${here}`))) wrong.push(way.join());
        }
      expect(wrong).toEqual([]);
    }
  });

  test("and empty when a room gives them again", () => {
    const room = new Room();
    for (const now of [size, 3, size + 40, size]) {
      const [one, other] = [room.take(now), room.take(now)];
      expect([one.pairs(), other.pairs(), one.size]).toEqual([[], [], now]);
      for (let at = 0; at < now; at++) one.add(at, now - 1 - at);
      expect(other.pairs()).toEqual([]);
      expect(one.pairs()).toEqual(Array.from({ length: now }, (_, at) => [at, now - 1 - at]));
      room.leave();
      expect(room.take(now)).toBe(one);
      room.leave();
    }
  });
});

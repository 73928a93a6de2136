import { describe, expect, test } from "vitest";
import { Random } from "../../../../src/interp/contract/launch/random.ts";
import { drawn, enumerate, usualBounds } from "../../model/enumerate.ts";
import { ld, st, thread } from "./by-hand.ts";
import { randomTest } from "./oracle/random-test.ts";

/**
 * How many candidates the search looks at to find all that is allowed. What it finds, the oracle judges; that it leaves what
 * cannot come true, and waits for no write that does not come, shows in these numbers alone. They may fall.
 */
const candidates: readonly number[] = [
  3, 0, 73, 1, 4, 26, 10, 3, 2, 35, 7, 3, 2, 2, 24, 1, 7, 92, 23, 7, 0, 2, 47, 34, 5, 1, 1, 1, 26, 1, 96, 20, 0, 2, 1,
  23, 1, 16, 5, 1,
];

describe("the search looks at no more candidates than it has to", () => {
  test.each(candidates.map((most, seed) => [seed, most]))("of random test %i, %i", (seed, most) => {
    const run = enumerate(randomTest(seed).litmus, { events: 64, executions: most });
    let step = run.next();
    while (!step.done) step = run.next();
    expect(step.value.complete).toBe(true);
  });
});

test("what is drawn may be any order of two writes, and any write that a read may return", () => {
  const litmus = {
    threads: [
      thread("P0", [st("relaxed", "x", 1n)]),
      thread("P1", [st("relaxed", "x", 2n)]),
      thread("P2", [ld("relaxed", "a", "y")]),
      thread("P3", [st("relaxed", "y", 1n)]),
    ],
    initial: [],
  };
  const found = new Set<string>();
  for (let seed = 0; seed < 60; seed++) {
    const random = new Random(seed);
    const one = drawn(litmus, usualBounds, (below) => (below <= 1 ? 0 : random.below(below)))!;
    // Rows are in the order in which events were put there: a write may come before one that was there first.
    const isTurned = one.relations.co.some(([first, second]) => first > second);
    found.add(`${isTurned ? "turned" : "as put"}, a=${one.traces[2]!.registers.get("a")}`);
  }
  expect([...found].toSorted()).toEqual(["as put, a=0", "as put, a=1", "turned, a=0", "turned, a=1"]);
});

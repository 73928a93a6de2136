import { describe, expect, test } from "vitest";
import { enumerate } from "../../model/enumerate.ts";
import { randomTest } from "./oracle/random-test.ts";

/**
 * How many candidates the search looks at to find all that is allowed. What it finds, the oracle judges; that it leaves what
 * cannot come true, and waits for no write that does not come, shows in these numbers alone. They may fall.
 */
const candidates: readonly number[] = [
  0, 7, 2, 1, 1, 0, 5, 8, 9, 9, 0, 0, 1, 1, 5, 1, 15, 9, 11, 27, 11, 0, 7, 2, 21, 8, 3, 10, 15, 0, 2, 8, 1, 0, 7, 1,
  110, 0, 0, 1,
];

describe("the search looks at no more candidates than it has to", () => {
  test.each(candidates.map((most, seed) => [seed, most]))("of random test %i, %i", (seed, most) => {
    const run = enumerate(randomTest(seed).litmus, { events: 64, executions: most });
    let step = run.next();
    while (!step.done) step = run.next();
    expect(step.value.complete).toBe(true);
  });
});

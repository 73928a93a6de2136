import { describe, expect, test } from "vitest";
import { enumerate } from "../../../src/memory-model/enumerate.ts";
import { randomTest } from "./oracle/random-test.ts";

/**
 * How many candidates the search looks at to find all that is allowed. What it finds, the oracle judges; that it leaves what
 * cannot come true, and waits for no write that does not come, shows in these numbers alone. They may fall.
 */
const candidates: readonly number[] = [
  0, 19, 2, 1, 2, 0, 5, 11, 10, 9, 10, 0, 1, 5, 22, 5, 8, 12, 20, 17, 13, 0, 3, 2, 42, 16, 3, 10, 16, 1, 3, 9, 10, 8,
  11, 1, 189, 0, 0, 2,
];

describe("the search looks at no more candidates than it has to", () => {
  test.each(candidates.map((most, seed) => [seed, most]))("of random test %i, %i", (seed, most) => {
    const run = enumerate(randomTest(seed).litmus, { events: 64, executions: most });
    let step = run.next();
    while (!step.done) step = run.next();
    expect(step.value.complete).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { caseOf, judge } from "../fuzz/planted/judge.ts";
import { sample } from "../share.ts";

/**
 * `ptxrun diff` names the instruction at which a fault was planted in one of two builds of a kernel of the gallery. A seed
 * is a kernel, two builds and a fault; `node tests/fuzz/planted.js --seeds A..B` runs hundreds.
 */
describe("a planted fault is named", () => {
  it.each(sample([1, 11, 12, 14, 18, 32, 40, 55], 2))("for another target, or in one build: seed %i", named);

  it.each(sample([7, 9, 10, 16, 29, 42, 51, 74, 216], 2))("between -O0 and -O3: seed %i", named);
});

async function named(seed: number): Promise<void> {
  const found = caseOf(seed);
  if (found === undefined) throw new Error("a seed without a fault");
  expect((await judge(found)).verdict, `${found.kernel}: ${found.planted.before}`).toBe("exact");
}

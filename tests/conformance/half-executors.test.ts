import { expect, test } from "vitest";
import { draws, share } from "../share.ts";
import { others, unary, unlike } from "./half-executors.ts";

// A part of `node tests/sweep/executors.js`, which takes all operations and more values of the other operands.
const EACH = draws(480, 16);

test("there are hundreds of operations", () => {
  expect(unary.length).toBeGreaterThan(20);
  expect(others.length).toBeGreaterThan(200);
});

test("operations of one operand give the same for all values by both executors", () => {
  expect(unlike(share(unary, 28), 0, 0)).toEqual([]);
});

test.each(share([0, 1, 2], 3))("so do others on all values of operand %d", (turn) => {
  const some = others.filter((_, at) => at % EACH === turn);
  expect(unlike(some, turn, turn)).toEqual([]);
});

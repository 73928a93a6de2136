import { expect, test } from "vitest";
import { check } from "../fuzz/history/property.ts";
import { draws } from "../share.ts";

// The long form is a command: node tests/fuzz/history.js.
test.each([1])("a position has one state, whatever was done before: seed %i", (seed) => {
  expect(check({ commands: draws(12, 600), seed, session: 40 })).toBeGreaterThan(draws(5, 400));
});

import { expect, test } from "vitest";
import { check } from "../fuzz/history/property.ts";

// The long form is a command: node tests/fuzz/history.js.
test.each([1])("a position has one state, whatever was done before: seed %i", { timeout: 180_000 }, (seed) => {
  expect(check({ commands: 1500, seed, session: 40 })).toBeGreaterThan(1000);
});

import { expect, test } from "vitest";
import { check } from "../fuzz/history/property.ts";

// The long form is a command: node tests/fuzz/history.js.
test.each([1, 2])("a position has one state, whatever was done before one came there: seed %i", (seed) => {
  expect(check({ commands: 1500, seed, session: 60 })).toBeGreaterThan(1000);
});

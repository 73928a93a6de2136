import { expect, it } from "vitest";
import { draws } from "../../../../../tests/share.ts";
import { compare } from "./compare.ts";

it("agrees with the axioms written once more, on random tests", () => {
  const all = Array.from({ length: draws(6, 100) }, (_, seed) => compare(seed));
  expect(all.filter((each) => each !== undefined && each !== "skipped")).toEqual([]);
  expect(all.filter((each) => each === "skipped").length).toBeLessThan(draws(4, 20));
});

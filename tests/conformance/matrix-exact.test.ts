import { describe, expect, it } from "vitest";
import { draws } from "../share.ts";
import { cases, differingExactly } from "./matrix-exact.ts";

describe("every spelling of mma and wmma.mma", () => {
  const all = [...cases()];

  it("is more than three hundred", () => {
    expect(all.length).toBeGreaterThan(300);
  });

  // tests/sweep/matrix.js takes them all.
  it.each([0, 1])("gives the product of whole numbers, part %i", (part) => {
    const some = all.filter((_, index) => index % draws(48, 8) === part * 3);
    expect(some.flatMap((one, at) => differingExactly(one, part * 1000 + at, 2))).toEqual([]);
  });
});

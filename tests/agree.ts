import { expect } from "vitest";

/** Of two lists: whether they are as long, with the same elements. */
const alike = (got: unknown, want: unknown): boolean =>
  Object.is(got, want) ||
  (Array.isArray(got) &&
    Array.isArray(want) &&
    got.length === want.length &&
    got.every((value, at) => alike(value, want[at])));

/** `expect(got).toEqual(want)` for loops: `expect` takes microseconds, more than what is compared. */
export function agree(got: unknown, want: unknown, about?: string): void {
  if (!alike(got, want)) expect(got, about).toEqual(want);
}

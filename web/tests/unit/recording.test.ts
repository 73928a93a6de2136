import { expect, it } from "vitest";
import { record } from "../../build/record.ts";
import { first } from "../../page/first.ts";
import { freeze, thaw } from "../../page/recording.ts";

it("a recording is the same after it was text", async () => {
  const recording = await record(first);
  expect(thaw(freeze(recording))).toEqual(recording);
  expect(recording.loaded.state).toMatchObject({ position: 896, stop: { reason: "exit" }, findings: [] });
  // Few bytes more than what it is about.
  expect(freeze(recording).length).toBeLessThan(40_000);
});

import { describe, expect, it } from "vitest";
import { all } from "../bench/executors.ts";
import { kernels, sample } from "../bench/kernels.ts";

describe.each([["tiered", undefined] as const, ...[...all].filter(([name]) => name === "native")])(
  "%s",
  (_, executor) => {
    // A C compiler takes some seconds for each.
    it.each(
      executor === undefined
        ? Object.entries(kernels)
        : Object.entries(kernels).filter(([name]) => ["saxpy", "reduce", "scan"].includes(name)),
    )("%s gives the checksum of the same arithmetic in C++", (name, { checksum: wanted }) => {
      const { run, checksum } = sample(name, executor);
      const { stop, findings } = run();
      expect([stop.reason, findings]).toEqual(["exit", []]);
      expect(checksum()).toBe(wanted);
    });
  },
);

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { differingRows, grouped } from "./matrix-rows.ts";
import type { TensorRow } from "./tensor-rows.ts";

const rows = gunzipSync(readFileSync(new URL("../data/tensor/rows.jsonl.gz", import.meta.url)))
  .toString()
  .trim()
  .split("\n")
  .map((line): TensorRow => JSON.parse(line));

describe("mma.sync on its target", () => {
  it("gives what the oracle says, element by element", () => {
    // One instruction of four on each target: tests/sweep/matrix.js takes them all.
    const groups = grouped(rows).filter((_, index) => index % 4 === 0);
    expect(groups.length).toBeGreaterThan(40);
    expect(groups.flatMap(([one, some]) => differingRows(one, some)).slice(0, 3)).toEqual([]);
  });
});

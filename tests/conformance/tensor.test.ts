import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { differing, fromHardware, type HardwareRow, type TensorRow } from "./tensor-rows.ts";

/** Lines of a compressed file. */
const linesOf = (url: URL): string[] => gunzipSync(readFileSync(url)).toString().trim().split("\n");

describe("a matrix multiply-accumulate", () => {
  const rows = linesOf(new URL("../data/tensor/rows.jsonl.gz", import.meta.url)).map(
    (line): TensorRow => JSON.parse(line),
  );

  it("gives what the oracle says, on all targets and types", () => {
    expect(new Set(rows.map(({ arch, unit, A, B }) => `${arch} ${unit} ${A} ${B}`)).size).toBeGreaterThan(200);
    expect(
      rows
        .map((row) => differing(row, true))
        .filter(Boolean)
        .slice(0, 3),
    ).toEqual([]);
  });
});

// Recordings of GPUs that lie beside the project on some machines; they are no part of it.
const recorded = new URL("../../../shared/tensor/hardware-rows.jsonl.gz", import.meta.url);
const beside = [recorded, new URL("../../../../shared/tensor/hardware-rows.jsonl.gz", import.meta.url)].find((url) =>
  existsSync(url),
);

describe.runIf(beside)("what GPUs did", () => {
  it("is what a tile does", () => {
    const lines = linesOf(beside!);
    const wrong = lines.map((line) => differing(fromHardware(JSON.parse(line) as HardwareRow), false)).filter(Boolean);
    expect(lines.length).toBeGreaterThan(10_000);
    expect(wrong.slice(0, 3)).toEqual([]);
  });
});

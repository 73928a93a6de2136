import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { differing, fromHardware, type HardwareRow, type TensorRow } from "./tensor-rows.ts";
import { AT_ONCE, spellingOf, throughPtx } from "./tensor-through-ptx.ts";

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

  it("is what mma.sync does in PTX for their targets", () => {
    const rows = linesOf(beside!).map((line): HardwareRow => JSON.parse(line));
    const groups = new Map<string, HardwareRow[]>();
    for (const row of rows.filter(({ kind }) => kind === "mma")) {
      const key = `${row.sm} ${spellingOf(row)}`;
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    expect(groups.size).toBeGreaterThan(20);
    for (const all of groups.values())
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const some = all.slice(at, at + AT_ONCE);
        const expected = some.map(({ d }) => BigInt(`0x${d}`).toString(16));
        expect(throughPtx(some)).toEqual(expected);
      }
  });
});

import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import { CompiledProgram } from "../../src/interp/compiled/running/runner.ts";
import { compiled, javascript } from "../../src/interp/index.ts";
import { share } from "../share.ts";
import {
  AT_ONCE as IN_TENSOR_MEMORY, multiplicationOf, wrongThroughTensorMemory,
} from "./tensor-memory/rows-through-ptx.ts"; // biome-ignore format: one thought
import { differing, fromHardware, type HardwareRow, summed, type TensorRow } from "./tensor-rows.ts";
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
      share(rows, 24)
        .map((row) => differing(row, true))
        .filter(Boolean)
        .slice(0, 3),
    ).toEqual([]);
    // Most of them through the sums of compiled code, too.
    const types = [
      "mma bf16 f32",
      "mma f16 f16",
      "mma e4m3 f32",
      "mma s8 s32",
      "mma u4 s32",
      "mma mxf8f6f4 e3m2 f32",
      "mma mxf4 e2m1 f32",
      "wgmma f16 f32",
      "tcgen05 e5m2 f32",
    ];
    expect([...summed]).toEqual(expect.arrayContaining(types));
  });
});

describe("a tcgen05.mma in PTX", () => {
  const rows = linesOf(new URL("../data/tensor/rows.jsonl.gz", import.meta.url)).map(
    (line): TensorRow => JSON.parse(line),
  );

  // All pairs of small types are the sweep's.
  it.each(["100 f16 f16 f32", "100 f16 f16 f16", "100 tf32 tf32 f32", "100 e4m3 e5m2 f32", "100 e5m2 e3m2 f16"])(
    "gives what the oracle says of %s",
    (multiplication) => {
      const some = rows.filter((row) => multiplicationOf(row) === multiplication).slice(0, IN_TENSOR_MEMORY);
      expect(some.length).toBeGreaterThan(0);
      expect(wrongThroughTensorMemory(some)).toEqual([]);
    },
  );
});

// Recordings of GPUs that lie beside the project on some machines; they are no part of it.
const recorded = new URL("../../../shared/tensor/hardware-rows.jsonl.gz", import.meta.url);
const beside = [recorded, new URL("../../../../shared/tensor/hardware-rows.jsonl.gz", import.meta.url)].find((url) =>
  existsSync(url),
);

describe.runIf(beside)("what GPUs did", () => {
  it("is what a tile does", () => {
    const lines = linesOf(beside!);
    const wrong = share(lines, 80)
      .map((line) => differing(fromHardware(JSON.parse(line) as HardwareRow), false))
      .filter(Boolean);
    expect(lines.length).toBeGreaterThan(10_000);
    expect(wrong.slice(0, 3)).toEqual([]);
  });

  it.each(["javascript", "compiled"] as const)("is what mma.sync does in PTX for their targets: %s", (name) => {
    const rows = share(linesOf(beside!), 72).map((line): HardwareRow => JSON.parse(line));
    const groups = new Map<string, HardwareRow[]>();
    for (const row of rows.filter(({ kind }) => kind === "mma")) {
      const key = `${row.sm} ${spellingOf(row)}`;
      groups.set(key, [...(groups.get(key) ?? []), row]);
    }
    expect(groups.size).toBeGreaterThan(20);
    const outside = vi.spyOn(CompiledProgram.prototype, "outside");
    let launches = 0;
    for (const all of groups.values())
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const some = all.slice(at, at + AT_ONCE);
        launches++;
        const expected = some.map(({ d }) => BigInt(`0x${d}`).toString(16));
        expect(throughPtx(some, { javascript, compiled }[name])).toEqual(expected);
      }
    // Infinities, NaN and sums near the ends of f32 are left to JavaScript.
    if (name === "compiled") expect(outside.mock.calls.length).toBeLessThan(launches / 2);
    outside.mockRestore();
  });
});

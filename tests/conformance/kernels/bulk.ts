import { expect } from "vitest";
import { between, list, noise } from "../gallery/gpu.ts";
import type { Checks } from "./gpu.ts";
import { pack, unpack } from "./numbers.ts";

const wordsOf = (bytes: Uint8Array): number[] => Array.from(new Uint32Array(bytes.slice().buffer));

/** Operations of `bulk_reduce` in its order: on numbers as a view of 64 bytes has them. */
const kinds: readonly (readonly [view: string, apply: (old: number, by: number) => number])[] = [
  ["u32", (a, b) => (a + b) >>> 0],
  ["u32", Math.min],
  ["u32", Math.max],
  ["u32", (a, b) => (a >= b ? 0 : a + 1)],
  ["s32", (a, b) => (a + b) | 0],
  ["s32", Math.min],
  ["s32", Math.max],
  ["u32", (a, b) => (a & b) >>> 0],
  ["u32", (a, b) => (a | b) >>> 0],
  ["u32", (a, b) => (a ^ b) >>> 0],
  ["u64", (a, b) => a + b],
  ["s64", Math.min],
  ["f32", (a, b) => a + b],
  ["f64", (a, b) => a + b],
  ["f16", (a, b) => a + b],
  ["f16", Math.max],
  ["bf16", (a, b) => a + b],
];
const sizes: Readonly<Record<string, number>> = { u64: 8, s64: 8, f64: 8, f16: 2, bf16: 2 };

const bytesOf = (values: readonly number[], view: string): Uint8Array => {
  if (view === "u64" || view === "s64") return new Uint8Array(BigInt64Array.from(values, BigInt).buffer);
  return pack(values, view as "u32");
};

export const bulk: Checks = {
  bulk_stream: (gpu) => {
    const tiles = 5;
    const data = noise(tiles * 128, 1);
    const out = gpu.buffer(tiles * 512);
    gpu.launch("bulk_stream", { block: 64, args: [gpu.buffer(data), out, tiles] });
    const wanted = Array.from(data, (word, i) => (Math.imul(word, 3) + (i % 128) + (i >> 7)) >>> 0);
    expect(wordsOf(out.read())).toEqual(wanted);
  },
  bulk_reduce: (gpu) => {
    const blocks = 3;
    const draw = (view: string, seed: number): number[] => {
      const count = 64 / (sizes[view] ?? 4);
      const words = noise(count, seed);
      if (view === "u32") return Array.from(words);
      if (view === "s32") return Array.from(words, (word) => word | 0);
      if (view === "u64" || view === "s64")
        return Array.from(words, (word) => (view === "u64" ? word : word - 2 ** 31));
      return between(-9, 9, count, seed);
    };
    const start = kinds.map(([view], at) => draw(view, 100 + at));
    const added = list(blocks, (block) => kinds.map(([view], at) => draw(view, 200 + block * 20 + at)));
    // inc is not the same in every order: all blocks give one bound.
    for (const block of added) block[3] = added[0]![3]!;
    const joined = (all: readonly (readonly number[])[]) =>
      all.flatMap((values, at) => [...bytesOf(values, kinds[at]![0])]);
    const out = gpu.buffer(Uint8Array.from(joined(start)));
    const input = gpu.buffer(Uint8Array.from(added.flatMap(joined)));
    gpu.launch("bulk_reduce", { grid: blocks, block: 64, args: [input, out] });
    const wanted = start.map((values, at) =>
      values.map((value, i) => added.reduce((sum, block) => kinds[at]![1](sum, block[at]![i]!), value)),
    );
    expect(out.read()).toEqual(Uint8Array.from(joined(wanted)));
  },
  bulk_cluster: (gpu) => {
    const data = noise(256, 2);
    const out = gpu.buffer(8 * 256);
    gpu.launch("bulk_cluster", { grid: 4, block: 64, args: [gpu.buffer(data), out] });
    const own = (rank: number, i: number) => data[(rank & 3) * 64 + i]!;
    const wanted = list(4, (rank) => [
      ...list(64, (i) => own(rank + 3, i)),
      ...list(64, (i) => (own(rank + 2, i) + 1000 * rank) >>> 0),
    ]).flat();
    expect(wordsOf(out.read())).toEqual(wanted);
  },
  bulk_bytes: (gpu) => {
    const data = noise(32, 3);
    const before = noise(32, 4);
    const out = gpu.buffer(before);
    gpu.launch("bulk_bytes", { block: 32, args: [gpu.buffer(data), out] });
    const [from, wanted] = [new Uint8Array(data.buffer), new Uint8Array(before.slice().buffer)];
    for (let i = 0; i < 128; i++) if ((0x8e31 >> (i & 15)) & 1) wanted[i] = from[i]!;
    expect(out.read()).toEqual(wanted);
  },
  bulk_sum: (gpu) => {
    const [blocks, each] = [3, 200];
    const data = between(-1000, 1000, blocks * each, 5);
    const total = gpu.buffer(16);
    const args = [gpu.buffer(Int32Array.from(data)), total, each];
    gpu.launch("bulk_sum", { grid: blocks, block: 96, dynamicShared: each * 4, args });
    // Warp w of each block adds to the sum of index w.
    const sums = [0, 0, 0, 0];
    data.forEach((value, i) => {
      sums[((i % each) % 96) >> 5]! += value;
    });
    expect(unpack(total.read(), "s32")).toEqual(sums);
  },
};

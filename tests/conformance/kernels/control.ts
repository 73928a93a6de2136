import { expect } from "vitest";
import { between, list, noise } from "../gallery/gpu.ts";
import type { Checks } from "./gpu.ts";
import { draw, inRows, matrix, multiplyAdd, pack, unpack } from "./numbers.ts";

const wordsOf = (bytes: Uint8Array): number[] => Array.from(new Uint32Array(bytes.slice().buffer));

export const control: Checks = {
  depend_first: (gpu) => {
    const data = noise(128, 1);
    const [middle, out] = [gpu.buffer(512), gpu.buffer(512)];
    gpu.launch("depend_first", { grid: 2, block: 64, args: [gpu.buffer(data), middle] });
    gpu.launch("depend_second", { grid: 2, block: 64, args: [middle, out, 5] });
    const first = (i: number) => (Math.imul(data[i]!, 7) + 1) >>> 0;
    expect(wordsOf(out.read())).toEqual(list(128, (i) => (((first(i) ^ first(i ^ 1)) >>> 0) + i * 5) >>> 0));
  },
  steal_work: (gpu) => {
    const tiles = 9;
    const data = noise(tiles, 2);
    const [out, runs] = [gpu.buffer(tiles * 64 * 4), gpu.buffer(4)];
    gpu.launch("steal_work", { grid: tiles, block: 64, args: [gpu.buffer(data), out, runs] });
    expect(wordsOf(out.read())).toEqual(list(tiles * 64, (i) => Math.imul(data[i >> 6]!, (i & 63) + 1) >>> 0));
    const [began] = wordsOf(runs.read());
    expect(began).toBeGreaterThan(0);
    expect(began).toBeLessThanOrEqual(tiles);
  },
  cluster_merge: (gpu) => {
    const data = between(-1000, 1000, 256, 3);
    const out = gpu.buffer(1024);
    gpu.launch("cluster_merge", { grid: 4, block: 64, args: [gpu.buffer(Int32Array.from(data)), out] });
    const sorted = [0, 128].flatMap((at) => data.slice(at, at + 128).sort((a, b) => a - b));
    expect(Array.from(new Int32Array(out.read().slice().buffer))).toEqual(sorted);
  },
  cluster_transpose: (gpu) => {
    const data = noise(4096, 4);
    const out = gpu.buffer(4096 * 4);
    gpu.launch("cluster_transpose", { grid: 4, block: 128, args: [gpu.buffer(data), out] });
    expect(wordsOf(out.read())).toEqual(list(4096, (i) => data[(i % 64) * 64 + (i >> 6)]!));
  },
};

export const triton_dot: Checks = {
  matmul_kernel: (gpu) => {
    for (const k of [96, 0]) {
      const a = matrix(32, k, draw(32 * k, "f16", 1));
      const b = matrix(k, 32, draw(32 * k, "f16", 2));
      const out = gpu.buffer(32 * 32 * 4);
      const sources = [pack(inRows(a), "f16"), pack(inRows(b), "f16")];
      const args = [...sources.map((bytes) => gpu.buffer(bytes.length ? bytes : 16)), out, k];
      gpu.launch("matmul_kernel", { block: 32, dynamicShared: 8192, args });
      expect(unpack(out.read(), "f32")).toEqual(inRows(multiplyAdd(a, b)));
    }
  },
};

export const triton_softmax: Checks = {
  // ex2.approx and div.full are approximate: compared with doubles.
  softmax_kernel: (gpu) => {
    const [rows, columns, stride] = [3, 300, 304];
    const input = list(rows * stride, (i) => Math.fround(Math.cos(i * 1.7) * 5));
    const out = gpu.buffer(rows * stride * 4);
    const args = [out, gpu.buffer(pack(input, "f32")), stride, stride, columns];
    gpu.launch("softmax_kernel", { grid: rows, block: 128, dynamicShared: 16, args });
    const got = unpack(out.read(), "f32");
    for (let row = 0; row < rows; row++) {
      const powers = list(columns, (i) => Math.exp(input[row * stride + i]!));
      const sum = powers.reduce((a, b) => a + b, 0);
      const worst = Math.max(...powers.map((x, i) => Math.abs(got[row * stride + i]! - x / sum)));
      expect(worst).toBeLessThan(2 ** -22);
    }
  },
};

import { expect } from "vitest";
import { between, list, noise } from "../gallery/gpu.ts";
import type { Check, Checks } from "./gpu.ts";

const wordsOf = (bytes: Uint8Array): number[] => Array.from(new Uint32Array(bytes.slice().buffer));

/** out[i] = sum over rows of (row + 1) * in[row][63 - i], modulo 2^32. */
const rowSums =
  (kernel: string, threads: number): Check =>
  (gpu) => {
    for (const rows of [1, 9]) {
      const data = noise(rows * 64, 5);
      const out = gpu.buffer(64 * 4);
      gpu.launch(kernel, { block: threads, args: [gpu.buffer(data), out, rows] });
      const expected = list(64, (i) => {
        let sum = 0;
        for (let row = 0; row < rows; row++) sum = (sum + Math.imul(row + 1, data[row * 64 + 63 - i]!)) >>> 0;
        return sum;
      });
      expect(wordsOf(out.read())).toEqual(expected);
    }
  };

export const pipelines: Checks = {
  pipeline_two: rowSums("pipeline_two", 64),
  pipeline_four: rowSums("pipeline_four", 64),
  pipeline_roles: rowSums("pipeline_roles", 96),
  group_copy: rowSums("group_copy", 64),
  barrier_copy: rowSums("barrier_copy", 64),
  primitives: (gpu) => {
    const rows = 5;
    const data = noise(rows * 64, 6);
    const out = gpu.buffer(64 * 4);
    gpu.launch("primitives", { block: 64, args: [gpu.buffer(data), out, rows] });
    // The last `zero` bytes of a piece of `size` are zeros.
    const filled = (row: number, at: number, size: number, zeroOf: (thread: number) => number) => {
      const bytes = new Uint8Array(data.buffer, (row * 64 + at) * 4, 4);
      const [thread, inside] = [Math.floor((at * 4) / size), (at * 4) % size];
      const kept = size - zeroOf(thread);
      return bytes.reduce((word, byte, i) => word + (inside + i < kept ? byte * 2 ** (8 * i) : 0), 0);
    };
    const expected = list(64, (i) => {
      let sum = 0;
      for (let row = 0; row < rows; row++) {
        const at = 63 - i;
        const small = filled(row, at, 4, (thread) => thread % 3);
        const middle = filled(row, at, 8, (thread) => (thread % 2) * 4);
        const large = filled(row, at, 16, (thread) => (thread % 4) * 4);
        sum = (sum + Math.imul(row + 1, small + Math.imul(3, middle) + Math.imul(5, large))) >>> 0;
      }
      return sum;
    });
    expect(wordsOf(out.read())).toEqual(expected);
  },
};

/** hash = hash * 31 + word */
const hashed = (start: number, words: number[]) =>
  words.reduce((hash, word) => (Math.imul(hash, 31) + word) >>> 0, start);

export const cp_async: Checks = {
  cp_sizes: (gpu) => {
    const data = noise(128, 8);
    const counts = list(32, (i) => (i * 5) % 17);
    const out = gpu.buffer(5 * 128 * 4);
    gpu.launch("cp_sizes", { block: 32, args: [gpu.buffer(data), out, gpu.buffer(Uint32Array.from(counts))] });
    const bytes = new Uint8Array(data.buffer);
    const expected = new Uint8Array(5 * 512);
    for (let at = 0; at < 512; at++) {
      const count = counts[at >> 4]!;
      const keeps = [at % 4 < count, at % 8 < count, at % 16 < count, count > 0, at % 16 < count];
      keeps.forEach((keep, kind) => {
        expected[kind * 512 + at] = keep ? bytes[at]! : 0;
      });
    }
    expect(out.read()).toEqual(expected);
  },
  cp_groups: (gpu) => {
    const rows = 7;
    const data = noise(rows * 128, 9);
    const out = gpu.buffer(32 * 4);
    gpu.launch("cp_groups", { block: 32, args: [gpu.buffer(data), out, rows] });
    const own = (me: number) => list(rows * 4, (i) => data[(i >> 2) * 128 + me * 4 + (i & 3)]!);
    expect(wordsOf(out.read())).toEqual(list(32, (me) => hashed(17, own(me))));
  },
  cp_mbarrier: (gpu) => {
    const rows = 6;
    const data = noise(rows * 256, 10);
    const out = gpu.buffer(64 * 4);
    gpu.launch("cp_mbarrier", { block: 128, args: [gpu.buffer(data), out, rows] });
    const own = (me: number) => list(rows * 4, (i) => data[(i >> 2) * 256 + (63 - me) * 4 + (i & 3)]!);
    expect(wordsOf(out.read())).toEqual(list(64, (me) => hashed(1, own(me))));
  },
};

export const barriers: Checks = {
  barrier_phases: (gpu) => {
    const rounds = 6;
    const out = gpu.buffer(96 * 4);
    gpu.launch("barrier_phases", { block: 96, args: [out, rounds] });
    let cells = list(96, (i) => i);
    for (let round = 0; round < rounds; round++) {
      const before = cells;
      cells = list(96, (i) => (Math.imul(before[(i + 1) % 96]!, 5) + Math.imul(i, 2654435761) + round) >>> 0);
    }
    expect(wordsOf(out.read())).toEqual(cells);
  },
  barrier_leave: (gpu) => {
    const out = gpu.buffer(64 * 8 * 4);
    gpu.launch("barrier_leave", { block: 64, args: [out] });
    const expected = list(64 * 8, () => 0);
    let total = 0;
    for (let round = 0; round < 8; round++) {
      const leave = (thread: number) => thread >> 3 === 7 - round;
      total += list(64, (i) => i).filter(leave).reduce((a, b) => a + b, 0); // biome-ignore format: one thing
      for (let thread = 0; thread < (7 - round) * 8; thread++) expected[thread * 8 + round] = total;
    }
    expect(wordsOf(out.read())).toEqual(expected);
  },
  barrier_completion: (gpu) => {
    const out = gpu.buffer(5 * 40 * 4);
    gpu.launch("barrier_completion", { block: 40, args: [out, 5] });
    const states = [16, 49, 148, 445, 1336];
    expect(wordsOf(out.read())).toEqual(states.flatMap((state) => list(40, () => state)));
  },
  barrier_counts: (gpu) => {
    const out = gpu.buffer(32 * 4);
    gpu.launch("barrier_counts", { block: 32, args: [out] });
    const always = [5, 0, 0, 1, 4, 2, 0, 1, 1, 1, 0, 4];
    const hopper = gpu.sm >= 90 ? [1, 0, 0, 1] : [];
    const told = [...always, ...hopper, 77];
    expect(wordsOf(out.read()).slice(0, told.length)).toEqual(told);
  },
  cluster_ring: (gpu) => {
    const rounds = 5;
    const out = gpu.buffer(8 * 32 * 4);
    gpu.launch("cluster_ring", { grid: 4, block: 32, args: [out, rounds] });
    let values = list(4, (rank) => list(32, (me) => rank * 100 + me));
    const sums = list(4, () => list(32, () => 0));
    for (let round = 0; round < rounds; round++) {
      const sent = values;
      sent.forEach((row, rank) => {
        row.forEach((value, me) => {
          const target = sums[(rank + 3) % 4]!;
          target[31 - me] = (target[31 - me]! + (value & 0xffff)) >>> 0;
        });
      });
      values = list(4, (rank) =>
        list(32, (me) => {
          const value = sent[(rank + 3) % 4]![(me + 5) % 32]!;
          const xor = (Math.imul(value, 3) ^ ~value) >>> 0;
          return (value + Math.imul(value + 1, 7) + xor) >>> 0;
        }),
      );
    }
    expect(wordsOf(out.read())).toEqual(list(4, (rank) => [...values[rank]!, ...sums[rank]!]).flat());
  },
  cluster_histogram: (gpu) => {
    const n = 1000;
    const data = Uint8Array.from(between(0, 255, n, 4), (x) => (x * x) >> 8);
    const out = gpu.buffer(256 * 4);
    gpu.launch("cluster_histogram", { grid: 4, block: 64, args: [gpu.buffer(data), out, n] });
    const expected = list(256, () => 0);
    for (const value of data) expected[value] = expected[value]! + 1;
    expect(wordsOf(out.read())).toEqual(expected);
  },
};

import { expect } from "vitest";
import { between, type Check, doubles, integers, list, longs, noise, words } from "./gpu.ts";

const popcount = (word: number) => list(32, (bit) => (word >>> bit) & 1).reduce((a, b) => a + b, 0);

/** Blocks of 71 threads; the last one ends within its second warp. */
export const ballot: Check = (gpu) => {
  const [blocks, threads, n] = [101, 71, 101 * 71 - 20];
  const keys = between(-50, 50, n);
  const [out, wide] = [gpu.buffer(12 * n * 4), gpu.buffer(n * 8)];
  gpu.launch("ballot", { grid: blocks, block: threads, args: [gpu.buffer(Int32Array.from(keys)), out, wide, n] });

  const got = words(out);
  const expected = list(12, () => list(n, () => 0));
  for (let i = 0; i < n; i++) {
    const lane = (i % threads) % 32;
    const first = i - lane;
    const end = Math.min(n, first + 32, Math.floor(i / threads) * threads + threads);
    const warp = keys.slice(first, end);
    const mask = (holds: (key: number, at: number) => boolean) =>
      warp.reduce((bits, key, at) => (holds(key, at) ? (bits | (1 << at)) >>> 0 : bits), 0);
    const key = keys[i] ?? 0;
    const members = mask(() => true);
    const equal = warp.every((other) => other < 0) || warp.every((other) => other >= 0);
    const row = [
      members,
      mask((other) => (other & 1) === 1),
      (warp.some((other) => other > 40) ? 2 : 0) + (warp.every((other) => other > -40) ? 1 : 0),
      mask((other) => other % 4 === key % 4),
      equal ? members + 1 : 0,
      warp.reduce((a, b) => a + b, 0),
      Math.min(...warp),
      Math.max(...warp.map((other) => other >>> 0)),
      warp.reduce((a, b) => a ^ b, 0),
      warp[0] ?? 0,
      popcount(mask((other, at) => other < 0 && at < lane)),
      0,
    ];
    // How many lanes a branch keeps together is the machine's choice.
    const together = got[11 * n + i] ?? 0;
    const odd = popcount(mask((other) => (other & 1) === 1));
    expect(key & 1 ? together >= 1 && together <= odd : together === 0).toBe(true);
    row[11] = together;
    row.forEach((value, at) => {
      (expected[at] ?? [])[i] = value >>> 0;
    });
  }
  expect(got).toEqual(expected.flat());
  const source = (i: number) => i - (((i % threads) % 32) & 3);
  const pair = (i: number) => (BigInt(keys[i] ?? 0) << 32n) | BigInt((i % threads) % 32);
  expect(longs(wide)).toEqual(list(n, (i) => BigInt.asUintN(64, pair(source(i)))));
};

export const groups: Check = (gpu) => {
  const n = 128 * 3 - 45;
  const total = 128 * 3;
  const keys = list(total, (i) => between(-1000, 1000, n)[i] ?? 0);
  const [out, halves, odd] = [gpu.buffer(4 * total * 4), gpu.buffer(total * 8), gpu.buffer(4)];
  const args = [gpu.buffer(Int32Array.from(keys.slice(0, n))), out, halves, odd, n];
  gpu.launch("groups", { grid: 3, block: 128, args });
  const part = (i: number, size: number) => keys.slice(i - (i % size), i - (i % size) + size);
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  expect(integers(out)).toEqual([
    ...list(total, (i) => sum(part(i, 8))),
    ...list(total, (i) => Math.max(...part(i, 32))),
    ...list(total, (i) => sum(part(i, 8).slice(0, (i % 8) + 1))),
    ...list(total, (i) => part(i, 8)[7 - (i % 8)]),
  ]);
  expect(doubles(halves)).toEqual(list(total, (i) => sum(part(i, 32)) * 0.5));
  expect(words(odd)).toEqual([keys.filter((key) => key & 1).length]);
};

/** Whoever comes when, everybody takes the lock once; tickets are served in turn. */
export const spinlock: Check = (gpu) => {
  const [blocks, threads] = [3, 39];
  const [counter, order] = [gpu.buffer(4), gpu.buffer(blocks * threads * 4)];
  gpu.launch("spinlock", { grid: blocks, block: threads, args: [counter, order] });
  expect(words(counter)).toEqual([blocks * threads]);
  expect(words(order).sort((a, b) => a - b)).toEqual(list(blocks * threads, (i) => i));

  const [next, serving, sum] = [gpu.buffer(4), gpu.buffer(4), gpu.buffer(4)];
  gpu.launch("tickets", { grid: 1, block: threads, args: [next, serving, sum] });
  const served = list(threads, (i) => i).reduce((a, ticket) => (Math.imul(a, 31) + ticket) >>> 0, 0);
  expect([words(next), words(serving), words(sum)]).toEqual([[threads], [threads], [served]]);
};

/** Rule 110 on a ring, cell by cell; bit j of a word lies left of bit j + 1, which is what the kernel calls the left one. */
export const gridsync: Check = (gpu) => {
  const [blocks, threads, n, rounds] = [104, 39, 500, 5];
  const start = noise(n);
  const [cells, next, ranks] = [gpu.buffer(start), gpu.buffer(n * 4), gpu.buffer(blocks * 8)];
  gpu.launch("gridsync", { grid: blocks, block: threads, args: [cells, next, n, rounds, ranks], cooperative: true });
  let row = Array.from(start).flatMap((word) => list(32, (bit) => (word >>> bit) & 1));
  for (let round = 0; round < rounds; round++) {
    const before = row;
    const at = (cell: number) => before[(cell + n * 32) % (n * 32)] ?? 0;
    row = before.map((_, cell) => rule110(at(cell - 1), at(cell), at(cell + 1)));
  }
  const word = (i: number) => row.slice(i * 32, i * 32 + 32).reduceRight((bits, bit) => bits * 2 + bit, 0);
  expect(words(next)).toEqual(list(n, word));
  expect(longs(ranks)).toEqual(list(blocks, (b) => (BigInt(b * threads) << 32n) | BigInt(blocks)));
};

const rule110 = (left: number, centre: number, right: number) => (110 >> (left * 4 + centre * 2 + right)) & 1;

/** One warp fills what the others read, two buffers in turn. */
export const pipeline: Check = (gpu) => {
  const [blocks, rounds] = [5, 7];
  const n = blocks * rounds * 96;
  const input = noise(n);
  const [out, total] = [gpu.buffer(n * 4), gpu.buffer(4)];
  gpu.launch("pipeline", { grid: blocks, block: 128, args: [gpu.buffer(input), out, rounds, total] });
  const staged = Array.from(input, (word) => Math.imul(word, 2654435761) >>> 0);
  const across = (i: number) => (staged[i - (i % 96) + 95 - (i % 96)] ?? 0) >>> 7;
  expect(words(out)).toEqual(staged.map((word, i) => (word ^ across(i)) >>> 0));
  expect(words(total)).toEqual([staged.reduce((sum, word) => sum + (word & 0xff), 0)]);
};

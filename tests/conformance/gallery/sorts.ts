import { expect } from "vitest";
import { between, type Check, halves, integers, list, noise, words } from "./gpu.ts";

export const bitonic: Check = (gpu) => {
  const n = 20 * 256 - 99;
  const keys = Int32Array.from(noise(n));
  const buffer = gpu.buffer(keys);
  gpu.launch("bitonic", { grid: 20, block: 256, args: [buffer, n] });
  const expected = list(20, (b) => Array.from(keys.slice(b * 256, (b + 1) * 256).sort()));
  expect(integers(buffer)).toEqual(expected.flat());
};

/** Keys with many equals: values tell whether the sort is stable. */
export const radixsort: Check = (gpu) => {
  const [blocks, each] = [6, 512];
  const keys = noise(blocks * each, 5).map((word) => (word & 4 ? word : word >>> 24));
  const [sorted, values] = [gpu.buffer(keys), gpu.buffer(Uint16Array.from(keys, (_, i) => i))];
  gpu.launch("radixsort", { grid: blocks, block: 128, args: [sorted, values] });
  const order = list(blocks, (b) =>
    list(each, (i) => b * each + i).sort((i, j) => (keys[i] ?? 0) - (keys[j] ?? 0) || i - j),
  ).flat();
  expect(words(sorted)).toEqual(order.map((i) => keys[i]));
  expect(halves(values)).toEqual(order);
};

/** Queens on boards of 1 to 6, Ackermann's function in closed form, and sorted rows. */
export const recursion: Check = (gpu) => {
  const n = 2 * 39;
  const keys = between(-99, 99, n * 24);
  const [queens, ackermanns, parity] = [gpu.buffer(n * 4), gpu.buffer(n * 4), gpu.buffer(n * 4)];
  const rows = gpu.buffer(Int32Array.from(keys));
  gpu.launch("recursion", { grid: 2, block: 39, args: [queens, ackermanns, parity, rows] });
  expect(integers(queens)).toEqual(list(n, (i) => [1, 0, 0, 2, 10, 4][i % 6]));
  const closed = [(y: number) => y + 1, (y: number) => y + 2, (y: number) => 2 * y + 3];
  expect(words(ackermanns)).toEqual(list(n, (i) => closed[i % 3]?.(i % 7)));
  expect(words(parity)).toEqual(list(n, (i) => 2 - (i % 2)));
  const sorted = list(n, (i) => keys.slice(i * 24, (i + 1) * 24).sort((a, b) => a - b));
  expect(integers(rows)).toEqual(sorted.flat());
};

import { expect } from "vitest";
import { between, type Check, doubles, floats, integers, list, longs, noise, words } from "./gpu.ts";

/** Whole numbers as floats: any order of adding gives the same sum. */
export const reduce: Check = (gpu) => {
  const [blocks, threads, n] = [130, 103, 130 * 103 - 57];
  const x = between(-500, 500, n);
  const keys = noise(n, 7);
  const sums = gpu.buffer(blocks * 4);
  const total = gpu.buffer(4);
  const args = [gpu.buffer(Float32Array.from(x)), gpu.buffer(keys), n, sums, total];
  gpu.launch("reduce", { grid: blocks, block: threads, args });
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  expect(floats(sums)).toEqual(list(blocks, (b) => sum(x.slice(b * threads, (b + 1) * threads))));
  expect(words(total)).toEqual([keys.reduce((a, b) => (a + b) >>> 0, 0)]);
};

export const scan: Check = (gpu) => {
  const [blocks, threads, n] = [120, 128, 120 * 128 - 37];
  const input = noise(n);
  const [out, sums] = [gpu.buffer(n * 4), gpu.buffer(blocks * 4)];
  gpu.launch("scan_blocks", { grid: blocks, block: threads, args: [gpu.buffer(input), out, sums, n] });
  gpu.launch("scan_sums", { grid: 1, block: threads, args: [sums, blocks] });
  gpu.launch("scan_add", { grid: blocks, block: threads, args: [out, sums, n] });
  let sum = 0;
  const expected = Array.from(input, (word) => {
    sum = (sum + word) >>> 0;
    return sum;
  });
  expect(words(out)).toEqual(expected);
};

/** The same sum in one launch, whose blocks wait for each other. */
export const handoff: Check = (gpu) => {
  const [blocks, threads] = [104, 128];
  const input = noise(blocks * threads, 3);
  const out = gpu.buffer(blocks * threads * 4);
  const args = [gpu.buffer(input), out, gpu.buffer(blocks * 4), gpu.buffer(blocks * 4), gpu.buffer(4)];
  gpu.launch("handoff", { grid: blocks, block: threads, args });
  let sum = 0;
  const expected = Array.from(input, (word) => {
    sum = (sum + word) >>> 0;
    return sum;
  });
  expect(words(out)).toEqual(expected);
};

export const histogram: Check = (gpu) => {
  const n = 30011;
  const bytes = Uint8Array.from(noise(n), (word) => (word >>> 8) % 251);
  const [bins, weight] = [gpu.buffer(256 * 4), gpu.buffer(8)];
  const [least, greatest] = [gpu.buffer(4), gpu.buffer(4)];
  const args = [gpu.buffer(bytes), n, bins, weight, least, greatest];
  gpu.launch("histogram", { grid: 110, block: 103, args });
  const counts = list(256, () => 0);
  for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
  expect(words(bins)).toEqual(counts);
  const weighted = counts.reduce((sum, count, bin) => sum + (BigInt(count) << BigInt(bin % 48)), 0n);
  expect(longs(weight)).toEqual([BigInt.asUintN(64, weighted)]);
  expect([integers(least), integers(greatest)]).toEqual([[-128], [250 - 128]]);
};

/** Clusters of four blocks, which the kernel demands; each counts a quarter of the keys for all of them. */
export const cluster: Check = (gpu) => {
  const [blocks, threads, n] = [104, 39, 104 * 39 - 11];
  const keys = noise(n, 11).map((word) => (word >>> 8) % 256);
  const [bins, ranks] = [gpu.buffer((blocks / 4) * 256 * 4), gpu.buffer(blocks * 4)];
  gpu.launch("cluster", { grid: blocks, block: threads, args: [gpu.buffer(keys), n, bins, ranks] });
  const counts = list((blocks / 4) * 256, () => 0);
  keys.forEach((key, i) => {
    const bin = Math.floor(i / (4 * threads)) * 256 + key;
    counts[bin] = (counts[bin] ?? 0) + 1;
  });
  expect(words(bins)).toEqual(counts);
  expect(words(ranks)).toEqual(list(blocks, (b) => (b % 4) * 1000 + 4));
};

/** Every order of the threads gives these; the product is a power of two, the sum one of whole numbers. */
export const accumulate: Check = (gpu) => {
  const n = 2000;
  const keys = between(-1000, 1000, n);
  const [sum, product, largest, saturated] = [
    gpu.buffer(8),
    gpu.buffer(Float32Array.of(1)),
    gpu.buffer(8),
    gpu.buffer(2),
  ];
  const [ring, bits] = [gpu.buffer(12), gpu.buffer(BigUint64Array.of(0n, 0n, ~0n, 1n << 63n, 0n))];
  const args = [gpu.buffer(Int32Array.from(keys)), n, sum, product, largest, saturated, ring, bits];
  gpu.launch("accumulate", { grid: 7, block: 39, args });
  const whole = keys.reduce((a, b) => a + b, 0);
  expect(doubles(sum)).toEqual([whole]);
  expect(floats(product)).toEqual([2 ** keys.reduce((power, key) => power + (key & 1 ? 1 : -1), 0)]);
  expect(doubles(largest)).toEqual([Math.max(...keys.map(Math.abs)) + 0.5]);
  expect(new Uint16Array(saturated.read().buffer)[0]).toBe(999);
  // inc counts 0 to 9 around; dec counts 0, 6, 5 ... 1 around; sub goes below 0 in 32 bits.
  expect(words(ring)).toEqual([n % 10, (7 - (n % 7)) % 7, -whole >>> 0]);
  const wide = keys.map((key) => BigInt.asUintN(64, BigInt(key)));
  const cut = (value: bigint) => BigInt.asUintN(64, value);
  const all = (combine: (a: bigint, b: bigint) => bigint, start = 0n) => cut(wide.reduce(combine, start));
  expect(longs(bits)).toEqual([
    all((a, b) => a ^ cut(b * 0x1_0000_0001n)),
    all((a, b) => a | (1n << (b & 63n))),
    cut(~0xffff_ffffn),
    cut(BigInt(Math.max(...keys)) << 32n),
    all((a, b) => a + b * 0x1_0000_0001n),
  ]);
};

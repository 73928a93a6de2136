import { expect } from "vitest";
import { between, type Check, doubles, floats, integers, list, longs, noise, words } from "./gpu.ts";

export const pointers: Check = (gpu) => {
  const n = 3 * 39 - 5;
  const [a, b] = [between(-99, 99, n), between(-99, 99, n, 2)];
  const out = gpu.buffer(3 * n * 4);
  const args = [gpu.buffer(Int32Array.from(a)), gpu.buffer(Int32Array.from(b)), out, n];
  gpu.launch("pointers", { grid: 3, block: 39, args });
  const pair = (i: number): [number, number] => [a[i] ?? 0, b[i] ?? 0];
  const operations = [
    (x: number, y: number) => x + y,
    (x: number, y: number) => x - y,
    (x: number, y: number) => x * y,
    (x: number, y: number) => Math.max(x, y),
  ];
  const product = (x: number, y: number) => x * y || 0;
  expect(integers(out)).toEqual([
    ...list(n, (i) => operations[i % 4]?.(...pair(i)) || 0),
    ...list(n, (i) => product(...pair(i))),
    ...list(n, (i) => (i % 3 === 0 ? (a[i] ?? 0) ** 2 : product(...pair(i)))),
  ]);
};

/** Each line is what C prints for the same call; `printf` gives the number of values. */
export const printf: Check = (gpu) => {
  const returned = gpu.buffer(8);
  let text = "";
  const print = (piece: string) => {
    text += piece;
  };
  gpu.launch("print", { grid: 2, block: 39, args: [returned, 2 / 3], print });
  const lines = (block: number) => [
    `block ${block} of 2`,
    "   42|-42  |00042|+42|beef|0XBEEF|10",
    "-1234567890123456789 18446744073709551615 -5 -7 ok %",
    "0.666667 666.667      -0.67 6.666667e-04 6.66667e+09 0.666667",
    "one and two     |   three|fo",
    "no arguments",
    "1 2 3 4 5 6 7 8 9",
  ];
  expect(text.split("\n").sort()).toEqual(["", ...lines(0), ...lines(1)].sort());
  expect(integers(returned)).toEqual([7, 7]);
};

/** A program that loops as often as its input says, unless the 400 steps are used up before. */
export const machine: Check = (gpu) => {
  const code = [
    5, 0, 1, 6, 3, 7, 11, 0, 3, 1, 6, 0, 1, 2, 5, 9, 20, 12, 10, 3, 12, 4, 13, 1, 14, 8, 255,
  ]; // biome-ignore format: bytes
  const n = 105 * 7 - 3;
  const inputs = list(n, (i) => (i % 61) - 5);
  const results = gpu.buffer(n * 4);
  const args = [gpu.buffer(Uint8Array.from(code)), code.length, gpu.buffer(Int32Array.from(inputs)), results, n];
  gpu.launch("machine", { grid: 105, block: 7, args });
  expect(integers(results)).toEqual(inputs.map((input) => interpret(code, input)));

  const programs = noise(n);
  const ends = gpu.buffer(n * 4);
  gpu.launch("jumps", { grid: 19, block: 39, args: [gpu.buffer(programs), ends, n] });
  const ways = [(x: number) => x + 7, (x: number) => x ^ 0x55, (x: number) => Math.imul(x, 5), (x: number) => ~x];
  const walk = (program: number, x: number): number =>
    program === 0 ? x : walk(program >>> 2, (ways[program & 3]?.(x) ?? 0) >>> 0);
  expect(words(ends)).toEqual(list(n, (i) => walk(programs[i] ?? 0, i)));
};

function interpret(code: readonly number[], input: number): number {
  const stack = [input];
  let [pc, x, steps] = [0, 0, 0];
  const pop = () => stack.pop() ?? 0;
  const binary = (f: (a: number, b: number) => number) => {
    const b = pop();
    stack.push(f(pop(), b) | 0);
  };
  for (; pc < code.length && steps < 400; steps++) {
    const operation = code[pc++] ?? 0;
    const literal = code[pc] ?? 0;
    if (operation === 0) {
      stack.push(literal);
      pc++;
    } else if (operation === 1) binary((a, b) => a + b);
    else if (operation === 2) binary((a, b) => a - b);
    else if (operation === 3) binary(Math.imul);
    else if (operation === 4) stack.push(stack.at(-1) ?? 0);
    else if (operation === 5) x = stack.at(-1) ?? 0;
    else if (operation === 6) stack.push(x);
    else if (operation === 7) stack.push((stack.at(-1) ?? 0) ^ (pop() >> 3));
    else if (operation === 8) stack.push(-pop());
    else if (operation === 9) pc = (stack.at(-1) ?? 0) <= 0 ? literal : pc + 1;
    else if (operation === 10) pc = literal;
    else if (operation === 11) stack.push(pop() & 0xffff);
    else if (operation === 12) pop();
    else if (operation === 13) stack.push(pop().toString(2).replaceAll("0", "").length);
    else if (operation === 14) stack.push(Math.trunc(pop() / 3));
    else pc = code.length;
  }
  return ((stack.at(-1) ?? 0) + steps * 65536) | 0;
}

export const int128: Check = (gpu) => {
  const n = 200;
  const cut = (value: bigint) => BigInt.asUintN(128, value);
  const random = (seed: number) => {
    const parts = noise(n * 4, seed);
    // Of all sizes: a quotient is interesting when the two differ in length.
    return list(n, (i) => {
      const whole = [0, 1, 2, 3].reduce((sum, j) => (sum << 32n) | BigInt(parts[i * 4 + j] ?? 0), 0n);
      const size = BigInt(((parts[i * 4] ?? 0) >>> 5) % 128);
      return i % 4 === 0 ? cut(-(whole >> size)) : whole >> size;
    });
  };
  const [xs, ys] = [random(1), random(2).map((y) => (y === 0n ? 1n : y))];
  const pack = (values: readonly bigint[]) =>
    BigUint64Array.from(values.flatMap((value) => [BigInt.asUintN(64, value), value >> 64n]));
  const out = gpu.buffer(13 * n * 16);
  gpu.launch("int128", { grid: 3, block: 71, args: [gpu.buffer(pack(xs)), gpu.buffer(pack(ys)), out, n] });
  const row = (f: (x: bigint, y: bigint, p: bigint, q: bigint, i: bigint) => bigint) =>
    list(n, (i) => {
      const [x, y] = [xs[i] ?? 0n, ys[i] ?? 0n];
      return cut(f(x, y, BigInt.asIntN(128, x), BigInt.asIntN(128, y), BigInt(i % 128)));
    });
  const low = (value: bigint) => BigInt.asUintN(64, value);
  const expected = [
    row((x, y) => x + y),
    row((x, y) => x - y),
    row((x, y) => x * y),
    row((x, y) => x / y),
    row((x, y) => x % y),
    row((_x, _y, p, q) => p / q),
    row((_x, _y, p, q) => p % q),
    row((x, _y, _p, _q, i) => x << i),
    row((x, _y, _p, _q, i) => x >> i),
    row((_x, _y, p, _q, i) => p >> i),
    row((x, y) => (x & y) ^ cut(~x)),
    row((x, y, p, q) => (x < y ? 1n : 0n) + (p < q ? 2n : 0n) + (x === y ? 4n : 0n)),
    row((x, y) => low(x) * low(y)),
  ];
  expect(longs(out)).toEqual(Array.from(pack(expected.flat())));
};

/** The median of five neighbours, their mean, and which of the five was the median. */
export const dynamic: Check = (gpu) => {
  const [blocks, threads, n] = [102, 71, 102 * 71 - 30];
  const input = between(-300, 300, n);
  const [medians, means] = [gpu.buffer(n * 2), gpu.buffer(n * 8)];
  const args = [gpu.buffer(Int16Array.from(input)), medians, means, n];
  gpu.launch("dynamic", { grid: blocks, block: threads, args, dynamicShared: threads * 14 + 8 });
  const windows = list(n, (i) => list(5, (j) => input[Math.min(Math.max(i + j - 2, 0), n - 1)] ?? 0));
  const order = windows.map((window) => list(5, (j) => j).sort((a, b) => (window[a] ?? 0) - (window[b] ?? 0) || a - b));
  const places = order.map((sorted) => sorted[2] ?? 0);
  expect(Array.from(new Int16Array(medians.read().buffer))).toEqual(windows.map((window, i) => window[places[i] ?? 0]));
  const expected = windows.map((window, i) => window.reduce((a, b) => a + b, 0) / 5 + (places[i] ?? 0));
  expect(doubles(means)).toEqual(expected);
};

export const constants: Check = (gpu) => {
  const n = 250;
  const table = list(256, (i) => (i * 7 + 3) & 0xff);
  gpu.module.variable("uploaded")?.write(Uint8Array.from(table));
  const input = Uint8Array.from(noise(n), (word) => word >>> 16);
  const [out, letters] = [gpu.buffer(2 * n * 4), gpu.buffer(n * 4)];
  gpu.launch("constants", { grid: 7, block: 39, args: [gpu.buffer(input), out, letters, n] });
  const at = (i: number) => table[input[Math.min(Math.max(i, 0), n - 1)] ?? 0] ?? 0;
  const edge = [-1, -2, 6, -2, -1];
  expect(floats(out)).toEqual([
    ...list(n, (i) => at(i - 1) / 4 + at(i) / 2 + at(i + 1) / 4),
    ...list(n, (i) => edge.reduce((sum, weight, tap) => sum + weight * at(i + tap - 2), 0) / 8),
  ]);
  const names = ["smooth", "edge"];
  const letter = (i: number) => names[i % 2]?.charCodeAt(i % 12) || 0;
  const prime = (i: number) => [2, 3, 5, 7, 11, 13][i] ?? 0;
  expect(integers(letters)).toEqual(list(n, (i) => letter(i) + 1000 * prime((i % 2) * 5) + 100000 * prime(i % 6)));
};

export const heap: Check = (gpu) => {
  const [blocks, threads] = [3, 39];
  const n = blocks * threads - 4;
  const lengths = list(n, (i) => i % 7);
  const sums = gpu.buffer(blocks * 8);
  gpu.launch("heap", { grid: blocks, block: threads, args: [gpu.buffer(Int32Array.from(lengths)), sums, n] });
  const values = (i: number) => list(lengths[i] ?? 0, (j) => i * 100 + j).reverse();
  const block = (b: number) => list(threads, (t) => values(b * threads + t)).flat();
  const fold = (all: readonly number[]) => all.reduce((sum, value) => sum * 3n + BigInt(value), 0n);
  expect(longs(sums)).toEqual(list(blocks, (b) => BigInt.asUintN(64, fold(block(b)))));
};

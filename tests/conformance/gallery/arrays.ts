import { createHash } from "node:crypto";
import { expect } from "vitest";
import { between, type Check, floats, halves, integers, list, noise, Values, words } from "./gpu.ts";

export const transpose: Check = (gpu) => {
  const [width, height] = [131, 77];
  const n = width * height;
  const shape = { grid: [Math.ceil(width / 32), Math.ceil(height / 32)], block: [32, 8] } as const;
  const turned = list(n, (at) => (at % height) * width + Math.floor(at / height));
  const input = noise(n);

  const out = gpu.buffer(n * 4);
  gpu.launch("transpose_words", { ...shape, args: [gpu.buffer(input), out, width, height] });
  expect(words(out)).toEqual(turned.map((from) => input[from]));

  const narrow = gpu.buffer(n);
  gpu.launch("transpose_bytes", { ...shape, args: [gpu.buffer(Uint8Array.from(input)), narrow, width, height] });
  expect(Array.from(narrow.read())).toEqual(turned.map((from) => (input[from] ?? 0) & 0xff));

  const wide = gpu.buffer(n * 16);
  const pairs = noise(n * 4, 9);
  gpu.launch("transpose_doubles", { ...shape, args: [gpu.buffer(pairs), wide, width, height] });
  expect(words(wide)).toEqual(turned.flatMap((from) => Array.from(pairs.slice(from * 4, from * 4 + 4))));
};

export const matmul: Check = (gpu) => {
  const values = new Values("matmul");
  const [rows, inner, columns] = [70, 45, 53];
  const out = gpu.buffer(rows * columns * 4);
  const args = [gpu.buffer(values.f32("a")), gpu.buffer(values.f32("b")), out, rows, inner, columns];
  gpu.launch("matmul", { grid: [4, 5], block: [16, 16], args });
  expect(words(out)).toEqual(Array.from(values.f32("c")));
};

export const nbody: Check = (gpu) => {
  const values = new Values("nbody");
  const n = 203;
  const [speeds, moved] = [gpu.buffer(values.f32("before")), gpu.buffer(n * 16)];
  gpu.launch("nbody", { grid: 4, block: 64, args: [gpu.buffer(values.f32("bodies")), speeds, moved, n, 0.0625] });
  expect(words(speeds)).toEqual(Array.from(values.f32("after")));
  expect(words(moved)).toEqual(Array.from(values.f32("moved")));
};

export const mandelbrot: Check = (gpu) => {
  const values = new Values("mandelbrot");
  const [width, height] = [120, 102];
  const [single, twice] = [gpu.buffer(width * height * 2), gpu.buffer(width * height * 2)];
  const args = [single, twice, width, height, 40];
  gpu.launch("mandelbrot", { grid: [11, 15], block: [11, 7], args });
  expect(halves(single)).toEqual(Array.from(values.u16("single")));
  expect(halves(twice)).toEqual(Array.from(values.u16("twice")));
};

/** To the bit the same butterflies; and within what 9 rounds of f32 may lose, the transform by its definition. */
export const fft: Check = (gpu) => {
  const values = new Values("fft");
  const out = gpu.buffer(3 * 512 * 8);
  const args = [gpu.buffer(values.f32("in")), out, gpu.buffer(values.f32("roots"))];
  gpu.launch("fft", { grid: 3, block: 103, args });
  expect(words(out)).toEqual(Array.from(values.f32("out")));
  const exact = new Float64Array(values.f64("exact").buffer);
  const furthest = Math.max(...floats(out).map((value, i) => Math.abs(value - (exact[i] ?? 0))));
  expect(furthest).toBeLessThan(1e-5);
};

/** Messages of 0 to 150 bytes, so that every way of padding comes up. */
export const sha256: Check = (gpu) => {
  const messages = list(151, (length) => Uint8Array.from(noise(length, length)));
  const starts = [0];
  for (const message of messages) starts.push((starts.at(-1) ?? 0) + message.length);
  const text = Uint8Array.from(messages.flatMap((message) => Array.from(message)));
  const digests = gpu.buffer(messages.length * 32);
  const args = [gpu.buffer(text), gpu.buffer(Uint32Array.from(starts)), digests, messages.length];
  gpu.launch("sha256", { grid: 4, block: 39, args });
  const hex = Buffer.from(digests.read()).toString("hex").match(/.{64}/g);
  expect(hex).toEqual(messages.map((message) => createHash("sha256").update(message).digest("hex")));
};

/** Edit distances by the recurrence over whole rows. */
export const distance: Check = (gpu) => {
  const pairs = 105;
  const all = list(2 * pairs, (i) => between(97, 100, (i * 7) % 23, i + 1));
  const starts = [0];
  for (const word of all) starts.push((starts.at(-1) ?? 0) + word.length);
  const out = gpu.buffer(pairs * 4);
  const args = [gpu.buffer(Uint8Array.from(all.flat())), gpu.buffer(Int32Array.from(starts)), out];
  gpu.launch("distance", { grid: pairs, block: 39, args });
  expect(integers(out)).toEqual(list(pairs, (i) => editDistance(all[2 * i] ?? [], all[2 * i + 1] ?? [])));
};

function editDistance(a: readonly number[], b: readonly number[]): number {
  let row = list(b.length + 1, (j) => j);
  a.forEach((letter, i) => {
    const next = [i + 1];
    b.forEach((other, j) => {
      next.push(Math.min((row[j] ?? 0) + (letter === other ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    });
    row = next;
  });
  return row[b.length] ?? 0;
}

import { expect } from "vitest";
import { between, type Check, list } from "./gpu.ts";

export const surfplane: Check = (gpu) => {
  const [w, h] = [9, 6];
  const pixels = Uint8Array.from(between(0, 255, 4 * w * h));
  const array = gpu.device.array({ width: w, height: h, format: "u8", channels: 4 });
  array.write(pixels);
  const plane = gpu.device.surface(array);
  gpu.launch("flip", { grid: h, block: 32, args: [plane, w, h] });
  const flipped = list(h, (y) => [...pixels.subarray(4 * w * (h - 1 - y), 4 * w * (h - y))]).flat();
  expect([...array.read()]).toEqual(flipped);

  const [columns, rows] = [w + 4, h + 4];
  const [zero, clamp] = [gpu.buffer(4 * columns * rows), gpu.buffer(4 * columns * rows)];
  gpu.launch("edges", { grid: rows, block: columns, args: [plane, zero, clamp, w, h] });
  const texel = (x: number, y: number): number[] => flipped.slice(4 * (y * w + x), 4 * (y * w + x) + 4);
  const around = list(rows, (y) => list(columns, (x) => [x - 2, y - 2] as const)).flat();
  expect([...zero.read()]).toEqual(
    around.flatMap(([x, y]) => (x >= 0 && x < w && y >= 0 && y < h ? texel(x, y) : [0, 0, 0, 0])),
  );
  const near = (i: number, size: number): number => Math.min(Math.max(i, 0), size - 1);
  expect([...clamp.read()]).toEqual(around.flatMap(([x, y]) => texel(near(x, w), near(y, h))));
  // What was written lies left of the image, and was dropped.
  expect([...array.read()]).toEqual(flipped);
};

export const surflayers: Check = (gpu) => {
  const w = 10;
  const line = gpu.device.array({ width: w, format: "u32", channels: 2 });
  const lines = gpu.device.array({ width: w, layers: 3, format: "s16", channels: 1 });
  gpu.launch("lines", { grid: 3, block: w, args: [gpu.device.surface(line), gpu.device.surface(lines), w] });
  expect([...new BigInt64Array(line.read().buffer)]).toEqual(list(w, (x) => BigInt(x) << 33n));
  expect([...new Int16Array(lines.read().buffer)]).toEqual(list(3 * w, (i) => 100 * Math.floor(i / w) + (i % w)));

  const [sx, sz] = [4, 7];
  const volume = gpu.device.array({ width: sx, height: sx, depth: sz, format: "s32", channels: 2 });
  const layered = gpu.device.array({ width: sx, height: sx, layers: sz, format: "f32", channels: 4 });
  const cube = gpu.device.array({ width: sx, height: sx, cubemap: true, format: "u32", channels: 1 });
  const surfaces = [volume, layered, cube].map((array) => gpu.device.surface(array));
  gpu.launch("solids", { grid: sz, block: [sx, sx], args: surfaces });
  const cells = list(sz, (z) => list(sx, (y) => list(sx, (x) => [x, y, z] as const))).flat(2);
  expect([...new Int32Array(volume.read().buffer)]).toEqual(cells.flatMap(([x, y, z]) => [x + 10 * y, x + 10 * y + z]));
  expect([...new Float32Array(layered.read().buffer)]).toEqual(cells.flatMap(([x, y, z]) => [x, y, z, 1]));
  expect([...new Uint32Array(cube.read().buffer)]).toEqual(
    cells.filter(([, , z]) => z < 6).map(([x, y, z]) => x + 10 * y + 100 * z),
  );
};

import { expect } from "vitest";
import { between, type Check, floats, integers, list } from "./gpu.ts";

// What textures give is worked out here by the guide's formulas alone, in numbers that binary64 holds exactly.

/** floor(u), the next one, and the weight of that in 256ths, for a coordinate less a half. */
function beside(x: number): readonly [number, number, number] {
  const u = x - 0.5;
  const low = Math.floor(u);
  const scaled = (u - low) * 256;
  const weight =
    Math.floor(scaled) + (scaled % 1 > 0.5 || (scaled % 1 === 0.5 && Math.floor(scaled) % 2 === 1) ? 1 : 0);
  return [low, low + 1, weight];
}

const edge = (i: number, size: number): number => Math.min(Math.max(i, 0), size - 1);

/** A plane between its texels, clamped to the edge: sums of weighted texels over 2^16. */
function bilinear(texel: (x: number, y: number) => number, w: number, h: number, x: number, y: number): number {
  const [[i, i1, a], [j, j1, b]] = [beside(x), beside(y)];
  const at = (p: number, q: number): number => texel(edge(p, w), edge(q, h));
  return (
    ((256 - a) * (256 - b) * at(i, j) + a * (256 - b) * at(i1, j) + (256 - a) * b * at(i, j1) + a * b * at(i1, j1)) /
    65536
  );
}

export const texline: Check = (gpu) => {
  const n = 50;
  const values = Float32Array.from(list(n, (i) => i * 1.5 - 7));
  const bytes = Uint8Array.from(between(0, 255, 4 * n));
  const linear = (contents: ArrayBufferView, format: "f32" | "u8", channels: 1 | 4) =>
    ({ linear: gpu.buffer(contents), format, channels }) as const;
  const index = Int32Array.from([...list(n, (i) => (i * 7) % n), -1, n, n + 1000, -(2 ** 31)]);
  const [f, c, q] = [gpu.buffer(4 * index.length), gpu.buffer(4 * index.length), gpu.buffer(16 * index.length)];
  const args = [
    gpu.device.texture(linear(values, "f32", 1)),
    gpu.device.texture(linear(bytes, "u8", 4)),
    gpu.device.texture(linear(bytes, "u8", 4), { read: "normalized" }),
    ...[gpu.buffer(index), f, c, q, index.length],
  ];
  gpu.launch("fetch", { grid: 2, block: 32, args });
  // Beyond the end, linear memory reads as zeros.
  const inside = (i: number): boolean => i >= 0 && i < n;
  const of = (i: number): number[] => list(4, (channel) => (inside(i) ? (bytes[4 * i + channel] ?? 0) : 0));
  expect(floats(f)).toEqual([...index].map((i) => (inside(i) ? values[i] : 0)));
  expect([...c.read()]).toEqual([...index].flatMap(of));
  expect(floats(q)).toEqual([...index].flatMap((i) => of(i).map((byte) => Math.fround(byte / 255))));
};

export const texplane: Check = (gpu) => {
  const [w, h] = [12, 9];
  const texels = Float32Array.from(between(-1000, 1000, 4 * w * h));
  const array = gpu.device.array({ width: w, height: h, format: "f32", channels: 4 });
  array.write(texels);
  const [smooth, coarse] = (["linear", "point"] as const).map((filter) => gpu.device.texture(array, { filter }));
  const [a, b, x0, y0] = [Math.fround(0.8), Math.fround(0.6), 1.25, 2.5];
  const [out, near] = [gpu.buffer(16 * w * h), gpu.buffer(16 * w * h)];
  gpu.launch("turn", { grid: [2, 2], block: [8, 8], args: [smooth!, coarse!, out, near, w, h, a, b, x0, y0] });
  const { fround } = Math;
  const points = list(w * h, (i) => {
    const [x, y] = [i % w, Math.floor(i / w)];
    const u = fround(fround(fround(a * x) + fround(b * y)) + x0);
    const v = fround(fround(fround(a * y) - fround(b * x)) + y0);
    return [u, v] as const;
  });
  const channel = (c: number) => (x: number, y: number) => texels[4 * (y * w + x) + c] ?? 0;
  expect(floats(out)).toEqual(points.flatMap(([u, v]) => list(4, (c) => fround(bilinear(channel(c), w, h, u, v)))));
  expect(floats(near)).toEqual(
    points.flatMap(([u, v]) => list(4, (c) => channel(c)(edge(Math.floor(u), w), edge(Math.floor(v), h)))),
  );
};

export const texmodes: Check = (gpu) => {
  const n = 8;
  const array = gpu.device.array({ width: n, format: "f32", channels: 1 });
  array.write(Float32Array.from(list(n, (i) => i + 1)));
  const modes = ["wrap", "mirror", "clamp", "border"] as const;
  const textures = modes.map((address) => gpu.device.texture(array, { address, normalized: true, border: [-5] }));
  const handles = gpu.buffer(BigUint64Array.from(textures.map(({ handle }) => handle)));
  // Sixteenths: never where a mirrored period begins.
  const x = Float32Array.from(list(97, (i) => (2 * i - 95) / 16 / 3 + 1 / 64));
  const out = gpu.buffer(4 * 4 * x.length);
  gpu.launch("modes", { grid: 4, block: 32, args: [handles, gpu.buffer(x), out, x.length, 4] });
  const index = (u: number, mode: (typeof modes)[number]): number => {
    const [whole, part] = [Math.floor(u), u - Math.floor(u)];
    if (mode === "wrap") return Math.floor(part * n);
    if (mode === "mirror") return Math.floor((whole % 2 === 0 ? part : 1 - part) * n);
    return Math.floor(u * n);
  };
  const value = (u: number, mode: (typeof modes)[number]): number => {
    const i = index(u, mode);
    return mode === "border" && (i < 0 || i >= n) ? -5 : edge(i, n) + 1;
  };
  expect(floats(out)).toEqual(modes.flatMap((mode) => [...x].map((u) => value(u, mode))));
};

export const texpitch: Check = (gpu) => {
  const [w, h] = [7, 5];
  const row = <T>(pitch: number, make: (x: number, y: number) => T[], none: T): T[] =>
    list(h, (y) => {
      const cells = list(w, (x) => make(x, y)).flat();
      return [...cells, ...list(pitch - cells.length, () => none)];
    }).flat();
  const byte = (x: number, y: number): number => (37 * x + 91 * y) % 256;
  const short = (x: number, y: number): number[] => [x === 0 ? -32768 : 1000 * x * (y - 2), 32767 - y];
  const half = (x: number, y: number): number => 0x3c00 + 16 * x + y;
  const plane = { width: w, height: h, pitch: 32 } as const;
  const bytes = gpu.device.texture(
    { ...plane, pitch2d: gpu.buffer(Uint8Array.from(row(32, (x, y) => [byte(x, y)], 0))), format: "u8", channels: 1 },
    { read: "normalized", filter: "linear" },
  );
  const shorts = gpu.device.texture(
    { ...plane, pitch2d: gpu.buffer(Int16Array.from(row(16, short, 0))), format: "s16", channels: 2 },
    { read: "normalized" },
  );
  const halves = gpu.device.texture(
    { ...plane, pitch2d: gpu.buffer(Uint16Array.from(row(16, (x, y) => [half(x, y)], 0))), format: "f16", channels: 1 },
    { filter: "linear" },
  );
  const [a, b, c] = [gpu.buffer(4 * w * h), gpu.buffer(8 * w * h), gpu.buffer(4 * w * h)];
  gpu.launch("rows", { grid: h, block: 32, args: [bytes, shorts, halves, a, b, c, w, h] });
  const cells = list(w * h, (i) => [i % w, Math.floor(i / w)] as const);
  expect(floats(a)).toEqual(cells.map(([x, y]) => Math.fround(bilinear(byte, w, h, x + 0.75, y + 1) / 255)));
  expect(floats(b)).toEqual(
    cells.flatMap(([x, y]) => short(x, y).map((value) => Math.fround(Math.max(value, -32767) / 32767))),
  );
  const number = (x: number, y: number): number => 1 + (half(x, y) - 0x3c00) / 1024;
  expect(floats(c)).toEqual(cells.map(([x, y]) => Math.fround(bilinear(number, w, h, x + 1, y + 0.5))));
};

export const texvolume: Check = (gpu) => {
  const [w, h, d] = [5, 4, 3];
  const texels = Float32Array.from(between(-99, 99, w * h * d));
  const array = gpu.device.array({ width: w, height: h, depth: d, format: "f32", channels: 1 });
  array.write(texels);
  const coordinate = (size: number, seed: number) =>
    Float32Array.from(between(-300, 100 * size + 300, 200, seed).map((each) => each / 100));
  const [x, y, z] = [coordinate(w, 1), coordinate(h, 2), coordinate(d, 3)];
  const out = gpu.buffer(4 * 200);
  const args = [
    gpu.device.texture(array, { filter: "linear" }),
    ...[x, y, z].map((each) => gpu.buffer(each)),
    out,
    200,
  ];
  gpu.launch("sample", { grid: 2, block: 128, args });
  const expected = list(200, (i) => {
    const [k, k1, c] = beside(z[i]!);
    const slice = (at: number) => bilinear((p, q) => texels[(edge(at, d) * h + q) * w + p] ?? 0, w, h, x[i]!, y[i]!);
    return Math.fround(((256 - c) * slice(k) + c * slice(k1)) / 256);
  });
  expect(floats(out)).toEqual(expected);
};

export const texlayered: Check = (gpu) => {
  const [w, h, n] = [6, 4, 3];
  const lines = gpu.device.array({ width: w, layers: n, format: "f32", channels: 1 });
  lines.write(Float32Array.from(list(w * n, (i) => i)));
  const planes = gpu.device.array({ width: w, height: h, layers: n, format: "f32", channels: 2 });
  const texel = (layer: number, x: number, y: number, c: number): number => 1000 * layer + 100 * c + 10 * y + x;
  planes.write(
    Float32Array.from(
      list(2 * w * h * n, (i) =>
        texel(Math.floor(i / (2 * w * h)), Math.floor(i / 2) % w, Math.floor(i / (2 * w)) % h, i % 2),
      ),
    ),
  );
  const [a, b] = [gpu.buffer(4 * w * n), gpu.buffer(8 * w * h * n)];
  const args = [gpu.device.texture(lines), gpu.device.texture(planes, { filter: "linear" }), a, b, w, h, n];
  gpu.launch("layers", { grid: n, block: [w, h], args });
  expect(floats(a)).toEqual(list(w * n, (i) => i));
  // At x + 1, midway between two texels; the last one has none behind it.
  const middle = (layer: number, x: number, y: number, c: number): number =>
    texel(layer, Math.min(x + 0.5, w - 1), y, c);
  expect(floats(b)).toEqual(
    list(n, (layer) => list(h, (y) => list(w, (x) => list(2, (c) => middle(layer, x, y, c))))).flat(3),
  );
};

/** The guide's table of faces: m, s and t of +x, -x, +y, -y, +z and -z. */
const faces: readonly ((x: number, y: number, z: number) => readonly [number, number, number])[] = [
  (x, y, z) => [x, -z, -y], (x, y, z) => [-x, z, -y], (x, y, z) => [y, x, z],
  (x, y, z) => [-y, x, -z], (x, y, z) => [z, x, -y], (x, y, z) => [-z, -x, -y],
]; // biome-ignore format: a table

export const texcube: Check = (gpu) => {
  const size = 4;
  const cube = gpu.device.array({ width: size, height: size, cubemap: true, format: "s32", channels: 1 });
  cube.write(Int32Array.from(list(6 * size * size, (i) => i)));
  const cubes = gpu.device.array({ width: size, height: size, cubemap: true, layers: 2, format: "s32", channels: 1 });
  cubes.write(Int32Array.from(list(12 * size * size, (i) => 1000 - i)));
  const n = 120;
  const axes = [between(-999, 999, n, 4), between(-999, 999, n, 5), between(-999, 999, n, 6)];
  const directions = list(n, (i) => axes.map((axis) => axis[i]! / 8));
  const [a, b] = [gpu.buffer(4 * n), gpu.buffer(4 * n)];
  const options = { normalized: true } as const;
  const args = [gpu.device.texture(cube, options), gpu.device.texture(cubes, options)];
  gpu.launch("faces", {
    grid: 2,
    block: 64,
    args: [...args, gpu.buffer(Float32Array.from(directions.flat())), a, b, n],
  });
  const texels = directions.map(([x = 0, y = 0, z = 0]) => {
    const longest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    const axis = Math.abs(x) === longest ? 0 : Math.abs(y) === longest ? 2 : 4;
    const face = axis + ([x, y, z][axis / 2]! < 0 ? 1 : 0);
    const [m, s, t] = faces[face]!(x, y, z);
    const [i, j] = [s, t].map((each) => edge(Math.floor((size * (each / m + 1)) / 2), size));
    return (face * size + j!) * size + i!;
  });
  expect(integers(a)).toEqual(texels);
  expect(integers(b)).toEqual(texels.map((texel, i) => 1000 - texel - (i % 2) * 6 * size * size));
};

export const texlevels: Check = (gpu) => {
  const array = gpu.device.array({ width: 16, height: 16, levels: 5, format: "f32", channels: 1 });
  for (let level = 0; level < 5; level++) {
    const { width, height } = array.size(level);
    array.write(new Float32Array(width * height).fill(10 * level), { level });
  }
  const n = 24;
  const sharp = gpu.device.texture(array, { normalized: true });
  const mixed = gpu.device.texture(array, { normalized: true, filter: "linear", levelFilter: "linear" });
  const [a, b, c] = [gpu.buffer(4 * n), gpu.buffer(4 * n), gpu.buffer(4 * n)];
  gpu.launch("levels", { grid: 1, block: 32, args: [sharp, mixed, a, b, c, n] });
  expect(floats(a)).toEqual(list(n, (i) => 10 * Math.min(Math.floor(i / 4 + 0.5), 4)));
  expect(floats(b)).toEqual(list(n, (i) => 10 * Math.min(i / 4, 4)));
  // The longer derivative is i/8 of the width: 2i texels.
  const detail = (i: number): number => Math.min(Math.max(i === 0 ? 0 : Math.log2(2 * i), 0), 4);
  expect(floats(c)).toEqual(list(n, (i) => (10 * Math.round(256 * detail(i))) / 256));
};

export const texgather: Check = (gpu) => {
  const [w, h] = [5, 4];
  const texels = Int32Array.from(between(-(2 ** 30), 2 ** 30, 4 * w * h));
  const array = gpu.device.array({ width: w, height: h, format: "s32", channels: 4 });
  array.write(texels);
  const out = gpu.buffer(64 * w * h);
  gpu.launch("gather", { grid: h, block: w, args: [gpu.device.texture(array), out, w, h] });
  const at = (x: number, y: number, c: number): number => texels[4 * (edge(y, h) * w + edge(x, w)) + c] ?? 0;
  // x + 0.75 lies between x and x + 1, y + 0.25 between y - 1 and y; from the lower left, against the clock.
  const four = (x: number, y: number, c: number): number[] => [
    ...[at(x, y, c), at(x + 1, y, c), at(x + 1, y - 1, c), at(x, y - 1, c)],
  ];
  expect(integers(out)).toEqual(list(h, (y) => list(w, (x) => list(4, (c) => four(x, y, c)))).flat(3));
};

export const texblur: Check = (gpu) => {
  const [w, h] = [21, 13];
  const from = gpu.device.array({ width: w, height: h, format: "u8", channels: 1 });
  const to = gpu.device.array({ width: w, height: h, format: "u8", channels: 1 });
  const pixels = Uint8Array.from(between(0, 255, w * h));
  from.write(pixels);
  const texture = gpu.device.texture(from, { filter: "linear", read: "normalized" });
  gpu.launch("blur", { grid: [3, 2], block: [8, 8], args: [texture, gpu.device.surface(to), w, h] });
  const { fround } = Math;
  const mean = (x: number, y: number): number => fround(bilinear((i, j) => pixels[j * w + i] ?? 0, w, h, x, y) / 255);
  const blurred = list(w * h, (i) => {
    const [x, y] = [i % w, Math.floor(i / w)];
    const sum = fround(fround(fround(mean(x, y) + mean(x + 1, y)) + mean(x, y + 1)) + mean(x + 1, y + 1));
    const scaled = fround(sum * 63.75);
    const low = Math.floor(scaled);
    return scaled - low > 0.5 || (scaled - low === 0.5 && low % 2 === 1) ? low + 1 : low;
  });
  expect([...to.read()]).toEqual(blurred);
};

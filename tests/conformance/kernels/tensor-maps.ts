import { expect } from "vitest";
import type { Buffer } from "../../../src/index.ts";
import { list, noise } from "../gallery/gpu.ts";
import type { Check, Checks, Gpu } from "./gpu.ts";

const wordsOf = (bytes: Uint8Array): number[] => Array.from(new Uint32Array(bytes.slice().buffer));

/** A tensor of words (or halves) and the part of it that a tile is. Coordinates begin with the dimension that is contiguous. */
export interface Tiled {
  readonly buffer: Buffer;
  readonly element: "u32" | "f32" | "u16" | "f16";
  readonly dims: readonly number[];
  /** Of dimension 1 and above, in bytes; by default without gaps. */
  readonly strides?: readonly number[];
  readonly box: readonly number[];
  readonly steps?: readonly number[];
  readonly swizzle?: "32B" | "64B" | "128B";
  readonly fill?: "nan";
}

const sizeOf = (element: Tiled["element"]): number => (element.endsWith("32") ? 4 : 2);
const stridesOf = ({ dims, strides, element }: Tiled): readonly number[] => {
  if (strides) return strides;
  let bytes = sizeOf(element);
  return dims.slice(0, -1).map((size) => {
    bytes *= size;
    return bytes;
  });
};

/** A map as a launch's argument. */
const mapOf = (gpu: Gpu, { buffer, element, ...tiled }: Tiled): Uint8Array =>
  gpu.device.tensorMap({ tensor: buffer, type: element, ...tiled });

/** Bits 4 and above of an offset change with bits 7 and above. */
const swizzled = (offset: number, swizzle: Tiled["swizzle"]): number => {
  const mask = swizzle === "128B" ? 7 : swizzle === "64B" ? 3 : swizzle === "32B" ? 1 : 0;
  return offset ^ (((offset >> 7) & mask) << 4);
};

/** Each element of a tile: where it lies in shared memory, and where in the tensor; none if it is outside. */
function* elements(tiled: Tiled, start: readonly number[]): Generator<readonly [at: number, from: number | undefined]> {
  const { dims, box, steps, element, swizzle } = tiled;
  const size = sizeOf(element);
  const strides = [size, ...stridesOf(tiled)];
  const counts = box.map((length, d) => Math.ceil(length / (steps?.[d] ?? 1)));
  const count = counts.reduce((a, b) => a * b, 1);
  for (let i = 0; i < count; i++) {
    let [rest, from, inside] = [i, 0, true];
    counts.forEach((length, d) => {
      const at = start[d]! + (rest % length) * (steps?.[d] ?? 1);
      rest = Math.floor(rest / length);
      inside &&= at >= 0 && at < dims[d]!;
      from += at * strides[d]!;
    });
    yield [swizzled(i * size, swizzle), inside ? from : undefined];
  }
}

/** The bytes of a tile as they lie in shared memory. */
function tileOf(tiled: Tiled, start: readonly number[], tensor: Uint8Array): Uint8Array {
  const size = sizeOf(tiled.element);
  const all = [...elements(tiled, start)];
  const tile = new Uint8Array(all.length * size);
  for (const [at, from] of all) {
    if (from !== undefined) tile.set(tensor.subarray(from, from + size), at);
    // A NaN of its own.
    else if (tiled.fill) tile.set([0xf7, 0xff, 0xff, 0x7f], at);
  }
  return tile;
}

const loads: Check = (gpu) => {
  const data = noise(4096, 1);
  const buffer = gpu.buffer(data);
  const tensor = new Uint8Array(data.buffer);
  const cases: readonly (readonly [tiled: Omit<Tiled, "buffer">, starts: readonly (readonly number[])[]])[] = [
    [{ element: "u32", dims: [100], box: [32] }, [[0], [84], [-5]]],
    [{ element: "u32", dims: [60, 40], strides: [256], box: [16, 8] }, [[4, 3], [56, 36], [-3, -2], [70, 3]]], // biome-ignore format: one thing
    [{ element: "f32", dims: [60, 40], strides: [256], box: [16, 8], fill: "nan" }, [[50, 38]]],
    [{ element: "u16", dims: [24, 10, 12], box: [8, 4, 3] }, [[4, 8, -1]]],
    [{ element: "u32", dims: [8, 6, 5, 4], box: [4, 3, 2, 2] }, [[4, 4, 3, -1]]],
    [{ element: "u32", dims: [8, 4, 3, 3, 4], box: [4, 2, 2, 1, 3] }, [[0, 2, 2, 1, 2]]],
    [{ element: "u32", dims: [64, 32], box: [32, 16], swizzle: "128B" }, [[32, 5], [48, 28]]], // biome-ignore format: one thing
    [{ element: "f16", dims: [64, 32], box: [32, 16], swizzle: "64B" }, [[8, 20]]],
    [{ element: "u32", dims: [64, 32], box: [8, 32], swizzle: "32B" }, [[56, 3]]],
    [{ element: "u32", dims: [64, 32], box: [16, 9], steps: [1, 3] }, [[8, 28]]],
  ];
  for (const [shape, starts] of cases) {
    const tiled = { ...shape, buffer };
    for (const start of starts) {
      const wanted = tileOf(tiled, start, tensor);
      const out = gpu.buffer(wanted.length);
      const at = list(5, (d) => start[d] ?? 0);
      const args = [mapOf(gpu, tiled), out, start.length, wanted.length, ...at];
      gpu.launch("tile_load", { block: 32, dynamicShared: wanted.length, args });
      expect(out.read()).toEqual(wanted);
    }
  }
};

const stores: Check = (gpu) => {
  const cases: readonly (readonly [tiled: Omit<Tiled, "buffer">, start: readonly number[], add: boolean])[] = [
    [{ element: "u32", dims: [40, 20], box: [16, 8] }, [32, 15], false],
    [{ element: "u32", dims: [40, 20], box: [32, 8], swizzle: "128B" }, [4, 14], false],
    [{ element: "u16", dims: [16, 6, 8], box: [8, 4, 2] }, [12, 3, 6], false],
    [{ element: "u32", dims: [8, 4, 4, 4], box: [4, 2, 2, 2] }, [4, 3, 3, 2], false],
    [{ element: "u32", dims: [40, 20], box: [16, 8] }, [30, 15], true],
    [{ element: "u32", dims: [16, 4, 8], box: [8, 4, 2] }, [12, 2, 6], true],
  ];
  for (const [shape, start, add] of cases) {
    const before = noise(1024, 3);
    const tensor = new Uint8Array(before.slice().buffer);
    const tiled = { ...shape, buffer: gpu.buffer(before) };
    const size = sizeOf(shape.element);
    const all = [...elements(tiled, start)];
    const data = noise((all.length * size) / 4, 4);
    const bytes = new Uint8Array(data.buffer);
    const view = new DataView(tensor.buffer);
    for (const [at, to] of all) {
      if (to === undefined) continue;
      if (!add) tensor.set(bytes.subarray(at, at + size), to);
      else {
        const [x, y] = [view.getUint32(to, true), data[at >> 2]!];
        view.setUint32(to, start.length === 2 ? (x + y) >>> 0 : Math.max(x, y), true);
      }
    }
    const args = [
      mapOf(gpu, tiled),
      gpu.buffer(data),
      start.length,
      bytes.length,
      add ? 1 : 0,
      ...list(4, (d) => start[d] ?? 0),
    ];
    gpu.launch("tile_store", { block: 64, dynamicShared: bytes.length, args });
    expect(tiled.buffer.read()).toEqual(tensor);
  }
};

interface Columns {
  readonly dims: readonly number[];
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly channels: number;
  readonly pixels: number;
  readonly start: readonly number[];
  readonly offsets: readonly number[];
}

/** Pixels one after the other through a box that the corners move in from the image's edges; `offsets` move each pixel. */
function columnsOf({ dims, lower, upper, channels, pixels, start, offsets }: Columns, tensor: Uint32Array): number[] {
  const spatial = dims.length - 2;
  const at = [...start];
  const out: number[] = [];
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let channel = 0; channel < channels; channel++) {
      let [index, stride, inside] = [0, 1, true];
      dims.forEach((size, d) => {
        const offset = d >= 1 && d <= spatial ? offsets[d - 1]! : 0;
        const place = (d === 0 ? at[0]! + channel : at[d]!) + offset;
        inside &&= place >= 0 && place < size;
        index += place * stride;
        stride *= size;
      });
      out.push(inside ? tensor[index]! : 0);
    }
    // The next pixel: along the row, then the next row, at last the next image.
    let d = 1;
    for (; d <= spatial; d++) {
      at[d]!++;
      if (at[d]! < dims[d]! + upper[d - 1]!) break;
      at[d] = lower[d - 1]!;
    }
    if (d > spatial) at[spatial + 1]!++;
  }
  return out;
}

const columns: Check = (gpu) => {
  const data = noise(4096, 5);
  const tensor = gpu.buffer(data);
  const cases: readonly Columns[] = [
    // A 3 x 3 filter with a border of one pixel of zeros.
    { dims: [8, 7, 5, 3], lower: [-1, -1], upper: [-1, -1], channels: 4, pixels: 24, start: [4, -1, -1, 0], offsets: [2, 1] }, // biome-ignore format: one thing
    { dims: [8, 7, 5, 3], lower: [-1, -1], upper: [-1, -1], channels: 8, pixels: 16, start: [0, 4, 2, 1], offsets: [0, 2] }, // biome-ignore format: one thing
    { dims: [4, 30, 6], lower: [-2], upper: [-2], channels: 4, pixels: 20, start: [0, 20, 4], offsets: [3] },
    { dims: [4, 5, 4, 3, 3], lower: [0, 0, 0], upper: [-2, -1, -1], channels: 4, pixels: 18, start: [0, 1, 2, 1, 0], offsets: [1, 0, 1] }, // biome-ignore format: one thing
  ];
  for (const example of cases) {
    const { dims, lower, upper, channels, pixels, start, offsets } = example;
    const wanted = columnsOf(example, data);
    const out = gpu.buffer(wanted.length * 4);
    const map = gpu.device.tensorMap({ tensor, type: "u32", dims, im2col: { lower, upper, channels, pixels } });
    // c, w, h, d, n.
    const [spatial, n] = [start.slice(1, -1), start.at(-1)!];
    const coordinates = [start[0]!, ...list(3, (d) => spatial[d] ?? 0), n];
    const args = [map, out, dims.length, wanted.length * 4, ...coordinates, ...list(3, (d) => offsets[d] ?? 0)];
    gpu.launch("im2col_load", { block: 32, dynamicShared: wanted.length * 4, args });
    expect(wordsOf(out.read())).toEqual(wanted);
  }
};

export const tensor_map: Checks = {
  tile_load: loads,
  tile_store: stores,
  tile_transpose: (gpu) => {
    const data = noise(64 * 96, 6);
    const [from, to] = [gpu.buffer(data), gpu.buffer(64 * 96 * 4)];
    const shape = { element: "u32", box: [32, 32], swizzle: "128B" } as const;
    const args = [
      mapOf(gpu, { ...shape, buffer: from, dims: [96, 64] }),
      mapOf(gpu, { ...shape, buffer: to, dims: [64, 96] }),
    ];
    gpu.launch("tile_transpose", { grid: [3, 2], block: 128, args });
    expect(wordsOf(to.read())).toEqual(list(64 * 96, (i) => data[(i % 64) * 96 + Math.floor(i / 64)]!));
  },
  im2col_load: columns,
  tile_multicast: (gpu) => {
    const data = noise(32 * 32, 7);
    const out = gpu.buffer(4 * 2048);
    const map = mapOf(gpu, { element: "u32", buffer: gpu.buffer(data), dims: [32, 32], box: [16, 16] });
    gpu.launch("tile_multicast", { grid: 4, block: 64, args: [map, out] });
    const wanted = list(4 * 512, (i) => {
      const [block, half, row, column] = [i >> 9, (i >> 8) & 1, (i >> 4) & 15, i & 15];
      return Math.imul(data[((block >> 1) * 16 + row) * 32 + half * 16 + column]!, (block & 1) + 1) >>> 0;
    });
    expect(wordsOf(out.read())).toEqual(wanted);
  },
  flat_multicast: (gpu) => {
    const data = noise(64, 8);
    const out = gpu.buffer(4 * 256);
    gpu.launch("flat_multicast", { grid: 4, block: 64, args: [gpu.buffer(data), out] });
    const wanted = list(256, (i) => ((i >> 6 === 2 ? 7 : data[i & 63]!) + (i >> 6)) >>> 0);
    expect(wordsOf(out.read())).toEqual(wanted);
  },
};

export const tensor_replace: Checks = {
  map_replace: (gpu) => {
    const [count, width, height] = [3, 24, 20];
    const data = noise(count * width * height, 9);
    const matrices = gpu.buffer(data);
    const [room, out, other] = [gpu.buffer(128 * count), gpu.buffer(count * 1024), gpu.buffer(16 * 16 * 4)];
    const first = mapOf(gpu, { element: "u32", buffer: other, dims: [16, 16], box: [16, 16] });
    gpu.launch("map_replace", { grid: count, block: 32, args: [first, room, matrices, out, width, height] });
    const wanted = list(count * 256, (i) => {
      const [block, row, column] = [i >> 8, (i >> 4) & 15, i & 15];
      const [x, y] = [width - 8 + column, block + row];
      return x < width - block && y < height ? data[(block * height + y) * width + x]! : 0;
    });
    expect(wordsOf(out.read())).toEqual(wanted);
  },
  tile_gather: (gpu) => {
    const data = noise(64 * 40, 10);
    const [from, to] = [gpu.buffer(data), gpu.buffer(64 * 40 * 4)];
    const rows = [39, 3, 17, 3, 30, 2, 0, 21];
    const shape = { element: "u32", dims: [64, 40], box: [32, 1] } as const;
    const args = [
      mapOf(gpu, { ...shape, buffer: from }),
      mapOf(gpu, { ...shape, buffer: to }),
      gpu.buffer(Int32Array.from(rows)),
      16,
    ];
    gpu.launch("tile_gather", { block: 32, args });
    const wanted = new Uint32Array(64 * 40);
    for (let i = 0; i < 4; i++)
      for (let x = 0; x < 32; x++)
        wanted[rows[4 + i]! * 64 + 16 + x] = data[rows[i]! * 64 + 16 + x]! + 1000000 * (i + 1);
    expect(wordsOf(to.read())).toEqual(Array.from(wanted));
  },
};

import type { Walk } from "../../../../src/interp/tensor-map/geometry.ts";
import type { TensorMap } from "../../../../src/interp/tensor-map/tensor-map.ts";

/** One element of a copy: where it lies in shared memory, and where in global memory, if it is part of the tensor. */
export interface Moved {
  readonly shared: number;
  readonly global: number | undefined;
}

/** The manual's tables of 5.5.7: which 16-byte cell of the source stands at each place, for the lines of one pattern. */
const tables: Readonly<Record<string, readonly (readonly number[])[]>> = {
  "none:16B": [[0, 1, 2, 3, 4, 5, 6, 7]],
  "32B:16B": [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6]],
  "96B:16B": [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6]],
  "64B:16B": [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6], [2, 3, 0, 1, 6, 7, 4, 5], [3, 2, 1, 0, 7, 6, 5, 4]],
  "128B:16B": [
    [0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 3, 2, 5, 4, 7, 6], [2, 3, 0, 1, 6, 7, 4, 5], [3, 2, 1, 0, 7, 6, 5, 4],
    [4, 5, 6, 7, 0, 1, 2, 3], [5, 4, 7, 6, 1, 0, 3, 2], [6, 7, 4, 5, 2, 3, 0, 1], [7, 6, 5, 4, 3, 2, 1, 0],
  ],
  "128B:32B": [[0, 1, 2, 3, 4, 5, 6, 7], [2, 3, 0, 1, 6, 7, 4, 5], [4, 5, 6, 7, 0, 1, 2, 3], [6, 7, 4, 5, 2, 3, 0, 1]],
  "128B:64B": [[0, 1, 2, 3, 4, 5, 6, 7], [4, 5, 6, 7, 0, 1, 2, 3]],
}; // biome-ignore format: as the manual's tables

/** Where the byte at `address` of the unswizzled layout stands. */
export function swizzled(address: number, { swizzle, atomicity }: Pick<TensorMap, "swizzle" | "atomicity">): number {
  const flip = atomicity === "32B+8B";
  const table = tables[`${swizzle}:${flip ? "32B" : atomicity}`];
  if (table === undefined) throw new Error(`${swizzle}:${atomicity}`);
  const line = Math.floor(address / 128);
  const cell = Math.floor((address % 128) / 16);
  const place = (table[line % table.length] ?? []).indexOf(cell);
  const within = address % 16;
  const moved = flip && line % 2 === 1 ? (within + 8) % 16 : within;
  return line * 128 + place * 16 + moved;
}

/** Every unit that a copy to or from `base` moves, one by one, from the text of 5.5.3 to 5.5.7. */
export function movedBy(map: TensorMap, walk: Walk, base: number): readonly Moved[] {
  const { element, dims, strides, interleave } = map;
  const jump = interleave === "none" ? 1 : (map.steps[0] ?? 1);
  const width = map.part.mode === "tiled" ? Math.ceil((map.part.box[0] ?? 0) / jump) : map.part.channels;
  const units = Math.ceil(width / element.per);
  const slice = { none: 1, "16B": 16, "32B": 32 }[interleave];
  const moved: Moved[] = [];
  let line = base;
  for (const pixel of pixels(map, walk)) {
    for (let unit = 0; unit < units; unit++) {
      const first = (walk.mode === "rows" ? walk.column : (walk.coordinates[0] ?? 0)) + unit * element.per * jump;
      const place = [first, ...pixel];
      const inside = place.every((value, index) => value >= 0 && value < (dims[index] ?? 1));
      let global = (first / element.per) * element.global;
      for (let index = 1; index < dims.length; index++) global += (place[index] ?? 0) * (strides[index - 1] ?? 0);
      moved.push({ shared: swizzled(line + unit * element.shared, map), global: inside ? global : undefined });
    }
    line += Math.ceil((units * element.shared) / slice) * slice;
  }
  return moved;
}

/** The coordinates 1 and above of each row, in the order in which they stand in shared memory. */
function pixels(map: TensorMap, walk: Walk): readonly (readonly number[])[] {
  const { dims, steps, part } = map;
  if (walk.mode === "rows") return walk.rows.map((row) => [row]);
  const [, ...base] = walk.coordinates;
  if (part.mode === "tiled") {
    const count = (index: number): number => Math.ceil((part.box[index] ?? 1) / (steps[index] ?? 1));
    const all: number[][] = [];
    for (let i4 = 0; i4 < count(4); i4++)
      for (let i3 = 0; i3 < count(3); i3++)
        for (let i2 = 0; i2 < count(2); i2++)
          for (let i1 = 0; i1 < count(1); i1++)
            all.push(
              [i1, i2, i3, i4]
                .slice(0, dims.length - 1)
                .map((value, index) => (base[index] ?? 0) + value * (steps[index + 1] ?? 1)),
            );
    return all;
  }
  const inner = dims.length - 2;
  const n = base[inner] ?? 0;
  if (walk.mode === "im2col") {
    // All bases of an image in order; then from the first one of the instruction on, image after image.
    const along = (index: number): number[] => {
      const values: number[] = [];
      if (index >= inner) return [0];
      for (
        let at = part.lower[index] ?? 0;
        at <= (dims[index + 1] ?? 1) - 1 + (part.upper[index] ?? 0);
        at += steps[index + 1] ?? 1
      )
        values.push(at);
      return values;
    };
    const image: number[][] = [];
    for (const d of along(2)) for (const h of along(1)) for (const w of along(0)) image.push([w, h, d].slice(0, inner));
    const first = image.findIndex((at) => at.every((value, index) => value === base[index]));
    if (first < 0) throw new Error("the base is not a place of the walk");
    return Array.from({ length: part.pixels }, (_, index) => {
      const at = image[(first + index) % image.length] ?? [];
      const tap = at.map((value, dimension) => value + (walk.offsets[dimension] ?? 0));
      return [...tap, n + Math.floor((first + index) / image.length)];
    });
  }
  if (walk.mode === "tile") throw new Error("a tile of a map for im2col");
  const step = steps[1] ?? 1;
  const lower = (part.lower[0] ?? 0) + walk.offset;
  const last = (dims[1] ?? 1) - 1 + (part.upper[0] ?? 0) + walk.offset;
  const across: [w: number, image: number][] = [];
  for (let w = (base[0] ?? 0) + walk.offset; w <= last; w += step) across.push([w, n]);
  for (let image = n + 1; across.length < 2048; image++)
    for (let w = lower; w <= last; w += step) across.push([w, image]);
  const at = (index: number): number[] => {
    const [w, image] = across[index] ?? [0, 0];
    return [w, ...base.slice(1, inner), image];
  };
  const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => at(from + index));
  if (walk.mode === "im2col::w") return range(0, part.pixels + walk.halo);
  return [0, 32, 64, 96].flatMap((from) => range(from, 32 + walk.halo));
}

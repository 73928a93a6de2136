import { isPadded } from "./element.ts";
import { type Shuffle, shuffleOf } from "./swizzle.ts";
import type { Columns, TensorMap } from "./tensor-map.ts";

/** How a copy walks through a tensor: `.tile`, `.tile::gather4` and `.tile::scatter4`, or one of the im2col modes. */
export type Walk =
  | { readonly mode: "tile"; readonly coordinates: readonly number[] }
  /** One column and four rows of a 2D tensor. */
  | { readonly mode: "rows"; readonly column: number; readonly rows: readonly number[] }
  /** The base of the filter, and the offsets of the tap in the order W, H, D. */
  | { readonly mode: "im2col"; readonly coordinates: readonly number[]; readonly offsets: readonly number[] }
  | {
      readonly mode: "im2col::w" | "im2col::w::128";
      readonly coordinates: readonly number[];
      readonly halo: number;
      readonly offset: number;
    };

/**
 * A run of units along dimension 0 that lie side by side in shared memory. Units outside of `from` to `to` are outside of
 * the tensor: a load fills them, a store leaves them out.
 */
export interface Row {
  /** Where its first unit lies, in bytes from the map's address; only units `from` to `to` are there. */
  readonly global: number;
  readonly from: number;
  readonly to: number;
}

/** What one copy moves: rows of equal length, one after the other in shared memory. */
export interface Footprint {
  readonly rows: readonly Row[];
  /** Units of a row that are moved, and bytes from one row to the next in shared memory. */
  readonly units: number;
  readonly pitch: number;
  /** Bytes from one unit to the next in global memory. */
  readonly step: number;
  /** Bytes of data, those that are filled included and gaps of padded types left out: what an mbarrier counts. */
  readonly bytes: number;
  /** Bytes of shared memory from the first row to the end of the last. */
  readonly span: number;
  /** Where an address of shared memory goes under the map's swizzle. */
  readonly shuffle: Shuffle;
}

/** The elements that `walk` reaches in the tensor of a sound `map` (see `checkMap`, `checkWalk`). */
export function footprintOf(map: TensorMap, walk: Walk): Footprint {
  const { element, dims, strides, steps, interleave, part } = map;
  const columns = part.mode === "tiled" ? undefined : part;
  const width = part.mode === "tiled" ? Math.ceil((part.box[0] ?? 1) / stepAlongRow(map)) : part.channels;
  const units = Math.ceil(width / element.per);
  const step = stepAlongRow(map) * element.global;
  const start = (walk.mode === "rows" ? walk.column : (walk.coordinates[0] ?? 0)) / element.per;
  const last = (dims[0] ?? 1) / element.per;
  const jump = stepAlongRow(map);
  // Units of a row that lie within dimension 0.
  const from = Math.min(units, Math.max(0, Math.ceil(-start / jump)));
  const to = Math.max(from, Math.min(units, Math.ceil((last - start) / jump)));
  const rows: Row[] = [];
  const row = (place: readonly number[]): void => {
    const inside = place.every((value, index) => value >= 0 && value < (dims[index + 1] ?? 1));
    const global = place.reduce((sum, value, index) => sum + value * (strides[index] ?? 0), start * element.global);
    rows.push(inside ? { global, from, to } : { global, from: 0, to: 0 });
  };
  if (walk.mode === "rows") for (const at of walk.rows) row([at]);
  else if (part.mode === "tiled") {
    const counts = part.box.slice(1).map((size, index) => Math.ceil(size / (steps[index + 1] ?? 1)));
    for (const at of places(counts))
      row(at.map((value, index) => (walk.coordinates[index + 1] ?? 0) + value * (steps[index + 1] ?? 1)));
  } else if (walk.mode === "im2col") for (const at of pixelsOf(map, part, walk)) row(at);
  else if (walk.mode !== "tile" && columns) for (const at of widePixels(map, columns, walk)) row(at);
  const slice = interleave === "none" ? 0 : interleave === "16B" ? 16 : 32;
  const inner = units * element.shared;
  const pitch = slice === 0 ? inner : Math.ceil(inner / slice) * slice;
  const moved = isPadded(element) ? units * element.global : pitch;
  const shuffle = shuffleOf(map.swizzle, map.atomicity);
  return { rows, units, pitch, step, bytes: rows.length * moved, span: rows.length * pitch, shuffle };
}

/** Only interleaved tensors skip elements of dimension 0 (5.5.3.2); for others the field is ignored. */
const stepAlongRow = ({ interleave, steps }: TensorMap): number => (interleave === "none" ? 1 : (steps[0] ?? 1));

/** All places of a box of these sizes, the first index running fastest. */
function* places(counts: readonly number[]): Generator<readonly number[]> {
  const at = counts.map(() => 0);
  const total = counts.reduce((product, count) => product * count, 1);
  for (let left = total; left > 0; left--) {
    yield at;
    for (let index = 0; index < at.length; index++) {
      at[index] = (at[index] ?? 0) + 1;
      if ((at[index] ?? 0) < (counts[index] ?? 1)) break;
      at[index] = 0;
    }
  }
}

/**
 * im2col (5.5.4): the filter's base walks through the bounding box of each image, W fastest, from where the instruction
 * says, for as many pixels as a column has. Yields W, H, D and N of the tap, which the offsets move away from the base.
 */
function* pixelsOf(map: TensorMap, part: Columns, walk: Walk & { mode: "im2col" }): Generator<readonly number[]> {
  const { dims, steps } = map;
  const inner = dims.length - 2;
  const base = walk.coordinates.slice(1);
  for (let left = part.pixels; left > 0; left--) {
    yield base.map((value, index) => value + (index < inner ? (walk.offsets[index] ?? 0) : 0));
    let index = 0;
    for (; index < inner; index++) {
      base[index] = (base[index] ?? 0) + (steps[index + 1] ?? 1);
      if ((base[index] ?? 0) < (dims[index + 1] ?? 1) + (part.upper[index] ?? 0)) break;
      base[index] = part.lower[index] ?? 0;
    }
    if (index === inner) base[inner] = (base[inner] ?? 0) + 1;
  }
}

/**
 * `.im2col::w` (5.5.5): only W moves, H and D stay, and the next row is that of the next image. Halo pixels are those
 * that come next in this walk: behind the last pixel, or behind every 32 of them.
 */
function* widePixels(
  { dims, steps }: TensorMap,
  part: Columns,
  { mode, coordinates, halo, offset }: Walk & { mode: "im2col::w" | "im2col::w::128" },
): Generator<readonly number[]> {
  const step = steps[1] ?? 1;
  const lower = (part.lower[0] ?? 0) + offset;
  const end = (dims[1] ?? 1) + (part.upper[0] ?? 0) + offset;
  const n = dims.length - 2;
  const pixels = mode === "im2col::w" ? part.pixels : 128;
  const group = mode === "im2col::w" ? pixels : 32;
  const walked: (readonly number[])[] = [];
  const place = coordinates.slice(1);
  place[0] = (place[0] ?? 0) + offset;
  for (let left = pixels + halo; left > 0; left--) {
    walked.push([...place]);
    place[0] = (place[0] ?? 0) + step;
    if ((place[0] ?? 0) < end) continue;
    place[0] = lower;
    place[n] = (place[n] ?? 0) + 1;
  }
  for (let first = 0; first < pixels; first += group) yield* walked.slice(first, first + group + halo);
}

import type { FilterMode, Geometry, Image, ImageLevel, Sampler } from "../contract/image.ts";
import { type Axis, around, BORDER, fetched, modeOf, nearest, type Pair, roundEven, WEIGHT_ONE } from "./axis.ts";
import { aroundOnFace, beyondEdge, type FacePoint, faceOf, nearestOnFace } from "./face.ts";

/** Which levels a lookup reads: one, or two with the weight of the second, 0 to 256. */
interface Levels {
  readonly first: number;
  readonly weight: number;
}

/** The levels for a level of detail, by the sampler's bias and bounds; eight fraction bits (grade unspecified). */
function levelsAt(lod: number, { levels: { filter, bias, least, most } }: Sampler, count: number): Levels {
  const asked = Number.isNaN(lod) ? 0 : lod + bias;
  const bounded = Math.min(Math.max(asked, least, 0), most, count - 1);
  const fixed = Math.max(0, roundEven(bounded * WEIGHT_ONE));
  if (filter === "nearest")
    return { first: Math.min(Math.floor((fixed + WEIGHT_ONE / 2) / WEIGHT_ONE), count - 1), weight: 0 };
  const first = Math.floor(fixed / WEIGHT_ONE);
  return { first, weight: fixed - first * WEIGHT_ONE };
}

/**
 * The level of detail of partial derivatives, in texels: log2 of the longer one (as OpenGL 4.6, 8.14.1, says of exact
 * scale factors; CUDA gives no formula, grade unspecified).
 */
function lodOf(dx: readonly number[], dy: readonly number[]): number {
  const square = (d: readonly number[]): number => d.reduce((sum, each) => sum + each * each, 0);
  const longest = Math.max(square(dx), square(dy));
  return Number.isNaN(longest) ? 0 : Math.log2(longest) / 2;
}

/** A derivative of a direction as one of the point on its face, in texels of a face of `size`. */
function onFace({ face, m, s, t }: FacePoint, d: readonly number[], size: number): readonly [number, number] {
  const [dx = 0, dy = 0, dz = 0] = d;
  const parts: readonly (readonly [number, number, number])[] = [
    [dx, -dz, -dy],
    [-dx, dz, -dy],
    [dy, dx, dz],
    [-dy, dx, -dz],
    [dz, dx, -dy],
    [-dz, -dx, -dy],
  ];
  const [dm, ds, dt] = parts[face]!;
  return [(size * (ds * m - s * dm)) / (2 * m * m), (size * (dt * m - t * dm)) / (2 * m * m)];
}

/** A lookup in a texture: the operands of one thread. */
export interface Lookup {
  readonly geometry: Geometry;
  /** True for coordinates in whole texels (`.s32`): neither normalised nor filtered. */
  readonly whole: boolean;
  /** Coordinates within a layer; three of a cubemap. */
  readonly coordinates: readonly number[];
  readonly layer: number;
  readonly sample: number;
  /** Added to the coordinates, texels. */
  readonly offset: readonly number[];
  /** The level of detail; undefined for the base level. */
  readonly lod?: number;
  /** Partial derivatives, which choose it. */
  readonly dx?: readonly number[];
  readonly dy?: readonly number[];
}

/** A texel that takes part in a result. */
export interface Tap {
  /** Of the sum of all weights, `Footprint.whole`. */
  readonly weight: number;
  /** Where it begins in memory's buffer; -1 for the border. */
  readonly at: number;
  readonly level: number;
  readonly layer: number;
  readonly texel: readonly number[];
}

/** All texels of a result, and the sum of their weights. */
export interface Footprint {
  readonly taps: readonly Tap[];
  readonly whole: number;
}

/** The texels that a lookup reads with these settings. */
export function footprint(image: Image, sampler: Sampler, lookup: Lookup): Footprint {
  const point = isCube(lookup.geometry) ? directed(lookup.coordinates) : undefined;
  const { first, weight } = levelsOf(image, sampler, lookup, point);
  const filter: FilterMode = lookup.whole ? "nearest" : sampler.filter;
  const near = tapsOf(image, sampler, lookup, point, first, filter);
  if (weight === 0) return near;
  const far = tapsOf(image, sampler, lookup, point, first + 1, filter);
  return {
    taps: [...scaled(near, WEIGHT_ONE - weight), ...scaled(far, weight)],
    whole: near.whole * WEIGHT_ONE,
  };
}

/** The four texels of tld4, in its order: counter-clockwise from the lower left, where y grows downward. */
export function gathered(image: Image, sampler: Sampler, lookup: Lookup): readonly Tap[] {
  const point = isCube(lookup.geometry) ? directed(lookup.coordinates) : undefined;
  const { taps } = tapsOf(image, sampler, lookup, point, 0, "linear");
  const [upperLeft, upperRight, lowerLeft, lowerRight] = taps as [Tap, Tap, Tap, Tap];
  return [lowerLeft, lowerRight, upperRight, upperLeft];
}

const isCube = (geometry: Geometry): boolean => geometry === "cube" || geometry === "acube";

const directed = ([x = 0, y = 0, z = 0]: readonly number[]): FacePoint => faceOf(x, y, z);

const scaled = ({ taps }: Footprint, by: number): readonly Tap[] =>
  taps.map((tap) => ({ ...tap, weight: tap.weight * by }));

function levelsOf(image: Image, sampler: Sampler, lookup: Lookup, point: FacePoint | undefined): Levels {
  const { levels } = image;
  const { dx, dy, lod } = lookup;
  if (dx !== undefined && dy !== undefined) {
    const [{ width, height, depth }] = levels as [ImageLevel];
    const inTexels = (d: readonly number[]): readonly number[] =>
      point !== undefined
        ? onFace(point, d, width)
        : sampler.normalized
          ? d.map((each, axis) => each * [width, height, depth][axis]!)
          : d;
    const nearestLevel = lookup.whole
      ? { ...sampler, levels: { ...sampler.levels, filter: "nearest" as const } }
      : sampler;
    return levelsAt(lodOf(inTexels(dx), inTexels(dy)), nearestLevel, levels.length);
  }
  if (lod === undefined) return { first: 0, weight: 0 };
  if (lookup.whole) return { first: Math.min(Math.max(lod, 0), levels.length - 1), weight: 0 };
  return levelsAt(lod, sampler, levels.length);
}

/** The texels of one level. */
function tapsOf(
  image: Image,
  sampler: Sampler,
  lookup: Lookup,
  point: FacePoint | undefined,
  level: number,
  filter: FilterMode,
): Footprint {
  const size = image.levels[level]!;
  const face = point?.face ?? 0;
  const layer = layerOf(image, lookup.layer) * (image.cube ? 6 : 1) + face;
  const pairs = point === undefined ? flat(image, sampler, lookup, size, filter) : curved(point, size, filter);
  const taps: Tap[] = [];
  const [x, y = single, z = single] = pairs as [Pair, Pair?, Pair?];
  const both = (pair: Pair): readonly (readonly [number, number])[] =>
    filter === "nearest" || pair === single
      ? [[pair.first, WEIGHT_ONE]]
      : [
          [pair.first, WEIGHT_ONE - pair.weight],
          [pair.second, pair.weight],
        ];
  const place = (i: number, j: number, k: number, weight: number): Tap => {
    const texel = [i, j, k].slice(0, image.dimensions);
    if (point !== undefined) {
      const there = sampler.seamless ? beyondEdge(face, i, j, size.width) : clampedOnFace(face, i, j, size, sampler);
      const on = layer - face + there.face;
      return {
        weight,
        at: offsetOf(image, size, there.i, there.j, 0, on, 0),
        level,
        layer: on,
        texel: [there.i, there.j],
      };
    }
    return { weight, at: offsetOf(image, size, i, j, k, layer, lookup.sample), level, layer, texel };
  };
  for (const [k, wz] of both(z))
    for (const [j, wy] of both(y))
      for (const [i, wx] of both(x))
        taps.push(place(i, j, k, filter === "nearest" ? 1 : weigh(wx, wy, wz, pairs.length)));
  return { taps, whole: filter === "nearest" ? 1 : WEIGHT_ONE ** pairs.length };
}

/** The one row of a line, the one slice of a plane. */
const single: Pair = { first: 0, second: 0, weight: 0 };

const weigh = (x: number, y: number, z: number, axes: number): number => x * (axes > 1 ? y : 1) * (axes > 2 ? z : 1);

/** How the coordinates of one axis select texels of a level. */
export function along(image: Image, sampler: Sampler, { width, height, depth }: ImageLevel, axis: number): Axis {
  const wanted = image.memory === "linear" ? "clamp_to_border" : sampler.address[axis]!;
  const { normalized } = sampler;
  return { size: [width, height, depth][axis]!, mode: modeOf(wanted, normalized), normalized };
}

function flat(
  image: Image,
  sampler: Sampler,
  { coordinates, offset, whole }: Lookup,
  level: ImageLevel,
  filter: FilterMode,
): readonly Pair[] {
  return coordinates.slice(0, image.dimensions).map((x, axis) => {
    const shift = offset[axis] ?? 0;
    const each = along(image, sampler, level, axis);
    if (whole) return { ...single, first: fetched(x + shift, each) };
    return filter === "nearest" ? { ...single, first: nearest(x, shift, each) } : around(x, shift, each);
  });
}

function curved({ m, s, t }: FacePoint, { width }: ImageLevel, filter: FilterMode): readonly Pair[] {
  return [s, t].map((minor) => {
    if (filter === "nearest") return { ...single, first: nearestOnFace(minor, m, width) };
    const { begin, weight } = aroundOnFace(minor, m, width);
    return { first: begin, second: begin + 1, weight };
  });
}

/** A single face is addressed as an image is, except that it does not repeat. */
function clampedOnFace(face: number, i: number, j: number, { width }: ImageLevel, { address }: Sampler) {
  const along = (index: number, axis: 0 | 1): number => {
    const mode = address[axis];
    if (index >= 0 && index < width) return index;
    return mode === "clamp_to_border" || mode === "clamp_ogl" ? BORDER : index < 0 ? 0 : width - 1;
  };
  return { face, i: along(i, 0), j: along(j, 1) };
}

/** A layer behind the last one is the last one (grade unspecified). */
export const layerOf = ({ layers = 1 }: Image, layer: number): number => Math.min(Math.max(layer, 0), layers - 1);

/** Where a texel begins in memory's buffer; -1 where an index stands for the border. */
export function offsetOf(
  { bytes, samples }: Image,
  { start, row, slice, layer }: ImageLevel,
  i: number,
  j: number,
  k: number,
  on: number,
  sample: number,
): number {
  if (i < 0 || j < 0 || k < 0) return BORDER;
  const one = samples > 1 ? (bytes / samples) * Math.min(sample, samples - 1) : 0;
  return start + on * layer + k * slice + j * row + i * bytes + one;
}

import type { AddressMode } from "../contract/image.ts";

/**
 * One coordinate of a lookup, by the formulas of CUDA's programming guide, "Texture Fetching". They are computed exactly,
 * and what the guide leaves to the hardware is decided here: a weight is rounded to nearest, ties to even.
 */

/** A texel's index, or -1 for the border. */
export const BORDER = -1;

/** Weights have eight bits behind the point: 256 is 1. */
export const WEIGHT_ONE = 256;

/** The two texels that lie around a coordinate, and the weight of the second, 0 to 256. */
export interface Pair {
  readonly first: number;
  readonly second: number;
  readonly weight: number;
}

/** How coordinates of one axis of `size` texels select texels. */
export interface Axis {
  readonly size: number;
  readonly mode: AddressMode;
  readonly normalized: boolean;
}

/** The effective mode: without normalised coordinates, wrap and mirror become clamp (cudaTextureDesc). */
export const modeOf = (mode: AddressMode, normalized: boolean): AddressMode =>
  normalized || (mode !== "wrap" && mode !== "mirror") ? mode : "clamp_to_edge";

/** The coordinate in texels, `shift` texels further; NaN counts as 0. */
function inTexels(x: number, shift: number, { size, mode, normalized }: Axis): number {
  if (Number.isNaN(x)) return shift;
  if (!normalized) return Math.min(Math.max(x, -FAR), FAR) + shift;
  if (mode !== "wrap" && mode !== "mirror") return Math.min(Math.max(x, -FAR), FAR) * size + shift;
  // A number that large is a multiple of 2, where a period begins; an infinity is treated alike, for want of better.
  return (Math.abs(x) >= 2 ** 25 ? 0 : x) * size + shift;
}

/** Further out than any image is wide, and near enough that a quarter of a texel is a double. */
const FAR = 2 ** 26;

/** A coordinate brought into its mirrored period: 1 - frac(x) where floor(x) is odd. */
function mirrored(u: number, size: number): number {
  const within = u - 2 * size * Math.floor(u / (2 * size));
  return within > size ? 2 * size - within : within;
}

/** The index that an index outside of the image stands for. */
export function addressed(index: number, size: number, mode: AddressMode): number {
  if (index >= 0 && index < size) return index;
  switch (mode) {
    case "wrap":
      return index - size * Math.floor(index / size);
    case "mirror":
    case "clamp_to_edge":
      return index < 0 ? 0 : size - 1;
    case "clamp_ogl":
    case "clamp_to_border":
      return BORDER;
  }
}

/** Nearest-point sampling: T[floor(x)]. */
export function nearest(x: number, shift: number, axis: Axis): number {
  const { size, mode } = axis;
  if (mode === "mirror") return Math.min(Math.floor(mirrored(inTexels(x, shift, axis), size)), size - 1);
  const index = Math.floor(inTexels(x, 0, axis)) + shift;
  return mode === "clamp_ogl" ? Math.min(Math.max(index, 0), size - 1) : addressed(index, size, mode);
}

/** A place between two texels as one number: the first one's index times this, and the weight of the second, 0 to 256. */
export const PLACE = 2 * WEIGHT_ONE;

/** Linear filtering: T[i] and T[i+1] with i = floor(x - 0.5), and the weight frac(x - 0.5), as a place. */
export function placeAround(x: number, shift: number, axis: Axis): number {
  const { size, mode } = axis;
  const late = mode === "mirror" || mode === "clamp_ogl";
  const all = inTexels(x, late ? shift : 0, axis);
  const u = mode === "mirror" ? mirrored(all, size) : mode === "clamp_ogl" ? Math.min(Math.max(all, 0), size) : all;
  const begin = Math.floor(u - 0.5);
  // A double loses bits only next to a half, where the weight is 128 all the same.
  const weight = roundEven((u - 0.5 - begin) * WEIGHT_ONE);
  return (late ? begin : begin + shift) * PLACE + weight;
}

/** The same as the two texels. */
export function around(x: number, shift: number, axis: Axis): Pair {
  const place = placeAround(x, shift, axis);
  const begin = Math.floor(place / PLACE);
  const { size, mode } = axis;
  return {
    first: addressed(begin, size, mode),
    second: addressed(begin + 1, size, mode),
    weight: place - begin * PLACE,
  };
}

/** The nearest integer; of two, the even one. */
export function roundEven(value: number): number {
  const low = Math.floor(value);
  const rest = value - low;
  return rest > 0.5 || (rest === 0.5 && low % 2 !== 0) ? low + 1 : low;
}

/** The texel of an integer coordinate, which is never normalised and never filtered (tex1Dfetch). */
export const fetched = (index: number, { size, mode }: Axis): number => addressed(index, size, modeOf(mode, false));

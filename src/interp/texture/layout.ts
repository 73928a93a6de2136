import type { Image, ImageLevel } from "../contract/image.ts";
import { texelBytes } from "./fetch.ts";

/** Rows begin at multiples of this, as surfaces ask for (PTX ISA, Surface Instructions). */
const ROW_ALIGN = 16;

/** What an array is made with. */
export type ArrayShape = Pick<
  Image,
  "dimensions" | "layers" | "cube" | "samples" | "type" | "channels" | "mipmapped"
> & {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly levels: number;
};

/** Lays an array out in memory from `start` on; the layout is private to ptxrun (CUDA calls it opaque). */
export function layOutArray(
  shape: ArrayShape,
  start: number,
): { readonly levels: readonly ImageLevel[]; readonly bytes: number } {
  const bytes = texelBytes(shape) * shape.samples;
  const layers = (shape.layers ?? 1) * (shape.cube ? 6 : 1);
  const levels: ImageLevel[] = [];
  let at = start;
  for (let level = 0; level < shape.levels; level++) {
    const width = sizeAt(shape.width, level);
    const height = sizeAt(shape.height, level);
    const depth = sizeAt(shape.depth, level);
    const row = Math.ceil((width * bytes) / ROW_ALIGN) * ROW_ALIGN;
    const slice = row * height;
    const layer = slice * depth;
    levels.push({ width, height, depth, start: at, row, slice, layer });
    at += layer * layers;
  }
  return { levels, bytes: at - start };
}

/** max(1, floor(size / 2^level)) (PTX ISA, Mipmaps). */
export const sizeAt = (size: number, level: number): number => Math.max(1, Math.floor(size / 2 ** level));

/** 1 + floor(log2(max(w, h, d))). */
export const mostLevels = (width: number, height: number, depth: number): number =>
  32 - Math.clz32(Math.max(width, height, depth));

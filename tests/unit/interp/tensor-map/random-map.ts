import { tensorElements } from "../../../../src/interp/tensor-map/element.ts";
import type { Walk } from "../../../../src/interp/tensor-map/geometry.ts";
import {
  type Atomicity,
  atomicities,
  interleaves,
  promotions,
  swizzles,
  type TensorMap,
} from "../../../../src/interp/tensor-map/tensor-map.ts";

/** Numbers from 0 to below `limit`, the same for the same seed. */
export function drawer(seed: number): (limit: number) => number {
  // Neighbouring seeds give numbers that have nothing in common.
  let state = Math.imul(seed + 1, 0x9e37_79b1) >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const pick = <T>(draw: (limit: number) => number, list: readonly T[]): T => list[draw(list.length)] as T;

/** A map and a walk of any kind; not each is sound (`checkMap` and `checkWalk` decide). */
export function randomMap(seed: number): { readonly map: TensorMap; readonly walk: Walk } {
  const draw = drawer(seed);
  const kind = pick(draw, ["tile", "tile", "rows", "im2col", "im2col::w", "im2col::w::128"] as const);
  const element = pick(draw, tensorElements);
  const columns = kind !== "tile" && kind !== "rows";
  const rank = kind === "rows" ? 2 : columns ? 3 + draw(3) : 1 + draw(5);
  const swizzle = pick(draw, swizzles);
  const atomicity: Atomicity = swizzle === "128B" ? pick(draw, atomicities) : "16B";
  const interleave = kind === "tile" && rank >= 3 && draw(3) === 0 ? pick(draw, interleaves) : "none";
  const sixteen = (16 * element.per) / element.global;
  const inner = element.per === 16 ? 128 : interleave === "none" ? sixteen * (1 + draw(4)) : 1 + draw(sixteen);
  const steps = Array.from({ length: rank }, () => (draw(3) === 0 ? 1 + draw(3) : 1));
  const dims = Array.from({ length: rank }, (_, index) =>
    index === 0 ? (element.per === 16 ? 128 * (1 + draw(2)) : element.per * (1 + draw(40))) : 1 + draw(9),
  );
  const strides: number[] = [];
  let stride = Math.ceil((((dims[0] ?? 1) / element.per) * element.global) / 32) * 32;
  for (let index = 1; index < rank; index++) {
    strides.push(stride);
    stride *= (dims[index] ?? 1) + draw(2);
  }
  const corner = (low: number) => Array.from({ length: rank - 2 }, () => low + draw(3));
  const lower = columns ? corner(-2) : [];
  const upper = columns ? corner(-2) : [];
  const part = columns
    ? ({ mode: kind === "im2col" ? "im2col" : "wide", lower, upper, channels: inner, pixels: 1 + draw(70) } as const)
    : ({
        mode: "tiled",
        box: [inner, ...Array.from({ length: rank - 1 }, () => (kind === "rows" ? 1 : 1 + draw(6)))],
      } as const);
  const fill = element.float && draw(2) === 0 ? "nan" : "zero";
  const map: TensorMap = {
    element, address: 0x1000n, dims, strides, steps, interleave, swizzle, atomicity, l2: pick(draw, promotions), fill, part,
  }; // biome-ignore format: one thought
  const first = element.per === 16 ? 128 * (draw(4) - 1) : element.per * (draw(30) - 8);
  const coordinates = [first, ...Array.from({ length: rank - 1 }, () => draw(12) - 3)];
  if (kind === "rows") return { map, walk: { mode: kind, column: first, rows: [0, 0, 0, 0].map(() => draw(14) - 2) } };
  if (kind === "tile") return { map, walk: { mode: kind, coordinates } };
  // A filter's base is a place that the walk comes to.
  for (let index = 0; index < rank - 2; index++) {
    const span = (dims[index + 1] ?? 1) + (upper[index] ?? 0) - (lower[index] ?? 0);
    coordinates[index + 1] =
      (lower[index] ?? 0) + (steps[index + 1] ?? 1) * draw(Math.ceil(Math.max(1, span) / (steps[index + 1] ?? 1)));
  }
  if (kind === "im2col") return { map, walk: { mode: kind, coordinates, offsets: lower.map(() => draw(4)) } };
  return { map, walk: { mode: kind, coordinates, halo: draw(4), offset: draw(4) } };
}

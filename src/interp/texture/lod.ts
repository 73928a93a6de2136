import type { Sampler } from "../contract/image.ts";
import { roundEven, WEIGHT_ONE } from "./axis.ts";
import type { FacePoint } from "./face.ts";

/** Which levels a lookup reads: one, or two with the weight of the second, 0 to 256. */
export interface Levels {
  readonly first: number;
  readonly weight: number;
}

/** The level of a level of detail: bias and bounds of the sampler, eight bits behind the point (grade open). */
export function levelsAt(lod: number, { levels: { filter, bias, least, most } }: Sampler, count: number): Levels {
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
 * scale factors; CUDA gives no formula, grade open).
 */
export function lodOf(dx: readonly number[], dy: readonly number[]): number {
  const square = (d: readonly number[]): number => d.reduce((sum, each) => sum + each * each, 0);
  const longest = Math.max(square(dx), square(dy));
  return Number.isNaN(longest) ? 0 : Math.log2(longest) / 2;
}

/** A derivative of a direction as one of the point on its face, in texels of a face of `size`. */
export function onFace({ face, m, s, t }: FacePoint, d: readonly number[], size: number): readonly [number, number] {
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

import { WEIGHT_ONE } from "./axis.ts";

/**
 * Cubemaps (CUDA's programming guide, "Cubemap Textures"): a direction hits one of six faces, in the order +x, -x, +y, -y,
 * +z, -z, at (s/m + 1) / 2 and (t/m + 1) / 2.
 */
export interface FacePoint {
  readonly face: number;
  /** The major axis, positive, and the two minor ones. */
  readonly m: number;
  readonly s: number;
  readonly t: number;
}

/** Where a direction leads. Of equal coordinates z counts before y and y before x, as in Direct3D 11 (grade unspecified). */
export function faceOf(x: number, y: number, z: number): FacePoint {
  const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
  if (az >= ax && az >= ay) return z < 0 ? { face: 5, m: -z, s: -x, t: -y } : { face: 4, m: z, s: x, t: -y };
  if (ay >= ax) return y < 0 ? { face: 3, m: -y, s: x, t: -z } : { face: 2, m: y, s: x, t: z };
  return x < 0 ? { face: 1, m: -x, s: z, t: -y } : { face: 0, m: x, s: -z, t: -y };
}

/** f32s times this are integers. */
const UNIT = 2 ** 149;
const whole = (value: number): bigint => BigInt(value * UNIT);

/** size * (s/m + 1) / 2 in units of 1/parts texels, cut down or rounded to the nearest, ties to even; exact. */
function onFace(s: number, m: number, size: number, parts: number, rounded: boolean): number {
  if (m === 0 || !Number.isFinite(s) || !Number.isFinite(m)) {
    // No direction, or one of infinite length: the middle, or the edge that it points to.
    const u = Number.isFinite(s) || Number.isNaN(s) ? size / 2 : s < 0 ? 0 : size;
    return Math.floor(u * parts);
  }
  const over = BigInt(size * parts) * (whole(s) + whole(m));
  const under = 2n * whole(m);
  // The point lies on the face, so nothing here is negative.
  const low = over / under;
  if (!rounded) return Number(low);
  const rest = 2n * (over - low * under);
  return Number(rest > under || (rest === under && (low & 1n) === 1n) ? low + 1n : low);
}

/** The texel that the point lies in. */
export const nearestOnFace = (s: number, m: number, size: number): number =>
  Math.min(onFace(s, m, size, 1, false), size - 1);

/** floor(u - 0.5) and the weight frac(u - 0.5). */
export function aroundOnFace(s: number, m: number, size: number): { readonly begin: number; readonly weight: number } {
  const fixed = onFace(s, m, size, WEIGHT_ONE, true) - WEIGHT_ONE / 2;
  const begin = Math.floor(fixed / WEIGHT_ONE);
  return { begin, weight: fixed - begin * WEIGHT_ONE };
}

/** The direction of a point of a face, m = 1. */
function directionOf(face: number, s: number, t: number): readonly [number, number, number] {
  switch (face) {
    case 0:
      return [1, -t, -s];
    case 1:
      return [-1, -t, s];
    case 2:
      return [s, 1, t];
    case 3:
      return [s, -1, -t];
    case 4:
      return [s, -t, 1];
    default:
      return [-s, -t, -1];
  }
}

/** A texel of a cube: its face and its place there. */
export interface FaceTexel {
  readonly face: number;
  readonly i: number;
  readonly j: number;
}

/**
 * The texel next to a face's edge, on the face beyond it (seamless cubemaps). At a corner, where three faces meet and
 * there is no fourth texel, it is the one beyond the edge along s (grade unspecified).
 */
export function beyondEdge(face: number, i: number, j: number, size: number): FaceTexel {
  const row = Math.min(Math.max(j, 0), size - 1);
  const out = i < 0 || i >= size;
  if (!out && row === j) return { face, i, j };
  const center = (index: number): number => (2 * index + 1) / size - 1;
  // Folded over the edge, the first texel's middle lies half a texel below it.
  const fold = 1 - 1 / size;
  const [s, t] = out ? [i < 0 ? -1 : 1, center(row)] : [center(i), j < 0 ? -1 : 1];
  const [x, y, z] = directionOf(face, s, t);
  const major = face >> 1;
  const [fx, fy, fz] = [major === 0 ? x * fold : x, major === 1 ? y * fold : y, major === 2 ? z * fold : z];
  const point = faceOf(fx, fy, fz);
  const index = (c: number): number =>
    Math.min(Math.max(Math.round(((c / point.m + 1) / 2) * size - 0.5), 0), size - 1);
  return { face: point.face, i: index(point.s), j: index(point.t) };
}

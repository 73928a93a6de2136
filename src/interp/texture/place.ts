import type { Image } from "../contract/image.ts";
import type { Outside, SurfaceGeometry } from "../contract/plan/plan-texture.ts";

/** A cell of a surface: where it lies in memory's buffer, and in which row. */
export interface Place {
  at: number;
  /** Byte of the row, row, slice or layer: whatever the geometry has. */
  byte: number;
  inside: boolean;
}

const within = (value: number, most: number): boolean => value >= 0 && value <= most;
const near = (value: number, most: number): number => Math.min(Math.max(value, 0), most);

/**
 * The cell of `bytes` bytes at the coordinates of an instruction's tuple, 0 where it has fewer; the first one that is no layer counts
 * `unit` bytes. Outside of the surface, with `clamp` the nearest one (PTX ISA, suld); otherwise `inside` is false. The result comes in
 * `place`, since one is wanted for each lane.
 */
export function placeOf(
  image: Image,
  geometry: SurfaceGeometry,
  a: number,
  b: number,
  c: number,
  unit: number,
  bytes: number,
  outside: Outside,
  place: Place,
): void {
  const { width, height, depth, start, row, slice, layer: layerBytes } = image.levels[0]!;
  const layers = (image.layers ?? 1) * (image.cube ? 6 : 1);
  const isLayered = geometry === "a1d" || geometry === "a2d";
  let layer = isLayered ? a >>> 0 : 0;
  let byte = (isLayered ? b : a) * unit;
  let y = isLayered ? c : b;
  let z = geometry === "3d" ? c : 0;
  const rowBytes = width * image.bytes;
  const last = Math.floor((rowBytes - bytes) / bytes) * bytes;
  place.inside =
    within(byte, rowBytes - bytes) && within(y, height - 1) && within(z, depth - 1) && within(layer, layers - 1);
  if (!place.inside && outside === "clamp") {
    if (!within(byte, rowBytes - bytes)) byte = near(byte, last);
    y = near(y, height - 1);
    z = near(z, depth - 1);
    layer = near(layer, layers - 1);
    place.inside = last >= 0;
  }
  place.at = start + layer * layerBytes + z * slice + y * row + byte;
  place.byte = byte;
}

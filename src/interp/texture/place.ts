import type { Image } from "../contract/image.ts";
import type { Outside, SurfaceGeometry } from "../contract/plan/plan-texture.ts";

/** A cell of a surface: where it lies in memory's buffer, and in which row. */
export interface Place {
  readonly at: number;
  /** Byte of the row, row, slice or layer: whatever the geometry has. */
  readonly byte: number;
  readonly inside: boolean;
}

/** Coordinates of a surface access, the first one in bytes. */
export interface SurfacePoint {
  readonly byte: number;
  readonly y: number;
  readonly z: number;
  readonly layer: number;
}

/** Reads the coordinates from an instruction's tuple. */
export function pointOf(
  geometry: SurfaceGeometry,
  [a = 0, b = 0, c = 0]: readonly number[],
  unit: number,
): SurfacePoint {
  switch (geometry) {
    case "1d":
      return { byte: a * unit, y: 0, z: 0, layer: 0 };
    case "2d":
      return { byte: a * unit, y: b, z: 0, layer: 0 };
    case "3d":
      return { byte: a * unit, y: b, z: c, layer: 0 };
    case "a1d":
      return { byte: b * unit, y: 0, z: 0, layer: a >>> 0 };
    case "a2d":
      return { byte: b * unit, y: c, z: 0, layer: a >>> 0 };
  }
}

/**
 * The cell of `bytes` bytes at a point of a surface. Outside of it, with `clamp` the nearest one (PTX ISA, suld);
 * otherwise `inside` is false.
 */
export function placeOf(image: Image, point: SurfacePoint, bytes: number, outside: Outside): Place {
  const [{ width, height, depth, start, row, slice, layer }] = image.levels as [Image["levels"][number]];
  const layers = (image.layers ?? 1) * (image.cube ? 6 : 1);
  const last = Math.floor((width * image.bytes - bytes) / bytes) * bytes;
  const within = (value: number, most: number): boolean => value >= 0 && value <= most;
  const inside =
    within(point.byte, width * image.bytes - bytes) &&
    within(point.y, height - 1) &&
    within(point.z, depth - 1) &&
    within(point.layer, layers - 1);
  const near = (value: number, most: number): number => Math.min(Math.max(value, 0), most);
  const there =
    inside || outside !== "clamp"
      ? point
      : {
          byte: within(point.byte, width * image.bytes - bytes) ? point.byte : near(point.byte, last),
          y: near(point.y, height - 1),
          z: near(point.z, depth - 1),
          layer: near(point.layer, layers - 1),
        };
  return {
    at: start + there.layer * layer + there.z * slice + there.y * row + there.byte,
    byte: there.byte,
    inside: inside || (outside === "clamp" && last >= 0),
  };
}

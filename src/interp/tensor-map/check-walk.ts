import type { MapProblem } from "./check-map.ts";
import { isPadded } from "./element.ts";
import type { Walk } from "./geometry.ts";
import type { TensorMap } from "./tensor-map.ts";

/** Which way a copy goes; reductions and stores obey the same rules but for the types. */
export type Direction = "load" | "store" | "reduce";

/** What the instruction says about the tensor, to be compared with its map. */
export interface Asked {
  /** `.2d` is 2. */
  readonly dim: number;
  readonly mode:
    | "tile"
    | "tile::gather4"
    | "tile::scatter4"
    | "im2col"
    | "im2col::w"
    | "im2col::w::128"
    | "im2col_no_offs"
    | "im2col_no_offs::w";
  readonly direction: Direction;
  /** Of the program: sm_107 has `.tile::scatter4` with negative coordinates. */
  readonly target?: string;
}

/**
 * Why this copy has no defined meaning with this (sound) map: PTX ISA 5.5.3 to 5.5.5 and Restriction on Tensor Copy
 * instructions. Undefined when it has one.
 */
export function checkWalk(map: TensorMap, { dim, mode, direction, target }: Asked, walk: Walk): MapProblem | undefined {
  const { dims, element, interleave, swizzle, atomicity, part } = map;
  const rows = mode === "tile::gather4" || mode === "tile::scatter4";
  const wanted = mode === "tile" || rows ? "tiled" : mode.includes("::w") ? "wide" : "im2col";
  if (part.mode !== wanted)
    return {
      message: `.${mode} with a tensor map made for ${modeName(part.mode)}`,
      expected: `a map made for ${modeName(wanted)}`,
    };
  if (dims.length !== dim)
    return { message: `.${dim}d with a tensor map of ${dims.length} dimensions`, expected: `.${dims.length}d` };
  if (rows && interleave !== "none")
    return { message: `.${mode} with an interleaved layout`, expected: "interleave none" };
  if (rows && part.mode === "tiled" && part.box[1] !== 1)
    return {
      message: `.${mode} with a box of ${part.box[1]} rows`,
      expected: "a box of one row: each coordinate is a row",
    };
  const flip = swizzle === "128B" && atomicity === "32B+8B";
  if (flip && direction !== "load")
    return { message: "a store with the swizzle 128B:32B+8B", expected: "another swizzle: this one is for loads" };
  if (direction !== "load" && element.name === "b4x16_p64")
    return { message: "a store of b4x16_p64", expected: "b4x16: the padded type is for loads" };
  if (direction === "reduce" && element.per !== 1)
    return { message: `a reduction of ${element.name}`, expected: "elements of whole bytes" };
  const swizzled = swizzle === "96B" && mode === "im2col::w::128";
  if (swizzled) return { message: ".im2col::w::128 with a swizzle of 96B", expected: "64B or 128B" };
  const first = walk.mode === "rows" ? walk.column : (walk.coordinates[0] ?? 0);
  const multiple = isPadded(element) ? 128 : element.per;
  if (first % multiple !== 0)
    return { message: `the first coordinate is ${first} for ${element.name}`, expected: `a multiple of ${multiple}` };
  const all = walk.mode === "rows" ? [walk.column, ...walk.rows] : walk.coordinates;
  const anywhere = direction === "load" || (mode === "tile::scatter4" && target?.startsWith("sm_107") === true);
  const negative = anywhere ? undefined : all.find((value) => value < 0);
  if (negative !== undefined)
    return { message: `a ${direction} begins at the coordinate ${negative}`, expected: "coordinates from 0" };
  return checkColumnWalk(map, walk, direction);
}

function checkColumnWalk({ dims, part }: TensorMap, walk: Walk, direction: Direction): MapProblem | undefined {
  if (part.mode === "tiled" || walk.mode === "tile" || walk.mode === "rows") return undefined;
  if (direction !== "load" && (part.lower.some((value) => value < 0) || part.upper.some((value) => value > 0)))
    return {
      message: "a store whose bounding box leaves the tensor",
      expected: "a lower corner from 0 and an upper one up to 0",
    };
  if (walk.mode === "im2col") {
    const inner = dims.length - 2;
    for (let index = 0; index < inner; index++) {
      const value = walk.coordinates[index + 1] ?? 0;
      const lower = part.lower[index] ?? 0;
      const end = (dims[index + 1] ?? 1) + (part.upper[index] ?? 0);
      if (value < lower || value >= end)
        return {
          message: `the filter's base ${value} in dimension ${index + 1} is outside of the bounding box`,
          expected: `${lower} to ${end - 1}`,
        };
    }
    const most = inner === 1 ? 0xffff : inner === 2 ? 0xff : 0x1f;
    const far = walk.offsets.find((value) => value > most);
    if (far !== undefined) return { message: `an im2col offset of ${far}`, expected: `0 to ${most}` };
    return undefined;
  }
  const most = walk.mode === "im2col::w" ? 511 : 31;
  if (walk.halo > most) return { message: `wHalo is ${walk.halo}`, expected: `0 to ${most}` };
  if (walk.offset > 31) return { message: `wOffset is ${walk.offset}`, expected: "0 to 31" };
  const end = (dims[1] ?? 1) + (part.upper[0] ?? 0);
  const w = walk.coordinates[1] ?? 0;
  if (w >= end) return { message: `W begins at ${w}, right of the bounding box`, expected: `${end - 1} at most` };
  return undefined;
}

const modeName = (mode: "tiled" | "im2col" | "wide"): string => (mode === "wide" ? "im2col::w" : mode);

import { checkMap } from "../../../src/interp/tensor-map/check-map.ts";
import { bytesOfElements, type ElementName, tensorElement } from "../../../src/interp/tensor-map/element.ts";
import { encodeMap, MAP_BYTES, type Swizzle, type TensorMap } from "../../../src/interp/tensor-map/tensor-map.ts";

/** A tensor map of every launch. */
export interface Copied {
  /** `2d` */
  readonly dim: string;
  /** Modes of instructions that it is for. */
  readonly modes: readonly string[];
  /** Bytes that one copy moves. */
  readonly bytes: number;
  readonly map: Omit<TensorMap, "address">;
}

function copied(
  dims: readonly number[],
  type: ElementName,
  modes: readonly string[],
  part: TensorMap["part"],
  swizzle: Swizzle = "none",
): Copied {
  const element = tensorElement(type)!;
  const strides: number[] = [];
  let stride = bytesOfElements(element, dims[0]!);
  for (const size of dims.slice(1)) {
    strides.push(stride);
    stride *= size;
  }
  const map = {
    element, dims, strides, steps: dims.map(() => 1), interleave: "none", swizzle, atomicity: "16B", l2: "none",
    fill: element.float && dims.length % 2 === 0 ? "nan" : "zero", part,
  } as const; // biome-ignore format: a table
  const elements = part.mode === "tiled" ? part.box.reduce((all, each) => all * each, 1) : part.channels * part.pixels;
  const wrong = checkMap({ ...map, address: 1024n });
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join("; "));
  const rows = modes.some((mode) => /gather4|scatter4/.test(mode)) ? 4 : 1;
  return { dim: `${dims.length}d`, modes, bytes: rows * bytesOfElements(element, elements), map };
}

const tile = ["tile"];
const tiled = (box: readonly number[]) => ({ mode: "tiled", box }) as const;
const columns = (mode: "im2col" | "wide", inner: number, channels: number) => {
  const corner = Array<number>(mode === "wide" ? 1 : inner).fill(0);
  return { mode, lower: corner, upper: corner, channels, pixels: 8 } as const;
};
const im2col = ["im2col", "im2col_no_offs"];
const wide = ["im2col::w", "im2col::w::128", "im2col_no_offs::w"];

/** Of all numbers of dimensions and modes, over the first bytes of `A`. */
export const tensorMaps: readonly Copied[] = [
  copied([64], "f32", tile, tiled([16])),
  copied([64], "u32", tile, tiled([8])),
  copied([16, 8], "f16", tile, tiled([8, 4])),
  copied([16, 8], "s32", tile, tiled([8, 2]), "32B"),
  copied([16, 8], "bf16", ["tile::gather4", "tile::scatter4"], tiled([16, 1])),
  copied([8, 4, 4], "u32", tile, tiled([4, 2, 2])),
  copied([16, 4, 4], "f16", im2col, columns("im2col", 1, 8)),
  copied([32, 4, 4], "f16", wide, columns("wide", 1, 32), "64B"),
  copied([8, 4, 2, 2], "f32", tile, tiled([8, 2, 1, 2])),
  copied([16, 4, 2, 2], "u16", im2col, columns("im2col", 2, 8)),
  copied([32, 4, 2, 2], "f16", wide, columns("wide", 2, 32), "64B"),
  copied([4, 2, 2, 2, 2], "u64", tile, tiled([4, 2, 1, 2, 1])),
  copied([16, 2, 2, 2, 2], "f16", im2col, columns("im2col", 3, 8)),
  copied([32, 2, 2, 2, 2], "f16", wide, columns("wide", 3, 32), "64B"),
];

/** Their bytes, one after the other, for a tensor that begins at `address`. */
export function mapsAt(address: bigint): Uint8Array {
  const bytes = new Uint8Array(MAP_BYTES * tensorMaps.length);
  for (const [at, { map }] of tensorMaps.entries()) bytes.set(encodeMap({ ...map, address }), MAP_BYTES * at);
  return bytes;
}

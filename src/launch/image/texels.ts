import type { Zlib } from "../../environment/files.ts";
import type { ArrayOptions } from "../../host/index.ts";
import type { ChannelType } from "../../interp/contract/image.ts";
import { readNpyShape } from "../npy.ts";
import type { ImageNotation } from "./notation.ts";
import { isPicture, openPicture } from "./picture.ts";

/** The size and format of an array, and the texels of its largest level; none where nobody has written them. */
export interface Texels {
  readonly array: Omit<ArrayOptions, "name" | "levels">;
  readonly contents?: Uint8Array;
  /** In place of `contents`: row by row, once there is room for them. Throws `BrokenPicture`. */
  readonly rows?: () => Iterable<Uint8Array>;
}

type Words = Pick<ImageNotation, "geometry">;

/** The texels of a file; a sentence says what is wrong instead. */
export function texelsOfFile(
  path: string,
  file: Uint8Array,
  notation: Words,
  most: number,
  zlib?: Zlib,
): Texels | string {
  return isPicture(path) ? ofPicture(path, file, most, zlib) : ofNpy(file, notation);
}

/** Three channels become four: there is no format of three, and the fourth is opaque. */
function ofPicture(path: string, file: Uint8Array, most: number, zlib: Zlib | undefined): Texels | string {
  const picture = openPicture(path, file, most, zlib);
  if (typeof picture === "string") return picture;
  const { width, height, channels, bits, rows } = picture;
  const format = bits === 8 ? "u8" : "u16";
  if (channels !== 3) return { array: { width, height, format, channels }, rows };
  return { array: { width, height, format, channels: 4 }, rows: () => withAlpha(rows(), width, bits / 8) };
}

function* withAlpha(rows: Iterable<Uint8Array>, width: number, size: number): Iterable<Uint8Array> {
  const texels = new Uint8Array(width * 4 * size).fill(255);
  for (const row of rows) {
    for (let pixel = 0; pixel < width; pixel++)
      for (let byte = 0; byte < 3 * size; byte++) texels[pixel * 4 * size + byte] = row[pixel * 3 * size + byte] ?? 0;
    yield texels;
  }
}

const formats: ReadonlySet<string> = new Set<ChannelType>(["u8", "u16", "u32", "s8", "s16", "s32", "f16", "f32"]);
const isChannelType = (type: string): type is ChannelType => formats.has(type);

function ofNpy(file: Uint8Array, { geometry }: Words): Texels | string {
  const npy = readNpyShape(file);
  if (typeof npy === "string") return npy;
  const { type, bytes, shape } = npy;
  if (!isChannelType(type)) return `its elements are .${type}, which no texture has`;
  const axes = geometry === undefined ? undefined : axesOf[geometry];
  const last = shape.at(-1) ?? 1;
  const withChannels =
    axes === undefined ? shape.length > 2 && (last === 1 || last === 2 || last === 4) : shape.length === axes + 1;
  const sizes = withChannels ? shape.slice(0, -1) : shape;
  const channels = withChannels ? last : 1;
  if (channels !== 1 && channels !== 2 && channels !== 4)
    return `its last axis is ${channels}: a texel has 1, 2 or 4 channels`;
  const made = arrayOf(sizes.toReversed(), geometry);
  return typeof made === "string" ? made : { array: { ...made, format: type, channels }, contents: bytes };
}

/** How many sizes each geometry has: width, height, and depth or layers. */
const axesOf = { "1d": 1, "2d": 2, "3d": 3, a1d: 2, a2d: 3, cube: 3, acube: 3 } as const;

/** What sizes say, the width first; a sentence says what is wrong instead. */
export function arrayOf(
  sizes: readonly number[],
  word: ImageNotation["geometry"],
): Omit<Texels["array"], "format" | "channels"> | string {
  const geometry = word ?? (["1d", "2d", "3d"] as const)[sizes.length - 1];
  const shown = sizes.join(" x ");
  if (geometry === undefined || (sizes.length !== axesOf[geometry] && !(geometry === "cube" && sizes.length === 2)))
    return `${shown || "no size"} is no size of a ${geometry ?? "texture"}, which has ${geometry === undefined ? "1 to 3 sizes" : `${axesOf[geometry]}`}`;
  // As many as the geometry has.
  const [width, height, more] = sizes as readonly [number, number, number];
  switch (geometry) {
    case "1d":
      return { width };
    case "2d":
      return { width, height };
    case "3d":
      return { width, height, depth: more };
    case "a1d":
      return { width, layers: height };
    case "a2d":
      return { width, height, layers: more };
    case "cube":
      if (sizes.length === 3 && more !== 6) return `${shown} is no cubemap, which has six faces`;
      return { width, height, cubemap: true };
    case "acube":
      if (more % 6 !== 0) return `${shown} is no array of cubemaps, which have six faces each`;
      return { width, height, layers: more / 6, cubemap: true };
  }
}

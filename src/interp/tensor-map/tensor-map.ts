import { type TensorElement, tensorElements } from "./element.ts";

/** How bytes are shuffled in shared memory: the span in which they stay. */
export type Swizzle = "none" | "32B" | "64B" | "96B" | "128B";
/** What stays together within a span of 128 bytes. */
export type Atomicity = "16B" | "32B" | "32B+8B" | "64B";
export type Interleave = "none" | "16B" | "32B";
export type Fill = "zero" | "nan";
export type L2 = "none" | "64B" | "128B" | "256B";

/** The words of each field, in the order of the values that `tensormap.replace` takes (table 33). */
export const swizzles: readonly Swizzle[] = ["none", "32B", "64B", "128B", "96B"];
export const atomicities: readonly Atomicity[] = ["16B", "32B", "32B+8B", "64B"];
export const interleaves: readonly Interleave[] = ["none", "16B", "32B"];
export const fills: readonly Fill[] = ["zero", "nan"];
export const promotions: readonly L2[] = ["none", "64B", "128B", "256B"];

/**
 * What a tensor map says (PTX ISA 5.5): where a tensor lies and which part of it one copy moves. Sizes are in elements,
 * strides in bytes; index 0 is the dimension whose elements lie side by side.
 */
export interface TensorMap {
  readonly element: TensorElement;
  readonly address: bigint;
  /** 1 to 5 dimensions. */
  readonly dims: readonly number[];
  /** Bytes from one element to the next in dimensions 1 and above: one fewer than `dims`. */
  readonly strides: readonly number[];
  /** How many elements the next one is away, in each dimension (traversal stride). */
  readonly steps: readonly number[];
  readonly interleave: Interleave;
  readonly swizzle: Swizzle;
  readonly atomicity: Atomicity;
  readonly l2: L2;
  readonly fill: Fill;
  readonly part: Box | Columns;
}

/** Tiled mode: how far the bounding box reaches in each dimension. */
export interface Box {
  readonly mode: "tiled";
  readonly box: readonly number[];
}

/** im2col modes: `wide` maps are for `.im2col::w` and `.im2col::w::128`, which walk along W only. */
export interface Columns {
  readonly mode: "im2col" | "wide";
  /** Corners of the bounding box in the order W, H, D; `upper` counts from the tensor's last pixel. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly channels: number;
  readonly pixels: number;
}

/** Bytes of the object, and how it must be aligned. */
export const MAP_BYTES = 128;
export const MAP_ALIGN = 64;

const TAG = 0x50414d54; // "TMAP"
const modes = ["tiled", "im2col", "wide"] as const;

/**
 * Where the object keeps each field. The manual calls it opaque, so the layout is ptxrun's own: little endian, sizes as
 * 32 bits (a dimension of 2^32 is 0), strides as 64.
 *
 *     0  address u64    8  tag u32    12 rank - 1, element, interleave, swizzle, atomicity, fill, L2, mode: u8 each
 *     20 dims 5 * u32   40 box 5 * u32   60 steps 5 * u8   66 pixels u16   68 channels u16   65 changed u8
 *     72 strides 5 * u64   112 lower, upper: 3 * s16 each
 */
export const at = {
  address: 0, tag: 8, rank: 12, element: 13, interleave: 14, swizzle: 15, atomicity: 16, fill: 17, l2: 18, mode: 19,
  dims: 20, box: 40, steps: 60, changed: 65, pixels: 66, channels: 68, strides: 72, lower: 112, upper: 118,
} as const; // biome-ignore format: one thought

/** The object that `map` is in memory. */
export function encodeMap(map: TensorMap): Uint8Array {
  const bytes = new Uint8Array(MAP_BYTES);
  const view = new DataView(bytes.buffer);
  view.setBigUint64(at.address, map.address, true);
  view.setUint32(at.tag, TAG, true);
  view.setUint8(at.rank, map.dims.length - 1);
  view.setUint8(at.element, tensorElements.indexOf(map.element));
  view.setUint8(at.interleave, interleaves.indexOf(map.interleave));
  view.setUint8(at.swizzle, swizzles.indexOf(map.swizzle));
  view.setUint8(at.atomicity, atomicities.indexOf(map.atomicity));
  view.setUint8(at.fill, fills.indexOf(map.fill));
  view.setUint8(at.l2, promotions.indexOf(map.l2));
  view.setUint8(at.mode, modes.indexOf(map.part.mode));
  map.dims.forEach((size, index) => {
    view.setUint32(at.dims + 4 * index, size, true);
  });
  map.steps.forEach((step, index) => {
    view.setUint8(at.steps + index, step);
  });
  map.strides.forEach((stride, index) => {
    view.setBigUint64(at.strides + 8 * index, BigInt(stride), true);
  });
  const { part } = map;
  if (part.mode === "tiled") {
    part.box.forEach((size, index) => {
      view.setUint32(at.box + 4 * index, size, true);
    });
    return bytes;
  }
  view.setUint16(at.pixels, part.pixels, true);
  view.setUint16(at.channels, part.channels, true);
  for (const corner of ["lower", "upper"] as const)
    part[corner].forEach((value, index) => {
      view.setInt16(at[corner] + 2 * index, value, true);
    });
  return bytes;
}

/** What 128 bytes say; undefined when they are no tensor map. A field that holds no legal value is reported by `checkMap`. */
export function decodeMap(bytes: Uint8Array): TensorMap | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, MAP_BYTES);
  const element = tensorElements[view.getUint8(at.element)];
  const interleave = interleaves[view.getUint8(at.interleave)];
  const swizzle = swizzles[view.getUint8(at.swizzle)];
  const atomicity = atomicities[view.getUint8(at.atomicity)];
  const fill = fills[view.getUint8(at.fill)];
  const l2 = promotions[view.getUint8(at.l2)];
  const mode = modes[view.getUint8(at.mode)];
  const rank = view.getUint8(at.rank) + 1;
  if (
    view.getUint32(at.tag, true) !== TAG ||
    !element ||
    !interleave ||
    !swizzle ||
    !atomicity ||
    !fill ||
    !l2 ||
    !mode
  )
    return undefined;
  if (rank > 5) return undefined;
  const listed = (count: number, read: (index: number) => number) =>
    Array.from({ length: count }, (_, index) => read(index));
  const corner = (from: number) => listed(Math.max(0, rank - 2), (index) => view.getInt16(from + 2 * index, true));
  const part: Box | Columns =
    mode === "tiled"
      ? { mode, box: listed(rank, (index) => view.getUint32(at.box + 4 * index, true)) }
      : {
          mode,
          lower: corner(at.lower),
          upper: corner(at.upper),
          channels: view.getUint16(at.channels, true),
          pixels: view.getUint16(at.pixels, true),
        };
  return {
    element,
    address: view.getBigUint64(at.address, true),
    dims: listed(rank, (index) => view.getUint32(at.dims + 4 * index, true) || 2 ** 32),
    strides: listed(rank - 1, (index) => Number(view.getBigUint64(at.strides + 8 * index, true))),
    steps: listed(rank, (index) => view.getUint8(at.steps + index)),
    interleave,
    swizzle,
    atomicity,
    l2,
    fill,
    part,
  };
}

import type { AddressName, ArrayOptions, TextureOptions } from "../../../host/index.ts";
import type { Reader } from "../protocol.ts";
import type { ResourceAsked } from "./images.ts";

/** By number of CUarray_format. */
const formats: Readonly<Record<number, ArrayOptions["format"]>> = {
  1: "u8",
  2: "u16",
  3: "u32",
  8: "s8",
  9: "s16",
  10: "s32",
  16: "f16",
  32: "f32",
};
/** By number of CUaddress_mode, CUfilter_mode and CUresourcetype. */
const modes: readonly AddressName[] = ["wrap", "clamp", "mirror", "border"];
const filters = ["point", "linear"] as const;
const kinds = ["array", "array", "linear", "pitch2d"] as const;

/** Bits of CUDA_ARRAY3D_DESCRIPTOR and CUDA_TEXTURE_DESC. */
const LAYERED = 1;
const CUBEMAP = 4;
const AS_INTEGER = 1;
const NORMALIZED = 2;
const SRGB = 0x10;
const SEAMLESS = 0x40;

/** For who asks without a level: all of them. */
const ALL = 0xffff_ffff;

/** u64 width, height, depth, u32 format, channels, flags, levels (0: not mipmapped). Height and depth may be 0. */
export function arrayAsked(words: Reader): ArrayOptions {
  const [width, height, depth] = [Number(words.u64()), Number(words.u64()), Number(words.u64())];
  const [format, channels] = [formatOf(words.u32()), channelsOf(words.u32())];
  const [flags, levels] = [words.u32(), words.u32()];
  const [layered, cubemap] = [(flags & LAYERED) !== 0, (flags & CUBEMAP) !== 0];
  return {
    width,
    format,
    channels,
    cubemap,
    ...(height > 0 && { height }),
    ...(layered ? { layers: cubemap ? depth / 6 : depth } : depth > 0 && !cubemap ? { depth } : {}),
    ...(levels > 0 && { levels }),
  };
}

/** u32 type, format, channels, level; u64 address, width, height, pitch. */
export function resourceAsked(words: Reader): ResourceAsked {
  const kind = kinds[words.u32()] ?? "array";
  const [format, channels, level] = [formatOf(words.u32()), channelsOf(words.u32()), words.u32()];
  const address = words.u64();
  const [width, height, pitch] = [Number(words.u64()), Number(words.u64()), Number(words.u64())];
  return { kind, format, channels, level: level === ALL ? undefined : level, address, width, height, pitch };
}

/**
 * u32 type of the resource, and behind it what `CUDA_TEXTURE_DESC` has up to its border colour, in its order; u32 whether
 * there is a view, its first and last level and layer.
 */
export function textureAsked(words: Reader, { kind, format }: ResourceAsked): TextureOptions {
  const address = [modeOf(words.u32()), modeOf(words.u32()), modeOf(words.u32())];
  const filter = filters[words.u32()] ?? "point";
  const flags = words.u32();
  words.u32();
  const levelFilter = filters[words.u32()] ?? "point";
  const [levelBias, leastLevel, mostLevel] = [float(words), float(words), float(words)];
  const border = [float(words), float(words), float(words), float(words)];
  const view = words.u32() !== 0;
  const [levels, layers] = [
    [words.u32(), words.u32()],
    [words.u32(), words.u32()],
  ] as const;
  const has = (flag: number): boolean => (flags & flag) !== 0;
  return {
    address,
    border,
    levelBias,
    leastLevel,
    mostLevel,
    normalized: has(NORMALIZED),
    srgb: has(SRGB),
    seamless: has(SEAMLESS),
    // Linear memory is neither filtered nor mipmapped, whatever is asked for.
    ...(kind === "linear" ? {} : { filter }),
    ...(kind === "array" && { levelFilter }),
    // Integers of 32 bits come as they are in any case.
    read: has(AS_INTEGER) || format === "u32" || format === "s32" ? "element" : "normalized",
    ...(view && { view: { levels, layers } }),
  };
}

const formatOf = (number: number): ArrayOptions["format"] => formats[number] ?? "u8";
const channelsOf = (number: number): ArrayOptions["channels"] => (number === 2 || number === 4 ? number : 1);
const modeOf = (number: number): AddressName => modes[number] ?? "clamp";

function float(words: Reader): number {
  return new Float32Array(Uint32Array.of(words.u32()).buffer)[0] ?? 0;
}

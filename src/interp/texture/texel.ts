import type { ChannelType } from "../contract/image.ts";

/**
 * What the channels of a texel mean. A value is kept as an exact fraction, `number / unit`, so that filtering rounds once:
 * 200 of an 8-bit texture that is read as a fraction is 200/255.
 */
export interface Channel {
  readonly bytes: 1 | 2 | 4;
  /** The value's numerator, at an offset of memory's buffer. */
  readonly read: (at: number) => number;
  /** Its denominator. */
  readonly unit: number;
}

/** Memory as numbers. */
export interface TexelViews {
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly u32: Uint32Array;
  readonly s32: Int32Array;
}

/** Bytes of one channel. */
export const bytesOfChannel = (type: ChannelType): 1 | 2 | 4 => (type.endsWith("8") ? 1 : type.endsWith("16") ? 2 : 4);

/** Writes the bits of a channel of so many bytes, at an offset of memory's buffer. */
export function putChannel({ u8, u16, u32 }: TexelViews, at: number, bytes: 1 | 2 | 4, bits: number): void {
  if (bytes === 1) u8[at] = bits;
  else if (bytes === 2) u16[at >>> 1] = bits;
  else u32[at >>> 2] = bits;
}

/** True for types whose channels are floats. */
export const isFloatChannel = (type: ChannelType): boolean => type.startsWith("f");

const word = new Uint32Array(1);
const float = new Float32Array(word.buffer);

/** The number that the bits of an f32 stand for. */
export function ofF32(bits: number): number {
  word[0] = bits;
  return float[0]!;
}

/** The bits of the f32 nearest to a number; every NaN becomes the canonical one (PTX ISA, Floating Point). */
export function toF32(value: number): number {
  if (Number.isNaN(value)) return 0x7fff_ffff;
  float[0] = value;
  return word[0]!;
}

/** The number that the bits of an f16 stand for. */
export function ofF16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25));
}

/** How a channel is read as a number; `fraction` makes integers of 8 and 16 bits fractions (CUDA's normalized float). */
export function channelOf(type: ChannelType, fraction: boolean, { u8, u16, u32, s32 }: TexelViews): Channel {
  switch (type) {
    case "u8":
      return { bytes: 1, read: (at) => u8[at]!, unit: fraction ? 255 : 1 };
    case "s8":
      return {
        bytes: 1,
        read: fraction ? (at) => Math.max((u8[at]! << 24) >> 24, -127) : (at) => (u8[at]! << 24) >> 24,
        unit: fraction ? 127 : 1,
      };
    case "u16":
      return { bytes: 2, read: (at) => u16[at >>> 1]!, unit: fraction ? 65535 : 1 };
    case "s16":
      return {
        bytes: 2,
        read: fraction ? (at) => Math.max((u16[at >>> 1]! << 16) >> 16, -32767) : (at) => (u16[at >>> 1]! << 16) >> 16,
        unit: fraction ? 32767 : 1,
      };
    case "u32":
      return { bytes: 4, read: (at) => u32[at >>> 2]!, unit: 1 };
    case "s32":
      return { bytes: 4, read: (at) => s32[at >>> 2]!, unit: 1 };
    case "f16":
      return { bytes: 2, read: (at) => ofF16(u16[at >>> 1]!), unit: 1 };
    case "f32":
      return { bytes: 4, read: (at) => ofF32(u32[at >>> 2]!), unit: 1 };
  }
}

/** What each code of an sRGB channel is as linear light, rounded to f32 (IEC 61966-2-1). */
let linearLight: Float32Array | undefined;

/** An 8-bit channel that holds sRGB. */
export function srgbChannel({ u8 }: TexelViews): Channel {
  linearLight ??= Float32Array.from({ length: 256 }, (_, code) => {
    const light = code / 255;
    return light <= 0.04045 ? light / 12.92 : ((light + 0.055) / 1.055) ** 2.4;
  });
  const table = linearLight;
  return { bytes: 1, read: (at) => table[u8[at]!]!, unit: 1 };
}

import { round, unpack } from "../../numeric/exact/exact.ts";
import { f16, f32 } from "../../numeric/format/format.ts";
import type { ChannelType } from "../contract/image.ts";
import { roundEven } from "./axis.ts";
import { ofF32 } from "./texel.ts";

const greatest: Readonly<Partial<Record<ChannelType, number>>> = { u8: 255, s8: 127, u16: 65_535, s16: 32_767 };

/** An f32 as the fraction, from 0 or -1 to 1, that a channel of integers holds: the nearest one, NaN is 0. */
export function encodedFraction(type: ChannelType, word: number): number {
  const most = greatest[type];
  if (most === undefined) return encoded(type, word);
  const value = Math.min(Math.max(ofF32(word) || 0, type.startsWith("s") ? -1 : 0), 1);
  return roundEven(value * most) & (type.endsWith("8") ? 0xff : 0xffff);
}

/**
 * A word of sust.p as a channel of the surface's format (PTX ISA, sust): floats are f32s, rounded to nearest even;
 * integers become the nearest that the channel holds (both grade unspecified).
 */
export function encoded(type: ChannelType, word: number): number {
  switch (type) {
    case "f32":
    case "u32":
      return word >>> 0;
    case "s32":
      return word >>> 0;
    case "f16":
      return Number(round(f16, "rn", unpack(f32, BigInt(word >>> 0))));
    case "u8":
      return Math.min(word >>> 0, 0xff);
    case "u16":
      return Math.min(word >>> 0, 0xffff);
    case "s8":
      return Math.min(Math.max(word | 0, -128), 127) & 0xff;
    case "s16":
      return Math.min(Math.max(word | 0, -32768), 32767) & 0xffff;
  }
}

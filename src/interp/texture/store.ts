import { round, unpack } from "../../numeric/exact/exact.ts";
import { f16, f32 } from "../../numeric/format/format.ts";
import type { ChannelType } from "../contract/image.ts";

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

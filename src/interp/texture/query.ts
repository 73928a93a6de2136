import type { AddressMode, ChannelType, ImageObject, Sampler } from "../contract/image.ts";
import type { ImageQuery } from "../contract/plan/plan-texture.ts";
import { sizeAt } from "./layout.ts";

/** What txq and suq return. Channel types and orders are OpenCL's numbers, all in the manual (Tables 12 and 13). */
export function answer(object: ImageObject, query: ImageQuery, level: number): number {
  switch (query) {
    case "filter_mode":
      return "sampler" in object && object.sampler.filter === "linear" ? 1 : 0;
    case "addr_mode_0":
    case "addr_mode_1":
    case "addr_mode_2":
      return "sampler" in object ? modeNumber(object.sampler, Number(query.slice(-1)) as 0 | 1 | 2) : 0;
    case "normalized_coords":
      return "sampler" in object && object.sampler.normalized ? 1 : 0;
    case "force_unnormalized_coords":
      return object.kind === "samplerref" && object.forced ? 1 : 0;
    default:
      return object.kind === "samplerref" ? 0 : ofImage(object, query, level);
  }
}

const modes: readonly AddressMode[] = ["wrap", "mirror", "clamp_ogl", "clamp_to_edge", "clamp_to_border"];
const modeNumber = ({ address }: Sampler, axis: 0 | 1 | 2): number => modes.indexOf(address[axis]);

type OfImage = Exclude<
  ImageQuery,
  "filter_mode" | `addr_mode_${number}` | "normalized_coords" | "force_unnormalized_coords"
>;

function ofImage(object: Exclude<ImageObject, { kind: "samplerref" }>, query: OfImage, level: number): number {
  const { image } = object;
  const [base] = image.levels;
  if (base === undefined) throw new Error(`${image.name} has no level`);
  switch (query) {
    case "width":
    case "height":
    case "depth":
      return sizeAt(base[query], Math.min(Math.max(level, 0), 31));
    case "channel_data_type":
      return channelNumbers[image.type][object.kind === "texref" && object.fraction ? 0 : 1];
    case "channel_order":
      return { 1: 0x10b0, 2: 0x10b2, 4: 0x10b5 }[image.channels];
    case "array_size":
      return image.layers ?? 0;
    case "num_mipmap_levels":
      return image.mipmapped ? image.levels.length : 0;
    case "num_samples":
      return image.samples > 1 ? image.samples : 0;
    case "memory_layout":
      return image.memory === "array" ? 0 : 1;
  }
}

/** The number of a type read as a fraction, and read as it is: CL_UNORM_INT8 and CL_UNSIGNED_INT8. */
const channelNumbers: Readonly<Record<ChannelType, readonly [number, number]>> = {
  s8: [0x10d0, 0x10d7],
  s16: [0x10d1, 0x10d8],
  s32: [0x10d9, 0x10d9],
  u8: [0x10d2, 0x10da],
  u16: [0x10d3, 0x10db],
  u32: [0x10dc, 0x10dc],
  f16: [0x10dd, 0x10dd],
  f32: [0x10de, 0x10de],
};

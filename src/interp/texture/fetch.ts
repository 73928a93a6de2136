import type { Image, Sampler, TextureObject } from "../contract/image.ts";
import { blend, blendHalf } from "./blend.ts";
import { footprint, gathered, type Lookup, type Tap } from "./footprint.ts";
import {
  bytesOfChannel,
  type Channel,
  channelOf,
  isFloatChannel,
  srgbChannel,
  type TexelViews,
  toF32,
} from "./texel.ts";

/** What a lookup gives: four channels as words of 32 bits, or as halves. */
export type Precision = "word" | "half";

/** A texture as lookups read it: its channels are settled. */
export class TextureReader {
  readonly object: TextureObject;
  readonly #channels: readonly Channel[];
  /** Results are integers: element read mode of an integer format. */
  readonly #whole: boolean;

  constructor(object: TextureObject, views: TexelViews) {
    this.object = object;
    const { image, fraction, srgb } = object;
    const plain = channelOf(image.type, fraction, views);
    this.#channels = Array.from({ length: image.channels }, (_, channel) =>
      srgb && channel < 3 ? srgbChannel(views) : plain,
    );
    this.#whole = !fraction && !isFloatChannel(image.type);
  }

  /** The texels that a lookup reads, with this sampler in place of the texture's own where one is given. */
  footprint(lookup: Lookup, sampler: Sampler = this.object.sampler): ReturnType<typeof footprint> {
    return footprint(this.object.image, this.#settled(sampler), lookup);
  }

  gathered(lookup: Lookup, sampler: Sampler = this.object.sampler): readonly Tap[] {
    return gathered(this.object.image, sampler, lookup);
  }

  /** Integers are not filtered, nor is what has several samples. */
  #settled(sampler: Sampler): Sampler {
    if (!this.#whole && this.object.image.samples === 1) return sampler;
    return { ...sampler, filter: "nearest", levels: { ...sampler.levels, filter: "nearest" } };
  }

  /**
   * A channel of the weighted texels, as bits; with `compare` of what the comparison makes of each: 1 where it is not
   * greater than the texel (grade open), else 0.
   */
  channel(
    channel: number,
    taps: readonly Tap[],
    whole: number,
    { border }: Sampler,
    precision: Precision,
    compare?: number,
  ): number {
    const read = this.#channels[channel];
    if (read === undefined) return this.#missing(channel, precision);
    const values = taps.map(({ at }) =>
      at < 0 ? this.#outside(border[channel]!, read) : read.read(at + channel * read.bytes),
    );
    if (compare !== undefined) {
      const passed = values.map((value) => (compare <= value / read.unit ? 1 : 0));
      const weights = taps.map(({ weight }) => weight);
      return (precision === "half" ? blendHalf : blend)(weights, passed, 1, whole);
    }
    if (this.#whole) return precision === "half" ? values[0]! & 0xffff : values[0]! >>> 0;
    const weights = taps.map(({ weight }) => weight);
    return (precision === "half" ? blendHalf : blend)(weights, values, read.unit, whole);
  }

  #outside(border: number, { unit }: Channel): number {
    return this.#whole ? Math.trunc(border) : border * unit;
  }

  /** Channels that the format has not: 0, and 1 for the fourth (grade open). */
  #missing(channel: number, precision: Precision): number {
    if (channel < 3) return 0;
    return this.#whole ? 1 : precision === "half" ? 0x3c00 : toF32(1);
  }
}

/** Bytes of one sample of a texel. */
export const texelBytes = ({ type, channels }: Pick<Image, "type" | "channels">): number =>
  bytesOfChannel(type) * channels;

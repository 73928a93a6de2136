import { add, type Exact, finite, magnitude, mul, round } from "../../numeric/exact/exact.ts";
import { f16, f32 } from "../../numeric/format/format.ts";
import type { Image, Sampler, TextureObject } from "../contract/image.ts";
import { roundEven } from "./axis.ts";
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

/** Weights, or numerators: one for each texel. */
type Numbers = readonly number[] | Float64Array;

/**
 * The weighted sum of texels, rounded once: sum(weight * numerator) / (unit * whole), where `whole` is the sum of the
 * weights. Weights are integers below 2^33; numerators are integers of up to 17 bits where `unit` is not 1, else f32s.
 */
function blend(weights: Numbers, numerators: Numbers, unit: number, whole: number): number {
  const sum = weights.length === 1 && weights[0] === 1 ? numerators[0]! : exactSum(weights, numerators);
  if (sum !== undefined) return toF32(sum / unit / whole);
  return Number(round(f32, "rn", shared(weights, numerators, whole)));
}

/** The same as bits of an f16. */
function blendHalf(weights: Numbers, numerators: Numbers, unit: number, whole: number): number {
  const sum = exactSum(weights, numerators);
  // The quotient of a short numerator is too far from a midpoint of f16 for binary64 to change the side it is on.
  if (sum !== undefined && unit !== 1) return halfOf(ofDouble(sum / unit / whole), sum);
  if (sum !== undefined && !Number.isFinite(sum)) return Number.isNaN(sum) ? 0x7fff : sum < 0 ? 0xfc00 : 0x7c00;
  return halfOf(shared(weights, numerators, whole), numerators[0] ?? 0);
}

const halfOf = (value: Exact, like: number): number =>
  Number(round(f16, "rn", value)) | (value.kind === "finite" && value.sig === 0n && Object.is(like, -0) ? 0x8000 : 0);

/** The sum as a double where it is one, undefined where binary64 would have to round. */
function exactSum(weights: Numbers, numerators: Numbers): number | undefined {
  let sum = 0;
  let first = true;
  for (let index = 0; index < weights.length; index++) {
    const [weight, value] = [weights[index]!, numerators[index]!];
    const product = weight * value;
    if (first) {
      first = false;
      if (weight > MOST_EXACT && !isShort(value)) return undefined;
      sum = product;
      continue;
    }
    if (weight > MOST_EXACT && !isShort(value)) return undefined;
    const next = sum + product;
    const back = next - sum;
    if (Number.isFinite(next) && sum - (next - back) + (product - back) !== 0) return undefined;
    sum = next;
  }
  return sum;
}

/** A weight of 29 bits times an f32 fits into binary64. */
const MOST_EXACT = 2 ** 29;
const isShort = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 2 ** 20;

/** The sum over `whole`, a power of two, with nothing lost. */
function shared(weights: Numbers, numerators: Numbers, whole: number): Exact {
  let sum: Exact = finite(Object.is(numerators[0], -0), 0n, 0);
  for (let index = 0; index < weights.length; index++)
    sum = add(sum, mul(ofDouble(weights[index]!), ofDouble(numerators[index]!)), "rn");
  return mul(sum, finite(false, 1n, -Math.log2(whole)));
}

const double = new Float64Array(1);
const halves = new BigUint64Array(double.buffer);

/** What a double stands for, exactly. */
function ofDouble(value: number): Exact {
  if (Number.isNaN(value)) return { kind: "nan" };
  if (!Number.isFinite(value)) return { kind: "inf", neg: value < 0 };
  if (Number.isInteger(value)) return finite(value < 0 || Object.is(value, -0), magnitude(BigInt(value)), 0);
  double[0] = value;
  const bits = halves[0]!;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  return exponent === 0
    ? finite(value < 0, fraction, -1074)
    : finite(value < 0, fraction | (1n << 52n), exponent - 1075);
}

/** What a lookup returns: four channels as words of 32 bits, or as halves. */
export type Precision = "word" | "half";

/** A texture with channel readers bound, for lookups. */
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
    return footprint(this.object.image, this.settled(sampler), lookup);
  }

  gathered(lookup: Lookup, sampler: Sampler = this.object.sampler): readonly Tap[] {
    return gathered(this.object.image, sampler, lookup);
  }

  /** The effective sampler: integers of 32 bits are not filtered, nor are multisample textures. */
  settled(sampler: Sampler): Sampler {
    const { samples, type } = this.object.image;
    if (samples === 1 && !(this.#whole && bytesOfChannel(type) === 4)) return sampler;
    return { ...sampler, filter: "nearest", levels: { ...sampler.levels, filter: "nearest" } };
  }

  /**
   * A channel of the weighted texels, as bits. With `compare` each texel counts as 1 if the reference is not greater
   * than it (grade unspecified), else 0.
   */
  channel(
    channel: number,
    taps: readonly Tap[],
    whole: number,
    sampler: Sampler,
    precision: Precision,
    compare?: number,
  ): number {
    const read = this.#channels[channel];
    if (read === undefined) return this.missing(channel, precision);
    const values = taps.map(({ at }) => this.numerator(channel, at, sampler));
    const weights = taps.map(({ weight }) => weight);
    if (compare === undefined) return this.mean(channel, weights, values, whole, precision);
    const passed = values.map((value) => (compare <= value / read.unit ? 1 : 0));
    return (precision === "half" ? blendHalf : blend)(weights, passed, 1, whole);
  }

  /** The numerator of a channel of the texel that begins at `at`; -1 is the border. */
  numerator(channel: number, at: number, { border }: Sampler): number {
    const { bytes, read, unit } = this.#channels[channel]!;
    if (at >= 0) return read(at + channel * bytes);
    return this.#whole ? Math.trunc(border[channel]!) : border[channel]! * unit;
  }

  /** The weighted mean of a channel's numerators, as bits; `whole` is the sum of the weights. */
  mean(channel: number, weights: Numbers, numerators: Numbers, whole: number, precision: Precision): number {
    if (!this.#whole)
      return (precision === "half" ? blendHalf : blend)(weights, numerators, this.#channels[channel]!.unit, whole);
    // Exact: 16 bits, and weights of 33 bits in all.
    let sum = 0;
    for (let index = 0; index < weights.length; index++) sum += weights[index]! * numerators[index]!;
    const mean = roundEven(sum / whole);
    return precision === "half" ? mean & 0xffff : mean >>> 0;
  }

  /** Channels that the format lacks: 0, and 1 for the fourth (grade unspecified). */
  missing(channel: number, precision: Precision): number {
    if (channel < 3) return 0;
    return this.#whole ? 1 : precision === "half" ? 0x3c00 : toF32(1);
  }
}

/** Bytes of one sample of a texel. */
export const texelBytes = ({ type, channels }: Pick<Image, "type" | "channels">): number =>
  bytesOfChannel(type) * channels;

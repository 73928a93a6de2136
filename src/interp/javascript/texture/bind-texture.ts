import type { Geometry, Image, Sampler } from "../../contract/image.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import { addressIn } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { type Precision, TextureReader, texelBytes } from "../../texture/fetch.ts";
import type { Lookup, Tap } from "../../texture/footprint.ts";
import { found, geometryOf, handleIsOne, handleReader, readable } from "./handle.ts";
import { type LaneWords, type Read, WarpLookup } from "./warp-lookup.ts";

type TextureStep = Plan & { shape: "texture" };

/** `d, p, a, b, c, {lod | dPdx, dPdy}, e, f`. */
export function texture(plan: TextureStep, operands: readonly (Operand | undefined)[], context: Context): Step {
  const p = operands[1];
  const resident = p?.kind === "predicate" ? p.slot : undefined;
  const reading = new Reading(plan, operands, context);
  return (warp) => {
    if (!reading.together(warp)) reading.byLane(warp);
    if (resident !== undefined) warp.p[resident]! |= warp.active;
  };
}

/** A texture instruction with its operands bound. */
class Reading {
  readonly #plan: TextureStep;
  readonly #context: Context;
  readonly #handleOf: (warp: Warp, lane: number) => bigint;
  readonly #samplerOf: ((warp: Warp, lane: number, texture: TextureReader) => Sampler) | undefined;
  /** Whether lanes have one texture and one sampler. */
  readonly #isOne: (warp: Warp, lane: number) => boolean;
  readonly #words: LookupWords;
  readonly #compare: Read | undefined;
  /** By element of d: where its lanes lie, or -1 for a sink. */
  readonly #places: readonly number[];
  readonly #precision: Precision;
  readonly #readers = new Map<bigint, TextureReader>();
  /** The latest texture of a warp, with its sampler. */
  #latest: { readonly reader: TextureReader; readonly sampler: Sampler; readonly lookup: WarpLookup } | undefined;

  constructor(plan: TextureStep, operands: readonly (Operand | undefined)[], context: Context) {
    const [d, , a, b, c, ...rest] = operands;
    const { lanes } = context;
    this.#plan = plan;
    this.#context = context;
    this.#handleOf = handleReader(a, context);
    this.#samplerOf = b === undefined ? undefined : samplerReader(b, context);
    const [isTexture, isSampler] = [handleIsOne(a, context), handleIsOne(b, context)];
    this.#isOne = (warp, lane) => isTexture(warp, lane) && isSampler(warp, lane);
    this.#words = lookupWords(plan, c, rest, lanes);
    const compared = rest[rest.length - 1];
    this.#compare = compared === undefined ? undefined : numbers(compared, false, lanes)[0];
    this.#places = elements(d).map((part) => (part.kind === "sink" ? -1 : slot(part).slot * lanes));
    this.#precision = plan.gives === "word" ? "word" : "half";
  }

  #readerOf(warp: Warp, lane: number): TextureReader {
    const handle = this.#handleOf(warp, lane);
    const object = found(handle, "texref", lane, this.#context);
    const known = this.#readers.get(handle);
    if (known !== undefined && known.object === object) return known;
    if (object.kind !== "texref") throw new Error("a texture is a texture");
    const made = new TextureReader(object, this.#context.memory.data);
    this.#readers.set(handle, made);
    return made;
  }

  /** One lane after the other, and an observer hears of each texel. */
  byLane(warp: Warp): void {
    const { active } = warp;
    for (let lane = 0; lane < this.#context.lanes; lane++) if ((active >>> lane) & 1) this.#one(warp, lane);
  }

  #one(warp: Warp, lane: number): void {
    const { geometry, gather } = this.#plan;
    const reader = this.#readerOf(warp, lane);
    agree(geometry, reader, lane);
    const sampler = this.#samplerOf?.(warp, lane, reader) ?? reader.object.sampler;
    const lookup = lookupOf(this.#plan, this.#words, warp, lane);
    const limit = this.#compare?.(warp, lane);
    const values: number[] = [];
    if (gather === undefined) {
      const { taps, whole } = reader.footprint(lookup, sampler);
      touch(warp, lane, reader, taps, this.#context);
      for (let channel = 0; channel < 4; channel++)
        values.push(reader.channel(channel, taps, whole, sampler, this.#precision, limit));
    } else {
      const taps = reader.gathered(lookup, sampler);
      touch(warp, lane, reader, taps, this.#context);
      for (const tap of taps)
        values.push(reader.channel(gather, [{ ...tap, weight: 1 }], 1, sampler, this.#precision, limit));
    }
    this.#put(warp, lane, (channel) => values[channel]!);
  }

  /** Puts four channels into a lane of d: one into each element, or two halves. */
  #put({ r }: Warp, lane: number, channel: (channel: number) => number): void {
    const isPair = this.#plan.gives === "pair";
    for (let at = 0; at < this.#places.length; at++)
      if (this.#places[at]! >= 0)
        r[this.#places[at]! + lane] = isPair ? (channel(2 * at) | (channel(2 * at + 1) << 16)) >>> 0 : channel(at);
  }

  /** All lanes at once, where they look at one texture in a plain way and nobody observes them. False: nothing is done. */
  together(warp: Warp): boolean {
    const { active } = warp;
    const { lanes, observers, memory } = this.#context;
    if (active === 0 || observers.length > 0 || this.#compare !== undefined) return false;
    const lane = 31 - Math.clz32(active & -active);
    if (!this.#isOne(warp, lane)) return false;
    const reader = this.#readerOf(warp, lane);
    agree(this.#plan.geometry, reader, lane);
    if (!isPlain(this.#plan, reader.object.image)) return false;
    const sampler = this.#samplerOf?.(warp, lane, reader) ?? reader.object.sampler;
    if (this.#latest?.reader !== reader || this.#latest.sampler !== sampler)
      this.#latest = { reader, sampler, lookup: new WarpLookup(reader, sampler, this.#plan.whole, memory) };
    const { lookup } = this.#latest;
    if (!lookup.locate(warp, lanes, this.#words)) return false;
    for (let each = lane; each < lanes; each++)
      if ((active >>> each) & 1) this.#put(warp, each, (channel) => lookup.channel(channel, each, this.#precision));
    return true;
  }
}

/** Whether lookups are those of one level without faces and samples: a single level is the one of each level of detail. */
const isPlain = ({ lod, gather }: TextureStep, { cube, samples, levels }: Image): boolean =>
  gather === undefined && !cube && samples === 1 && (lod === "base" || levels.length === 1);

/** Throws a Fault unless the instruction's geometry is that of the texture. */
function agree(geometry: Geometry, { object: { image } }: TextureReader, lane: number): void {
  const has = geometryOf(image);
  if (has !== geometry)
    throw new Fault("PTX3041", lane, `looks up ${image.name}, whose geometry is .${has}, as .${geometry}`);
}

/** Checks the texels that a lane reads, and notifies observers of them. */
export function touch(
  warp: Warp,
  lane: number,
  { object: { image } }: TextureReader,
  taps: readonly Tap[],
  context: Context,
): void {
  const bytes = texelBytes(image);
  const { observers } = context;
  for (const { at, weight, texel, level, layer } of taps) {
    if (at < 0 || weight === 0) continue;
    readable(
      warp,
      lane,
      at,
      bytes,
      () =>
        `texel (${texel.join(", ")}) of ${image.name}${image.levels.length > 1 ? `, level ${level}` : ""}${image.layers === undefined && !image.cube ? "" : `, layer ${layer}`}`,
      context,
    );
    if (observers.length === 0) continue;
    const thread = { block: warp.block, warp: warp.index, lane };
    for (const observer of observers)
      observer.load?.(thread, "global", addressIn("global", at), bytes, "weak", "gpu", at);
  }
}

/** A separate sampler operand; the texture's sampler says whether coordinates are normalised, unless forced off. */
function samplerReader(
  operand: Operand,
  context: Context,
): (warp: Warp, lane: number, texture: TextureReader) => Sampler {
  const handleOf = handleReader(operand, context);
  let latest: { readonly of: Sampler; readonly normalized: boolean; readonly sampler: Sampler } | undefined;
  return (warp, lane, { object }) => {
    const other = found(handleOf(warp, lane), "samplerref", lane, context);
    if (other.kind === "surfref") throw new Error("a sampler is not a surface");
    const forced = other.kind === "samplerref" && other.forced;
    const normalized = !forced && object.sampler.normalized;
    if (latest?.of !== other.sampler || latest.normalized !== normalized)
      latest = { of: other.sampler, normalized, sampler: { ...other.sampler, normalized } };
    return latest.sampler;
  };
}

/** The numbers of a vector's elements, as floats or as integers. */
function numbers(operand: Operand | undefined, whole: boolean, lanes: number): readonly Read[] {
  return elements(operand).map((part): Read => {
    const base = slot(part).slot * lanes;
    return whole ? ({ s }, lane) => s[base + lane]! : ({ f }, lane) => f[base + lane]!;
  });
}

/** Where coordinates begin, behind a sample and a layer. */
const leading: Readonly<Record<Geometry, readonly ("sample" | "layer")[]>> = {
  "1d": [],
  "2d": [],
  "3d": [],
  cube: [],
  a1d: ["layer"],
  a2d: ["layer"],
  acube: ["layer"],
  "2dms": ["sample"],
  a2dms: ["sample", "layer"],
};

/** Where the words of a lookup lie, by axis where there are several. */
interface LookupWords extends LaneWords {
  readonly sample: Read | undefined;
  readonly level: Read | undefined;
  readonly slopes: readonly [dx: readonly Read[], dy: readonly Read[]] | undefined;
}

function lookupWords(
  { geometry, whole, lod }: TextureStep,
  c: Operand | undefined,
  rest: readonly (Operand | undefined)[],
  lanes: number,
): LookupWords {
  const first = leading[geometry];
  const words = elements(c);
  const indices = numbers({ kind: "vector", items: words.slice(0, first.length) }, true, lanes);
  // Indices are unsigned; those above 2^31 are beyond any last layer.
  const at = (name: "sample" | "layer"): Read | undefined => {
    const read = indices[first.indexOf(name)];
    return read && ((warp, lane) => read(warp, lane) >>> 0);
  };
  const e = rest[rest.length - 2];
  return {
    coordinates: numbers({ kind: "vector", items: words.slice(first.length) }, whole, lanes),
    sample: at("sample"),
    layer: at("layer"),
    // An instruction has four bits for each offset, -8 to 7.
    shifts: (e === undefined ? [] : numbers(e, true, lanes)).map(
      (read) => (warp, lane) => (read(warp, lane) << 28) >> 28,
    ),
    level: lod === "level" ? numbers(rest[0], whole, lanes)[0]! : undefined,
    slopes: lod === "grad" ? [numbers(rest[0], false, lanes), numbers(rest[1], false, lanes)] : undefined,
  };
}

function lookupOf(
  { geometry, whole }: TextureStep,
  { coordinates, layer, sample, shifts, level, slopes }: LookupWords,
  warp: Warp,
  lane: number,
): Lookup {
  const all = (reads: readonly Read[]): number[] => reads.map((read) => read(warp, lane));
  return {
    geometry,
    whole,
    coordinates: all(coordinates),
    layer: layer?.(warp, lane) ?? 0,
    sample: sample?.(warp, lane) ?? 0,
    offset: all(shifts),
    ...(level && { lod: level(warp, lane) }),
    ...(slopes && { dx: all(slopes[0]), dy: all(slopes[1]) }),
  };
}

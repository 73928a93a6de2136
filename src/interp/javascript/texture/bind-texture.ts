import type { Geometry, Sampler } from "../../contract/image.ts";
import { elements, type Operand, slot } from "../../contract/operand.ts";
import type { Plan } from "../../contract/plan/plan.ts";
import { addressIn } from "../../contract/window.ts";
import type { Context } from "../../state/context.ts";
import { Fault } from "../../state/fault.ts";
import type { Step, Warp } from "../../state/warp.ts";
import { TextureReader, texelBytes } from "../../texture/fetch.ts";
import type { Lookup, Tap } from "../../texture/footprint.ts";
import { ofF32 } from "../../texture/texel.ts";
import { found, geometryOf, handleReader, readable } from "./handle.ts";

type TextureStep = Plan & { shape: "texture" };
type Read = (warp: Warp, lane: number) => number;

/** `d, p, a, b, c, {lod | dPdx, dPdy}, e, f`: one lane after the other. */
export function texture(plan: TextureStep, operands: readonly (Operand | undefined)[], context: Context): Step {
  const [d, p, a, b, c, ...rest] = operands;
  const { lanes } = context;
  const handleOf = handleReader(a, context);
  const samplerOf = b === undefined ? undefined : samplerReader(b, context);
  const lookupOf = lookupReader(plan, c, rest, lanes);
  const compared = rest[rest.length - 1];
  const compare = compared === undefined ? undefined : numbers(compared, false, lanes)[0];
  const put = writer(plan, d, lanes);
  const resident = p?.kind === "predicate" ? p.slot : undefined;
  const readers = new Map<bigint, TextureReader>();
  const readerOf = (handle: bigint, lane: number): TextureReader => {
    const object = found(handle, "texref", lane, context);
    const known = readers.get(handle);
    if (known !== undefined && known.object === object) return known;
    if (object.kind !== "texref") throw new Error("a texture is a texture");
    const made = new TextureReader(object, context.memory.data);
    readers.set(handle, made);
    return made;
  };
  const precision = plan.gives === "word" ? "word" : "half";
  return (warp) => {
    const { active } = warp;
    for (let lane = 0; lane < lanes; lane++) {
      if (!((active >>> lane) & 1)) continue;
      const reader = readerOf(handleOf(warp, lane), lane);
      agree(plan.geometry, reader, lane);
      const sampler = samplerOf?.(warp, lane, reader) ?? reader.object.sampler;
      const lookup = lookupOf(warp, lane);
      const limit = compare?.(warp, lane);
      const values: number[] = [];
      if (plan.gather === undefined) {
        const { taps, whole } = reader.footprint(lookup, sampler);
        touch(warp, lane, reader, taps, context);
        for (let channel = 0; channel < 4; channel++)
          values.push(reader.channel(channel, taps, whole, sampler, precision, limit));
      } else {
        const taps = reader.gathered(lookup, sampler);
        touch(warp, lane, reader, taps, context);
        for (const tap of taps)
          values.push(reader.channel(plan.gather, [{ ...tap, weight: 1 }], 1, sampler, precision, limit));
      }
      put(warp, lane, values);
    }
    if (resident !== undefined) warp.p[resident]! |= active;
  };
}

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
  return (warp, lane, { object }) => {
    const other = found(handleOf(warp, lane), "samplerref", lane, context);
    if (other.kind === "surfref") throw new Error("a sampler is not a surface");
    const forced = other.kind === "samplerref" && other.forced;
    return { ...other.sampler, normalized: !forced && object.sampler.normalized };
  };
}

/** The numbers of a vector's elements, as floats or as integers. */
function numbers(operand: Operand | undefined, whole: boolean, lanes: number): readonly Read[] {
  return elements(operand).map((part): Read => {
    const base = slot(part).slot * lanes;
    return whole ? ({ s }, lane) => s[base + lane]! : ({ r }, lane) => ofF32(r[base + lane]!);
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

function lookupReader(
  { geometry, whole, lod }: TextureStep,
  c: Operand | undefined,
  rest: readonly (Operand | undefined)[],
  lanes: number,
): (warp: Warp, lane: number) => Lookup {
  const first = leading[geometry];
  const words = elements(c);
  const indices = numbers({ kind: "vector", items: words.slice(0, first.length) }, true, lanes);
  const axes = numbers({ kind: "vector", items: words.slice(first.length) }, whole, lanes);
  const at = (name: "sample" | "layer"): Read => indices[first.indexOf(name)] ?? (() => 0);
  const [sample, layer] = [at("sample"), at("layer")];
  const e = rest[rest.length - 2];
  const shifts = e === undefined ? [] : numbers(e, true, lanes);
  const all = (reads: readonly Read[], warp: Warp, lane: number): number[] => reads.map((read) => read(warp, lane));
  const level = lod === "level" ? numbers(rest[0], whole, lanes)[0]! : undefined;
  const slopes = lod === "grad" ? [numbers(rest[0], false, lanes), numbers(rest[1], false, lanes)] : undefined;
  return (warp, lane) => ({
    geometry,
    whole,
    coordinates: all(axes, warp, lane),
    // Indices are unsigned; those above 2^31 are beyond any last layer.
    layer: layer(warp, lane) >>> 0,
    sample: sample(warp, lane) >>> 0,
    // An instruction has four bits for each offset, -8 to 7.
    offset: all(shifts, warp, lane).map((shift) => (shift << 28) >> 28),
    ...(level && { lod: level(warp, lane) }),
    ...(slopes && { dx: all(slopes[0]!, warp, lane), dy: all(slopes[1]!, warp, lane) }),
  });
}

/** Puts four channels into d: one each, or two halves in each of two. */
function writer(
  { gives }: TextureStep,
  d: Operand | undefined,
  lanes: number,
): (warp: Warp, lane: number, values: readonly number[]) => void {
  const places = elements(d).map((part) => (part.kind === "sink" ? -1 : slot(part).slot * lanes));
  const value =
    gives === "pair"
      ? (values: readonly number[], at: number): number => (values[2 * at]! | (values[2 * at + 1]! << 16)) >>> 0
      : (values: readonly number[], at: number): number => values[at]!;
  return ({ r }, lane, values) => {
    for (let at = 0; at < places.length; at++) if (places[at]! >= 0) r[places[at]! + lane] = value(values, at);
  };
}
